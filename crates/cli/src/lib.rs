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

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::Output;

pub use schema::schemas;

/// Runs the program with the arguments it was started with.
pub fn main() -> ExitCode {
    let line: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let wants_json = line.iter().any(|argument| argument == "--json");
    let arguments = match Arguments::try_parse_from(&line) {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error, wants_json),
    };
    let mut output = Output::new(&arguments.global, config::terminal());
    match run(arguments, &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.fail(&failure),
    }
}

fn run(arguments: Arguments, output: &mut Output) -> Result<(), Failure> {
    let library = config::library(&arguments.global)?;
    match arguments.command {
        Command::List(list) => command::list::run(list, &library, output),
        Command::Show(show) => command::show::run(show, &library, output),
        Command::Doctor(doctor) => command::doctor::run(&doctor, &library, output),
    }
}
