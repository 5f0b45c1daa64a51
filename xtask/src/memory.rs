//! `cargo xtask memory`: one huge transcript must not take more memory than its longest line explains.

use crate::bench;
use crate::failure::Failure;
use crate::options::Options;
use crate::workspace::Workspace;

pub(crate) const SIZE: &str = "2G";
const LIMIT: &str = "150M";

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    measure(workspace, options.text("--size").unwrap_or(SIZE))
}

pub(crate) fn measure(workspace: &Workspace, size: &str) -> Result<(), Failure> {
    bench::build(workspace)?;
    let memory = bench::program(workspace, "release", "memory");
    memory.arguments(["--size", size, "--rounds", "1", "--limit", LIMIT]).run(&workspace.root)
}
