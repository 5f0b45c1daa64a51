//! Findings → groups of one kind, the most severe first, each with its places and what helps.

use std::borrow::Cow;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use steno_ops::doctor::{Finding, Severity};
use steno_render::many;
use steno_render::terminal::{STRONG, WEAK, clean_line, paint};

use crate::args::layout::hanging;
use crate::output::ERROR;

/// Findings of one kind that are told, and notes.
const NAMED: usize = 5;
const NOTED: usize = 3;
/// What is left of a project's name at least.
const LEAST: usize = 3;
/// Where a path that is cut would tell nothing.
const NARROW: usize = 20;
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

pub(super) fn list(text: &mut String, findings: &[Finding], home: Option<&str>, width: usize) {
    let mut last = None;
    for group in groups(findings) {
        let Some(first) = group.first() else { continue };
        if last.replace(first.severity) != Some(first.severity) {
            let _ = writeln!(text, "{}", heading(first.severity));
        }
        Group { findings: &group, home, width }.tell(text);
        text.push('\n');
    }
}

fn heading(severity: Severity) -> String {
    match severity {
        Severity::Error => paint(ERROR, "Errors"),
        Severity::Warning => paint(WARNING, "Warnings"),
        Severity::Info => paint(STRONG, "Notes"),
    }
}

/// Those of one kind and severity together, at the place of the first.
fn groups(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let is_own = |group: &&mut Vec<&Finding>| {
            group
                .first()
                .is_some_and(|first| (first.severity, &first.kind) == (finding.severity, &finding.kind))
        };
        match groups.iter_mut().find(is_own) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

struct Group<'a> {
    findings: &'a [&'a Finding],
    home: Option<&'a str>,
    width: usize,
}

impl Group<'_> {
    fn tell(&self, text: &mut String) {
        let Some(first) = self.findings.first() else { return };
        let is_same =
            |of: fn(&Finding) -> Option<&str>| self.findings.iter().all(|other| of(other) == of(first));
        let has_one_message = is_same(|finding| Some(&finding.message));
        // What helps with one note shows what would help with others.
        let has_one_help = first.severity == Severity::Info || is_same(|finding| finding.help.as_deref());
        self.title(text, has_one_message.then_some(&*first.message));
        let named = if first.severity == Severity::Info { NOTED } else { NAMED };
        for finding in self.findings.iter().take(named) {
            if !has_one_message {
                let times = if finding.file.is_none() { times(finding) } else { String::new() };
                let said = format!("{}{times}", clean_line(&finding.message));
                let _ = writeln!(text, "{}", folded(&said, 4, self.width));
            }
            if let Some(place) = self.place(finding) {
                let _ = writeln!(text, "    {place}");
            }
            if !has_one_help {
                help(text, finding);
            }
        }
        if let Some(more) = self.findings.len().checked_sub(named).filter(|more| *more > 0) {
            let _ = writeln!(text, "    … and {more} more; --json has all of them");
        }
        if has_one_help {
            help(text, first);
        }
    }

    /// The kind, with how many there are and what they all say.
    fn title(&self, text: &mut String, said: Option<&str>) {
        let Some(first) = self.findings.first() else { return };
        let kind = clean_line(&first.kind);
        let number = self.number().map(|number| format!(" ({number})")).unwrap_or_default();
        let times = if first.file.is_none() { times(first) } else { String::new() };
        let said = said.map(|said| format!(": {}{times}", clean_line(said))).unwrap_or_default();
        let line = folded(&format!("{kind}{number}{said}"), 2, self.width);
        // The style comes last, since folding counts characters.
        let _ = writeln!(text, "{}", line.replacen(&*kind, &paint(STRONG, &kind), 1));
    }

    /// How many there are, where they are several.
    fn number(&self) -> Option<String> {
        let number = self.findings.len() as u64;
        // One for each project, and each is about all of its sessions.
        let sessions: u64 = self.findings.iter().map(|finding| finding.count).sum();
        let is_by_project = self.findings.iter().all(|finding| finding.kind == "missing-cwd");
        match (is_by_project && sessions > 1, number) {
            (true, 1) => Some(many(sessions, "session")),
            (true, _) => Some(format!("{} in {}", many(sessions, "session"), many(number, "project"))),
            (false, _) => (number > 1).then(|| number.to_string()),
        }
    }

    /// A file with the line, and how often.
    fn place(&self, finding: &Finding) -> Option<String> {
        let file = finding.file.as_deref()?;
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let end = format!("{line}{}", times(finding));
        let room = self.width.saturating_sub(4 + end.chars().count());
        Some(format!("{}{end}", clean_line(&fitting(&short(file, self.home), room))))
    }
}

