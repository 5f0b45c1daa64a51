//! A job → marked lines in the user's crontab, all other lines left as they are.

use std::path::Path;

use steno_conversation::Warning;

use super::job::Job;
use super::quote;
use super::step::{Run, reason};
use super::{Every, warning};
use crate::error::{Error, ErrorKind};
use crate::shell::quoted;

const MARK: &[u8] = b"# steno";
/// What cron reads as a command, less a little.
const LONGEST_COMMAND: usize = 990;

/// The lines to stand first: variables that the crontab sets further down are none of ours.
pub(super) fn lines(job: &Job) -> String {
    let with_path = command(job, job.search_path.as_deref());
    let command = if with_path.len() > LONGEST_COMMAND { command(job, None) } else { with_path };
    let minute = job.minute;
    let mark = String::from_utf8_lossy(MARK);
    // cron forgets what it missed while the machine was off.
    let after_start = format!("@reboot sleep 120; {command} {mark}\n");
    match job.every {
        Every::Day => format!("{minute} 3 * * * {command} {mark}\n{after_start}"),
        Every::SixHours => format!("{minute} */6 * * * {command} {mark}\n{after_start}"),
        Every::Hour => format!("{minute} * * * * {command} {mark}\n"),
    }
}

/// `nice` and `env` are found by the crontab's own `PATH`, the program by its place.
fn command(job: &Job, search_path: Option<&str>) -> String {
    let environment = search_path.map(|path| format!("env {} ", quoted(&format!("PATH={path}"))));
    let words: Vec<String> = job.words().map(quoted).collect();
    quote::crontab(&format!("nice -n 10 {}{}", environment.unwrap_or_default(), words.join(" ")))
}

/// Whether cron can hold the command; the search path is the first to go.
pub(super) fn fits(job: &Job) -> Result<Option<Warning>, Error> {
    if command(job, None).len() > LONGEST_COMMAND {
        let error = Error::new(ErrorKind::Invalid, "the paths are too long for a crontab");
        return Err(error.hint("move the vault to a shorter path, or leave --claude-dir away"));
    }
    let message = "PATH is too long for a crontab: the job must find git and gh by itself";
    let is_dropped = command(job, job.search_path.as_deref()).len() > LONGEST_COMMAND;
    Ok(is_dropped.then(|| warning("crontab", None, "path-dropped", message)))
}

pub(super) fn is_ours(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.ends_with(MARK) && !line.starts_with(b"#")
}

/// With our lines as they should be, or without.
pub(super) fn with(crontab: &[u8], ours: &str) -> Vec<u8> {
    let others = crontab.split_inclusive(|byte| *byte == b'\n').filter(|line| !is_ours(line)).flatten();
    ours.bytes().chain(others.copied()).collect()
}

pub(super) fn has_ours(crontab: &[u8]) -> bool {
    crontab.split(|byte| *byte == b'\n').any(is_ours)
}

/// The whole crontab, empty where there is none yet. One that cannot be read must not be overwritten: the reason.
pub(super) fn read(crontab: &Path) -> Result<Vec<u8>, String> {
    let output = Run::new(crontab, &["-l"]).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).to_lowercase();
    let is_none = said.contains("no crontab") || said.contains("can't open") && said.contains("no such file");
    if is_none { Ok(Vec::new()) } else { Err(reason(&output)) }
}

pub(super) fn replace(crontab: &Path, bytes: Vec<u8>) -> Run {
    Run::new(crontab, &["-"]).input(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "7 3 * * * steno --quiet sync # steno\n";

    #[test]
    fn other_lines_stay_byte_for_byte() {
        for others in
            [&b""[..], b"\n", b"MAILTO=me\n0 1 * * * x", b"# steno\n\xff\xfe 100% # stenographer\r\n\n"]
        {
            let with_ours = with(others, OURS);
            assert!(has_ours(&with_ours) && with_ours.ends_with(others));
            assert_eq!(with(&with_ours, OURS), with_ours, "again changes nothing");
            assert_eq!(with(&with_ours, ""), others);
        }
    }

    #[test]
    fn an_older_line_of_ours_goes_wherever_it_stands() {
        let old = b"0 1 * * * a\n5 * * * * /old/steno --quiet sync  # steno \n0 2 * * * b";
        assert_eq!(with(old, OURS), [OURS.as_bytes(), b"0 1 * * * a\n0 2 * * * b"].concat());
    }

    #[test]
    fn a_line_that_is_switched_off_by_hand_is_not_ours() {
        assert!(!has_ours(b"# 5 * * * * /old/steno --quiet sync # steno\n"));
    }
}
