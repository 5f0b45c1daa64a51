//! Backup and restore: ours, the peers' and the original tool's, on the same home, round by round.
//!
//! These rows write, unlike all others: every round begins with empty stores, the home grows in it and shrinks back
//! after it. The first round looks at memory and fills the file cache; the others are timed. In each, every tool does
//! a job before any does the next, so that a machine that slows down slows all of them.

pub(crate) mod contender;
pub(crate) mod ground;
pub(crate) mod job;
pub(crate) mod tools;

use std::path::Path;

use crate::Error;
use crate::elsewhere::Reach;
use crate::keep::contender::{Contender, Eye, Turn};
use crate::keep::ground::Ground;
use crate::keep::job::{Course, HERE, Job};
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
            None => contenders.push(Contender::new(plan, &ground, tool, &HERE)),
        }
    }
    for round in 0..=plan.rounds {
        let eye = if round == 0 { Eye::Memory } else { Eye::Time };
        play(&ground, &mut contenders, &Round { course: &HERE, eye, reach: None })?;
    }
    let mut rows: Vec<Measured> = contenders.into_iter().flat_map(Contender::into_measured).collect();
    in_order_of(&HERE, &mut rows);
    Ok((rows, absent))
}

pub(crate) fn in_order_of(course: &Course, rows: &mut [Measured]) {
    rows.sort_by_key(|row| course.0.iter().position(|(job, _)| job.group() == row.group));
}

pub(crate) fn missing(tool: &Tool, plan: &Plan) -> Option<&'static str> {
    tool.needs.iter().find(|program| on_path(program, &plan.search_path).is_none()).copied()
}

/// What is done in one round, and how it is looked at.
#[derive(Debug)]
pub(crate) struct Round<'r> {
    pub(crate) course: &'r Course,
    pub(crate) eye: Eye,
    /// The server that things are sent to, if they are.
    pub(crate) reach: Option<&'r Reach>,
}

pub(crate) fn play(
    ground: &Ground,
    contenders: &mut [Contender<'_>],
    round: &Round<'_>,
) -> Result<(), Error> {
    let Round { course, eye, reach } = *round;
    for contender in contenders.iter_mut() {
        contender.prepare(reach)?;
    }
    for (job, _) in course.0.iter().copied() {
        let new_bytes = if job == Job::Appended { ground.grow()?.bytes } else { 0 };
        for contender in contenders.iter_mut() {
            contender.perform(Turn { job, eye, new_bytes, reach })?;
        }
    }
    ground.shrink()?;
    contenders.iter().try_for_each(Contender::clear)
}
