//! Backup and restore: ours, the peers' and the original tool's, on the same home, round by round.
//!
//! These rows write, unlike all others: every round begins with empty stores, the home grows in it and shrinks back
//! after it. The first round looks at memory and fills the file cache; the others are timed. In each, every tool does
//! a job before any does the next, so that a machine that slows down slows all of them.

mod contender;
pub(crate) mod ground;
mod job;
mod tools;

use std::path::Path;

use crate::Error;
use crate::keep::contender::{Contender, Eye};
use crate::keep::ground::Ground;
use crate::keep::job::Job;
use crate::keep::tools::{TOOLS, Tool};
use crate::peers::on_path;
use crate::report::Measured;
use crate::run::Plan;

/// The rows by job, and the programs that are not on this machine.
pub(crate) fn measure(plan: &Plan, home: &Path) -> Result<(Vec<Measured>, Vec<&'static str>), Error> {
    let ground = Ground::new(&plan.cache, home)?;
    let mut absent = Vec::new();
    let mut contenders = Vec::new();
    for tool in TOOLS {
        match missing(tool, plan) {
            Some(program) => absent.push(program),
            None => contenders.push(Contender::new(plan, &ground, tool)),
        }
    }
    for round in 0..=plan.rounds {
        let eye = if round == 0 { Eye::Memory } else { Eye::Time };
        play(&ground, &mut contenders, eye)?;
    }
    let mut rows: Vec<Measured> = contenders.into_iter().flat_map(Contender::into_measured).collect();
    let place = |row: &Measured| Job::ALL.iter().position(|job| job.group() == row.group);
    rows.sort_by_key(place);
    Ok((rows, absent))
}

fn missing(tool: &Tool, plan: &Plan) -> Option<&'static str> {
    tool.needs.iter().find(|program| on_path(program, &plan.search_path).is_none()).copied()
}

/// One round.
fn play(ground: &Ground, contenders: &mut [Contender<'_>], eye: Eye) -> Result<(), Error> {
    for contender in contenders.iter_mut() {
        contender.prepare()?;
    }
    for job in Job::ALL {
        let new_bytes = if job == Job::Appended { ground.grow()?.bytes } else { 0 };
        for contender in contenders.iter_mut() {
            contender.perform(job, eye, new_bytes)?;
        }
    }
    ground.shrink()?;
    contenders.iter().try_for_each(Contender::clear)
}
