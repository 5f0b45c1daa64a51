//! `cargo xtask proof`: the checks that take long, for before a release.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::step::Steps;
use crate::workspace::Workspace;
use crate::{client, fuzz, memory, tests, windows};

const FUZZ_SECONDS: u64 = 600;
/// Ten times as many as usual.
const CASES: &str = "2500";
/// How often a sync is killed.
const FAULT_ROUNDS: &str = "200";

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let seconds = options.number("--seconds", FUZZ_SECONDS)?;
    let mut steps = Steps::new();
    let root = &workspace.root;
    steps.run("random cases and killed processes", || {
        let tests = Invocation::cargo("test --workspace --locked").variable("PROPTEST_CASES", CASES);
        tests.variable("STENO_FAULT_ROUNDS", FAULT_ROUNDS).run(root)
    })?;
    match workspace.corpus_variable() {
        Some(folders) => steps.run("real transcripts", || tests::real_transcripts(folders).run(root))?,
        None => steps.skip("real transcripts", "there are none beside this checkout"),
    }
    if client::is_within_reach(workspace) {
        steps.run("older clients", || {
            client::OLDER.iter().try_for_each(|version| client::test_older(workspace, version))
        })?;
    } else {
        steps.skip("older clients", "there is no npm to install them with");
    }
    match windows::within_reach(workspace) {
        Ok(()) => steps.run("Windows", || windows::check(workspace))?,
        Err(failure) => steps.skip("Windows", &failure.to_string()),
    }
    steps.run("memory", || memory::measure(workspace, memory::SIZE))?;
    steps.run("fuzz", || fuzz::all(workspace, seconds))?;
    steps.finish();
    Ok(())
}
