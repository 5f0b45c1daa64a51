//! `steno hook`: what the client runs at a session's end and before a compaction.
//!
//! Exit code 0 whatever happens, and nothing on stdout unless asked for: the client reads meaning into both.

use std::ffi::OsString;
use std::io::{IsTerminal, Read, stdin};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use steno_ops::hook::{self, Input, Report};
use steno_ops::{Error, ErrorKind, Workspace};
use steno_render::terminal::Page;

use crate::args::{self, Color, Global};
use crate::config;
use crate::failure::{self, Failure};
use crate::output::{Human, Output, OutputMode};

const EXAMPLES: &str = "\
Examples:
  steno hook           back up the session that the client's event on stdin names
  steno hook --json    the same, and report the outcome

The plugin's hooks run this; the session is backed up in the background. Without a vault,
nothing happens. It always exits 0.";

/// Far beyond what the client sends; the rest is not read.
const LONGEST: u64 = 16 << 20;
/// The client writes at once, and waits for us.
const FIRST: Duration = Duration::from_millis(900);
/// For all of it.
const PATIENCE: Duration = Duration::from_secs(2);
const PIECE: usize = 1 << 16;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Internal: keep now, once this transcript is at rest
    #[arg(long, hide = true, value_name = "TRANSCRIPT")]
    keep: Option<PathBuf>,
}

/// Nothing that is wrong with the surroundings, a missing home included, is the client's concern.
pub(crate) fn run(
    args: &Args,
    workspace: impl FnOnce() -> Result<Workspace, Error>,
    output: &mut Output,
) -> Result<(), Failure> {
    let report = match (workspace(), &args.keep) {
        (Ok(workspace), None) => hook::run(&workspace, &input()),
        // The log has it, and `status` tells of it.
        (Ok(workspace), Some(transcript)) => hook::keep(&workspace, transcript),
        (Err(error), _) => hook::failed(&error),
    };
    output.report(&report, &[])
}

/// Whether a line that means nothing was meant for this command: its first word that is no flag, nor a flag's value.
pub(crate) fn is_meant(line: &[OsString]) -> bool {
    let tree = args::tree();
    let takes_next = |word: &str| {
        let flag = tree.get_arguments().find(|flag| flag.get_long() == word.strip_prefix("--"));
        flag.is_some_and(|flag| flag.get_action().takes_values())
    };
    let mut words = line.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            return word == "hook";
        }
        if takes_next(&word) {
            words.next();
        }
    }
    false
}

/// Such a line is no concern of the client's either.
pub(crate) fn refuse(error: &clap::Error, wants_json: bool) {
    let global = Global {
        json: wants_json,
        claude_dir: Vec::new(),
        vault: None,
        identity: None,
        quiet: false,
        color: Color::Auto,
    };
    let (message, _) = failure::parts(&error.to_string());
    let report = hook::failed(&Error::new(ErrorKind::Invalid, message));
    // There is no way left to tell of an answer that cannot be written.
    let _ =
        Output::new(&OutputMode::new(&global, config::terminal()), Timestamp::default()).report(&report, &[]);
}

/// Reads stdin in a thread: one that is neither written to nor closed must not hold up the client.
fn input() -> Input {
    if stdin().is_terminal() {
        return Input::Terminal;
    }
    let (sender, pieces) = mpsc::channel();
    thread::spawn(move || {
        let mut stdin = stdin().lock().take(LONGEST);
        let mut piece = vec![0; PIECE];
        while let Ok(read) = stdin.read(&mut piece)
            && let Some(read) = piece.get(..read).filter(|read| !read.is_empty())
            && sender.send(read.to_vec()).is_ok()
        {}
        // That it is over is known when the sender is gone.
    });
    collected(&pieces)
}

/// Until it is whole, or over, or has taken too long.
fn collected(pieces: &Receiver<Vec<u8>>) -> Input {
    let start = Instant::now();
    let mut bytes = match pieces.recv_timeout(FIRST) {
        Ok(piece) => piece,
        Err(mpsc::RecvTimeoutError::Disconnected) => Vec::new(),
        Err(mpsc::RecvTimeoutError::Timeout) => return Input::Nothing,
    };
    while !hook::is_whole(&bytes)
        && let Ok(piece) = pieces.recv_timeout(PATIENCE.saturating_sub(start.elapsed()))
    {
        bytes.extend(piece);
    }
    Input::Payload(bytes)
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        String::new()
    }

    /// For a person who tries it; the client does not look at stderr when all went well.
    fn talk(&self) -> Vec<String> {
        self.message.clone().filter(|_| stdin().is_terminal()).into_iter().collect()
    }
}
