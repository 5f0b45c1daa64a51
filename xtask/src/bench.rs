//! `cargo xtask bench`: our commands and the peers found on this machine, timed on a generated home.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::python::Package;
use crate::workspace::Workspace;
use crate::{browser, debian};

/// The backup tools that stand beside ours in the targets, and the package that each comes in.
const PEERS: [(&str, &str); 3] = [("restic", "restic"), ("borg", "borgbackup"), ("zstd", "zstd")];
/// Turns a transcript into pages, as `steno share` does.
const TRANSCRIPTS: Package = Package { name: "claude-code-transcripts", version: "0.6" };

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let only_read = options.has("--read");
    if options.has("--install-peers") {
        TRANSCRIPTS.install(workspace)?;
        if !only_read {
            install_peers(workspace)?;
        }
    }
    build(workspace)?;
    let rounds = options.number("--rounds", 5_u32)?.to_string();
    if !only_read {
        // As much as the corpus that the targets were measured on.
        let size = options.text("--size").unwrap_or("1050M");
        let run = program(workspace, "release", "run");
        run.arguments(["--size", size, "--rounds", &rounds]).run(&workspace.root)?;
    }
    let size = options.text("--size").filter(|_| only_read).unwrap_or("20M");
    read(workspace, "release").arguments(["--size", size, "--rounds", &rounds]).run(&workspace.root)
}

/// Every row once on a tiny home, untimed, with the programs that the tests were run with: does the recipe still
/// work?
pub(crate) fn smoke(workspace: &Workspace) -> Result<(), Failure> {
    Invocation::cargo("test --workspace --no-run --locked").run(&workspace.root)?;
    let run = program(workspace, "debug", "run");
    try_out(workspace, run.arguments(["--size", "2M", "--files", "20", "--rounds", "0"]))?;
    try_out(workspace, read(workspace, "debug").arguments(["--size", "500K", "--rounds", "0"]))
}

fn try_out(workspace: &Workspace, run: Invocation) -> Result<(), Failure> {
    let table = run.output(&workspace.root)?;
    println!("{table}");
    match table.lines().find(|line| line.contains("steno") && line.contains("failed:")) {
        Some(row) => Err(Failure::new(format!("a command failed in the benchmark: {row}")).repeat(run)),
        None => Ok(()),
    }
}

/// Installs the backup tools that are missing; without the right to, it says so before anything is measured.
fn install_peers(workspace: &Workspace) -> Result<(), Failure> {
    let missing = PEERS.into_iter().filter(|(program, _)| debian::program(program).is_none());
    let packages: Vec<&str> = missing.map(|(_, package)| package).collect();
    if packages.is_empty() { Ok(()) } else { debian::install(workspace, &packages) }
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

/// `steno-bench read`, with the browser and the peer that are there.
fn read(workspace: &Workspace, profile: &str) -> Invocation {
    let mut read = program(workspace, profile, "read");
    if let Some(browser) = browser::found() {
        read = read.argument("--browser").path(&browser);
    }
    match TRANSCRIPTS.programs(workspace).and_then(|programs| debian::search_path_with(&programs)) {
        Some(search_path) => read.variable("PATH", search_path),
        None => read,
    }
}
