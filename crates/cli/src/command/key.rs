//! `steno key`: what an encrypted vault is opened with, and whom it is encrypted for.

use std::path::PathBuf;

use steno_ops::Workspace;
use steno_ops::key::{self, Report, Request};
use steno_render::many;
use steno_render::terminal::Page;

use super::lines::{push_line, warning_lines};
use crate::config;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno key                    show where the key is, and whom the vault is encrypted for
  steno key export safe.txt    copy the key to a safe place
  steno key import safe.txt    take the key of a vault that was made elsewhere
  steno key add age1…          give access: encrypt everything again, for that key too
  steno key remove age1…       end access: encrypt everything again, without that key

Without its key nobody can ever read an encrypted vault: keep a copy away from this machine.
`steno key export` without a file shows it on a terminal; `steno key export -` prints it anywhere.
It is a key of age's: `age -d -i KEY FILE | zstd -dc` reads any .age file of the vault.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// `show`, `export`, `import`, `add`, `remove` or `accept`
    #[arg(value_enum, default_value_t = Action::Show, hide_possible_values = true, hide_default_value = true)]
    action: Action,
    /// Export, import: a file. Add, remove: public keys (age1…, ssh-…), or files. Accept: a fingerprint
    #[arg(value_name = "WHAT")]
    what: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Action {
    /// where the key is, and whom the vault is encrypted for
    Show,
    /// copy the key to a file
    Export,
    /// take a key from a file
    Import,
    /// encrypt for somebody else, too
    Add,
    /// encrypt for somebody no longer
    Remove,
    /// take keys that another machine changed
    Accept,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let report = key::run(workspace, &request(args, output.reader().is_some())?)?;
    let is_question = matches!(args.action, Action::Show) || report.secret.is_some();
    output.done(is_question, &report, next::pushed(workspace, report.push.as_ref()).as_slice())
}

/// A pipe may store its input where others read it: a secret goes there only if the user says so.
fn request(args: &Args, is_seen: bool) -> Result<Request, Failure> {
    let file = |text: &String| config::absolute(PathBuf::from(text));
    match (args.action, args.what.as_slice()) {
        (Action::Show, []) => Ok(Request::Show),
        (Action::Export, []) if is_seen => Ok(Request::Export(None)),
        (Action::Export, []) => Err(unseen().into()),
        (Action::Export, [path]) if path == "-" => Ok(Request::Export(None)),
        (Action::Export, [path]) => Ok(Request::Export(Some(file(path)?))),
        (Action::Import, [path]) => Ok(Request::Import(file(path)?)),
        (Action::Add, [_, ..]) => Ok(Request::Add(args.what.clone())),
        (Action::Remove, [_, ..]) => Ok(Request::Remove(args.what.clone())),
        (Action::Accept, [seen]) => Ok(Request::Accept(seen.clone())),
        (action, _) => Err(wrong(action).into()),
    }
}

fn unseen() -> steno_ops::Error {
    let message = "this would print the secret key, and not to a terminal";
    steno_ops::Error::new(steno_ops::ErrorKind::Invalid, message)
        .hint("`steno key export FILE` writes it to a file; `steno key export -` prints it all the same")
}

fn wrong(action: Action) -> steno_ops::Error {
    let message = match action {
        Action::Show => "`steno key show` takes nothing more",
        Action::Export => "`steno key export` takes one file, `-` or nothing",
        Action::Import => "`steno key import` takes one file",
        Action::Accept => {
            "`steno key accept` takes the fingerprint that `steno key` shows on the machine that changed the keys"
        }
        Action::Add | Action::Remove => "name at least one public key, or a file with some",
    };
    steno_ops::Error::new(steno_ops::ErrorKind::Invalid, message)
        .hint("`steno key --help` shows how it is used")
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        if let Some(secret) = &self.secret {
            return secret.clone();
        }
        let mut lines = vec![match self.encrypted {
            true => "The vault is encrypted.".to_owned(),
            false => "The vault is not encrypted.".to_owned(),
        }];
        lines.extend(self.recipients.iter().map(|one| format!("  for  {one}")));
        lines.extend(self.fingerprint.iter().map(|one| format!("Fingerprint: {one}")));
        lines.push(match (&self.identity, self.protected) {
            (Some(path), true) => format!("Key: {path} (protected by a passphrase)"),
            (Some(path), false) => format!("Key: {path}"),
            (None, _) => "Key: none".to_owned(),
        });
        lines.extend(self.public_keys.iter().map(|one| format!("  is   {one}")));
        lines.extend(self.exported.iter().map(|path| format!("Written to {path}; keep it safe.")));
        lines.extend(self.resealed.map(|count| format!("Encrypted again: {}", many(count, "file"))));
        lines.join("\n") + "\n"
    }

    fn talk(&self) -> Vec<String> {
        push_line(self.push.as_ref()).into_iter().chain(warning_lines(&self.warnings)).collect()
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}
