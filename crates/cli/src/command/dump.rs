//! `steno dump`: a session as a document that can be carried elsewhere.

mod browser;
mod content;

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use steno_ops::Workspace;
use steno_ops::dump::{self, Format, Redaction, Report, Request};
use steno_ops::restore::is_loss;
use steno_render::terminal::Page;
use steno_render::{bytes, many};

use super::lines::warning_lines;
use super::show::{left_out, warning_count};
use crate::args::named::named;
use crate::config;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};
pub(crate) use content::{Content, FORMATS};

const EXAMPLES: &str = "\
Examples:
  steno dump last                               write the latest session as markdown, to paste
  steno dump 1c9e --tail 20 --redact            write its last messages, with secrets masked
  steno dump 1c9e --format json                 write it for other programs, as portable JSON
  steno dump 1c9e --full-results --all          write everything that was said and done
  steno dump 1c9e --rewrite wsl-to-win          write it with paths as Windows spells them";

/// About a passphrase that was made here.
const UNTOLD: &str =
    "Nobody else knows the passphrase, and it is not kept: note it, and tell it by another way than the page";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// `markdown`, `text`, `html`, `json` or `jsonl` [default: markdown]
    #[arg(long, value_parser = named::<Format>(FORMATS), hide_possible_values = true)]
    format: Option<Format>,
    #[command(flatten)]
    content: Content,
    /// Mask secrets, the home directory and the user's name
    #[arg(long)]
    redact: bool,
    /// Mask e-mail addresses too
    #[arg(long, requires = "redact")]
    redact_emails: bool,
    /// The file to write, as its ending says; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let redaction =
        args.redact.then(|| Redaction { identity: config::identity(), emails: args.redact_emails });
    let shows_rewrites = args.content.rewrite_report;
    let request = Request {
        session: args.session,
        format: args.format.or_else(|| Format::of_path(args.output.as_deref()?)).unwrap_or(Format::Markdown),
        content: args.content.wish()?,
        redaction,
        to: args.output.filter(|path| !is_stdout(path)),
        force: args.force,
    };
    let plan = dump::plan(workspace, &request)?;
    let handover =
        Handover { dry_run: args.dry_run, shows_rewrites, is_file: request.to.is_some(), opens: false };
    finish(workspace, plan, &handover, output)
}

pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// How a document is handed over.
pub(crate) struct Handover {
    pub(crate) dry_run: bool,
    pub(crate) shows_rewrites: bool,
    /// Into a file, or to stdout.
    pub(crate) is_file: bool,
    /// The file is opened in the browser.
    pub(crate) opens: bool,
}

pub(crate) fn finish(
    workspace: &Workspace,
    plan: dump::Plan,
    handover: &Handover,
    output: &mut Output,
) -> Result<(), Failure> {
    let (document, report) = match handover {
        Handover { dry_run: true, .. } => (None, plan.preview()),
        Handover { is_file: true, .. } => (None, dump::apply(plan)?),
        _ if output.is_json() => (None, dump::apply(plan)?),
        _ => {
            let (document, report) = plan.into_document();
            (Some(document), report)
        }
    };
    let next = next::only_kept(workspace, &report.id, report.only_kept.as_ref());
    let written = report.path.as_deref().filter(|_| handover.opens);
    let unopened = written.and_then(|path| browser::open(Path::new(path)).err());
    let dumped = Dumped { report, shows_rewrites: handover.shows_rewrites, unopened };
    match document {
        Some(document) => output.document(&document, &dumped, &next),
        None => output.report(&dumped, &next),
    }
}

#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Dumped {
    report: Report,
    #[serde(skip)]
    shows_rewrites: bool,
    /// Why the browser does not show it.
    #[serde(skip)]
    unopened: Option<io::Error>,
}

impl Dumped {
    fn rewrites(&self) -> Vec<String> {
        let rewritten = self.report.rewritten.iter().flatten();
        let mut lines: Vec<String> =
            rewritten.map(|one| format!("{} → {} ({})", one.from, one.to, one.count)).collect();
        if let Some(list) = self.report.rewritten.as_ref().filter(|_| !self.shows_rewrites) {
            let total: u64 = list.iter().map(|one| one.count).sum();
            lines = vec![format!("{} rewritten; --rewrite-report lists them", many(total, "path"))];
        }
        lines
    }
}

impl Human for Dumped {
    fn text(&self, _page: &Page) -> String {
        let Report { path, size_bytes, dry_run, encrypted, passphrase, .. } = &self.report;
        let about = format!("{}{}", bytes(*size_bytes), if *encrypted { ", encrypted" } else { "" });
        let written = match path {
            Some(path) if *dry_run => format!("Would write {path} ({about})\n"),
            Some(path) => format!("Wrote {path} ({about})\n"),
            None => format!("Would write {about} to stdout\n"),
        };
        let told = passphrase.iter().map(|made| format!("Passphrase: {made}\n"));
        std::iter::once(written).chain(told).collect()
    }

    fn talk(&self) -> Vec<String> {
        let masked = self.report.redacted.as_ref();
        let masked = masked.map(|redacted| redacted.sentence(&self.report.id));
        // What is no fault of a file is the user's to know.
        let (own, others): (Vec<_>, Vec<_>) =
            self.report.warnings.iter().cloned().partition(|one| one.file.is_empty() || is_loss(one));
        let (lost, own): (Vec<_>, Vec<_>) = own.into_iter().partition(is_loss);
        let own = own.iter().map(|warning| format!("warning: {}", warning.message));
        let own = own.chain(warning_lines(&lost));
        let told = self.report.passphrase.iter().map(|_| UNTOLD.to_owned());
        let (left_out, others) = left_out(&others);
        let lines = masked.into_iter().chain(self.rewrites()).chain(own).chain(left_out).chain(told);
        let unopened =
            self.unopened.as_ref().map(|error| format!("warning: the browser does not open: {error}"));
        lines.chain(unopened).chain(warning_count(others)).collect()
    }

    fn tells_next(&self) -> bool {
        true
    }
}
