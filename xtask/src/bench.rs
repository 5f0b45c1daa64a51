//! `cargo xtask bench`: our commands and the peers found on this machine, timed on a generated home.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    build(workspace)?;
    let size = options.text("--size").unwrap_or("1G");
    let rounds = options.number("--rounds", 5_u32)?.to_string();
    program(workspace, "release", "run").arguments(["--size", size, "--rounds", &rounds]).run(&workspace.root)
}

/// One round on a tiny home with the programs that the tests were run with: does the recipe still work?
pub(crate) fn smoke(workspace: &Workspace) -> Result<(), Failure> {
    Invocation::cargo("test --workspace --no-run --locked").run(&workspace.root)?;
    let run =
        program(workspace, "debug", "run").arguments(["--size", "2M", "--files", "20", "--rounds", "1"]);
    let table = run.output(&workspace.root)?;
    println!("{table}");
    match table.lines().find(|line| line.contains("steno") && line.contains("failed:")) {
        Some(row) => Err(Failure::new(format!("a command failed in the benchmark: {row}")).repeat(run)),
        None => Ok(()),
    }
}

/// The programs as people get them.
pub(crate) fn build(workspace: &Workspace) -> Result<(), Failure> {
    Invocation::cargo("build --release --locked -p steno-cli -p steno-bench").run(&workspace.root)
}

/// `steno-bench VERB` for the `steno` of the same profile; generated homes are kept for the next time.
pub(crate) fn program(workspace: &Workspace, profile: &str, verb: &str) -> Invocation {
    Invocation::new(workspace.built(profile, "steno-bench").display().to_string())
        .arguments([verb, "--steno"])
        .path(&workspace.built(profile, "steno"))
        .argument("--cache")
        .path(&workspace.target.join("bench"))
}
