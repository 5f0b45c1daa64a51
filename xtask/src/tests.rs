//! All tests in one run, with what some of them need from outside: real transcripts, and programs of others.
//!
//! One run, because those tests wait for other processes while the rest computes.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::scratch::Scratch;
use crate::workspace::Workspace;
use crate::{age, browser, ccusage, client, debian, s3};

/// Runs the tests of all crates side by side.
const NEXTEST: &str = "cargo-nextest";
const CORPUS: &str = "STENO_CORPUS";

/// Something installed that some tests run.
struct Program {
    name: &'static str,
    /// Names it to the tests.
    variable: &'static str,
    is_within_reach: fn(&Workspace) -> bool,
    install: fn(&Workspace) -> Result<PathBuf, Failure>,
    /// Why it is not within reach.
    reason: &'static str,
}

const PROGRAMS: [Program; 3] = [
    Program {
        name: "real client",
        variable: client::VARIABLE,
        is_within_reach: client::is_within_reach,
        install: client::tested,
        reason: "there is neither npm to install one nor STENO_CLIENT to name one",
    },
    Program {
        name: "browser",
        variable: browser::VARIABLE,
        is_within_reach: |_| browser::is_within_reach(),
        install: browser::installed,
        reason: "there is none, and no right to install one (STENO_BROWSER names one)",
    },
    Program {
        name: "age program",
        variable: age::VARIABLE,
        is_within_reach: |_| age::is_within_reach(),
        install: age::installed,
        reason: "there is none, and no right to install one (STENO_AGE names one)",
    },
];

/// The environment of the tests; ends the server that it started.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    variables: Vec<(&'static str, String)>,
    /// The programs that are missing, and why. A test passes without the program it needs, so the run names them.
    pub(crate) absent: Vec<(&'static str, String)>,
    server: Option<s3::Server>,
}

impl Outside {
    /// Installs the missing programs that can be installed.
    pub(crate) fn find(workspace: &Workspace) -> Result<Self, Failure> {
        let mut outside = Self::default();
        match workspace.corpus_variable() {
            Some(folders) => {
                outside.variables.push((CORPUS, folders));
                match ccusage::installed(workspace) {
                    Ok(executable) => outside.variables.push((ccusage::VARIABLE, executable)),
                    Err(failure) => outside.lacks("ccusage beside real transcripts", failure.to_string()),
                }
            }
            None => outside
                .lacks("real transcripts", "there are none beside this checkout (STENO_CORPUS names some)"),
        }
        for program in PROGRAMS {
            if (program.is_within_reach)(workspace) {
                let executable = (program.install)(workspace)?.display().to_string();
                outside.variables.push((program.variable, executable));
            } else {
                outside.lacks(program.name, program.reason);
            }
        }
        match s3::within_reach(workspace) {
            Ok(()) => outside.start_server(workspace)?,
            Err(failure) => outside.lacks("object store", failure.to_string()),
        }
        Ok(outside)
    }

    fn lacks(&mut self, name: &'static str, reason: impl Into<String>) {
        self.absent.push((name, reason.into()));
    }

    fn start_server(&mut self, workspace: &Workspace) -> Result<(), Failure> {
        self.server = s3::started(workspace)?;
        self.variables.extend(self.server.as_ref().map(|server| (s3::VARIABLE, server.endpoint())));
        Ok(())
    }
}

/// All tests, by nextest where it is installed.
pub(crate) fn all(outside: &Outside, root: &Path) -> Result<(), Failure> {
    let tests = match debian::program(NEXTEST) {
        Some(_) => Invocation::cargo("nextest run --workspace --locked"),
        None => Invocation::cargo("test --workspace --locked --no-fail-fast"),
    };
    let scratch = Scratch::new();
    let directory = scratch.iter().map(|scratch| ("TMPDIR", scratch.path()));
    let variables = outside.variables.iter().cloned().chain(directory);
    variables.fold(tests, |tests, (name, value)| tests.variable(name, value)).run(root)
}

/// The tests called `corpus`, in whatever crate, out of the same build as all others.
pub(crate) fn real_transcripts(folders: String) -> Invocation {
    let tests = Invocation::cargo("test --workspace --locked --test it corpus::");
    // In every way, not in two of them.
    tests.variable(CORPUS, folders).variable("STENO_CORPUS_ALL", "1")
}
