//! The real Claude Code client, run on a temporary home against a stand-in for the API it talks to.
//!
//! What `testkit` writes is the format as we understand it; only the client itself can say whether we understood.
//! Nothing leaves the machine: the API is on loopback, and the stand-in is also the proxy for everything else.

mod api;
mod http;
mod message;
mod script;
mod sent;
mod stage;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub use api::MockApi;
pub use message::{CACHE_READ_TOKENS, CACHE_WRITE_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS};
pub use sent::sent_before;
pub use stage::Stage;

/// Names the client's executable; `cargo xtask client` prints one.
const VARIABLE: &str = "STENO_CLIENT";
/// Its version, where that is not the pinned one.
const VERSION_VARIABLE: &str = "STENO_CLIENT_VERSION";
const PATIENCE: Duration = Duration::from_secs(90);
/// Everything the client would do beside its work.
const SILENCED: [&str; 5] = [
    "DISABLE_TELEMETRY",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_BUG_COMMAND",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
];

/// An installed client.
#[derive(Debug, Clone)]
pub struct Client {
    executable: PathBuf,
    variables: Vec<(OsString, OsString)>,
}

impl Client {
    /// The client that `STENO_CLIENT` names; none where the variable is not set.
    pub fn from_environment() -> Option<Self> {
        let executable = std::env::var_os(VARIABLE).filter(|executable| !executable.is_empty())?;
        Some(Self { executable: executable.into(), variables: Vec::new() })
    }

    /// The version that `STENO_CLIENT_VERSION` names; none for the pinned one.
    pub fn version() -> Option<String> {
        std::env::var(VERSION_VARIABLE).ok().filter(|version| !version.is_empty())
    }

    /// One more variable of its environment, such as `CLAUDE_CONFIG_DIR`.
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Runs it to its end; panics with what it said if it does not come to one.
    pub fn run<S: AsRef<OsStr>>(&self, home: &Path, cwd: &Path, api: &MockApi, arguments: &[S]) -> Output {
        // Files, not pipes: what the client leaves running cannot hold us up then.
        let (mut stdout, mut stderr) = (spool(), spool());
        let mut command = self.command(home, cwd, api);
        command.args(arguments).stdin(Stdio::null());
        command.stdout(stdout.try_clone().unwrap()).stderr(stderr.try_clone().unwrap());
        let ended = wait(command.spawn().expect("the client starts"));
        let (stdout, stderr) = (content(&mut stdout), content(&mut stderr));
        let Some(status) = ended else {
            let said = [stdout, stderr].concat();
            panic!("the client ran for more than {PATIENCE:?}; it said:\n{}", String::from_utf8_lossy(&said));
        };
        Output { status, stdout, stderr }
    }

    fn command(&self, home: &Path, cwd: &Path, api: &MockApi) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(cwd).env_clear();
        command.envs(std::env::vars_os().filter(|(name, _)| name == "PATH"));
        command.env("HOME", home).env("USER", "user").env("SHELL", "/bin/sh").env("LANG", "C.UTF-8");
        command.env("ANTHROPIC_BASE_URL", api.url()).env("ANTHROPIC_API_KEY", "no-key-is-needed");
        command.env("HTTP_PROXY", api.url()).env("HTTPS_PROXY", api.url()).env("NO_PROXY", "127.0.0.1");
        command.envs(SILENCED.map(|name| (name, "1"))).env("CLAUDE_CODE_MAX_RETRIES", "1");
        // The tool of the `todo` script.
        command.env("CLAUDE_CODE_ENABLE_TASKS", "0").env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1");
        // As root it would refuse to go without permission prompts.
        command.env("IS_SANDBOX", "1");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// None when patience ended first.
fn wait(mut child: Child) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().and_then(|()| child.wait()).expect("a child of ours");
    None
}

fn spool() -> File {
    tempfile::tempfile().expect("a temporary file")
}

fn content(file: &mut File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("what the client said");
    bytes
}
