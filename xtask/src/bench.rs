//! `cargo xtask bench`: our commands and the peers found on this machine, timed on a generated home.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::peer::{Peer, Registry};
use crate::python::Package;
use crate::workspace::Workspace;
use crate::{browser, ccusage, debian, s3};

/// The tools that stand beside ours in the targets, and the package that each comes in.
const PACKAGED: [(&str, &str); 4] =
    [("restic", "restic"), ("borg", "borgbackup"), ("zstd", "zstd"), ("rg", "ripgrep")];
const BUILT: Registry = Registry::Crates { features: "" };
/// The object store that things are sent to: quick enough to tell those that send apart.
const STORE: Peer =
    Peer { name: "s3s-fs", version: "0.14.1", registry: Registry::Crates { features: "binary" } };
/// Those that count, as `steno stats` does.
const COUNTING: [Peer; 3] = [
    ccusage::PEER,
    Peer { name: "ccstats", version: "0.11.1", registry: BUILT },
    Peer { name: "ccost", version: "0.6.1", registry: BUILT },
];
/// Turns a transcript into pages, as `steno share` does.
const TRANSCRIPTS: Package = Package {
    name: "claude-code-transcripts",
    version: "0.6",
    extra: "",
    with: &[],
    program: "claude-code-transcripts",
};

/// In a home: so many that there are 2,000 transcripts with those of subagents, and 2,000 with 3,500.
const SESSIONS: [&str; 2] = ["520", "2000"];

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    if options.has("--elsewhere") {
        return elsewhere(workspace, options);
    }
    let (only_read, only_find) = (options.has("--read"), options.has("--find"));
    if options.has("--install-peers") {
        if !only_find {
            TRANSCRIPTS.install(workspace)?;
        }
        if !only_read {
            install_packages(workspace)?;
            COUNTING.iter().try_for_each(|peer| peer.install(workspace))?;
        }
    }
    build(workspace)?;
    let rounds = options.number("--rounds", 5_u32)?.to_string();
    if !only_read {
        // As much as the corpus that the targets were measured on.
        let size = options.text("--size").unwrap_or("1050M");
        let (verb, homes) = if only_find { ("find", &SESSIONS[..]) } else { ("run", &SESSIONS[1..]) };
        for sessions in homes {
            let run = with_peers(workspace, program(workspace, "release", verb));
            let run = run.arguments(["--size", size, "--rounds", &rounds, "--files", sessions]);
            run.run(&workspace.root)?;
        }
    }
    if only_find {
        return Ok(());
    }
    let size = options.text("--size").filter(|_| only_read).unwrap_or("20M");
    read(workspace, "release").arguments(["--size", size, "--rounds", &rounds]).run(&workspace.root)
}

/// What is sent to an object store on loopback and fetched back.
fn elsewhere(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    if options.has("--install-peers") {
        install_packages(workspace)?;
        STORE.install(workspace)?;
    }
    build(workspace)?;
    let rounds = options.number("--rounds", 5_u32)?.to_string();
    let run = with_peers(workspace, program(workspace, "release", "elsewhere"));
    let size = options.text("--size").unwrap_or("1050M");
    run.arguments(["--size", size, "--rounds", &rounds]).run(&workspace.root)
}

/// Every row once on a tiny home, untimed, with the programs that the tests were run with: does the recipe still
/// work?
pub(crate) fn smoke(workspace: &Workspace) -> Result<(), Failure> {
    Invocation::cargo("test --workspace --no-run --locked").run(&workspace.root)?;
    let run = program(workspace, "debug", "run");
    try_out(workspace, run.arguments(TINY))?;
    // By the server that the tests of object stores have installed, if they have: none is built for this.
    let elsewhere = with_peers(workspace, program(workspace, "debug", "elsewhere"));
    try_out(workspace, elsewhere.arguments(TINY))?;
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

const TINY: [&str; 6] = ["--size", "2M", "--files", "20", "--rounds", "0"];

/// Installs the tools that are missing; without the right to, it says so before anything is measured.
fn install_packages(workspace: &Workspace) -> Result<(), Failure> {
    let missing = PACKAGED.into_iter().filter(|(program, _)| debian::program(program).is_none());
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
    with_peers(workspace, read)
}

/// With the peers on the search path that were installed below the build directory.
fn with_peers(workspace: &Workspace, run: Invocation) -> Invocation {
    let peers = COUNTING.iter().chain([&STORE]).filter_map(|peer| peer.programs(workspace));
    let packages = [TRANSCRIPTS, s3::MOTO];
    let packages = packages.iter().filter_map(|package| package.programs(workspace));
    let programs: Vec<PathBuf> = peers.chain(packages).collect();
    match debian::search_path_with(&programs) {
        Some(search_path) => run.variable("PATH", search_path),
        None => run,
    }
}
