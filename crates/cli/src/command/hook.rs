//! `steno hook`: what the client runs at a session's end and before a compaction.
//!
//! Exit code 0 whatever happens, and nothing on stdout unless asked for: the client reads meaning into both.

use std::io::{IsTerminal, Read, stdin};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use steno_ops::hook::{self, Input, Report};
use steno_ops::{Custody, Error};
use steno_render::terminal::Page;

use crate::failure::Failure;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno hook           keep the session that the client's event on stdin names
  steno hook --json    the same, and say what became of it

The plugin's hooks run this; the session is kept in the background. Where there is no vault,
nothing happens. It always exits 0.";

/// Far beyond what the client sends; the rest is not read.
const LONGEST: u64 = 16 << 20;
/// The client closes stdin at once, and waits for us.
const PATIENCE: Duration = Duration::from_secs(2);

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
    custody: impl FnOnce() -> Result<Custody, Error>,
    output: &mut Output,
) -> Result<(), Failure> {
    let report = match (custody(), &args.keep) {
        (Ok(custody), None) => hook::run(&custody, &input()),
        // The log has it, and whoever asks for the status is told.
        (Ok(custody), Some(transcript)) => hook::keep(&custody, transcript),
        (Err(error), _) => hook::failed(&error),
    };
    output.report(&report)
}

/// In a thread, because a stdin that nobody writes to and nobody closes must not hold up anybody.
fn input() -> Input {
    if stdin().is_terminal() {
        return Input::Terminal;
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdin().lock().take(LONGEST).read_to_end(&mut bytes);
        sender.send(read.map(|_| bytes))
    });
    match receiver.recv_timeout(PATIENCE) {
        Ok(Ok(bytes)) => Input::Payload(bytes),
        Ok(Err(_)) | Err(_) => Input::Nothing,
    }
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        String::new()
    }

    /// For a person who tries it; the client does not look at stderr when all went well.
    fn talk(&self) -> Option<String> {
        self.message.clone().filter(|_| stdin().is_terminal())
    }
}
