//! `cargo xtask schema`: writes docs/schema/ anew.
//!
//! The test that finds a stale schema also writes a fresh one when it is told to, so that this program needs none of
//! the crates it would otherwise have to build first.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    Invocation::cargo("test --quiet -p steno-cli --test schema fresh")
        .variable("STENO_WRITE_SCHEMAS", "1")
        .run(&workspace.root)
}
