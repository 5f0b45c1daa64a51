//! The command line, as clap sees it.

pub(crate) mod layout;
pub(crate) mod named;

use std::ffi::OsString;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::{command, describe};

/// All commands, by the heading they stand under.
const GROUPS: [(&str, &str); 5] = [
    (
        "Keep",
        "init sync status restore peek verify remote key schedule export-config import-config purge uninstall",
    ),
    ("Read", "list search show resume diff dump share stats doctor"),
    ("Reshape", "clone check move"),
    ("Watch", "watch"),
    ("For agents and shells", "pick hook completions man help"),
];

/// In columns.
const WIDEST: usize = 100;

const NOTES: &str = "\
Without a command: the first time, set up a vault and run the first backup; later, show its status.
A session is named by its id, at least four characters of it, `last`, or a path to a .jsonl file.
Exit codes: 0 done · 1 your mistake · 2 the system failed · 3 done in part · 130 interrupted.";

/// Back up, search, read and restore your Claude Code sessions
#[derive(Debug, Parser)]
#[command(name = "steno", version, disable_help_subcommand = true, after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(flatten)]
    pub(crate) start: command::init::Start,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Every command and flag, for generators and tests.
pub fn tree() -> clap::Command {
    let tree = Arguments::command();
    let template = template(&tree, WIDEST);
    tree.help_template(template)
}

/// The same, laid out for a terminal of this width, and no wider than is comfortable to read.
pub(crate) fn fitted_tree(width: usize) -> clap::Command {
    let width = width.min(WIDEST);
    let tree = layout::fitted(tree(), width);
    let template = template(&tree, width);
    tree.help_template(template).term_width(width)
}

/// The names of all commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GROUPS.into_iter().flat_map(|(_, names)| names.split(' '))
}

/// The heading of a command.
pub(crate) fn group(command: &str) -> &'static str {
    let is_in = |names: &str| names.split(' ').any(|name| name == command);
    GROUPS.into_iter().find(|(_, names)| is_in(names)).map_or("", |(heading, _)| heading)
}

/// clap's own layout has one heading for all commands.
fn template(tree: &clap::Command, columns: usize) -> String {
    let (header, literal) = (tree.get_styles().get_header(), tree.get_styles().get_literal());
    let width = tree.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default();
    let row = |command: &clap::Command| {
        let (name, about) = (command.get_name(), command.get_about().cloned().unwrap_or_default());
        let about = layout::hanging(&about.to_string(), width + 4, columns);
        format!("  {literal}{name:width$}{literal:#}  {about}\n")
    };
    let section = |heading: &str| {
        let commands = tree.get_subcommands().filter(|command| group(command.get_name()) == heading);
        format!("{header}{heading}:{header:#}\n{}\n", commands.map(row).collect::<String>())
    };
    let commands: String = GROUPS.iter().map(|(heading, _)| section(heading)).collect();
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

impl Arguments {
    /// Parses a command line; help and errors are laid out for a terminal of this width.
    pub(crate) fn read(line: &[OsString], width: impl FnOnce() -> usize) -> Result<Self, clap::Error> {
        let mut matches = match Arguments::command().try_get_matches_from(line) {
            Ok(matches) => matches,
            Err(version) if version.kind() == clap::error::ErrorKind::DisplayVersion => return Err(version),
            Err(_) => {
                let outcome = fitted_tree(width()).try_get_matches_from(line);
                outcome.map_err(|error| describe::explained(error, line))?
            }
        };
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut tree()))
    }
}

/// Whether a line that means nothing asks for JSON, be it with a value that `--json` does not take.
pub(crate) fn wants_json(line: &[OsString]) -> bool {
    let mut words = line.iter().filter_map(|word| word.to_str());
    words.any(|word| word == "--json" || word.starts_with("--json="))
}

