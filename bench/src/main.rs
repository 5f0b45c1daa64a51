//! `steno-bench`: generates homes and measures the program on them.

// Its output is its answer, and no other crate uses it.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use steno_bench::{Error, Extreme, Order, Plan, Report, parse_size};

#[derive(Debug, Parser)]
#[command(name = "steno-bench", about = "Generates homes and measures steno on them")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a Claude directory of any size.
    Generate {
        directory: PathBuf,
        /// Of all files together.
        #[arg(long, value_parser = parse_size)]
        bytes: u64,
        /// How many sessions; subagents come on top.
        #[arg(long, default_value_t = 2000)]
        files: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Let some sessions of a generated directory grow.
    Append {
        directory: PathBuf,
        #[arg(long, value_parser = parse_size)]
        bytes: u64,
        #[arg(long, default_value_t = 20)]
        files: u64,
        #[arg(long, default_value_t = 2)]
        seed: u64,
    },
    /// Write one transcript with very long and very short lines.
    Huge {
        file: PathBuf,
        #[arg(long, value_parser = parse_size)]
        bytes: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Read everything and scan for newlines: the physical limit.
    Scan { directory: PathBuf },
    /// Look at every file and read none: the least that an answer from a cache takes.
    Walk { directory: PathBuf },
    /// Measure every row on a home.
    Run {
        #[command(flatten)]
        measure: Measure,
        #[arg(long, default_value_t = 2000)]
        files: u64,
    },
    /// Measure only what answers from a cache: lists, sums and searches.
    Find {
        #[command(flatten)]
        measure: Measure,
        #[arg(long, default_value_t = 2000)]
        files: u64,
    },
    /// Measure only what writes: backup and restore.
    Keep {
        #[command(flatten)]
        measure: Measure,
        #[arg(long, default_value_t = 2000)]
        files: u64,
    },
    /// Measure only what is sent to an object store and fetched back.
    Elsewhere {
        #[command(flatten)]
        measure: Measure,
        #[arg(long, default_value_t = 2000)]
        files: u64,
    },
    /// Measure what turns one long session into documents.
    Read {
        #[command(flatten)]
        measure: Measure,
        /// Opens the page: a Chromium or Chrome.
        #[arg(long)]
        browser: Option<PathBuf>,
    },
    /// Measure memory on one huge transcript.
    Memory {
        #[command(flatten)]
        measure: Measure,
        /// One beyond all measure: a single line, a hole, or very many records.
        #[arg(long, value_enum)]
        shape: Option<Shape>,
        /// Fail when a command holds more memory than this.
        #[arg(long, value_parser = parse_size)]
        limit: Option<u64>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shape {
    Line,
    Zeros,
    Records,
}

impl From<Shape> for Extreme {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Line => Self::Line,
            Shape::Zeros => Self::Zeros,
            Shape::Records => Self::Records,
        }
    }
}

#[derive(Debug, Args)]
struct Measure {
    /// The program to measure.
    #[arg(long)]
    steno: PathBuf,
    #[arg(long, value_parser = parse_size, default_value = "1050M")]
    size: u64,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where generated homes are kept.
    #[arg(long, default_value = "target/bench")]
    cache: PathBuf,
    #[arg(long)]
    json: bool,
}

impl Measure {
    fn plan(&self, files: u64) -> Result<Plan, Error> {
        let itself =
            std::env::current_exe().map_err(|source| Error::Run { program: "steno-bench".into(), source })?;
        Ok(Plan {
            steno: absolute(&self.steno)?,
            itself,
            search_path: std::env::var_os("PATH").unwrap_or_default(),
            cache: absolute(&self.cache)?,
            order: Order { bytes: self.size, files, seed: self.seed },
            rounds: self.rounds,
        })
    }

    fn show(&self, report: &Report) -> String {
        if self.json { json(report) } else { report.to_string() }
    }
}

/// What is measured runs in directories of its own.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|source| Error::File { action: "find", path: path.to_owned(), source })
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(answer) => {
            println!("{}", answer.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            let mut source = std::error::Error::source(&error);
            while let Some(cause) = source {
                eprintln!("  because: {cause}");
                source = cause.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<String, Error> {
    match command {
        Command::Generate { directory, bytes, files, seed } => {
            Ok(json(&steno_bench::generate(&directory, &Order { bytes, files, seed })?))
        }
        Command::Append { directory, bytes, files, seed } => {
            Ok(json(&steno_bench::append(&directory, &Order { bytes, files, seed })?))
        }
        Command::Huge { file, bytes, seed } => Ok(json(&steno_bench::huge(&file, bytes, seed)?)),
        Command::Walk { directory } => Ok(json(&steno_bench::walk(&directory)?)),
        Command::Scan { directory } => Ok(json(&steno_bench::scan(&directory)?)),
        Command::Run { measure, files } => Ok(measure.show(&steno_bench::run(&measure.plan(files)?)?)),
        Command::Find { measure, files } => Ok(measure.show(&steno_bench::run_find(&measure.plan(files)?)?)),
        Command::Keep { measure, files } => Ok(measure.show(&steno_bench::run_keep(&measure.plan(files)?)?)),
        Command::Elsewhere { measure, files } => {
            Ok(measure.show(&steno_bench::run_elsewhere(&measure.plan(files)?)?))
        }
        Command::Read { measure, browser } => {
            Ok(measure.show(&steno_bench::run_read(&measure.plan(1)?, browser.as_deref())?))
        }
        Command::Memory { measure, shape, limit } => {
            let plan = measure.plan(1)?;
            let report = match shape {
                None => steno_bench::read_huge(&plan)?,
                Some(shape) => steno_bench::read_extreme(&plan, shape.into())?,
            };
            let answer = measure.show(&report);
            let Some(limit) = limit else { return Ok(answer) };
            let outcome = report.check_memory(if shape.is_some() { "extreme" } else { "huge" }, limit);
            if outcome.is_err() {
                println!("{}", answer.trim_end());
            }
            outcome.map(|()| answer)
        }
    }
}

fn json<T: serde::Serialize>(value: &T) -> String {
    // Plain structs of numbers and strings always serialise.
    serde_json::to_string(value).unwrap_or_default()
}
