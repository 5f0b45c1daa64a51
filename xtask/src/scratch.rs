//! A directory in memory for the temporary files of tests: most of them sync what they write, and would spend their
//! time waiting for a disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Linux has such a file system.
const MEMORY: &str = "/dev/shm";
/// Much more than all tests have at one time.
const KIBIBYTES: u64 = 4 << 20;

/// Removed at the end, with what killed tests left in it.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// None where memory is too small, or runs no programs: tests write stand-ins for some.
    pub(crate) fn new() -> Option<Self> {
        let free = kibibytes_free(Path::new(MEMORY)).filter(|free| *free >= KIBIBYTES);
        free?;
        let directory = Path::new(MEMORY).join(format!("steno-{}", std::process::id()));
        fs::create_dir(&directory).ok()?;
        let scratch = Self(directory);
        scratch.runs_programs().then_some(scratch)
    }

    pub(crate) fn path(&self) -> String {
        self.0.display().to_string()
    }

    fn runs_programs(&self) -> bool {
        let program = self.0.join("program");
        let written = fs::write(&program, "#!/bin/sh\n")
            .and_then(|()| Command::new("chmod").arg("+x").arg(&program).status());
        written.is_ok() && Command::new(&program).status().is_ok_and(|status| status.success())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is in memory until the machine ends.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn kibibytes_free(directory: &Path) -> Option<u64> {
    let output = Command::new("df").args(["-k", "--output=avail"]).arg(directory).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().last()?.trim().parse().ok()
}
