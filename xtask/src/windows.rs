//! `cargo xtask windows`: asks the compiler about Windows, on a machine that has none.
//!
//! It takes the standard library of that target and a C compiler for it, and shares nothing with the usual build; so it
//! is no part of `check`. Whether it also runs there, only a Windows machine can say: CI has one.

use std::path::Path;

use crate::debian;
use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;

const TARGET: &str = "x86_64-pc-windows-gnu";
/// As the crates that bring C along look for it.
const COMPILER: &str = "x86_64-w64-mingw32-gcc";

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    within_reach(workspace)?;
    check(workspace)
}

/// The lints that CI asks for on Windows, tests included.
pub(crate) fn check(workspace: &Workspace) -> Result<(), Failure> {
    let lints = Invocation::cargo("clippy --workspace --all-targets --locked --target").argument(TARGET);
    lints.arguments(["--", "-D", "warnings"]).run(&workspace.root)
}

pub(crate) fn within_reach(workspace: &Workspace) -> Result<(), Failure> {
    if !has_library(workspace)? {
        return Err(Failure::new(format!("the target is not here: rustup target add {TARGET}")));
    }
    match debian::program(COMPILER) {
        Some(_) => Ok(()),
        None => Err(Failure::new(format!("there is no {COMPILER} (Debian's package gcc-mingw-w64-x86-64)"))),
    }
}

fn has_library(workspace: &Workspace) -> Result<bool, Failure> {
    let place = Invocation::new("rustc").arguments(["--print", "target-libdir", "--target", TARGET]);
    Ok(Path::new(place.output(&workspace.root)?.trim()).is_dir())
}
