//! `steno move`: a project directory has moved, and its sessions come along.

use std::fmt::Write;

use steno_ops::relocate::{self, Report, Request};
use steno_ops::{Workspace, rewrite};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::{planned, warning_lines};
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno move ~/app ~/api                       move all sessions of a project that has moved
  steno move ~/app ~/api --dry-run             show what moving all its sessions would write
  steno move ~/app ~/api --remove-originals    delete the originals too, once the vault has them
  steno move /home/ann /home/bea               move all sessions of a home that was renamed
  steno move /mnt/c/app 'C:\\app'               move all sessions from WSL to Windows

Moves the sessions of OLD and of directories below it; their messages stay as they are.
Exit code 3: a session was left where it is; the list says which, and why.";

/// So many sessions that were left are named.
const NAMED: usize = 10;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The directory as it was
    #[arg(value_name = "OLD")]
    from: String,
    /// The directory as it is now
    #[arg(value_name = "NEW")]
    to: String,
    /// Delete the originals, once the vault has every byte of them
    #[arg(long)]
    remove_originals: bool,
    /// Rewrite paths: OLD=NEW, `wsl-to-win`, `win-to-wsl` or `strip`; may repeat
    #[arg(long, value_name = "RULE")]
    rewrite: Vec<String>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request {
        from: args.from,
        to: args.to,
        rewrites: rewrite::parse_all(&args.rewrite)?,
        remove_originals: args.remove_originals,
        dry_run: args.dry_run,
    };
    let report = relocate::run(workspace, &request)?;
    output.done(report.dry_run, &report, &next::relocate(workspace, &request, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let removes = self.plan.as_ref().is_some_and(|plan| !plan.remove.is_empty())
            || !self.removed.is_empty()
            || self.others.removed > 0;
        // What is only copied is in both places then.
        let verb = match (self.dry_run, removes) {
            (true, true) => "Would move",
            (true, false) => "Would copy",
            (false, true) => "Moved",
            (false, false) => "Copied",
        };
        let files = self.moved.iter().map(|session| session.files).sum();
        let others = of_no_session(self.others.files);
        let sessions = many(self.moved.len() as u64, "session");
        let mut text = format!("{verb} {sessions} ({}{others})\n", many(files, "file"));
        let _ = writeln!(text, "  from {}\n  to {}", clean_line(&self.from), clean_line(&self.to));
        text.push_str(&planned(self.plan.iter().flat_map(|plan| &plan.files)));
        if let Some(originals) = self.plan.as_ref().map(|plan| plan.remove.len()).filter(|number| *number > 0)
        {
            let originals = many(originals as u64, "original");
            let _ = writeln!(text, "Would remove {originals}, once the vault has every byte");
        }
        if !self.removed.is_empty() || self.others.removed > 0 {
            let files = self.removed.iter().map(|session| session.files).sum();
            let (sessions, files) = (many(self.removed.len() as u64, "session"), many(files, "file"));
            let others = of_no_session(self.others.removed);
            let _ = writeln!(text, "Removed the originals of {sessions} ({files}{others})");
        }
        if let Some(resume) = &self.resume {
            let _ = writeln!(text, "Resume with: {}", clean_line(resume));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        let there = (self.there > 0)
            .then(|| format!("{} already in place and identical", many(self.there, "session")));
        let mut lines: Vec<String> = there.into_iter().collect();
        lines.extend(self.skipped.iter().take(NAMED).map(|skipped| skipped.message.clone()));
        let more = self.skipped.len().saturating_sub(NAMED) as u64;
        lines.extend((more > 0).then(|| format!("… and {}", many(more, "more session"))));
        lines.extend(warning_lines(&self.warnings));
        lines
    }

    fn tells_next(&self) -> bool {
        !self.dry_run
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

fn of_no_session(files: u64) -> String {
    if files == 0 { String::new() } else { format!(", and {} of no session", many(files, "file")) }
}
