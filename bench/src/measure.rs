//! A command → how long it took and how much memory it held at most.
//!
//! Time and memory are taken in separate runs: the one that looks at memory has a wrapper or a watcher beside it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::Error;

/// A program with everything filled in.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Where it runs.
    pub(crate) directory: PathBuf,
    /// Everything the child finds in its environment: the person's own vault, caches and settings must not be
    /// measured along.
    pub(crate) environment: Vec<(&'static str, OsString)>,
}

/// One run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) status: ExitStatus,
}

/// One run that was looked at more closely, and took longer for it.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(crate) status: ExitStatus,
    /// The greatest resident size in bytes, where the system tells it; of the largest process, if there were several.
    pub(crate) peak_bytes: Option<u64>,
    /// The last line it wrote to stderr.
    last_words: String,
}

impl Watched {
    /// What went wrong, if something did.
    pub(crate) fn failure(&self) -> Option<String> {
        let said = if self.last_words.is_empty() { String::new() } else { format!(", {}", self.last_words) };
        (!self.status.success()).then(|| format!("{}{said}", self.status))
    }
}

const WRAPPER: &str = "/usr/bin/time";
const SAMPLE: Duration = Duration::from_millis(2);

impl Invocation {
    pub(crate) fn time(&self) -> Result<Run, Error> {
        let start = Instant::now();
        let status = self.command().status().map_err(|source| self.error(source))?;
        Ok(Run { time: start.elapsed(), status })
    }

    /// What it prints.
    pub(crate) fn answer(&self) -> Result<Vec<u8>, Error> {
        let output = self.command().stdout(Stdio::piped()).output().map_err(|source| self.error(source))?;
        Ok(output.stdout)
    }

    pub(crate) fn watch(&self) -> Result<Watched, Error> {
        match self.watch_by_wrapper()? {
            Some(watched) => Ok(watched),
            None => self.watch_by_looking(),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        self.settle(command)
    }

    fn settle(&self, mut command: Command) -> Command {
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.current_dir(&self.directory);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Nothing where there is no wrapper, or one of another make, which refuses before it runs anything.
    fn watch_by_wrapper(&self) -> Result<Option<Watched>, Error> {
        if !Path::new(WRAPPER).is_file() {
            return Ok(None);
        }
        let (report, words) = (temporary()?, temporary()?);
        let mut command = Command::new(WRAPPER);
        command.args(["-f", "%M", "-o"]).arg(report.path()).arg(&self.program).args(&self.arguments);
        let mut command = self.settle(command);
        command.stderr(writer(words.path())?);
        let status = command.status().map_err(|source| self.error(source))?;
        // A failed command puts a line of its own before the number.
        let Ok(kilobytes) = last_line(report.path())?.trim().parse::<u64>() else { return Ok(None) };
        let peak_bytes = Some(kilobytes * 1024);
        Ok(Some(Watched { status, peak_bytes, last_words: last_line(words.path())? }))
    }

    fn watch_by_looking(&self) -> Result<Watched, Error> {
        let words = temporary()?;
        let mut command = self.command();
        let mut child = command.stderr(writer(words.path())?).spawn().map_err(|source| self.error(source))?;
        let mut peak_bytes = None;
        loop {
            if let Some(status) = child.try_wait().map_err(|source| self.error(source))? {
                return Ok(Watched { status, peak_bytes, last_words: last_line(words.path())? });
            }
            peak_bytes = high_water_mark(&child).or(peak_bytes);
            std::thread::sleep(SAMPLE);
        }
    }

    fn error(&self, source: std::io::Error) -> Error {
        Error::Run { program: self.program.display().to_string(), source }
    }
}

fn temporary() -> Result<tempfile::NamedTempFile, Error> {
    tempfile::NamedTempFile::new().map_err(Error::file("create", "a temporary file"))
}

fn writer(path: &Path) -> Result<Stdio, Error> {
    Ok(File::create(path).map_err(Error::file("create", path))?.into())
}

fn last_line(path: &Path) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(Error::file("read", path))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned())
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
            arguments: vec!["-c".into(), "sleep 0.05; echo no >&2; exit 3".into()],
            directory: "/".into(),
            environment: vec![("PATH", "/usr/bin:/bin".into())],
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
    fn both_ways_see_memory_and_why_it_failed() {
        for watched in [sleeper().watch_by_looking().unwrap(), sleeper().watch().unwrap()] {
            assert!(watched.peak_bytes.is_some_and(|bytes| bytes > 100_000));
            assert_eq!(watched.failure().unwrap(), "exit status: 3, no");
        }
    }

    #[test]
    fn nothing_of_our_environment_is_passed_on() {
        let mut echo = sleeper();
        echo.arguments = vec!["-c".into(), "test -z \"$HOME$CARGO_MANIFEST_DIR\"".into()];
        assert!(echo.time().unwrap().status.success());
    }
}
