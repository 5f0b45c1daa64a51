//! A session → one file to show to others, masked unless the user insists, encrypted if the user wishes.

mod lock;
mod passphrase;

use std::fmt;
use std::path::PathBuf;

use steno_conversation::Warning;

use crate::dump::{self, Format, Plan, Report};
use crate::error::{Error, ErrorKind};
use crate::workspace::Workspace;

pub use passphrase::Passphrase;

/// How much of a title a file's name repeats.
const LONGEST_NAME: usize = 48;
/// What an encrypted page is called: its name is as readable as before.
const LOCKED_NAME: &str = "encrypted-page.html";

/// Gives the passphrase, once there is a page that needs one.
pub type Ask<'a> = &'a dyn Fn() -> Result<Passphrase, Error>;

/// What the request does not say.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// It may be shown with all that is in it.
    pub is_sure: bool,
    /// No file is to be written.
    pub is_stdout: bool,
    /// Only who has the passphrase is to read it.
    pub encrypt: Option<Ask<'a>>,
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_sure, is_stdout, encrypt } = self;
        let encrypts = encrypt.is_some();
        write!(formatter, "Options {{ is_sure: {is_sure}, is_stdout: {is_stdout}, encrypts: {encrypts} }}")
    }
}

/// The same as for `dump`; without a file, one in this directory is named after the session, unless it is encrypted.
pub fn plan(workspace: &Workspace, request: &dump::Request, options: Options) -> Result<Plan, Error> {
    if request.redaction.is_none() && !options.is_sure {
        let message = "a page that is not redacted may hold keys, tokens and passwords";
        let error = Error::new(ErrorKind::Invalid, message);
        return Err(error.hint("--yes with --no-redact if that is meant; without --no-redact it is masked"));
    }
    if options.encrypt.is_some() && request.format != Format::Html {
        let error = Error::new(ErrorKind::Invalid, "only a page can be encrypted: it opens itself");
        return Err(error.hint("without --format it is a page; other files, a program such as age encrypts"));
    }
    let plan = dump::plan(workspace, request)?;
    let name = if options.encrypt.is_some() { locked_name } else { file_name };
    let is_named = request.to.is_some() || options.is_stdout;
    let plan = if is_named { plan } else { plan.named(workspace, name)? };
    match options.encrypt {
        Some(ask) => encrypted(plan, &ask()?),
        None => Ok(plan),
    }
}

fn encrypted(plan: Plan, passphrase: &Passphrase) -> Result<Plan, Error> {
    let mut plan = plan.remade(|page| lock::lock(page, passphrase))?;
    plan.report.encrypted = true;
    plan.report.passphrase = passphrase.untold();
    if passphrase.is_weak() {
        let message = format!(
            "the passphrase is short: programs can find it by trying; take {} characters or more, or \
             --generate-passphrase",
            passphrase::LEAST
        );
        let kind = "weak-passphrase".to_owned();
        plan.report.warnings.push(Warning { file: String::new(), line: None, kind, message });
    }
    Ok(plan)
}

fn locked_name(_: &Report) -> PathBuf {
    PathBuf::from(LOCKED_NAME)
}

/// `fix-the-login-1c9e5f2a.html`
fn file_name(report: &Report) -> PathBuf {
    let plain = |character: char| if character.is_alphanumeric() { character } else { ' ' };
    let title: String = report.title.as_deref().unwrap_or_default().chars().map(plain).collect();
    let mut name = String::new();
    for word in title.to_lowercase().split_whitespace() {
        if name.chars().count() + word.chars().count() > LONGEST_NAME {
            break;
        }
        name.push_str(word);
        name.push('-');
    }
    let id: String = report.id.chars().filter(|letter| letter.is_alphanumeric()).take(8).collect();
    PathBuf::from(format!("{name}{id}.{}", report.format.extension()))
}
