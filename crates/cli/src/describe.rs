//! The clap tree → a description of every command and flag for programs: the one source of `steno help --json`,
//! docs/cli.md and the skill's table.
//!
//! It is separate from clap, because clap's own types are for parsing: examples, for one, are only text there.

mod example;
mod requirement;
mod surroundings;

use std::ops::Not;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use example::Example;
pub(crate) use example::read as read_notes;
pub(crate) use requirement::explained;
pub use surroundings::{ErrorKind, ExitCode, Variable};

use crate::{args, schema};

/// The program, as told to programs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// The same for people, as `--help` prints it; not where all commands are described to a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    pub program: String,
    pub version: String,
    pub about: String,
    pub usage: String,
    /// Of every command.
    pub global_flags: Vec<Flag>,
    /// Of the program without a command.
    pub flags: Vec<Flag>,
    /// All commands, or the one that was asked about.
    pub commands: Vec<Command>,
    /// What holds for all commands.
    pub notes: Vec<String>,
    pub exit_codes: Vec<ExitCode>,
    pub error_kinds: Vec<ErrorKind>,
    pub environment: Vec<Variable>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    pub name: String,
    /// The heading it stands under.
    pub group: String,
    pub about: String,
    pub usage: String,
    /// Other names of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Argument>,
    /// Without those of every command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// Only where it alone was asked about, as the schemas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The JSON Schemas of what it answers, in the repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schemas: Vec<String>,
}

/// What stands on the command line without a flag.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Argument {
    pub name: String,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub required: bool,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub repeatable: bool,
    /// The only ones it may have; none means any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    pub help: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Flag {
    /// With its dashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// What its value is called; a switch has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The only values it may have; none means any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub repeatable: bool,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub required: bool,
    /// Flags and arguments that it cannot stand beside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
    /// Flags and arguments of which one has to stand beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    pub help: String,
}

/// The whole program.
pub fn describe() -> Description {
    let mut tree = args::tree();
    tree.build();
    let all_schemas: Vec<&str> = schema::schemas().into_iter().map(|(name, _)| name).collect();
    let shown = tree.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = shown.map(|shown| command(shown, &all_schemas)).collect();
    let (_, notes) = example::read(&after_help(&tree));
    Description {
        help: None,
        program: tree.get_name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        about: about(&tree),
        usage: usage(&tree),
        global_flags: flags(&tree, is_global),
        flags: flags(&tree, |argument| !is_global(argument)),
        commands,
        notes,
        exit_codes: surroundings::exit_codes(),
        error_kinds: surroundings::error_kinds(),
        environment: surroundings::environment(),
    }
}

/// The same about one command, with the help that was printed for it; about all, without what only matters to who
/// uses one of them, where the help is the program's: an agent reads that whole.
pub(crate) fn about_help(help: String) -> Description {
    let whole = describe();
    let usage = help.split_once("Usage:").map_or("", |(_, usage)| usage);
    let named = usage.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let is_one = whole.commands.iter().any(|command| command.name == named);
    let mut commands = whole.commands;
    if is_one {
        commands.retain(|command| command.name == named);
    } else {
        for command in &mut commands {
            command.examples.clear();
            command.schemas.clear();
        }
    }
    Description { help: Some(help), commands, ..whole }
}

fn command(command: &clap::Command, all_schemas: &[&str]) -> Command {
    let (examples, notes) = example::read(&after_help(command));
    let name = command.get_name();
    Command {
        name: name.to_owned(),
        group: args::group(name).to_owned(),
        about: about(command),
        usage: usage(command),
        aliases: command.get_visible_aliases().map(str::to_owned).collect(),
        arguments: command
            .get_positionals()
            .filter(|argument| !argument.is_hide_set())
            .map(argument)
            .collect(),
        flags: flags(command, |argument| !is_global(argument)),
        examples,
        notes,
        schemas: schemas(name, all_schemas),
    }
}

