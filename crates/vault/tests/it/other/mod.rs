//! The test program again, as another process that plays a role and can be killed.

#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

const ROLE: &str = "STENO_TEST_ROLE";
const ARGUMENTS: &str = "STENO_TEST_ARGUMENTS";
/// What the test harness prints has no such start.
const MARK: &str = "> ";

/// The arguments, if this process was started to play the role.
pub fn role(name: &str) -> Option<Vec<String>> {
    let is_mine = std::env::var(ROLE).is_ok_and(|role| role == name);
    is_mine.then(|| std::env::var(ARGUMENTS).unwrap().split('\n').map(str::to_owned).collect())
}

/// To the process that started this one.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\n{MARK}{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

pub fn wait_to_be_killed() -> ! {
    loop {
        std::thread::park();
    }
}

pub struct Other {
    child: Child,
    out: BufReader<ChildStdout>,
}

/// Runs one test of this program, which looks for its role first.
pub fn start(test: &str, role: &str, arguments: &[&str]) -> Other {
    start_with(Command::new(std::env::current_exe().unwrap()), test, role, arguments)
}

/// The same, under another command, which gets the program as its last arguments.
pub fn start_under(mut command: Command, test: &str, role: &str, arguments: &[&str]) -> Other {
    command.arg(std::env::current_exe().unwrap());
    start_with(command, test, role, arguments)
}

fn start_with(mut command: Command, test: &str, role: &str, arguments: &[&str]) -> Other {
    let mut child = command
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env(ARGUMENTS, arguments.join("\n"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    Other { child, out }
}

impl Other {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it said next; nothing more when it ended.
    pub fn next_line(&mut self) -> Option<String> {
        loop {
            let mut line = Vec::new();
            if self.out.read_until(b'\n', &mut line).unwrap() == 0 {
                return None;
            }
            // The last line of a killed process may lack its end, and counts for nothing.
            let line = String::from_utf8(line).unwrap();
            if let Some(said) = line.strip_prefix(MARK).and_then(|line| line.strip_suffix('\n')) {
                return Some(said.to_owned());
            }
        }
    }

    /// Everything it still says, up to its end; and whether that was a good one.
    pub fn finish(mut self) -> (Vec<String>, bool) {
        let said = std::iter::from_fn(|| self.next_line()).collect();
        (said, self.child.wait().unwrap().success())
    }

    /// With the signal that nobody can catch. Gives what it had said before.
    pub fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.next_line()).collect()
    }
}
