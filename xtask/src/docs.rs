//! `cargo xtask docs`: writes the files that are generated from the program: docs/schema/, docs/cli.md and the table in the
//! agents' skill.
//!
//! The tests that find a stale file also write a fresh one when this variable is set. So xtask depends on no other crate.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;

/// Tells those tests to write.
const VARIABLE: &str = "STENO_WRITE_DOCS";

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    write(workspace, &["is_fresh", "are_fresh"])
}

/// `cargo xtask schema`: docs/schema/ alone.
pub(crate) fn schema(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    write(workspace, &["schemas_are_fresh"])
}

fn write(workspace: &Workspace, tests: &[&str]) -> Result<(), Failure> {
    Invocation::cargo(&format!("test --quiet -p steno-cli --test it -- {}", tests.join(" ")))
        .variable(VARIABLE, "1")
        .run(&workspace.root)
}