/// A command has one shape of answer, or one for each of its modes: `restore`, `restore-list`.
fn schemas(command: &str, all: &[&str]) -> Vec<String> {
    let is_mode = |rest: &str| rest.is_empty() || rest.starts_with('-');
    let own = all.iter().filter(|name| name.strip_prefix(command).is_some_and(is_mode));
    own.map(|name| format!("docs/schema/{name}.json")).collect()
}

fn argument(argument: &clap::Arg) -> Argument {
    let (help, default) = help(argument);
    Argument {
        name: value_name(argument),
        required: argument.is_required_set(),
        repeatable: is_repeatable(argument),
        values: values(argument),
        default,
        help,
    }
}

fn flags(command: &clap::Command, is_wanted: impl Fn(&clap::Arg) -> bool) -> Vec<Flag> {
    let shown =
        command.get_arguments().filter(|argument| !argument.is_positional() && !argument.is_hide_set());
    shown.filter(|argument| is_wanted(argument)).map(|argument| flag(command, argument)).collect()
}

fn flag(command: &clap::Command, argument: &clap::Arg) -> Flag {
    let (help, default) = help(argument);
    let takes_value = argument.get_action().takes_values();
    Flag {
        long: argument.get_long().map(|name| format!("--{name}")),
        short: argument.get_short().map(|letter| format!("-{letter}")),
        value: takes_value.then(|| value_name(argument)),
        default,
        values: if takes_value { values(argument) } else { Vec::new() },
        repeatable: is_repeatable(argument),
        required: argument.is_required_set(),
        conflicts: conflicts(command, argument),
        requires: requirement::requires(command, argument),
        help,
    }
}

/// clap knows of a conflict where it was declared; it goes both ways, and a group may forbid it as well.
fn conflicts(command: &clap::Command, argument: &clap::Arg) -> Vec<String> {
    let declares = |one: &clap::Arg, other: &clap::Arg| {
        command.get_arg_conflicts_with(one).iter().any(|declared| declared.get_id() == other.get_id())
    };
    let is_kept_apart = |other: &clap::Arg| {
        let mut groups = command.get_groups().cloned();
        groups.any(|mut group| !group.is_multiple() && has(&group, argument) && has(&group, other))
    };
    let others = command.get_arguments().filter(|other| other.get_id() != argument.get_id());
    let apart =
        others.filter(|other| declares(argument, other) || declares(other, argument) || is_kept_apart(other));
    apart.map(name).collect()
}

fn has(group: &clap::ArgGroup, argument: &clap::Arg) -> bool {
    group.get_args().any(|id| id == argument.get_id())
}

/// `--help` is every command's, though clap gives each its own.
fn is_global(argument: &clap::Arg) -> bool {
    argument.is_global_set() || argument.get_id() == "help"
}

fn is_repeatable(argument: &clap::Arg) -> bool {
    matches!(argument.get_action(), clap::ArgAction::Append | clap::ArgAction::Count)
}

fn name(argument: &clap::Arg) -> String {
    argument.get_long().map_or_else(|| value_name(argument), |name| format!("--{name}"))
}

fn value_name(argument: &clap::Arg) -> String {
    let named = argument.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
    named.unwrap_or_else(|| argument.get_id().as_str().to_uppercase())
}

fn values(argument: &clap::Arg) -> Vec<String> {
    // The names of commands are the keys of the whole description.
    if value_name(argument) == "COMMAND" {
        return Vec::new();
    }
    let shown = argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
    shown.map(|value| value.get_name().to_owned()).collect()
}

/// Its words, and its default: clap's own, or the text of `[default: …]` at their end.
fn help(argument: &clap::Arg) -> (String, Option<String>) {
    let words = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if let Some((help, default)) = words.split_once(" [default: ") {
        return (help.to_owned(), Some(default.trim_end_matches(']').to_owned()));
    }
    let default = argument.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    (words, default.filter(|_| argument.get_action().takes_values()))
}

fn about(command: &clap::Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// Without the word that clap puts before it.
fn usage(command: &clap::Command) -> String {
    let usage = command.clone().render_usage().to_string();
    usage.trim_start_matches("Usage: ").to_owned()
}

fn after_help(command: &clap::Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}
