//! `hook`: what the client tells its hooks → a process of our own that keeps the session.
//!
//! Two halves. [`run`] is what the client waits for: it looks, decides and starts the other half, and never fails.
//! [`keep`] is that half; the client does not wait for it: it may take its time, and tells the log how it ended.

mod claim;
mod payload;
mod quiet;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::claude_dirs::ClaudeDirs;
use crate::error::Error;
use crate::workspace::{Vault, Workspace};
use crate::{journal, sync};
use claim::{Claim, Claims};
use payload::Payload;
pub use payload::is_whole;
use quiet::Mark;

/// Events after which there is something to keep.
pub(crate) const KEPT: [&str; 2] = ["SessionEnd", "PreCompact"];
/// The client does not wait for us: a running sync may have passed the session already, so ours comes after it.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// What stood on stdin.
#[derive(Debug, Clone)]
pub enum Input {
    Payload(Vec<u8>),
    /// A person, who was not asked.
    Terminal,
    /// It did not come.
    Nothing,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// A hook never fails.
    pub ok: bool,
    /// As the client names it.
    pub event: Option<String>,
    pub session: Option<String>,
    /// Whether the session is being kept now, in the background.
    pub started: bool,
    /// Why not; null where it is.
    pub reason: Option<Reason>,
    pub message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Nothing to read, or a terminal.
    NoPayload,
    /// Not what the client sends.
    BadPayload,
    /// Nothing is kept at this event.
    OtherEvent,
    NoVault,
    /// The session lies in a Claude directory that this vault does not keep.
    OtherDirectory,
    /// Another hook has seen to it.
    Claimed,
    Failed,
}

/// Why nothing was started, with what there is to say about it.
#[derive(Debug)]
pub(crate) struct Refusal(Reason, Option<String>);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(Reason::Failed, Some(error.to_string()))
    }
}

/// The answer where the hook could not even be started.
pub fn failed(error: &Error) -> Report {
    report(None, Err(Refusal(Reason::Failed, Some(error.to_string()))))
}

/// Starts to keep the session, where that is called for.
pub fn run(workspace: &Workspace, input: &Input) -> Report {
    match Payload::read(input) {
        Ok(payload) => {
            let outcome = start(workspace, &payload).inspect_err(|refusal| note(workspace, refusal));
            report(Some(payload), outcome)
        }
        Err(refusal) => report(None, Err(refusal)),
    }
}

fn report(payload: Option<Payload>, outcome: Result<(), Refusal>) -> Report {
    let (event, session) = payload.map_or((None, None), |payload| (payload.event, payload.session));
    let started = outcome.is_ok();
    let (reason, message) =
        outcome.err().map_or((None, None), |Refusal(reason, message)| (Some(reason), message));
    Report { ok: true, event, session, started, reason, message }
}

/// The log says why a session was not kept.
fn note(workspace: &Workspace, Refusal(reason, message): &Refusal) {
    let message = message.as_deref().unwrap_or_default();
    match reason {
        Reason::Failed => journal::write(workspace, "hook", &format!("failed: {message}")),
        Reason::OtherDirectory => journal::write(workspace, "hook", message),
        _ => {}
    }
}

fn start(workspace: &Workspace, payload: &Payload) -> Result<(), Refusal> {
    let event = payload.event.as_deref().unwrap_or_default();
    if !KEPT.contains(&event) {
        return Err(Refusal(Reason::OtherEvent, None));
    }
    let vault = workspace.look()?.ok_or(Refusal(Reason::NoVault, None))?;
    let claude_dir = claude_dir(workspace, &vault, payload)?;
    let claims = Claims::of(workspace);
    let transcript = payload.transcript.as_deref().unwrap_or(&claude_dir);
    if claim(payload, event, transcript).is_some_and(|claim| !claims.enter(&claim)) {
        return Err(Refusal(Reason::Claimed, None));
    }
    spawn(workspace, &claude_dir, transcript).map_err(|error| {
        claims.withdraw(transcript);
        Refusal(
            Reason::Failed,
            Some(format!("cannot start {}: {error}", workspace.schedule.program.display())),
        )
    })
}

