//! `steno verify`: read every kept byte and check it.

use std::fmt::Write;

use steno_ops::verify::{self, Damage, Report, Request};
use steno_ops::{Workspace, size_text};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno verify             check every byte of the backup against its hash
  steno verify --repair    replace damaged bytes, from the live file or from what was sent

Exit code 2: there is damage. Sessions that are not named are whole, and can be restored.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Replace damaged bytes from where they are still whole
    #[arg(long)]
    repair: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let report = verify::run(workspace, Request { repair: args.repair })?;
    output.report(&report, &next::verify(workspace, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let mut text = String::new();
        for (label, damages) in
            [("repaired", &self.repaired), ("damaged", &self.damaged), ("missing", &self.missing)]
        {
            for damage in damages {
                let _ = writeln!(text, "{label}: {}", clean_line(&line(damage)));
            }
        }
        let segments = many(self.segments, "segment");
        let checked = format!("{} in {segments}, {}", many(self.files, "file"), size_text(self.bytes));
        let verdict = match (self.ok, self.locked) {
            (true, true) => {
                "all unchanged since they were encrypted; without the key, their content was not checked"
            }
            (true, false) => "all whole",
            (false, _) => "not whole",
        };
        let _ = writeln!(text, "Checked: {checked}: {verdict}");
        text
    }

    fn talk(&self) -> Vec<String> {
        let mut lines = warning_lines(&self.warnings);
        if self.kept_anew > 0 {
            lines.push(format!(
                "{} backed up again, beside what is left of them",
                many(self.kept_anew, "session")
            ));
        }
        if !self.ok {
            lines.push(advice(self).to_owned());
        }
        lines
    }

    fn outcome(&self) -> Outcome {
        if self.ok { Outcome::Done } else { Outcome::Damaged }
    }
}

/// Whose bytes, which, and their fault.
fn line(damage: &Damage) -> String {
    match &damage.session {
        Some(session) => format!("session {session} of {}: {}", damage.machine, damage.detail),
        None => damage.detail.clone(),
    }
}

fn advice(report: &Report) -> &'static str {
    if !report.repair {
        "`steno verify --repair` repairs what it can, from the live files or from what was sent; other sessions \
         are whole"
    } else {
        "no other copy of the rest was found; other generations of a session can be restored: `restore ID --generation N`"
    }
}
