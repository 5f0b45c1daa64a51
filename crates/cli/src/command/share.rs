//! `steno share`: a session as one page to show to others, with secrets masked.

use std::path::PathBuf;

use steno_ops::dump::{Format, Redaction, Request};
use steno_ops::share::{self, Passphrase};
use steno_ops::{Error, ErrorKind, Workspace};

use super::dump::{Content, FORMATS, Handover, finish, is_stdout};
use crate::args::named::named;
use crate::failure::Failure;
use crate::output::Output;
use crate::{config, passphrase};

const EXAMPLES: &str = "\
Examples:
  steno share last --open                            make a page of the latest session, masked
  steno share 1c9e --encrypt --generate-passphrase   make a page that only a passphrase opens";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// `markdown`, `text`, `html`, `json` or `jsonl` [default: html]
    #[arg(long, value_parser = named::<Format>(FORMATS), hide_possible_values = true)]
    format: Option<Format>,
    #[command(flatten)]
    content: Content,
    /// Mask e-mail addresses too
    #[arg(long)]
    redact_emails: bool,
    /// Mask nothing; needs --yes
    #[arg(long, conflicts_with = "redact_emails")]
    no_redact: bool,
    /// Yes, show it with all that is in it
    #[arg(long, requires = "no_redact", hide = true)]
    yes: bool,
    /// Encrypt it; passphrase: asked for, or $STENO_SHARE_PASSPHRASE
    #[arg(long)]
    encrypt: bool,
    /// The first line of this file is the passphrase; `-` is stdin
    #[arg(long, value_name = "FILE", requires = "encrypt")]
    passphrase_file: Option<PathBuf>,
    /// Generate a passphrase and print it once
    #[arg(long, requires = "encrypt", conflicts_with = "passphrase_file")]
    generate_passphrase: bool,
    /// The file to write, as its ending says; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let redaction = Redaction { identity: config::identity(), emails: args.redact_emails };
    let shows_rewrites = args.content.rewrite_report;
    let is_stdout = args.output.as_deref().is_some_and(is_stdout);
    let source = Source {
        file: args.passphrase_file,
        // Nothing is written: any will do.
        is_made: args.generate_passphrase || args.dry_run,
        may_ask: !output.is_json() && passphrase::is_attended(),
    };
    if args.generate_passphrase && is_stdout && !output.is_json() {
        let error = Error::new(ErrorKind::Invalid, "stdout is the page, and has no room for its passphrase");
        return Err(error.hint("-o FILE writes the page into a file; --json has both").into());
    }
    let ask = || source.passphrase();
    let request = Request {
        session: args.session,
        format: args.format.or_else(|| Format::of_path(args.output.as_deref()?)).unwrap_or(Format::Html),
        content: args.content.wish()?,
        redaction: (!args.no_redact).then_some(redaction),
        to: args.output.filter(|_| !is_stdout),
        force: args.force,
    };
    let plan = share::plan(
        workspace,
        &request,
        share::Options {
            is_sure: args.yes,
            is_stdout,
            encrypt: if args.encrypt { Some(&ask) } else { None },
        },
    )?;
    let handover = Handover {
        dry_run: args.dry_run,
        shows_rewrites,
        is_file: !is_stdout,
        opens: args.open && !is_stdout,
    };
    finish(workspace, plan, &handover, output)
}

/// Where the passphrase comes from.
struct Source {
    file: Option<PathBuf>,
    is_made: bool,
    may_ask: bool,
}

impl Source {
    fn passphrase(&self) -> Result<Passphrase, Error> {
        if self.is_made {
            return Passphrase::make();
        }
        match passphrase::given(self.file.as_deref())? {
            Some(text) => Passphrase::new(&text),
            None if self.may_ask => Passphrase::new(&passphrase::chosen()?),
            None => Err(Error::new(ErrorKind::Invalid, "there is no terminal to ask for a passphrase on")
                .hint("--generate-passphrase makes one and tells it")
                .hint("--passphrase-file FILE takes it from a file, `-` from stdin; or set STENO_SHARE_PASSPHRASE")),
        }
    }
}
