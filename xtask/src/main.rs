//! `cargo xtask …`: the project's chores, for people and for CI, with nothing to install beside cargo.
//!
//! One verb per file. It builds in a moment, because it depends on nothing.

// It is a program for a terminal; what it prints is all it does for its reader.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod age;
mod bench;
mod browser;
mod ccusage;
mod check;
mod client;
mod debian;
mod dependencies;
mod docs;
mod failure;
mod fuzz;
mod invocation;
mod memory;
mod npm;
mod options;
mod peer;
mod proof;
mod python;
mod s3;
mod scratch;
mod seeds;
mod step;
mod tests;
mod windows;
mod workflows;
mod workspace;

use std::process::ExitCode;

use crate::failure::Failure;
use crate::options::Options;
use crate::workspace::Workspace;

const HELP: &str = "\
cargo xtask check [--fast]           what CI runs: format, workflows, dependencies, lints, documentation, tests (with
                                     real transcripts, the real client, a browser, the age program and another object
                                     store, where they are), a little fuzzing and a small benchmark; --fast leaves out
                                     the last two. Tests are run by cargo-nextest where it is installed
cargo xtask proof [--seconds N]      the long checks: ten minutes of fuzzing, 2 GB in 150 MB, 200 killed syncs,
                                     many more random cases
cargo xtask fuzz [--seconds N] [--target reader|model] [--input FILE]
                                     fuzzes, or tries one input again
cargo xtask bench [--find | --read | --elsewhere] [--size 1050M] [--rounds 5] [--install-peers]
                                     times our commands and the peers found on this machine; --find only lists, sums
                                     and searches, --read only what writes documents, on one session (of 20 MB),
                                     --elsewhere only what is sent to an object store on loopback and fetched back
cargo xtask memory [--size 2G]       fails when a huge or a monstrous transcript takes too much memory
cargo xtask client [--version V]     installs the real client (the version we test with) and prints where it is
cargo xtask browser                  finds a Chromium for the tests of our pages, else installs Debian's, and prints
                                     where it is
cargo xtask age                      finds the age program for the tests of encrypted vaults, else installs Debian's, and
                                     prints where it is
cargo xtask s3                       runs the tests of object stores against moto's server, which is installed for them
                                     (STENO_S3 names another)
cargo xtask docs                     writes docs/schema/, docs/cli.md and the skill's table from the program itself
cargo xtask schema                   writes docs/schema/ alone
cargo xtask windows                  asks the compiler about Windows, where its target and a C compiler for it are here
cargo xtask dependencies             holds licences and sources of all dependencies against deny.toml
cargo xtask workflows                asks actionlint about .github/workflows/

Real transcripts are those of the folders in STENO_CORPUS, else of ../shared, if it is there.";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next();
    match run(verb.as_deref(), arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(verb: Option<&str>, arguments: Vec<String>) -> Result<(), Failure> {
    let workspace = Workspace::find()?;
    match verb {
        Some("check") => check::run(&workspace, &Options::parse(arguments, &["--fast"])?),
        Some("proof") => proof::run(&workspace, &Options::parse(arguments, &["--seconds="])?),
        Some("fuzz") => {
            fuzz::run(&workspace, &Options::parse(arguments, &["--seconds=", "--target=", "--input="])?)
        }
        Some("bench") => bench::run(
            &workspace,
            &Options::parse(
                arguments,
                &["--find", "--read", "--elsewhere", "--size=", "--rounds=", "--install-peers"],
            )?,
        ),
        Some("memory") => memory::run(&workspace, &Options::parse(arguments, &["--size="])?),
        Some("client") => client::run(&workspace, &Options::parse(arguments, &["--version="])?),
        Some("browser") => browser::run(&workspace, &Options::parse(arguments, &[])?),
        Some("age") => age::run(&workspace, &Options::parse(arguments, &[])?),
        Some("s3") => s3::run(&workspace, &Options::parse(arguments, &[])?),
        Some("docs") => docs::run(&workspace, &Options::parse(arguments, &[])?),
        Some("schema") => docs::schema(&workspace, &Options::parse(arguments, &[])?),
        Some("windows") => windows::run(&workspace, &Options::parse(arguments, &[])?),
        Some("dependencies") => dependencies::run(&workspace, &Options::parse(arguments, &[])?),
        Some("workflows") => workflows::run(&workspace, &Options::parse(arguments, &[])?),
        Some("help" | "--help" | "-h") => {
            println!("{HELP}");
            Ok(())
        }
        Some(other) => Err(Failure::new(format!("there is no chore `{other}`\n\n{HELP}"))),
        None => Err(Failure::new(HELP)),
    }
}
