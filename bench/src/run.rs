//! The benchmark: a cached home, every row once for memory and warmth, then interleaved rounds for time.
//!
//! Here is what only reads; what writes is measured by `keep` on a copy, and what caches by `find`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::extreme::{Extreme, extreme};
use crate::files::{Transcript, bytes_below, sessions, transcripts};
use crate::generate::{GENERATOR, Order, generate};
use crate::measure::Invocation;
use crate::peers::{PEERS, on_path};
use crate::report::{Measured, Report, compare};
use crate::rows::{EXTREME, HUGE, LIMIT, OURS, Program, Row};
use crate::{Error, huge};

/// What to measure with what.
#[derive(Debug, Clone)]
pub struct Plan {
    pub steno: PathBuf,
    /// This program, for the physical limit.
    pub itself: PathBuf,
    pub search_path: OsString,
    /// Where generated homes are kept.
    pub cache: PathBuf,
    pub order: Order,
    /// How often everything is timed; with none, it is only tried.
    pub rounds: usize,
}

/// Generates the home unless it is there, and measures all rows on it.
pub fn run(plan: &Plan) -> Result<Report, Error> {
    let home = cached_home(plan)?;
    let rows: Vec<Row> = OURS.iter().chain(PEERS).copied().collect();
    let report = with_find(plan, &home, measure(plan, &home, &rows)?)?;
    with_keep(plan, &home, report)
}

/// Only lists, sums and searches, in turn with the physical limit.
pub fn run_find(plan: &Plan) -> Result<Report, Error> {
    let home = cached_home(plan)?;
    with_find(plan, &home, measure(plan, &home, &[])?)
}

fn with_find(plan: &Plan, home: &Path, mut report: Report) -> Result<Report, Error> {
    report.join(crate::find::measure(plan, home)?);
    Ok(report)
}

/// Only backup and restore, beside the physical limit.
pub fn run_keep(plan: &Plan) -> Result<Report, Error> {
    let home = cached_home(plan)?;
    with_keep(plan, &home, measure(plan, &home, &[LIMIT])?)
}

/// Only what is sent to an object store and fetched back, beside the physical limit.
pub fn run_elsewhere(plan: &Plan) -> Result<Report, Error> {
    let home = cached_home(plan)?;
    let mut report = measure(plan, &home, &[LIMIT])?;
    crate::elsewhere::measure(plan, &home, &mut report)?;
    Ok(report)
}

fn with_keep(plan: &Plan, home: &Path, mut report: Report) -> Result<Report, Error> {
    report.join(crate::keep::measure(plan, home)?);
    Ok(report)
}

/// Memory on one transcript of `plan.order.bytes`, in a home of its own.
pub fn read_huge(plan: &Plan) -> Result<Report, Error> {
    let name = format!("huge-{}-{}-v{GENERATOR}", plan.order.bytes, plan.order.seed);
    let home = cached(&plan.cache, &name, |home| {
        let path = home.join("projects/-home-dev-work-huge/00000000-0000-4000-8000-000000000001.jsonl");
        huge(&path, plan.order.bytes, plan.order.seed)?;
        Ok(())
    })?;
    let rows: Vec<Row> = [LIMIT].into_iter().chain(HUGE.iter().copied()).collect();
    measure(plan, &home, &rows)
}

/// Memory on one transcript of that shape, with nothing remembered and nothing kept.
pub fn read_extreme(plan: &Plan, shape: Extreme) -> Result<Report, Error> {
    let name = format!("extreme-{}-{}-v{GENERATOR}", shape.name(), plan.order.bytes);
    let home = cached(&plan.cache, &name, |home| extreme(home, shape, plan.order.bytes))?;
    for left in [".cache", ".claude-backup"].map(|name| home.join(name)).iter().filter(|path| path.exists()) {
        fs::remove_dir_all(left).map_err(Error::file("remove", left))?;
    }
    let rows: Vec<Row> = [LIMIT].into_iter().chain(EXTREME.iter().copied()).collect();
    measure(plan, &home, &rows)
}

