//! `cargo xtask fuzz`: builds and runs the targets of `fuzz/`, with stable Rust and without cargo-fuzz.
//!
//! The layout is that of cargo-fuzz and so are the compiler's flags, so that `cargo fuzz run reader` works as well.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::seeds;
use crate::workspace::Workspace;

const TARGETS: [&str; 2] = ["reader", "model"];

/// What cargo-fuzz passes when it is told to use no sanitizer.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Cdebug-assertions -Ccodegen-units=1";

const LIMITS: [&str; 4] = ["-max_len=65536", "-timeout=25", "-rss_limit_mb=4096", "-print_final_stats=1"];

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let targets = match options.text("--target") {
        Some(name) => vec![known(name)?],
        None => TARGETS.to_vec(),
    };
    let programs = build(workspace)?;
    if let Some(input) = options.text("--input") {
        let again =
            |target: &&str| Invocation::new(programs.join(target).display().to_string()).argument(input);
        return targets.iter().map(again).try_for_each(|again| again.run(&workspace.root));
    }
    fuzz(workspace, &programs, &targets, options.number("--seconds", 60)?)
}

/// All targets at the same time, each for so long.
pub(crate) fn all(workspace: &Workspace, seconds: u64) -> Result<(), Failure> {
    let programs = build(workspace)?;
    fuzz(workspace, &programs, &TARGETS, seconds)
}

fn known(name: &str) -> Result<&'static str, Failure> {
    let found = TARGETS.into_iter().find(|target| *target == name);
    found.ok_or_else(|| Failure::new(format!("there is no target `{name}`, only {}", TARGETS.join(" and "))))
}

/// Builds all targets; gives their directory. Naming the host as the target keeps the flags away from build scripts.
fn build(workspace: &Workspace) -> Result<PathBuf, Failure> {
    need_compiler()?;
    let host = host(&workspace.root)?;
    let target = workspace.target.join("fuzz");
    Invocation::cargo("build --manifest-path fuzz/Cargo.toml --locked --release --bins --target")
        .argument(host.as_str())
        .argument("--target-dir")
        .path(&target)
        .variable("RUSTFLAGS", FLAGS)
        .run(&workspace.root)?;
    Ok(target.join(host).join("release"))
}

fn host(root: &Path) -> Result<String, Failure> {
    let version = Invocation::new("rustc").argument("-vV").output(root)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::new("`rustc -vV` does not name the host"))
}

/// libFuzzer is C++, and its crate compiles it.
fn need_compiler() -> Result<(), Failure> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut command = Command::new(&compiler);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::new(format!(
            "the fuzzers need a C++ compiler, and `{compiler}` is not there (on Debian: apt-get install g++)"
        ))),
    }
}

fn fuzz(
    workspace: &Workspace,
    programs: &Path,
    targets: &[&'static str],
    seconds: u64,
) -> Result<(), Failure> {
    let seeds = seeds::write(workspace)?;
    println!("{} seeds; {} for {seconds} s each, at the same time", seeds.count, targets.join(" and "));
    let started: Result<Vec<Running>, Failure> =
        targets.iter().map(|target| start(workspace, programs, target, &seeds.folder, seconds)).collect();
    let outcomes: Vec<Result<(), Failure>> = started?.into_iter().map(Running::finish).collect();
    outcomes.into_iter().collect()
}

struct Running {
    target: &'static str,
    child: Child,
    log: PathBuf,
}

fn start(
    workspace: &Workspace,
    programs: &Path,
    target: &'static str,
    seeds: &Path,
    seconds: u64,
) -> Result<Running, Failure> {
    let fuzz = workspace.root.join("fuzz");
    let (corpus, artifacts) = (fuzz.join("corpus").join(target), fuzz.join("artifacts").join(target));
    for folder in [&corpus, &artifacts] {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let log = workspace.target.join("fuzz").join(format!("{target}.log"));
    let invocation = Invocation::new(programs.join(target).display().to_string())
        .path(&corpus)
        .path(seeds)
        .argument(format!("-max_total_time={seconds}"))
        .argument(format!("-artifact_prefix={}/", artifacts.display()))
        .arguments(LIMITS);
    let open = || File::create(&log).map_err(|error| unwritable(&log, &error));
    let file = open()?;
    let mut command = invocation.command(&workspace.root);
    let child = command.stdout(Stdio::null()).stderr(file).spawn();
    let child = child.map_err(|error| invocation.cannot_start(&error))?;
    Ok(Running { target, child, log })
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}

impl Running {
    fn finish(mut self) -> Result<(), Failure> {
        let status = self.child.wait().map_err(|error| Failure::new(format!("{}: {error}", self.target)))?;
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        if status.success() {
            let runs = log.lines().rev().find(|line| line.starts_with("Done ")).unwrap_or("done");
            println!("{}: {runs}", self.target);
            return Ok(());
        }
        let told = from_panic(&log);
        println!("{told}");
        let input =
            log.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path);
        let failure =
            Failure::new(format!("{} failed ({status}); all it said: {}", self.target, self.log.display()));
        Err(match input {
            Some(input) => {
                failure.repeat(format!("cargo xtask fuzz --target {} --input {input}", self.target))
            }
            None => failure,
        })
    }
}

/// The part of the log that begins with what went wrong.
fn from_panic(log: &str) -> String {
    let is_start = |line: &str| {
        line.contains("panicked at") || line.contains("ERROR: libFuzzer") || line.contains("ALARM")
    };
    let lines: Vec<&str> = log.lines().skip_while(|line| !is_start(line)).take(60).collect();
    lines.join("\n")
}
