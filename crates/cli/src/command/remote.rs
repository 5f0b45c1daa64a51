//! `steno remote`: show or change where the vault is sent.

use steno_ops::remote::{self, Report, Request, Target};
use steno_ops::sealing::Wish;
use steno_ops::{Error, ErrorKind, Workspace};
use steno_render::terminal::Page;

use super::lines::{push_line, warning_lines};
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno remote                             show where the vault is sent
  steno remote github                      send the vault to a private GitHub repository, made by gh
  steno remote git@host:me/sessions.git    send the vault to a git address, or a directory
  steno remote s3://bucket/sessions        send the vault to an object store, with AWS's credentials
  steno remote s3://bucket/x --encrypt     encrypt the vault, and send it to a place that is empty
  steno remote off                         send the vault nowhere; what was sent stays there

Everything that is kept goes along, searched for secrets unless it is encrypted. A remote that
does not answer is not set: the vault stays with the one it had.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// `github`, a git address, `s3://BUCKET/PREFIX`, or `off`
    #[arg(value_name = "TARGET")]
    target: Option<String>,
    #[command(flatten)]
    sealing: Sealing,
    #[command(flatten)]
    reach: Reach,
    /// Send, although something that looks like a secret was found
    #[arg(long)]
    push: bool,
    /// Set it, although it does not answer
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let target = args.target.as_deref().map_or(Target::Show, target);
    let (encrypt, reach) = (args.sealing.wish(), args.reach.told());
    if matches!(target, Target::Show | Target::Off) && encrypt.is_some() {
        let error = Error::new(ErrorKind::Invalid, "--encrypt needs a place that the vault is sent to");
        return Err(error.hint("`steno init --encrypt` encrypts it on this disk").into());
    }
    let report =
        remote::run(workspace, &Request { target, push: args.push, encrypt, reach, force: args.force })?;
    let next = next::pushed(workspace, report.push.as_ref());
    output.done(args.target.is_none(), &report, next.as_slice())
}

/// Whether and for whom what is kept is encrypted.
#[derive(Debug, clap::Args)]
pub(crate) struct Sealing {
    /// Encrypt all that is kept, with a key that is made if there is none
    #[arg(long)]
    encrypt: bool,
    /// For this public key (age1…, ssh-…) or those in a file
    #[arg(long, value_name = "KEY", requires = "encrypt")]
    recipient: Vec<String>,
    /// Put the key that is made under a passphrase
    #[arg(long, requires = "encrypt", conflicts_with = "recipient")]
    protect: bool,
}

impl Sealing {
    pub(crate) fn wish(&self) -> Option<Wish> {
        self.encrypt.then(|| Wish { recipients: self.recipient.clone(), protect: self.protect })
    }
}

/// How an object store is reached.
#[derive(Debug, clap::Args)]
pub(crate) struct Reach {
    /// The object store's own URL [default: $AWS_ENDPOINT_URL or Amazon's]
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// The object store's region [default: $AWS_REGION]
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
}

impl Reach {
    pub(crate) fn told(&self) -> remote::Reach {
        remote::Reach { endpoint: self.endpoint.clone(), region: self.region.clone() }
    }
}

pub(crate) fn target(text: &str) -> Target {
    match text {
        "off" => Target::Off,
        "github" => Target::GitHub,
        address => Target::Address(absolute(address)),
    }
}

/// A directory is meant relative to the current one, and is found from everywhere later.
fn absolute(address: &str) -> String {
    let path = std::path::absolute(address).ok().filter(|_| is_directory(address));
    path.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or_else(|| address.to_owned())
}

/// As opposed to `scheme://…` and `host:path`; `./host:path` is one.
fn is_directory(address: &str) -> bool {
    let start = address.split(['/', '\\']).next().unwrap_or_default();
    let is_drive = cfg!(windows) && start.len() == 2;
    !address.trim().is_empty() && !address.starts_with('-') && (!start.contains(':') || is_drive)
}

/// What must not be overlooked, however quiet it shall be.
pub(crate) fn about_new_key(path: Option<&str>) -> String {
    let told = path.map(|path| {
        format!(
            "THE KEY IS IN {path} AND NOWHERE ELSE. Without it nobody, you included, can ever read this vault.\n\
             Copy it to a safe place now: `steno key export FILE`, or keep what `steno key export` shows.\n"
        )
    });
    told.unwrap_or_default()
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let sent = if self.pushed { "\nSent.\n" } else { "\n" };
        let sealed = if self.encrypted { ", encrypted" } else { "" };
        let mode = match &self.repo {
            Some(repo) => format!("Mode: {} ({repo}){sealed}{sent}", self.mode),
            None => format!("Mode: {} (no remote){sealed}\n", self.mode),
        };
        mode + &about_new_key(self.new_key.as_deref())
    }

    fn talk(&self) -> Vec<String> {
        push_line(self.push.as_ref()).into_iter().chain(warning_lines(&self.warnings)).collect()
    }

    fn urgent(&self) -> String {
        about_new_key(self.new_key.as_deref())
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_told_from_addresses() {
        for address in
            ["https://host/a", "git@host:a/b.git", "host:a", "ext::sh -c x", "", " ", "s3://bucket"]
        {
            assert_eq!(target(address), Target::Address(address.to_owned()));
        }
        for path in ["a.git", "./host:a", "../b", "a/b:c"] {
            assert!(is_directory(path), "{path}");
        }
        assert_eq!(target("/srv/a.git"), Target::Address("/srv/a.git".to_owned()));
    }
}
