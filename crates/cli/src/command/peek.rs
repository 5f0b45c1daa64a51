//! `steno peek`: the first and last messages of a kept session.

use std::fmt::Write;

use jiff::Timestamp;
use steno_ops::peek::{self, Preview, Report, Request};
use steno_ops::{Workspace, size_text};
use steno_render::terminal::{Page, clean_line};
use steno_render::{one_line, when};

use super::lines::warning_lines;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno peek 1c9e                   preview a session before it is restored
  steno peek last                   preview the latest session that is kept
  steno peek 1c9e --generation 1    preview what it held before it was rewritten

Reads the vault only, never the live directory.";

/// As wide as the original's.
const RULE: usize = 56;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, or `last`
    #[arg(value_name = "ID")]
    session: String,
    /// What the transcript held before it was rewritten
    #[arg(long, value_name = "N")]
    generation: Option<u32>,
    /// Only what the machine of this name kept
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Only projects with NAME in their path, in any case
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    project: Option<String>,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let Args { session, generation, machine, project } = args;
    let request = Request { session, machine, project, generation };
    let report = peek::run(workspace, &request)?;
    output.report(&report, &next::peek(workspace, &request, &report))
}

impl Human for Report {
    fn text(&self, page: &Page) -> String {
        let time = |time: Option<Timestamp>| {
            time.map_or_else(|| "-".to_owned(), |time| when(time, page.now, &page.zone))
        };
        let (used, backup) = (time(self.last_activity), time(self.backed_up_at));
        let (packed, unpacked) = (size_text(self.size_bytes), size_text(self.uncompressed_bytes));
        let mut text = format!(
            "Title:   {}\nSession: {}\nProject: {}\nUsed:    {used} (backed up {backup})\nSize:    {unpacked} ({packed} packed)\n",
            one_line(self.title.as_deref().unwrap_or("(no title)")),
            clean_line(&self.uuid),
            clean_line(self.cwd.as_deref().unwrap_or(&self.project_hash)),
        );
        section(&mut text, "First messages", &self.first_messages);
        section(&mut text, "Last messages", &self.last_messages);
        let _ = write!(text, "\nMessages: {} total\n", self.message_count);
        text
    }

    fn talk(&self) -> Vec<String> {
        let generation = (self.generations > 1).then(|| {
            format!("generation {} of {}; --generation N shows another", self.generation, self.generations)
        });
        generation.into_iter().chain(warning_lines(&self.warnings)).collect()
    }

    fn tells_next(&self) -> bool {
        true
    }
}

fn section(text: &mut String, name: &str, said: &[Preview]) {
    if said.is_empty() {
        return;
    }
    let rule = "─".repeat(RULE.saturating_sub(name.len() + 4));
    let _ = writeln!(text, "\n── {name} {rule}");
    for Preview { role, preview } in said {
        let _ = writeln!(text, "  [{role}]  {}", clean_line(preview));
    }
}
