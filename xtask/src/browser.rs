//! `cargo xtask browser`: finds a Chromium for the tests that open our pages, or installs Debian's.
//!
//! Unlike the real client it has no pinned version: people read a page with whatever browser they have.

use std::path::PathBuf;

use crate::debian;
use crate::failure::Failure;
use crate::options::Options;
use crate::workspace::Workspace;

/// Names the executable to the tests; where it is set already, that one is used.
pub(crate) const VARIABLE: &str = "STENO_BROWSER";
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PACKAGE: &str = "chromium";

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    println!("{}", installed(workspace)?.display());
    Ok(())
}

/// Whether there is a browser, or at least a way to get one.
pub(crate) fn is_within_reach() -> bool {
    found().is_some() || debian::can_install()
}

pub(crate) fn found() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
    named.map(PathBuf::from).or_else(|| NAMES.iter().find_map(|name| debian::program(name)))
}

pub(crate) fn installed(workspace: &Workspace) -> Result<PathBuf, Failure> {
    if let Some(browser) = found() {
        return Ok(browser);
    }
    let advice = format!("install Chromium or Chrome, or let {VARIABLE} name one");
    if !debian::can_install() {
        return Err(Failure::new(format!("there is no browser for the tests: {advice}")));
    }
    debian::install(workspace, &[PACKAGE]).map_err(|failure| {
        Failure::new(format!("cannot install a browser for the tests: {advice}\n{failure}"))
    })?;
    found().ok_or_else(|| Failure::new(format!("the package {PACKAGE} brought no browser: {advice}")))
}
