//! A command → its status and all it said, or its end when it has been silent for too long.
//!
//! Silence counts, not duration: a first push may well take an hour, and reports progress all the time.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::private::{self, Umask};

const STEP: Duration = Duration::from_millis(100);
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Of silence, after its end. Counted, because a machine that was asleep has heard nothing meanwhile.
const LAST_STEPS: usize = 20;

#[derive(Debug)]
pub(super) struct Finished {
    /// `None` when a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// It was ended by us, having been silent for this long.
    pub(super) silent: Option<Duration>,
}

enum Piece {
    Out(Vec<u8>),
    Talk(Vec<u8>),
}

pub(super) fn run(
    mut command: Command,
    input: Option<Vec<u8>>,
    timeout: Option<Duration>,
    umask: Umask,
) -> io::Result<Finished> {
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if timeout.is_some() {
        own_group(&mut command);
    }
    let mut child = private::spawn(&mut command, umask)?;
    feed(&mut child, input);
    let pieces = listen(&mut child);
    let mut finished = Finished { code: None, stdout: Vec::new(), stderr: Vec::new(), silent: None };
    let status = collect(&mut child, &pieces, timeout, &mut finished)?;
    finished.code = status.code();
    Ok(finished)
}

/// A program may end without having read everything, so a broken pipe is no fault; its status tells.
fn feed(child: &mut Child, input: Option<Vec<u8>>) {
    if let (Some(bytes), Some(mut stdin)) = (input, child.stdin.take()) {
        thread::spawn(move || stdin.write_all(&bytes));
    }
}

fn listen(child: &mut Child) -> Receiver<Piece> {
    let (sender, pieces) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        pass_on(stdout, sender.clone(), Piece::Out);
    }
    if let Some(stderr) = child.stderr.take() {
        pass_on(stderr, sender, Piece::Talk);
    }
    pieces
}

fn pass_on(mut stream: impl Read + Send + 'static, sender: Sender<Piece>, piece: fn(Vec<u8>) -> Piece) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default().to_vec();
            if sender.send(piece(bytes)).is_err() {
                return;
            }
        }
    });
}

/// The end is the end of both streams, or of the process alone: something it left in the background (a shared ssh
/// connection, a cache of credentials) may hold the streams open for hours.
fn collect(
    child: &mut Child,
    pieces: &Receiver<Piece>,
    timeout: Option<Duration>,
    finished: &mut Finished,
) -> io::Result<ExitStatus> {
    let (mut heard, mut steps) = (Instant::now(), 0);
    loop {
        match pieces.recv_timeout(STEP) {
            Ok(Piece::Out(bytes)) => finished.stdout.extend(bytes),
            Ok(Piece::Talk(bytes)) => finished.stderr.extend(bytes),
            Err(RecvTimeoutError::Disconnected) => return child.wait(),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(status) = child.try_wait()? {
                    // What it said last may not have been read yet, on a machine that has much to do.
                    if steps == LAST_STEPS {
                        return Ok(status);
                    }
                    steps += 1;
                } else if timeout.is_some_and(|timeout| heard.elapsed() >= timeout) {
                    finished.silent = timeout;
                    return end(child);
                }
                continue;
            }
        }
        heard = Instant::now();
    }
}

/// First asked, so that git takes its lock files away, then made to.
fn end(child: &mut Child) -> io::Result<ExitStatus> {
    ask_to_end(child);
    let asked = Instant::now();
    while asked.elapsed() < LAST_WORDS {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(STEP / 4);
    }
    make_end(child)?;
    child.wait()
}

/// git talks to remotes through children of its own (ssh, git-remote-https), which have to end with it.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It may have ended by itself meanwhile.
    let _ = kill_process_group(Pid::from_child(child), Signal::TERM);
}

#[cfg(unix)]
fn make_end(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process_group};
    kill_process_group(Pid::from_child(child), Signal::KILL).or_else(|_| child.kill())
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(not(unix))]
fn ask_to_end(_: &Child) {}

#[cfg(not(unix))]
fn make_end(child: &mut Child) -> io::Result<()> {
    child.kill()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn status_and_both_streams_come_back() {
        let finished =
            run(shell("cat; echo no >&2; exit 3"), Some(b"in".to_vec()), None, Umask::Private).unwrap();
        assert_eq!(
            (finished.code, &finished.stdout[..], &finished.stderr[..]),
            (Some(3), &b"in"[..], &b"no\n"[..])
        );
    }

    #[test]
    fn what_comes_after_the_end_is_heard() {
        let finished = run(shell("(sleep 0.5; echo late) & exit 0"), None, None, Umask::Private).unwrap();
        assert_eq!((finished.code, &finished.stdout[..]), (Some(0), &b"late\n"[..]));
    }

    #[test]
    fn silence_ends_it_and_its_children() {
        let timeout = Duration::from_millis(200);
        let finished = run(shell("sleep 60 & wait"), None, Some(timeout), Umask::Private).unwrap();
        assert_eq!((finished.code, finished.silent), (None, Some(timeout)));
    }

    #[test]
    fn what_stays_in_the_background_is_not_waited_for() {
        let started = Instant::now();
        let finished = run(shell("echo yes; sleep 20 & exit 0"), None, None, Umask::Private).unwrap();
        assert_eq!((finished.code, &finished.stdout[..]), (Some(0), &b"yes\n"[..]));
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
