//! A real browser on a page of ours: what it shows, what it runs, and what it asks the network for.
//!
//! Only a browser can say whether a page full of hostile text stays a page. It is Chromium without a window, driven
//! over the protocol of its own developer tools, on a profile that goes away with the value.

mod page;
mod wire;

use std::fs::{self, File};
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

pub use page::{Opened, Page, Scheme};
use wire::Wire;

/// Names the browser's executable; `cargo xtask browser` prints one.
const VARIABLE: &str = "STENO_BROWSER";
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(5);
/// No window, nothing but what the page asks for, and as root too.
const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A container's own is too small for large pages.
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
];

/// A running browser; it ends with the value.
#[derive(Debug)]
pub struct Browser {
    process: Child,
    address: Address,
    /// Goes last: the process writes into it.
    _profile: TempDir,
}

/// Where it listens: on loopback, at a port of its choice.
#[derive(Debug, Clone)]
struct Address {
    port: u16,
    path: String,
}

impl Browser {
    /// The browser that `STENO_BROWSER` names, started; none, with a note, where the variable is not set.
    #[allow(clippy::print_stdout, reason = "a test that is left out should say so")]
    pub fn from_environment() -> Option<Self> {
        let Some(executable) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) else {
            println!("left out: {VARIABLE} names no browser (`cargo xtask browser` finds or installs one)");
            return None;
        };
        Some(Self::start(Path::new(&executable)))
    }

    pub fn start(executable: &Path) -> Self {
        let profile = TempDir::new().expect("a temporary directory");
        let mut words = tempfile::tempfile().expect("a temporary file");
        let mut command = Command::new(executable);
        command.args(FLAGS).arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        // Its caches, crash reports and temporary files belong to the profile too.
        command
            .env("HOME", profile.path())
            .env("TMPDIR", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command.stderr(words.try_clone().expect("the same file"));
        let mut process = command.spawn().expect("the browser starts");
        match listening(&mut process, &profile.path().join("DevToolsActivePort")) {
            Some(address) => Self { process, address, _profile: profile },
            None => {
                process.kill().and_then(|()| process.wait()).ok();
                panic!("the browser does not listen; it said:\n{}", content(&mut words));
            }
        }
    }

    /// An empty page.
    pub fn page(&self) -> Page {
        let mut wire = Wire::connect(self.address.port, &self.address.path);
        let made = wire.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = made["targetId"].as_str().expect("a new page has an id");
        Page::new(Wire::connect(self.address.port, &format!("/devtools/page/{target}")))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to, it takes its own children along; killed, they may outlive the profile for a moment.
        Wire::ask_to_close(self.address.port, &self.address.path);
        if ended(&mut self.process, FAREWELL).is_none() {
            self.process.kill().and_then(|()| self.process.wait()).ok();
        }
    }
}

/// Waits until the browser has written down where it listens; none when it ended or patience did.
fn listening(process: &mut Child, note: &PathBuf) -> Option<Address> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(address) = fs::read_to_string(note).ok().as_deref().and_then(address) {
            return Some(address);
        }
        if ended(process, Duration::from_millis(20)).is_some() {
            return None;
        }
    }
    None
}

/// A port and a path, on a line each; a note that is still being written has neither.
fn address(note: &str) -> Option<Address> {
    let (port, path) = note.split_once('\n')?;
    let path = path.trim_end();
    let port = port.parse().ok()?;
    path.starts_with("/devtools/browser/").then(|| Address { port, path: path.to_owned() })
}

/// Whether the process ends within that time.
fn ended(process: &mut Child, within: Duration) -> Option<()> {
    let start = Instant::now();
    loop {
        if process.try_wait().expect("a child of ours").is_some() {
            return Some(());
        }
        if start.elapsed() >= within {
            return None;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn content(file: &mut File) -> String {
    let read = file.rewind().and_then(|()| std::io::read_to_string(file));
    read.unwrap_or_else(|error| format!("(unreadable: {error})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_note_is_no_address() {
        assert!(address("").is_none() && address("4123").is_none() && address("4123\n/dev").is_none());
        let whole = address("4123\n/devtools/browser/a-b\n").unwrap();
        assert_eq!((whole.port, whole.path.as_str()), (4123, "/devtools/browser/a-b"));
    }

    #[test]
    #[cfg(unix)]
    #[should_panic(expected = "no display for you")]
    fn a_browser_that_does_not_listen_is_quoted() {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("browser");
        crate::executable(&path, "#!/bin/sh\necho no display for you >&2; exit 1\n");
        Browser::start(&path);
    }
}
