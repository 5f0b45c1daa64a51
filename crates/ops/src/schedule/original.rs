//! Other people's jobs → those that run the original tool.
//!
//! Its job deletes kept projects that the client has deleted, so it must be found. A job that merely mentions the
//! name, such as a copy of the vault, must be left alone.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Kind, OriginalJob, Tools, cron, quote};

const NAME: &str = "claude-backup";
const LABEL: &str = "com.claude-backup";
const DISABLED: &[u8] = b"# disabled by steno: ";
const SCRIPTS: [&str; 4] = ["sh", "js", "mjs", "cjs"];

/// A job, and what launchd calls it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) job: OriginalJob,
    pub(super) label: Option<String>,
}

pub(super) fn in_crontab(crontab: &[u8], program: &Path) -> Vec<Found> {
    let lines = crontab.split(|byte| *byte == b'\n').zip(1..);
    let found = lines.filter(|(line, _)| is_original(line, program)).map(|(line, number)| OriginalJob {
        kind: Kind::Cron,
        file: "crontab".to_owned(),
        line: Some(number),
        command: String::from_utf8_lossy(line.trim_ascii()).into_owned(),
    });
    found.map(|job| Found { job, label: None }).collect()
}

/// The crontab with those lines as comments.
pub(super) fn disabled(crontab: &[u8], program: &Path) -> Vec<u8> {
    let lines = crontab.split_inclusive(|byte| *byte == b'\n');
    lines
        .flat_map(|line| [if is_original(line, program) { DISABLED } else { b"" }, line])
        .flatten()
        .copied()
        .collect()
}

fn is_original(line: &[u8], program: &Path) -> bool {
    let line = String::from_utf8_lossy(line.trim_ascii());
    if line.starts_with('#') || cron::is_ours(line.as_bytes()) {
        return false;
    }
    // No word before the command could be mistaken for it.
    commands(&line).iter().any(|words| calls_original(words, program))
}

pub(super) fn in_agents(tools: &Tools) -> Vec<Found> {
    let Ok(entries) = fs::read_dir(&tools.agents_directory) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "plist"));
    files.sort();
    files.into_iter().filter_map(|file| agent(file, &tools.program)).collect()
}

/// By its label, or by what it runs. A binary document shows no strings: its file's name is its label.
fn agent(file: PathBuf, program: &Path) -> Option<Found> {
    let text = fs::read(&file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let label = strings_after(&text, "<key>Label</key>", "</string>").pop();
    let label = label.or_else(|| file.file_stem()?.to_str().map(str::to_owned))?;
    let words = strings_after(&text, "<key>ProgramArguments</key>", "</array>");
    if !label.starts_with(LABEL) && !calls_original(&words, program) {
        return None;
    }
    let command = if words.is_empty() { label.clone() } else { words.join(" ") };
    let job = OriginalJob { kind: Kind::Launchd, file: file.display().to_string(), line: None, command };
    Some(Found { job, label: Some(label) })
}

fn strings_after(text: &str, key: &str, end: &str) -> Vec<String> {
    let Some((_, rest)) = text.split_once(key) else { return Vec::new() };
    let rest = rest.split_once(end).map_or(rest, |(rest, _)| rest);
    let strings = rest.split("<string>").skip(1);
    strings.map(|string| quote::from_xml(string.split("</string>").next().unwrap_or_default())).collect()
}

/// Whether a command's words run the original: its program or package with `sync`, or a script of it.
fn calls_original(words: &[String], program: &Path) -> bool {
    words.iter().enumerate().any(|(place, word)| {
        let rest = words.get(place + 1..).unwrap_or_default();
        let has_sync = rest.iter().any(|word| word == "sync");
        let is_ours = Path::new(word) == program
            || matches!((Path::new(word).canonicalize(), program.canonicalize()), (Ok(one), Ok(other)) if one == other);
        let is_line = || word.contains(' ') && commands(word).iter().any(|words| calls_original(words, program));
        !is_ours && (is_program(word) && has_sync || is_script(word) && (has_sync || rest.is_empty()) || is_line())
    })
}

fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.split('@').next().unwrap_or_default();
    let stem =
        [".sh", ".js", ".mjs", ".cmd"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    stem == NAME
}

/// `…/claude-backup/cli.sh`.
fn is_script(word: &str) -> bool {
    let path = Path::new(word);
    let is_its_directory = |part: &std::ffi::OsStr| part == NAME || part == ".claude-backup";
    path.extension().is_some_and(|extension| SCRIPTS.iter().any(|script| extension == *script))
        && path.parent().is_some_and(|parent| parent.iter().any(is_its_directory))
}

/// A shell line as commands and their words: quotes taken away, nothing expanded.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![vec![String::new()]];
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let Some(words) = commands.last_mut() else { break };
        let Some(word) = words.last_mut() else { break };
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None | Some('"'), '\\') => word.extend(characters.next()),
            (None, ';' | '&' | '|') => commands.push(vec![String::new()]),
            (None, _) if character.is_whitespace() => words.push(String::new()),
            _ => word.push(character),
        }
    }
    commands.iter_mut().for_each(|words| words.retain(|word| !word.is_empty()));
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "/opt/steno/bin/claude-backup";

    fn is_found(line: &str) -> bool {
        is_original(line.as_bytes(), Path::new(PROGRAM))
    }

    #[test]
    fn jobs_that_run_the_original_are_found() {
        for command in [
            "npx claude-backup sync",
            "npx -y claude-backup@latest sync --quiet",
            "/usr/local/bin/claude-backup sync >/dev/null 2>&1",
            "cd /tmp && '/home/me/my tools/claude-backup/cli.sh' sync",
            "bash /home/me/claude-backup/backup.sh",
            "/bin/bash -lc \"cd; claude-backup sync\"",
            "node /usr/lib/node_modules/@scope/claude-backup/dist/index.mjs sync",
        ] {
            assert!(is_found(&format!("0 3 * * * {command}")), "{command}");
        }
    }

    #[test]
    fn jobs_that_only_mention_its_name_are_left_alone() {
        for line in [
            "# 0 3 * * * npx claude-backup sync",
            "0 3 * * * /opt/steno/bin/claude-backup sync",
            "0 3 * * * nice /x/claude-backup --quiet sync # steno",
            "0 3 * * * restic backup /home/me/.claude-backup",
            "0 3 * * * git -C /home/me/src/claude-backup pull; sync",
            "0 3 * * * rsync -a /home/me/.claude-backup/ host:claude-backup",
            "MAILTO=claude-backup",
            "",
        ] {
            assert!(!is_found(line), "{line}");
        }
    }

    #[test]
    fn disabling_touches_no_other_line() {
        let crontab = b"0 1 * * * a\xff\n0 3 * * * npx claude-backup sync\n0 2 * * * b";
        let expected = b"0 1 * * * a\xff\n# disabled by steno: 0 3 * * * npx claude-backup sync\n0 2 * * * b";
        assert_eq!(disabled(crontab, Path::new(PROGRAM)), expected);
        assert_eq!(disabled(expected, Path::new(PROGRAM)), expected);
    }
}