fn cached_home(plan: &Plan) -> Result<PathBuf, Error> {
    let Order { bytes, files, seed } = plan.order;
    cached(&plan.cache, &format!("home-{bytes}-{files}-{seed}-v{GENERATOR}"), |home| {
        generate(home, &plan.order)?;
        Ok(())
    })
}

/// The directory `name`, made if it is not there; a half-made one has another name and is made again.
pub(crate) fn cached(
    cache: &Path,
    name: &str,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let home = cache.join(name);
    if home.is_dir() {
        return Ok(home);
    }
    let unfinished = cache.join(format!("{name}.unfinished"));
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(Error::file("remove", &unfinished))?;
    }
    fs::create_dir_all(&unfinished).map_err(Error::file("create", &unfinished))?;
    make(&unfinished)?;
    fs::rename(&unfinished, &home).map_err(Error::file("rename", &unfinished))?;
    Ok(home)
}

struct Candidate {
    invocation: Invocation,
    measured: Measured,
    times: Vec<Duration>,
}

fn measure(plan: &Plan, home: &Path, rows: &[Row]) -> Result<Report, Error> {
    let files = transcripts(&home.join("projects"))?;
    let largest = largest(&sessions(&home.join("projects"))?);
    let mut absent = Vec::new();
    let mut candidates = Vec::new();
    for row in rows {
        match invocation(plan, home, &largest, row) {
            Ok(invocation) => candidates.push(candidate(row, invocation)?),
            Err(missing) => absent.push(missing),
        }
    }
    for _ in 0..plan.rounds {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.measured.failed.is_none()) {
            candidate.times.push(candidate.invocation.time()?.time);
        }
    }
    Ok(Report {
        home: home.display().to_string(),
        bytes: bytes_below(&home.join("projects"))?,
        files: files.len() as u64,
        rounds: plan.rounds,
        rows: finish(candidates),
        absent,
        server: None,
    })
}

fn largest(sessions: &[Transcript]) -> String {
    let largest = sessions.iter().max_by_key(|transcript| transcript.bytes);
    largest
        .and_then(|transcript| transcript.path.file_stem())
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The row with everything filled in, or the name of the peer that is not there.
pub(crate) fn invocation(
    plan: &Plan,
    home: &Path,
    largest: &str,
    row: &Row,
) -> Result<Invocation, &'static str> {
    let projects = home.join("projects").display().to_string();
    let home_text = home.display().to_string();
    let mut arguments: Vec<String> = row
        .arguments
        .iter()
        .map(|text| {
            text.replace("{home}", &home_text).replace("{projects}", &projects).replace("{largest}", largest)
        })
        .collect();
    let program = match row.program {
        Program::Steno => plan.steno.clone(),
        Program::Itself => plan.itself.clone(),
        Program::Peer(name) => {
            on_path(name, &plan.search_path).ok_or(name)?;
            // A peer's row names what to start, which may be a shell around it.
            PathBuf::from(arguments.remove(0))
        }
    };
    let home = home.to_owned();
    let environment = vec![
        ("PATH", plan.search_path.clone()),
        ("HOME", home.clone().into()),
        ("CLAUDE_CONFIG_DIR", home.clone().into()),
    ];
    Ok(Invocation { program, arguments, directory: home, environment })
}

/// The first run: it fills the file cache, shows whether the command works at all, and is not timed.
fn candidate(row: &Row, invocation: Invocation) -> Result<Candidate, Error> {
    let watched = invocation.watch()?;
    let measured = Measured {
        ours: row.program == Program::Steno,
        peak_bytes: watched.peak_bytes,
        target: row.target,
        failed: watched.failure(),
        ..Measured::new(row.group, row.name)
    };
    Ok(Candidate { invocation, measured, times: Vec::new() })
}

fn finish(candidates: Vec<Candidate>) -> Vec<Measured> {
    let mut rows: Vec<Measured> = candidates
        .into_iter()
        .map(|mut candidate| {
            candidate.measured.set_times(&mut candidate.times);
            candidate.measured
        })
        .collect();
    compare(&mut rows, LIMIT.group);
    rows
}
