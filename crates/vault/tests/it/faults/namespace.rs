//! A process with mounts of its own, which nobody else sees and which end with it.

use std::path::Path;
use std::process::Command;

use crate::other::{self, Other};

/// Runs a shell line that mounts, and then the role. Nothing where the system does not allow it.
pub(crate) fn start(line: &str, at: &Path, test: &str, role: &str, arguments: &[&str]) -> Option<Other> {
    let flags = ["-m", "-Urm"].into_iter().find(|flags| is_allowed(flags));
    let Some(flags) = flags else {
        eprintln!("{test} is skipped: this system lets nobody mount, not even in a namespace");
        return None;
    };
    let mut command = Command::new("unshare");
    command.args([flags, "sh", "-ec", &format!("{line}; shift; exec \"$@\""), "sh"]).arg(at);
    Some(other::start_under(command, test, role, arguments))
}

fn is_allowed(flags: &str) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let tried = Command::new("unshare")
        .args([flags, "sh", "-ec", "mount -t tmpfs none \"$1\" 2>/dev/null", "sh"])
        .arg(directory.path())
        .stderr(std::process::Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}
