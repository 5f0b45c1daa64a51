//! Tells the person, outside this terminal, that a session begins to need them.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use steno_ops::watch::Change;

use super::board;

/// A command that takes longer is ended.
const LONGEST: Duration = Duration::from_secs(10);

pub(super) struct Alert {
    pub(super) notifies: bool,
    pub(super) command: Option<String>,
}

impl Alert {
    /// Returns at once: the notification and the command run in the background.
    pub(super) fn tell(&self, change: &Change) {
        if self.notifies {
            let _ = std::io::stderr().write_all(b"\x07");
            run(notification(change), Vec::new());
        }
        if let Some(command) = &self.command {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]);
            run(shell, serde_json::to_vec(&change.session).unwrap_or_default());
        }
    }
}

fn notification(change: &Change) -> Command {
    let row = &change.session;
    let title = format!("{} needs you", board::project(row));
    let text = format!("{} · {}", board::doing(row), row.title.as_deref().unwrap_or_default());
    if cfg!(target_os = "macos") {
        let quoted = |text: &str| format!("\"{}\"", text.replace(['"', '\\'], "'"));
        let script = format!("display notification {} with title {}", quoted(&text), quoted(&title));
        let mut command = Command::new("osascript");
        command.args(["-e", &script]);
        return command;
    }
    let mut command = Command::new("notify-send");
    command.args(["--app-name=steno", "--", &title, &text]);
    command
}

/// A machine without the program has no notifications; the bell rang.
fn run(mut command: Command, input: Vec<u8>) {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return };
    thread::spawn(move || {
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(&input);
        }
        let started = Instant::now();
        while matches!(child.try_wait(), Ok(None)) {
            if started.elapsed() > LONGEST {
                let _ = child.kill();
            }
            thread::sleep(Duration::from_millis(50));
        }
    });
}
