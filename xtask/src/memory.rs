//! `cargo xtask memory`: neither a huge transcript nor one that no client would write takes more memory than a limit.

use crate::bench;
use crate::failure::Failure;
use crate::options::Options;
use crate::workspace::Workspace;

pub(crate) const SIZE: &str = "2G";
const LIMIT: &str = "150M";

/// Extreme transcripts: shape, size, and the memory that reading them may take. The last has a million records.
const EXTREMES: [(&str, &str, &str); 3] =
    [("line", "1G", "300M"), ("zeros", "5G", "300M"), ("records", "500M", "450M")];

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    measure(workspace, options.text("--size").unwrap_or(SIZE))
}

pub(crate) fn measure(workspace: &Workspace, size: &str) -> Result<(), Failure> {
    bench::build(workspace)?;
    let memory = || bench::program(workspace, "release", "memory");
    memory().arguments(["--size", size, "--rounds", "1", "--limit", LIMIT]).run(&workspace.root)?;
    EXTREMES.iter().try_for_each(|(shape, size, limit)| {
        let extreme = memory().arguments(["--shape", shape, "--size", size, "--rounds", "0"]);
        extreme.arguments(["--limit", limit]).run(&workspace.root)
    })
}
