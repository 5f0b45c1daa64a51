//! `steno remote`: show or change where the vault is sent.

use steno_ops::Custody;
use steno_ops::remote::{self, Report, Request, Target};
use steno_render::terminal::Page;

use super::sync::{push_line, warning_lines};
use crate::failure::Failure;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno remote                             show where the vault is sent
  steno remote github                      send the vault to a private GitHub repository, made by gh
  steno remote git@host:me/sessions.git    send the vault to a git address, or a directory
  steno remote off                         send the vault nowhere; what was sent stays there

Everything that is kept goes along. Before the first push it is searched for secrets.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// `github`, a git address, or `off`
    #[arg(value_name = "TARGET")]
    target: Option<String>,
    /// Send, although something that looks like a secret was found
    #[arg(long)]
    push: bool,
}

pub(crate) fn run(args: &Args, custody: &Custody, output: &mut Output) -> Result<(), Failure> {
    let target = args.target.as_deref().map_or(Target::Show, target);
    output.report(&remote::run(custody, &Request { target, push: args.push })?)
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

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let sent = if self.pushed { "\nSent.\n" } else { "\n" };
        match &self.repo {
            Some(repo) => format!("Mode: {} ({repo}){sent}", self.mode),
            None => format!("Mode: {} (no remote)\n", self.mode),
        }
    }

    fn talk(&self) -> Option<String> {
        let lines: Vec<String> =
            push_line(self.push.as_ref()).into_iter().chain(warning_lines(&self.warnings)).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn exit_code(&self) -> u8 {
        if self.ok { 0 } else { 3 }
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
