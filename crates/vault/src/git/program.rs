//! How git is run: without prompts, and with settings that no configuration of the user overrides.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::call::Call;
use super::error::Error;

/// Set by a hook that may be running us, or by a person for another repository.
const FORGOTTEN: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INDEX_VERSION",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_QUARANTINE_PATH",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_REPLACE_REF_BASE",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_ATTR_SOURCE",
    "GIT_DEFAULT_HASH",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_DATE",
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
    "GIT_TRACE_CURL",
    "GIT_TRACE_PACKET",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_CURL_VERBOSE",
];

const VARIABLES: &[(&str, &str)] = &[
    // Refusals are recognised by their English messages.
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", ""),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("GCM_INTERACTIVE", "never"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_PAGER", "cat"),
];

const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

const SETTINGS: &[&str] = &[
    // Bytes go in and out as they are.
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.precomposeunicode=false",
    "core.quotepath=off",
    // For Windows: segments of subagents have long paths.
    "core.longpaths=true",
    "i18n.commitEncoding=UTF-8",
    // A remote plants nothing.
    "core.symlinks=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    // Nothing of the user's runs or decides.
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "index.sparse=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "push.gpgSign=false",
    "push.followTags=false",
    "push.pushOption=",
    "fetch.prune=false",
    "advice.detachedHead=false",
    "color.ui=false",
    // Housekeeping comes when we ask for it.
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.writeCommitGraph=false",
    // Segments are compressed already, and have nothing in common.
    "core.compression=0",
    "core.bigFileThreshold=1m",
    // Commits survive a loss of power.
    "core.fsync=added,reference",
    "core.fsyncMethod=batch",
];

/// The git executable and its surroundings.
#[derive(Debug, Clone)]
pub struct Git {
    pub program: PathBuf,
    /// Added to what the process inherits.
    pub environment: Vec<(OsString, OsString)>,
    /// How long a remote may stay silent before it counts as offline.
    pub timeout: Duration,
    /// The `gh` that signs in for addresses at GitHub.
    pub gh: Option<PathBuf>,
}

impl Git {
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let timeout = Duration::from_secs(120);
        Self { program: program.into(), environment: Vec::new(), timeout, gh: None }
    }

    /// `2.47.3`; also how to find out whether git is there at all.
    pub fn version(&self) -> Result<String, Error> {
        let answer = self.call().argument("version").text()?;
        Ok(answer.trim_start_matches("git version ").to_owned())
    }

    pub(super) fn call(&self) -> Call {
        let mut command = Command::new(&self.program);
        for name in FORGOTTEN {
            command.env_remove(name);
        }
        command.envs(VARIABLES.iter().copied());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        for file in ["core.hooksPath", "core.excludesFile", "core.attributesFile"] {
            command.arg("-c").arg(format!("{file}={NOWHERE}"));
        }
        Call::new(command, "git")
    }

    /// Names the repository, so that git does not look for one in the directories above.
    pub(super) fn call_in(&self, root: &Path, repository: &Path) -> Call {
        let mut safe = OsString::from("safe.directory=");
        safe.push(root);
        let mut directory = OsString::from("--git-dir=");
        directory.push(repository);
        let mut work_tree = OsString::from("--work-tree=");
        work_tree.push(root);
        self.call()
            .argument("-C")
            .argument(root)
            .argument("-c")
            .argument(safe)
            .argument(directory)
            .argument(work_tree)
    }
}
