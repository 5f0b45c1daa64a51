//! ccusage, which counts what `steno stats` counts: tests on real transcripts hold its days against ours, and the
//! benchmark its time.

use crate::failure::Failure;
use crate::peer::{Peer, Registry};
use crate::workspace::Workspace;

/// Pinned, because the test knows what this version does otherwise than we do.
pub(crate) const PEER: Peer = Peer { name: "ccusage", version: "20.0.24", registry: Registry::Npm };
/// Names the executable to the tests; where it is set already, that one is used.
pub(crate) const VARIABLE: &str = "STENO_CCUSAGE";

/// The executable, which is downloaded the first time.
pub(crate) fn installed(workspace: &Workspace) -> Result<String, Failure> {
    if let Some(named) = std::env::var(VARIABLE).ok().filter(|named| !named.is_empty()) {
        return Ok(named);
    }
    PEER.install(workspace)?;
    let programs = PEER.programs(workspace);
    let programs = programs.ok_or_else(|| Failure::new("the package ccusage brought no program"))?;
    Ok(programs.join(PEER.name).display().to_string())
}
