//! `steno diff`: what a session changed, as one patch.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use steno_ops::Workspace;
use steno_ops::diff::{self, File, Kind, Note, Report, Request};
use steno_render::many;
use steno_render::terminal::{Page, clean_line, paint};
use unicode_width::UnicodeWidthStr;

use super::show::warning_count;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno diff last               show what the latest session changed, as a patch
  steno diff 1c9e --stat        show only which files changed, and how much
  steno diff 1c9e --reverse     show the patch that takes the changes back

What shell commands changed is not recorded.";

/// Columns of the bar of `--stat`.
const BAR: usize = 40;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// Only these files, directories
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Only which files, and how much
    #[arg(long)]
    stat: bool,
    /// The patch that undoes it
    #[arg(long, short = 'R')]
    reverse: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let Args { session, paths, stat, reverse } = args;
    let report = diff::run(workspace, &Request { session, paths, reverse })?;
    let next = next::only_kept(workspace, &report.id, report.only_kept.as_ref());
    let shown = Shown { report, stat };
    if output.is_json() || output.is_terminal() || stat {
        return output.report(&shown, &next);
    }
    // A program gets the patch byte for byte.
    let patch: String = shown.report.files.iter().map(|file| file.patch.as_str()).collect();
    output.document(&patch, &shown, &next)
}

#[derive(Serialize)]
#[serde(transparent)]
struct Shown {
    report: Report,
    #[serde(skip)]
    stat: bool,
}

impl Human for Shown {
    fn text(&self, page: &Page) -> String {
        let files = &self.report.files;
        if self.stat { stat(files, page) } else { files.iter().map(|file| colored(&file.patch)).collect() }
    }

    fn talk(&self) -> Vec<String> {
        let Report { files, additions, deletions, commands, unanswered, warnings, .. } = &self.report;
        let mut lines = vec![if files.is_empty() {
            "No file was changed by an edit that is recorded.".to_owned()
        } else {
            format!(
                "{} changed, {} added, {deletions} removed",
                many(files.len() as u64, "file"),
                many(*additions, "line")
            )
        }];
        for file in files {
            let path = clean_line(&file.path);
            lines.extend(file.notes.iter().map(|note| format!("note: {path}: {}", explained(*note))));
        }
        if *unanswered > 0 {
            lines.push(format!("note: {} without a recorded result left out", many(*unanswered, "edit")));
        }
        if *commands > 0 {
            lines.push(format!(
                "note: {} ran, too: what that changed is not recorded",
                many(*commands, "command")
            ));
        }
        lines.extend(warning_count(warnings.len()));
        lines
    }

    fn tells_next(&self) -> bool {
        true
    }
}

fn explained(note: Note) -> &'static str {
    match note {
        Note::ChangedBetween => "something else changed it between two edits; the patch includes that",
        Note::UnknownBefore => "overwritten as a whole; what it held before is not recorded",
        Note::Fragment => "only the replaced text is recorded, so line numbers are not known",
        Note::UserModified => "you changed a proposed edit before accepting it",
    }
}

fn colored(patch: &str) -> String {
    let mut text = String::with_capacity(patch.len() * 2);
    for line in patch.lines() {
        let _ = writeln!(text, "{}", paint(style(line), &clean_line(line)));
    }
    text
}

fn style(line: &str) -> Style {
    let is_header = ["+++ ", "--- ", "diff --git ", "new file", "deleted file"];
    if is_header.iter().any(|start| line.starts_with(start)) {
        return Style::new().bold();
    }
    match line.bytes().next() {
        Some(b'+') => AnsiColor::Green.on_default(),
        Some(b'-') => AnsiColor::Red.on_default(),
        Some(b'@') => AnsiColor::Cyan.on_default(),
        _ => Style::new(),
    }
}

/// A row for each file, as `git diff --stat` has it.
fn stat(files: &[File], page: &Page) -> String {
    let names: Vec<String> = files.iter().map(|file| clean_line(&file.path).into_owned()).collect();
    let width = names.iter().map(|name| name.width()).max().unwrap_or_default();
    let most = files.iter().map(|file| file.additions + file.deletions).max().unwrap_or_default();
    let digits = most.to_string().len();
    let room = page.width.saturating_sub(width + digits + 5).clamp(5, BAR) as u64;
    let mut text = String::new();
    for (file, name) in files.iter().zip(&names) {
        let changed = file.additions + file.deletions;
        let scaled = |lines: u64| {
            let length = if most <= room { lines } else { (lines * room).div_ceil(most) };
            usize::try_from(length).unwrap_or_default()
        };
        let added = paint(AnsiColor::Green.on_default(), &"+".repeat(scaled(file.additions)));
        let removed = paint(AnsiColor::Red.on_default(), &"-".repeat(scaled(file.deletions)));
        let kind = match file.kind {
            Kind::Added => " (new)",
            Kind::Deleted => " (deleted)",
            Kind::Modified => "",
        };
        let gap = " ".repeat(width.saturating_sub(name.width()));
        let _ = writeln!(text, " {name}{gap} | {changed:>digits$} {added}{removed}{kind}");
    }
    text
}
