//! `cargo xtask bench`: our commands and the peers found on this machine, timed on a generated home.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;

/// The backup tools that stand beside ours in the targets, and the package that each comes in.
const PEERS: [(&str, &str); 3] = [("restic", "restic"), ("borg", "borgbackup"), ("zstd", "zstd")];

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    if options.has("--install-peers") {
        install_peers(workspace)?;
    }
    build(workspace)?;
    // As much as the corpus that the targets were measured on.
    let size = options.text("--size").unwrap_or("1050M");
    let rounds = options.number("--rounds", 5_u32)?.to_string();
    program(workspace, "release", "run").arguments(["--size", size, "--rounds", &rounds]).run(&workspace.root)
}

/// Every row once on a tiny home, untimed, with the programs that the tests were run with: does the recipe still
/// work?
pub(crate) fn smoke(workspace: &Workspace) -> Result<(), Failure> {
    Invocation::cargo("test --workspace --no-run --locked").run(&workspace.root)?;
    let run =
        program(workspace, "debug", "run").arguments(["--size", "2M", "--files", "20", "--rounds", "0"]);
    let table = run.output(&workspace.root)?;
    println!("{table}");
    match table.lines().find(|line| line.contains("steno") && line.contains("failed:")) {
        Some(row) => Err(Failure::new(format!("a command failed in the benchmark: {row}")).repeat(run)),
        None => Ok(()),
    }
}

/// Installs the peers that are missing; without the right to, it says so before anything is measured.
fn install_peers(workspace: &Workspace) -> Result<(), Failure> {
    let missing = PEERS.into_iter().filter(|(program, _)| !is_installed(program));
    let packages: Vec<&str> = missing.map(|(_, package)| package).collect();
    if packages.is_empty() {
        return Ok(());
    }
    Invocation::new("apt-get").arguments(["update", "-qq"]).run(&workspace.root)?;
    let install = Invocation::new("apt-get").arguments(["install", "-y", "-qq", "--no-install-recommends"]);
    install.arguments(packages).variable("DEBIAN_FRONTEND", "noninteractive").run(&workspace.root)
}

fn is_installed(program: &str) -> bool {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search_path).any(|directory| directory.join(program).is_file())
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
