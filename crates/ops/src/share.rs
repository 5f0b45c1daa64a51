//! A session → one file to show to others, masked unless somebody insists.

use std::path::PathBuf;

use crate::custody::Custody;
use crate::dump::{self, Plan, Report};
use crate::error::{Error, ErrorKind};

/// How much of a title a file's name repeats.
const LONGEST_NAME: usize = 48;

/// What the request does not say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// It may be shown with all that is in it.
    pub is_sure: bool,
    /// No file is to be written.
    pub is_stdout: bool,
}

/// The same as for `dump`; without a file, one in this directory is named after the session.
pub fn plan(custody: &Custody, request: &dump::Request, wish: Wish) -> Result<Plan, Error> {
    if request.redaction.is_none() && !wish.is_sure {
        let message = "a page that is not redacted may hold keys, tokens and passwords";
        let error = Error::new(ErrorKind::Invalid, message);
        return Err(error.hint("--yes with --no-redact if that is meant; without --no-redact it is masked"));
    }
    let plan = dump::plan(custody, request)?;
    if request.to.is_some() || wish.is_stdout { Ok(plan) } else { plan.named(custody, file_name) }
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
