//! A script → an executable file that may be run at once.
//!
//! Another process writes it: a file that this one has open for writing is still open in whatever other threads start
//! meanwhile, and the system refuses to run it ("text file busy").

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Replaces an existing file.
pub fn executable(path: &Path, script: &str) {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut child = shell.spawn().expect("a shell");
    child.stdin.take().expect("its input").write_all(script.as_bytes()).expect("written");
    assert!(child.wait().expect("an end").success(), "cannot write {}", path.display());
}
