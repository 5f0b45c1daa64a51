//! `cargo xtask client`: installs the real Claude Code client, for the tests that put our files before it.
//!
//! Its version is pinned, because it is the client's word that counts in those tests, and that must not change by
//! itself.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::npm::{self, Package};
use crate::options::Options;
use crate::workspace::Workspace;

const VERSION: &str = "2.1.325";
const PACKAGE: &str = "@anthropic-ai/claude-code";
/// Names the executable to the tests; where it is set already, that one is used.
pub(crate) const VARIABLE: &str = "STENO_CLIENT";
/// Tells the tests which version that is, where it is not the pinned one.
const VERSION_VARIABLE: &str = "STENO_CLIENT_VERSION";
/// Older clients that still meet sessions of ours, each for a way of its own to read a file.
pub(crate) const OLDER: [&str; 2] = ["2.1.56", "2.0.42"];

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let version = options.text("--version").unwrap_or(VERSION);
    println!("{}", installed(workspace, version)?.display());
    Ok(())
}

/// The one that the tests run: the one that is named, else the pinned one.
pub(crate) fn tested(workspace: &Workspace) -> Result<PathBuf, Failure> {
    named().map_or_else(|| installed(workspace, VERSION), Ok)
}

/// What an older client makes of sessions that are cloned from its own.
pub(crate) fn test_older(workspace: &Workspace, version: &str) -> Result<(), Failure> {
    let executable = installed(workspace, version)?.display().to_string();
    let tests = Invocation::cargo("test --locked -p steno-edit --test it client::");
    tests.variable(VARIABLE, executable).variable(VERSION_VARIABLE, version).run(&workspace.root)
}

/// Whether there is a client, or at least a way to get one.
pub(crate) fn is_within_reach(workspace: &Workspace) -> bool {
    named().is_some() || executable(&place(workspace, VERSION)).is_some() || npm::is_here()
}

fn named() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|named| !named.is_empty()).map(PathBuf::from)
}

/// The executable of that version, which is downloaded the first time.
fn installed(workspace: &Workspace, version: &str) -> Result<PathBuf, Failure> {
    let place = place(workspace, version);
    if executable(&place).is_none() {
        Package { name: PACKAGE, version, place: place.clone() }.download(workspace)?;
    }
    executable(&place)
        .ok_or_else(|| Failure::new(format!("{PACKAGE} {version} has no program for this machine")))
}

fn place(workspace: &Workspace, version: &str) -> PathBuf {
    workspace.target.join("client").join(version)
}

/// A native program, or in older versions a script that node runs.
fn executable(place: &Path) -> Option<PathBuf> {
    let modules = place.join("node_modules");
    let native = modules.join(format!("{PACKAGE}-{}", platform())).join("claude");
    let script = modules.join(PACKAGE).join("cli.js");
    // npm links the script under its name, fit to be run; of a native client it would be an empty shell.
    let linked = script.exists().then(|| modules.join(".bin/claude"));
    Some(native).filter(|native| native.exists()).or(linked)
}

/// This machine as the client's packages name it.
fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let processor = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    let library = if cfg!(target_env = "musl") { "-musl" } else { "" };
    format!("{system}-{processor}{library}")
}
