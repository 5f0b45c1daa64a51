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
mod next;
mod output;
mod pager;
mod passphrase;
mod picker;
mod progress;
mod schema;
mod skill;

use std::process::ExitCode;

use jiff::Timestamp;
use steno_ops::{ClaudeDirs, Error, ErrorKind};

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::{Output, OutputMode};

pub use args::tree;
pub use describe::{Description, describe};
pub use failure::exit_code;
pub use manual::manual;
pub use schema::schemas;
pub use skill::skill_table;

/// Runs the program with the arguments it was started with.
pub fn main() -> ExitCode {
    #[cfg(feature = "faults")]
    config::plan_fault();
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
    let mode = OutputMode::new(&arguments.global, config::terminal());
    let is_hook = matches!(arguments.command, Some(Command::Hook(_)));
    match run(arguments, &mode, config::now()) {
        Ok(()) => ExitCode::SUCCESS,
        // A hook that fails must not stop the client that runs it.
        Err(_) if is_hook => ExitCode::SUCCESS,
        Err(failure) => mode.fail(&failure),
    }
}

fn run(arguments: Arguments, mode: &OutputMode, now: Result<Timestamp, Error>) -> Result<(), Failure> {
    let Arguments { global, start, command } = arguments;
    if !matches!(command, None | Some(Command::Hook(_))) && (start.local || start.no_schedule) {
        let error = Error::new(ErrorKind::Invalid, "--local and --no-schedule stand alone, or after `init`");
        return Err(error.hint("`steno init --local --no-schedule`").into());
    }
    let output = &mut Output::new(mode, *now.as_ref().unwrap_or(&Timestamp::UNIX_EPOCH));
    // A missing home, or a time that is not understood, fails only the commands that need it.
    let dirs = now.and_then(|now| config::dirs(&global, now));
    let workspace = |dirs: Result<ClaudeDirs, Error>| config::workspace(&global, dirs?, mode);
    let Some(command) = command else {
        return command::init::start(&start, &workspace(dirs)?, output);
    };
    match command {
        Command::Init(args) => command::init::run(&args, &workspace(dirs)?, output),
        Command::Sync(args) => command::sync::run(&args, &workspace(dirs)?, output),
        Command::Status(args) => command::status::run(&args, &workspace(dirs)?, output),
        Command::Restore(args) => command::restore::run(args, &workspace(dirs)?, output),
        Command::Peek(args) => command::peek::run(args, &workspace(dirs)?, output),
        Command::Verify(args) => command::verify::run(&args, &workspace(dirs)?, output),
        Command::Key(args) => command::key::run(&args, &workspace(dirs)?, output),
        Command::Remote(args) => command::remote::run(&args, &workspace(dirs)?, output),
        Command::Schedule(args) => command::schedule::run(&args, &workspace(dirs)?, output),
        Command::ExportConfig(args) => command::export_config::run(args, &workspace(dirs)?, output),
        Command::ImportConfig(args) => command::import_config::run(args, &workspace(dirs)?, output),
        Command::Purge(args) => command::purge::run(&args, &workspace(dirs)?, output),
        Command::Uninstall(args) => command::uninstall::run(&args, &workspace(dirs)?, output),
        Command::List(args) => command::list::run(args, &workspace(dirs)?, output),
        Command::Resume(args) => command::resume::run(args, &workspace(dirs)?, output),
        Command::Pick(args) => command::pick::run(&args, &workspace(dirs)?, output),
        Command::Diff(args) => command::diff::run(args, &workspace(dirs)?, output),
        Command::Show(args) => command::show::run(args, &workspace(dirs)?, output),
        Command::Dump(args) => command::dump::run(args, &workspace(dirs)?, output),
        Command::Share(args) => command::share::run(args, &workspace(dirs)?, output),
        Command::Search(args) => command::search::run(args, &workspace(dirs)?, output),
        Command::Stats(args) => command::stats::run(args, &workspace(dirs)?, output),
        Command::Doctor(args) => command::doctor::run(&args, &workspace(dirs)?, output),
        Command::Clone(args) => command::clone::run(args, &workspace(dirs)?, output),
        Command::Check(args) => command::check::run(args, &workspace(dirs)?, output),
        Command::Move(args) => command::relocate::run(args, &workspace(dirs)?, output),
        Command::Watch(args) => command::watch::run(&args, &dirs?, output),
        Command::Hook(args) => command::hook::run(&args, || workspace(dirs), output),
        Command::Completions(args) => command::completions::run(&args, output),
        Command::Man(args) => command::man::run(&args, output),
        Command::Help(args) => command::help::run(&args, &config::invoked_as(), output),
    }
}
