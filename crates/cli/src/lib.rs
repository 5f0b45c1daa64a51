//! Arguments → operations → one output, for people or for programs.
//!
//! The only crate that reads the environment, and here only `config` does.

mod args;
mod command;
mod config;
mod failure;
mod output;
mod pager;
mod schema;

use std::process::ExitCode;

use clap::Parser;
use jiff::Timestamp;

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::{Output, Voice};

pub use schema::schemas;

/// Runs the program with the arguments it was started with.
pub fn main() -> ExitCode {
    let line: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let wants_json = line.iter().any(|argument| argument == "--json");
    let arguments = match Arguments::try_parse_from(&line) {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error, wants_json),
    };
    let voice = Voice::new(&arguments.global, config::terminal());
    let outcome = config::now().map_err(Failure::from).and_then(|now| run(arguments, &voice, now));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => voice.fail(&failure),
    }
}

fn run(arguments: Arguments, voice: &Voice, now: Timestamp) -> Result<(), Failure> {
    let library = config::library(&arguments.global, now)?;
    let output = &mut Output::new(voice, now);
    match arguments.command {
        Command::List(list) => command::list::run(list, &library, output),
        Command::Show(show) => command::show::run(show, &library, output),
        Command::Doctor(doctor) => command::doctor::run(&doctor, &library, output),
    }
}
