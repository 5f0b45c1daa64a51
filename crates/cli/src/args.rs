//! The command line, as clap sees it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::command;

/// Custody of your Claude Code sessions: keep them, read them, and see what is in them.
///
/// Without a command: the first time, set up a vault and run the first backup; later, show its status.
#[derive(Debug, Parser)]
#[command(name = "steno", version, disable_help_subcommand = true)]
#[command(
    after_help = "A session is named by its id, a unique prefix of at least four characters, `last`, or a path \
to a .jsonl file.\nExit codes: 0 done · 1 your mistake · 2 the system failed · 3 done in part · 130 interrupted."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(flatten)]
    pub(crate) start: command::init::Start,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Print exactly one JSON object, and nothing else
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The Claude directory; may be given several times [default: $CLAUDE_CONFIG_DIR, else ~/.claude]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) claude_dir: Vec<PathBuf>,
    /// Where sessions are kept [default: $STENO_VAULT, else ~/.claude-backup]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) vault: Option<PathBuf>,
    /// Say nothing but the answer, and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Colours
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
    /// List what is kept, or put sessions back
    Restore(command::restore::Args),
    /// Show the first and last messages of a kept session
    Peek(command::peek::Args),
    /// Read every kept byte and check it
    Verify(command::verify::Args),
    /// Show or change where the vault is sent
    Remote(command::remote::Args),
    /// Back up by itself: daily, every six hours, hourly, or not
    Schedule(command::schedule::Args),
    /// Pack settings, agents, hooks and skills into one archive
    ExportConfig(command::export_config::Args),
    /// Unpack such an archive
    ImportConfig(command::import_config::Args),
    /// Erase a session from the vault
    Purge(command::purge::Args),
    /// Remove the schedule; the vault stays
    Uninstall(command::uninstall::Args),
    /// List all sessions, newest first
    List(command::list::Args),
    /// Show a session as a conversation
    Show(command::show::Args),
    /// Look for what is strange in the transcripts
    Doctor(command::doctor::Args),
}
