//! A home sent to an object store and fetched back: ours, plain and encrypted, and a peer's, by way of the same server,
//! round by round.
//!
//! What `keep` measures on the disk, with a server on loopback between: a process of its own on the same cores, and new
//! for every round. In the first round, which is not timed, requests are counted on their way.

mod counter;
mod server;
mod tools;

use std::path::{Path, PathBuf};

use crate::Error;
use crate::elsewhere::counter::Counter;
use crate::elsewhere::server::{Kind, Server};
use crate::elsewhere::tools::TOOLS;
use crate::files::bytes_below;
use crate::keep::contender::{Contender, Eye};
use crate::keep::ground::Ground;
use crate::keep::job::{ELSEWHERE, Job};
use crate::keep::{Round, in_order_of, missing, play};
use crate::report::Report;
use crate::run::Plan;

/// Adds the rows by job, the server that was used, and the programs that are not on this machine.
pub(crate) fn measure(plan: &Plan, home: &Path, report: &mut Report) -> Result<(), Error> {
    let ground = Ground::new(&plan.cache, home)?;
    let mut absent = server::absent(&plan.search_path);
    let Some(kind) = server::found(&plan.search_path) else {
        report.join((Vec::new(), absent));
        return Ok(());
    };
    let mut contenders = Vec::new();
    for tool in TOOLS {
        match missing(tool, plan) {
            Some(program) => absent.push(program),
            None => contenders.push(Contender::new(plan, &ground, tool, &ELSEWHERE)),
        }
    }
    for round in 0..=plan.rounds {
        let eye = if round == 0 { Eye::Memory } else { Eye::Time };
        let reach = Reach::new(kind, plan, &ground.place("server"), eye)?;
        play(&ground, &mut contenders, &Round { course: &ELSEWHERE, eye, reach: Some(&reach) })?;
    }
    let mut rows: Vec<_> = contenders.into_iter().flat_map(Contender::into_measured).collect();
    in_order_of(&ELSEWHERE, &mut rows);
    let bytes = bytes_below(&home.join("projects"))?;
    let moves_all = [Job::First, Job::Taken, Job::RestoreAll].map(Job::group);
    for row in rows.iter_mut().filter(|row| moves_all.contains(&row.group)) {
        row.set_speed(bytes);
    }
    report.server = Some(kind.words());
    report.join((rows, absent));
    Ok(())
}

/// The server of one round, and the counting proxy before it in rounds that are not timed.
#[derive(Debug)]
pub(crate) struct Reach {
    server: Server,
    counter: Option<Counter>,
}

impl Reach {
    fn new(kind: Kind, plan: &Plan, place: &Path, eye: Eye) -> Result<Self, Error> {
        let server = Server::start(kind, plan, place)?;
        let counter = (eye == Eye::Memory).then(|| Counter::before(server.address())).transpose()?;
        Ok(Self { server, counter })
    }

    pub(crate) fn endpoint(&self) -> String {
        let address = self.counter.as_ref().map_or_else(|| self.server.address(), Counter::address);
        format!("http://{address}")
    }

    /// Where the objects of a tool are, if they are files.
    pub(crate) fn directory(&self, slug: &str) -> Option<PathBuf> {
        self.server.directory(slug)
    }

    /// The requests so far, in rounds with a counting proxy.
    pub(crate) fn requests(&self) -> Option<u64> {
        self.counter.as_ref().map(Counter::requests)
    }
}
