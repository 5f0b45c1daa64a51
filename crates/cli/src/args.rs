//! The command line, as clap sees it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::command;

/// Custody of your Claude Code sessions: list them, read them, and see what is in them.
#[derive(Debug, Parser)]
#[command(name = "steno", version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(
    after_help = "A session is named by its id, a unique prefix of at least four characters, `last`, or a path \
to a .jsonl file.\nExit codes: 0 done · 1 your mistake · 2 the system failed · 3 done in part · 130 interrupted."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
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
    /// List all sessions, newest first
    List(command::list::Args),
    /// Show a session as a conversation
    Show(command::show::Args),
    /// Look for what is strange in the transcripts
    Doctor(command::doctor::Args),
}
