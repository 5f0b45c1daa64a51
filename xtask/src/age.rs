//! `cargo xtask age`: finds the `age` program for the tests of encrypted vaults, or installs Debian's.
//!
//! Like the browser it has no pinned version: people open their vaults with whatever they have.

use std::path::PathBuf;

use crate::debian;
use crate::failure::Failure;
use crate::options::Options;
use crate::workspace::Workspace;

/// Names the executable to the tests; where it is set already, that one is used.
pub(crate) const VARIABLE: &str = "STENO_AGE";
const PACKAGE: &str = "age";
/// Encrypted files are compressed as well.
const ZSTD: &str = "zstd";

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    println!("{}", installed(workspace)?.display());
    Ok(())
}

/// Whether there are the programs, or at least a way to get them.
pub(crate) fn is_within_reach() -> bool {
    (found().is_some() && debian::program(ZSTD).is_some()) || debian::can_install()
}

fn found() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
    named.map(PathBuf::from).or_else(|| debian::program(PACKAGE))
}

pub(crate) fn installed(workspace: &Workspace) -> Result<PathBuf, Failure> {
    if let (Some(age), Some(_)) = (found(), debian::program(ZSTD)) {
        return Ok(age);
    }
    let advice = format!("install age and zstd, or let {VARIABLE} name an age program");
    if !debian::can_install() {
        return Err(Failure::new(format!("there is no age program for the tests: {advice}")));
    }
    debian::install(workspace, &[PACKAGE, ZSTD]).map_err(|failure| {
        Failure::new(format!("cannot install an age program for the tests: {advice}\n{failure}"))
    })?;
    found().ok_or_else(|| Failure::new(format!("the package {PACKAGE} brought no program: {advice}")))
}
