//! `steno help`: a command, or all of them, for people as `--help` has it and for programs as a description.

use clap::builder::PossibleValuesParser;
use serde::Serialize;
use steno_render::terminal::Page;

use crate::args;
use crate::describe::{self, Description};
use crate::failure::Failure;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno help                   list all commands
  steno help restore           explain one command, as `steno restore --help` does
  steno help --json            describe every command, flag and exit code to a program
  steno help restore --json    describe one command to a program, with examples";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The command to explain; without it, all of them
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(args::names()))]
    #[arg(hide_possible_values = true)]
    command: Option<String>,
}

/// The answer, and how it looks where there are colours.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    description: Description,
    #[serde(skip)]
    styled: String,
}

pub(crate) fn run(args: &Args, program: &str, output: &mut Output) -> Result<(), Failure> {
    let mut tree = args::fitted_tree(output.width()).bin_name(program);
    tree.build();
    let named = args.command.as_deref().and_then(|name| tree.find_subcommand(name)).cloned();
    let help = named.unwrap_or(tree).render_help();
    let mut description = describe::about_help(help.to_string());
    // All commands are much to read as it is.
    description.help = description.help.filter(|_| args.command.is_some());
    output.report(&Report { description, styled: help.ansi().to_string() }, &[])
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        self.styled.clone()
    }
}