/// What a line says about colours, though it may mean nothing as a whole, or ask for help.
pub(crate) fn wanted_colors(line: &[OsString]) -> ColorChoice {
    let mut words = line.iter().filter_map(|word| word.to_str());
    let joined = words.clone().find_map(|word| word.strip_prefix("--color="));
    match joined.or_else(|| words.find(|word| *word == "--color").and(words.next())) {
        Some("never") => ColorChoice::Never,
        Some("always") => ColorChoice::AlwaysAnsi,
        _ => ColorChoice::Auto,
    }
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Print exactly one JSON object, and nothing else
    #[arg(long, global = true, overrides_with = "json")]
    pub(crate) json: bool,
    /// Claude's directory; may repeat [default: $CLAUDE_CONFIG_DIR or ~/.claude]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) claude_dir: Vec<PathBuf>,
    /// Where sessions are kept [default: $STENO_VAULT or ~/.claude-backup]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) vault: Option<PathBuf>,
    /// The vault's key [default: $STENO_IDENTITY or ~/.config/steno/identity.txt]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) identity: Option<PathBuf>,
    /// Say nothing but the answer, and errors
    #[arg(long, short, global = true, overrides_with = "quiet")]
    pub(crate) quiet: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "CHOICE", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set up a vault and run the first backup
    Init(command::init::Args),
    /// Back up what is new
    Sync(command::sync::Args),
    /// Show what is kept, and what is at risk
    Status(command::status::Args),
    /// List what is kept, or put sessions back, byte for byte
    Restore(command::restore::Args),
    /// Show the first and last messages of a kept session
    Peek(command::peek::Args),
    /// Read the whole backup and check every byte
    Verify(command::verify::Args),
    /// Show or change where the vault is sent
    Remote(command::remote::Args),
    /// Show, copy or change the keys of an encrypted vault
    Key(command::key::Args),
    /// Back up automatically: daily, every six hours, hourly, or not
    Schedule(command::schedule::Args),
    /// Pack settings, agents, hooks and skills into one archive
    ExportConfig(command::export_config::Args),
    /// Unpack settings, agents, hooks and skills from such an archive
    ImportConfig(command::import_config::Args),
    /// Erase a session from the vault
    Purge(command::purge::Args),
    /// Remove the schedule; the vault stays
    Uninstall(command::uninstall::Args),
    /// List all sessions, newest first
    List(command::list::Args),
    /// Search all sessions, live and kept
    Search(command::search::Args),
    /// Show what a session changed as a patch
    Diff(command::diff::Args),
    /// Show a session as a conversation
    Show(command::show::Args),
    /// Go on with a session in the client, restored first if only the vault has it
    Resume(command::resume::Args),
    /// Write a session as a document: markdown, text, HTML, JSON
    Dump(command::dump::Args),
    /// Write a session as one page to show to others, secrets masked
    Share(command::share::Args),
    /// Count tokens and cost, each message once
    Stats(command::stats::Args),
    /// Check that sessions are kept, whole and in their place, and say what helps
    Doctor(command::doctor::Args),
    /// Copy a session: whole, cut, stripped or compressed, under a new id
    Clone(command::clone::Args),
    /// Check whether the client can resume a session, and why not
    Check(command::check::Args),
    /// Move the sessions of a project whose directory has moved
    Move(command::relocate::Args),
    /// Show which sessions run, and which of them need you
    Watch(command::watch::Args),
    /// Pick a session on the terminal, and print its id
    Pick(command::pick::Args),
    /// Keep the session that ends or is compacted; what the client's hooks run
    Hook(command::hook::Args),
    /// Print the completion script of a shell
    Completions(command::completions::Args),
    /// Print the manual pages, or write them to a directory
    Man(command::man::Args),
    /// Describe a command, or all of them; with --json, for programs
    Help(command::help::Args),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_stands_under_one_heading() {
        let tree = tree();
        let real: BTreeSet<&str> = tree.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names().collect::<BTreeSet<_>>(), real);
        assert_eq!(names().count(), real.len());
        tree.debug_assert();
    }
}
