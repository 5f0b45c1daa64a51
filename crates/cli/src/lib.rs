//! Arguments → operations → one output, for people or for programs.
//!
//! The only crate that reads the environment, and here only `config` does.

mod args;
mod command;
mod complete;
mod config;
pub mod describe;
mod failure;
mod manual;
mod output;
mod pager;
mod progress;
mod schema;
mod skill;

use std::process::ExitCode;

use jiff::Timestamp;
use steno_ops::{Custody, Error, ErrorKind};

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::{Output, Voice};

pub use args::tree;
pub use describe::{Description, describe};
pub use manual::manual;
pub use schema::schemas;
pub use skill::skill_table;

/// Runs the program with the arguments it was started with.
pub fn main() -> ExitCode {
    let line: Vec<std::ffi::OsString> = std::env::args_os().collect();
    if complete::answered(&line) {
        return ExitCode::SUCCESS;
    }
    let wants_json = args::wants_json(&line);
    let arguments = match Arguments::read(&line, || config::terminal().width) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && command::hook::is_meant(&line) => {
            command::hook::refuse(&error, wants_json);
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            args::wanted_colors(&line).write_global();
            return failure::usage(&error, wants_json);
        }
    };
    let voice = Voice::new(&arguments.global, config::terminal());
    let is_hook = matches!(arguments.command, Some(Command::Hook(_)));
    match run(arguments, &voice, config::now()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever runs a hook is not to be stopped by it.
        Err(_) if is_hook => ExitCode::SUCCESS,
        Err(failure) => voice.fail(&failure),
    }
}

fn run(arguments: Arguments, voice: &Voice, now: Result<Timestamp, Error>) -> Result<(), Failure> {
    if let Some(Command::Hook(args)) = &arguments.command {
        let custody = || config::custody(&arguments.global, config::library(&arguments.global, now?)?, voice);
        // Of a hook, no time is shown.
        return command::hook::run(args, custody, &mut Output::new(voice, Timestamp::default()));
    }
    let now = now?;
    let output = &mut Output::new(voice, now);
    let library = config::library(&arguments.global, now)?;
    if arguments.command.is_some() && (arguments.start.local || arguments.start.no_schedule) {
        let error = Error::new(ErrorKind::Invalid, "--local and --no-schedule stand alone, or after `init`");
        return Err(error.hint("`steno init --local --no-schedule`").into());
    }
    let command = match arguments.command {
        None => {
            return command::init::start(
                &arguments.start,
                &config::custody(&arguments.global, library, voice)?,
                output,
            );
        }
        Some(Command::Doctor(doctor)) => return command::doctor::run(&doctor, &library, output),
        Some(Command::Completions(args)) => return command::completions::run(&args, output),
        Some(Command::Man(args)) => return command::man::run(&args, output),
        Some(Command::Help(args)) => return command::help::run(&args, &config::invoked_as(), output),
        Some(command) => command,
    };
    keep(command, &config::custody(&arguments.global, library, voice)?, output)
}

/// The commands about the vault.
fn keep(command: Command, custody: &Custody, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Init(args) => command::init::run(&args, custody, output),
        Command::Sync(args) => command::sync::run(&args, custody, output),
        Command::Status(args) => command::status::run(&args, custody, output),
        Command::Restore(args) => command::restore::run(args, custody, output),
        Command::Peek(args) => command::peek::run(args, custody, output),
        Command::Verify(args) => command::verify::run(&args, custody, output),
        Command::Remote(args) => command::remote::run(&args, custody, output),
        Command::Schedule(args) => command::schedule::run(&args, custody, output),
        Command::ExportConfig(args) => command::export_config::run(args, custody, output),
        Command::ImportConfig(args) => command::import_config::run(args, custody, output),
        Command::Purge(args) => command::purge::run(&args, custody, output),
        Command::Uninstall(args) => command::uninstall::run(&args, custody, output),
        Command::List(args) => command::list::run(args, custody, output),
        Command::Show(args) => command::show::run(args, custody, output),
        Command::Doctor(args) => command::doctor::run(&args, &custody.library, output),
        Command::Hook(args) => command::hook::run(&args, || Ok(custody.clone()), output),
        Command::Completions(args) => command::completions::run(&args, output),
        Command::Man(args) => command::man::run(&args, output),
        Command::Help(args) => command::help::run(&args, &config::invoked_as(), output),
    }
}