fn times(finding: &Finding) -> String {
    if finding.count > 1 { format!(" ({}×)", finding.count) } else { String::new() }
}

fn help(text: &mut String, finding: &Finding) {
    if let Some(help) = &finding.help {
        let _ = writeln!(text, "    {}", paint(WEAK, &format!("→ {}", clean_line(help))));
    }
}

/// In lines that fit, indented; a path that is longer than a line is cut.
pub(super) fn folded(said: &str, indent: usize, width: usize) -> String {
    let room = width.saturating_sub(indent);
    let short = |word| if str::contains(word, '/') { fitting(word, room) } else { Cow::Borrowed(word) };
    let words: Vec<Cow<'_, str>> = said.split(' ').map(short).collect();
    format!("{:indent$}{}", "", hanging(&words.join(" "), indent, width))
}

/// A path that is cut in the middle where it would not fit: first of its second last name, which mostly is a
/// project's, then wherever its middle is. The last name is what it is about, and stays as long as there is room.
fn fitting(path: &str, width: usize) -> Cow<'_, str> {
    if path.chars().count() <= width || width < NARROW {
        return Cow::Borrowed(path);
    }
    let (before, name) = path.rsplit_once('/').unwrap_or(("", path));
    let room = width.saturating_sub(name.chars().count() + 1);
    let above = before.rsplit_once('/').map_or(0, |(above, _)| above.chars().count() + 1);
    Cow::Owned(match room.checked_sub(above + 1) {
        Some(left) if left >= LEAST => format!("{}/{name}", cut(before, above, left)),
        _ if room > 2 * LEAST => format!("{}/{name}", cut(before, room / 2, room - room / 2 - 1)),
        _ => cut(path, width / 2, width - width / 2 - 1),
    })
}

/// So many characters of the beginning and of the end.
fn cut(text: &str, first: usize, last: usize) -> String {
    let skipped = text.chars().count().saturating_sub(last);
    text.chars().take(first).chain(['…']).chain(text.chars().skip(skipped)).collect()
}

/// A path as people write it.
pub(super) fn short<'a>(path: &'a str, home: Option<&str>) -> Cow<'a, str> {
    let below = home.filter(|home| home.len() > 1).and_then(|home| path.strip_prefix(home));
    match below.filter(|below| below.is_empty() || below.starts_with(['/', '\\'])) {
        Some(below) => Cow::Owned(format!("~{below}")),
        None => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_cut_only_where_that_makes_it_fit() {
        let path = "~/.claude/projects/-home-ann-some-long-project/0b5f.jsonl";
        assert_eq!(fitting(path, 57), path);
        assert_eq!(fitting(path, 50), "~/.claude/projects/…n-some-long-project/0b5f.jsonl");
        assert_eq!(fitting(path, 30), "~/.claude…g-project/0b5f.jsonl");
        assert_eq!(fitting(path, 19), path);
        assert_eq!(fitting("/a", 0), "/a");
    }

    #[test]
    fn a_directory_is_cut_in_its_middle() {
        let path = "~/.claude/projects/-home-ann-some-long-project";
        assert_eq!(fitting(path, 40), "~/.cla…jects/-home-ann-some-long-project");
        let agent = "~/.claude/projects/-home-ann-some-long-project/1c9e/subagents/agent-a1.jsonl";
        for width in NARROW..agent.len() {
            for path in [path, agent] {
                assert_eq!(fitting(path, width).chars().count(), width.min(path.len()), "{path} {width}");
            }
        }
        assert_eq!(fitting(agent, 60), "~/.claude/projects/-ho…project/1c9e/subagents/agent-a1.jsonl");
        assert_eq!(
            folded("/home/ann/some/very-long-project is gone", 2, 26),
            "  /home/ann/so…ong-project\n  is gone"
        );
    }

    #[test]
    fn only_what_lies_in_the_home_is_shortened() {
        assert_eq!(short("/home/ann/.claude", Some("/home/ann")), "~/.claude");
        assert_eq!(short("/home/anna/.claude", Some("/home/ann")), "/home/anna/.claude");
        assert_eq!(short("/x", Some("/")), "/x");
    }
}