/// None where nothing says which session it is about: then every event is seen to.
fn claim(payload: &Payload, event: &str, kept: &Path) -> Option<Claim> {
    let mark = payload.transcript.as_deref().and_then(Mark::of);
    let (event, session, kept) = (event.to_owned(), payload.session.clone(), kept.to_owned());
    let is_known = session.is_some() || payload.transcript.is_some();
    is_known.then_some(Claim { event, session, kept, mark })
}

/// The session's Claude directory, if the vault keeps that one.
///
/// Plugins come along with settings, and a client may run with another directory, of another account perhaps: taking
/// that into this vault, and to wherever it is sent, is for a person to say, with a `sync`. A vault that has kept
/// nothing yet was made for the directory that every other command would take, and a directory of the original tool
/// is no vault before `init` or `sync` makes it one.
fn claude_dir(workspace: &Workspace, vault: &Vault, payload: &Payload) -> Result<PathBuf, Refusal> {
    let usual = workspace.claude_dir()?;
    let meant = payload.claude_dir().unwrap_or(usual);
    if vault.home(meant).is_some() {
        return Ok(meant.to_owned());
    }
    if !vault.manifest.homes.is_empty() {
        return Err(other_directory(workspace, meant));
    }
    if vault.identity.is_none() {
        return Err(Refusal(Reason::NoVault, None));
    }
    let is_usual = workspace.dirs.paths.iter().any(|usual| is_same(usual, meant));
    if is_usual { Ok(meant.to_owned()) } else { Err(other_directory(workspace, meant)) }
}

/// With the line that takes it in, whatever directory the client runs with.
fn other_directory(workspace: &Workspace, meant: &Path) -> Refusal {
    let dirs = ClaudeDirs { paths: vec![meant.to_owned()], is_default: false, now: workspace.dirs.now };
    let flags = Workspace { dirs, ..workspace.clone() }.flags();
    let message = format!("{} is not in this vault: `steno sync{flags}` takes it in", meant.display());
    Refusal(Reason::OtherDirectory, Some(message))
}

fn is_same(one: &Path, other: &Path) -> bool {
    crate::workspace::text_of(one) == crate::workspace::text_of(other)
}

/// In a process group of its own, which outlives the client and is not killed with it; and not in the client's
/// directory, which the user may want to remove.
#[allow(clippy::zombie_processes, reason = "we end before it does, and then it is nobody's child")]
fn spawn(workspace: &Workspace, claude_dir: &Path, transcript: &Path) -> std::io::Result<()> {
    let mut command = Command::new(&workspace.schedule.program);
    command.arg("--quiet").arg("--vault").arg(&workspace.vault).arg("--claude-dir").arg(claude_dir);
    command.arg("hook").arg("--keep").arg(transcript).current_dir(&workspace.vault);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x8;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        let flags = DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP;
        std::os::windows::process::CommandExt::creation_flags(&mut command, flags);
    }
    command.spawn().map(drop)
}

/// Keeps the sessions of the Claude directory, once the transcript is at rest; sends them as `sync` does.
pub fn keep(workspace: &Workspace, transcript: &Path) -> Report {
    quiet::wait(transcript);
    let vault = workspace.open().map_err(Refusal::from).inspect_err(|refusal| note(workspace, refusal));
    let kept = vault.and_then(|vault| {
        let workspace = Workspace { patience: workspace.patience.max(PATIENCE), ..workspace.clone() };
        let request = sync::Request { sessions_only: true, ..sync::Request::default() };
        journal::record(&workspace, "hook", || sync::sync(&workspace, vault, &request)).map_err(Refusal::from)
    });
    if kept.is_err() {
        Claims::of(workspace).withdraw(transcript);
    }
    report(None, kept.map(drop))
}
