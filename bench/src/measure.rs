//! A command → how long it took and how much memory it held at most.
//!
//! Time and memory are taken in separate runs: the one that looks at memory has a wrapper or a watcher beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::Error;

/// A program with everything filled in.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The generated home: `CLAUDE_CONFIG_DIR` and `HOME` of the child.
    pub(crate) claude_directory: PathBuf,
}

/// One run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) status: ExitStatus,
}

const WRAPPER: &str = "/usr/bin/time";
const SAMPLE: Duration = Duration::from_millis(2);

impl Invocation {
    pub(crate) fn time(&self) -> Result<Run, Error> {
        let start = Instant::now();
        let status = self.command().status().map_err(|source| self.error(source))?;
        Ok(Run { time: start.elapsed(), status })
    }

    /// The greatest resident size in bytes, where the system tells it.
    pub(crate) fn peak_memory(&self) -> Result<Option<u64>, Error> {
        match self.peak_by_wrapper()? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.peak_by_watching(),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        self.settle(command)
    }

    fn settle(&self, mut command: Command) -> Command {
        // The person's own vault, caches and settings must not be measured along.
        command.env("CLAUDE_CONFIG_DIR", &self.claude_directory).env("HOME", &self.claude_directory);
        for name in ["STENO_VAULT", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn peak_by_wrapper(&self) -> Result<Option<u64>, Error> {
        if !Path::new(WRAPPER).is_file() {
            return Ok(None);
        }
        let report = tempfile::NamedTempFile::new().map_err(Error::file("create", "a temporary file"))?;
        let mut command = Command::new(WRAPPER);
        command.args(["-f", "%M", "-o"]).arg(report.path()).arg(&self.program).args(&self.arguments);
        self.settle(command).status().map_err(|source| self.error(source))?;
        let text = fs::read_to_string(report.path()).map_err(Error::file("read", report.path()))?;
        // A failed command puts a line of its own before the number.
        let kilobytes = text.lines().last().and_then(|line| line.trim().parse::<u64>().ok());
        Ok(kilobytes.map(|kilobytes| kilobytes * 1024))
    }

    fn peak_by_watching(&self) -> Result<Option<u64>, Error> {
        let mut child = self.command().spawn().map_err(|source| self.error(source))?;
        let mut peak = None;
        while child.try_wait().map_err(|source| self.error(source))?.is_none() {
            peak = high_water_mark(&child).or(peak);
            std::thread::sleep(SAMPLE);
        }
        Ok(peak)
    }

    fn error(&self, source: std::io::Error) -> Error {
        Error::Run { program: self.program.display().to_string(), source }
    }
}

/// The mark only ever rises, so that the last sample before the end is the best.
fn high_water_mark(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper() -> Invocation {
        Invocation {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), "sleep 0.05; exit 3".into()],
            claude_directory: "/nowhere".into(),
        }
    }

    #[test]
    fn a_run_has_a_time_and_a_status() {
        let run = sleeper().time().unwrap();
        assert_eq!(run.status.code(), Some(3));
        assert!(run.time >= Duration::from_millis(50));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn both_ways_see_memory() {
        assert!(sleeper().peak_by_watching().unwrap().is_some_and(|bytes| bytes > 100_000));
        assert!(sleeper().peak_memory().unwrap().is_some_and(|bytes| bytes > 100_000));
    }
}
