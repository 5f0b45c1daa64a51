//! Bytes that the vault lacks of a kept session → warnings.

use std::path::Path;

use steno_conversation::Warning;
use steno_vault::Hole;

use super::KeptSessions;
use super::index::KeptSession;
use crate::warning;

/// What warnings are called that tell of another generation which is damaged.
const DAMAGED_GENERATION: &str = "damaged-generation";

/// What warnings are called that tell of bytes which are damaged or gone.
const MISSING_BYTES: &str = "missing-bytes";

/// Whether a warning tells that the vault lacks something of a session, which a user has to know.
pub fn is_loss(warning: &Warning) -> bool {
    [MISSING_BYTES, DAMAGED_GENERATION].contains(&warning.kind.as_str())
}

/// About bytes of a file, which is named by where it was in the Claude directory.
pub fn missing_bytes(file: &str, generation: u32, hole: Hole) -> Warning {
    let message = format!("{hole} of generation {generation} are damaged or gone");
    warning::at(Path::new(file), MISSING_BYTES, message)
}

impl KeptSessions {
    /// What is read is whole, and yet the session may once have held more than its generation `read`.
    pub fn damaged_generations(&self, kept: &KeptSession<'_>, read: u32) -> Vec<Warning> {
        let path = Path::new(&kept.stream.path);
        let others = kept.stream.generations.iter().filter(|one| one.number != read);
        let damaged = others.filter(|one| !one.is_contiguous()).map(|one| {
            format!("generation {} of this file is damaged: what it held may be missing here", one.number)
        });
        // Without all of the ledger, nothing tells whether the vault lacks the end of a file.
        let unguarded = self.is_unguarded(kept.machine).then(|| {
            "a part of the ledger is missing: whether this is all that was kept cannot be told; \
            `steno verify` says more"
                .to_owned()
        });
        damaged.chain(unguarded).map(|message| warning::at(path, DAMAGED_GENERATION, message)).collect()
    }
}
