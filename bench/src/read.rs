//! One long session → documents: ours and a peer's from the same file, round by round, and how long a browser takes to
//! open the page.
//!
//! The session is a home of its own, because the others hold what is kept, not what is read: most of their bytes are
//! records that no document shows.

mod contender;
mod opening;
mod picture;
mod rows;
mod session;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;
use crate::files::{Transcript, bytes_below, transcripts};
use crate::generate::GENERATOR;
use crate::read::contender::Contender;
use crate::read::opening::Opening;
use crate::read::rows::Opens;
use crate::report::{Measured, Report, compare};
use crate::rows::LIMIT;
use crate::run::{Plan, cached};

/// Writes the session's documents in every format; `browser` opens the shared pages, where there is one.
pub fn run_read(plan: &Plan, browser: Option<&Path>) -> Result<Report, Error> {
    let home = cached_session(plan)?;
    let found = transcripts(&home.join("projects"))?;
    let transcript = found.first().ok_or_else(|| Error::NoTranscripts(home.clone()))?;
    let scratch = tempfile::Builder::new().prefix("read-").tempdir_in(&plan.cache);
    let scratch = scratch.map_err(Error::file("create a directory in", &plan.cache))?;
    let (rows, absent) = measure(plan, &Ground { home: &home, transcript, scratch: &scratch }, browser)?;
    Ok(Report {
        bytes: bytes_below(&home.join("projects"))?,
        home: home.display().to_string(),
        files: found.len() as u64,
        rounds: plan.rounds,
        rows,
        absent,
        server: None,
    })
}

/// What every contender reads, and where it may write.
#[derive(Debug, Clone, Copy)]
struct Ground<'a> {
    home: &'a Path,
    transcript: &'a Transcript,
    scratch: &'a TempDir,
}

/// In each round everybody writes a document before the browser opens ours, so that a machine that slows down slows
/// all of them. The first round looks at memory and fills the file cache.
fn measure(
    plan: &Plan,
    ground: &Ground<'_>,
    browser: Option<&Path>,
) -> Result<(Vec<Measured>, Vec<&'static str>), Error> {
    let (mut contenders, mut absent) = (Vec::new(), Vec::new());
    for row in [LIMIT].iter().chain(rows::ROWS) {
        match Contender::new(plan, ground, row) {
            Ok(contender) => contenders.push(contender),
            Err(missing) => absent.push(missing),
        }
    }
    contenders.iter_mut().try_for_each(Contender::try_once)?;
    let mut openings = openings(&contenders, browser);
    for _ in 0..plan.rounds {
        contenders.iter_mut().try_for_each(Contender::time)?;
        openings.iter_mut().for_each(Opening::time);
    }
    if browser.is_none() {
        absent.push("a browser");
    }
    Ok((finish(contenders, openings), absent))
}

/// The pages that were written and can be opened.
fn openings(contenders: &[Contender], browser: Option<&Path>) -> Vec<Opening> {
    let Some(browser) = browser else { return Vec::new() };
    let page = |row| contenders.iter().find(|contender| contender.name() == row)?.document();
    let opening = |names: Opens| Some(Opening::new(browser, page(names.row)?, names));
    rows::OPENS.into_iter().filter_map(opening).collect()
}

/// The quickest of each group first.
fn finish(contenders: Vec<Contender>, openings: Vec<Opening>) -> Vec<Measured> {
    let mut rows: Vec<Measured> = contenders.into_iter().map(Contender::into_measured).collect();
    rows.extend(openings.into_iter().flat_map(Opening::into_measured));
    compare(&mut rows, LIMIT.group);
    let groups: Vec<&str> = rows.iter().map(|row| row.group).collect();
    let place = |row: &Measured| groups.iter().position(|group| *group == row.group);
    let median = |row: &Measured| row.median_ms.unwrap_or(f64::INFINITY);
    rows.sort_by(|left, right| place(left).cmp(&place(right)).then(median(left).total_cmp(&median(right))));
    rows
}

fn cached_session(plan: &Plan) -> Result<PathBuf, Error> {
    let name = format!("read-{}-{}-v{GENERATOR}.{}", plan.order.bytes, plan.order.seed, session::VERSION);
    cached(&plan.cache, &name, |home| session::write(home, plan.order.bytes, plan.order.seed))
}
