//! A tool, its store in this round, and what was measured of it in all rounds.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Error;
use crate::elsewhere::Reach;
use crate::files::visit;
use crate::keep::ground::Ground;
use crate::keep::job::{Course, Job};
use crate::keep::tools::{Command, Tool, Within};
use crate::measure::Invocation;
use crate::report::{Growth, Measured};
use crate::run::Plan;

/// A quick command is run often in every round, a slow one once.
const REPEATS: usize = 12;
const ENOUGH: Duration = Duration::from_millis(400);

#[derive(Debug)]
pub(crate) struct Contender<'a> {
    plan: &'a Plan,
    ground: &'a Ground,
    tool: &'a Tool,
    place: PathBuf,
    outcomes: Vec<Outcome>,
    /// Counts the runs on this store, because some tools want every backup named.
    runs: usize,
}

/// What is known of one job.
#[derive(Debug)]
struct Outcome {
    job: Job,
    times: Vec<Duration>,
    measured: Measured,
}

/// One run.
#[derive(Debug)]
struct Sample {
    time: Option<Duration>,
    peak_bytes: Option<u64>,
    failed: Option<String>,
}

/// A job as it is due now; `new_bytes` is what the home has grown by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn<'r> {
    pub(crate) job: Job,
    pub(crate) eye: Eye,
    pub(crate) new_bytes: u64,
    pub(crate) reach: Option<&'r Reach>,
}

/// Whether a run is looked at or timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Eye {
    Memory,
    Time,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(plan: &'a Plan, ground: &'a Ground, tool: &'a Tool, course: &Course) -> Self {
        let outcome = |(job, target): &(Job, &'static str)| {
            let mut measured = Measured::new(job.group(), job.command(tool)?.name);
            measured.ours = tool.ours;
            measured.target = if tool.ours { target } else { "" };
            Some(Outcome { job: *job, times: Vec::new(), measured })
        };
        let outcomes = course.0.iter().filter_map(outcome).collect();
        Self { plan, ground, tool, place: ground.place(tool.slug), outcomes, runs: 0 }
    }

    /// An empty store and an empty home of its own.
    pub(crate) fn prepare(&mut self, reach: Option<&Reach>) -> Result<(), Error> {
        let home = self.place.join("home");
        fs::create_dir_all(&home).map_err(Error::file("create", &home))?;
        self.runs = 0;
        if let Some(failure) = self.invocation(self.tool.prepare, &home, reach).watch()?.failure() {
            self.give_up(&failure);
        }
        Ok(())
    }

    pub(crate) fn clear(&self) -> Result<(), Error> {
        remove(&self.place)
    }

    /// Does the job, if the tool can and has not failed before.
    pub(crate) fn perform(&mut self, turn: Turn<'_>) -> Result<(), Error> {
        let Turn { job, new_bytes, reach, .. } = turn;
        let Some(command) = job.command(self.tool).filter(|_| self.is_sound(job)) else { return Ok(()) };
        let before = self.stored(reach)?;
        let requests_before = reach.and_then(Reach::requests);
        let samples = self.samples(turn, command)?;
        let requests = reach.and_then(Reach::requests).zip(requests_before).map(|(all, before)| all - before);
        let stored = self.stored(reach)?;
        let failed = samples.iter().find_map(|sample| sample.failed.clone());
        if let Some(outcome) = self.outcomes.iter_mut().find(|outcome| outcome.job == job) {
            let grown = stored.zip(before).map(|(stored, before)| stored.saturating_sub(before));
            outcome.measured.stored_bytes = stored.filter(|_| job == Job::First);
            let growth = grown.filter(|_| job == Job::Appended);
            outcome.measured.growth = growth.map(|bytes| Growth { bytes, new_bytes });
            outcome.measured.requests = outcome.measured.requests.or(requests);
            outcome.measured.failed = failed.clone();
            outcome.times.extend(samples.iter().filter_map(|sample| sample.time));
            let peak = samples.iter().find_map(|sample| sample.peak_bytes);
            outcome.measured.peak_bytes = outcome.measured.peak_bytes.or(peak);
        }
        // Without a first backup there is nothing to go on with.
        if let Some(failure) = failed.filter(|_| job == Job::First) {
            self.give_up(&failure);
        }
        Ok(())
    }

    pub(crate) fn into_measured(self) -> impl Iterator<Item = Measured> {
        self.outcomes.into_iter().map(|mut outcome| {
            outcome.measured.set_times(&mut outcome.times);
            outcome.measured
        })
    }

    fn is_sound(&self, job: Job) -> bool {
        self.outcomes.iter().any(|outcome| outcome.job == job && outcome.measured.failed.is_none())
    }

    fn give_up(&mut self, failure: &str) {
        for outcome in &mut self.outcomes {
            outcome.measured.failed.get_or_insert_with(|| failure.to_owned());
        }
    }

    fn samples(&mut self, turn: Turn<'_>, command: Command) -> Result<Vec<Sample>, Error> {
        let most = if turn.job.repeats() && turn.eye == Eye::Time { REPEATS } else { 1 };
        let start = Instant::now();
        let mut samples = Vec::new();
        while samples.len() < most && (samples.is_empty() || start.elapsed() < ENOUGH) {
            samples.push(self.sample(turn, command)?);
        }
        Ok(samples)
    }

    fn sample(&mut self, turn: Turn<'_>, command: Command) -> Result<Sample, Error> {
        let (target, fresh) = (self.target(), self.place.join("fresh"));
        for directory in [&target, &fresh] {
            fs::create_dir_all(directory).map_err(Error::file("create", directory))?;
        }
        let within = if command.within == Within::Target { &target } else { self.ground.home() };
        let invocation = self.invocation(command.words, within, turn.reach);
        self.runs += 1;
        // What others have left for the disk to do is not this one's to wait for.
        #[cfg(unix)]
        rustix::fs::sync();
        let mut sample = take(&invocation, turn.eye)?;
        if turn.job.restores() && sample.failed.is_none() {
            sample.failed = self.ground.missing(turn.job, &target)?;
        }
        remove(&target)?;
        remove(&fresh)?;
        Ok(sample)
    }

    fn invocation(&self, words: &[&str], within: &Path, reach: Option<&Reach>) -> Invocation {
        let archive = if self.runs == 0 { "first".to_owned() } else { format!("later-{}", self.runs) };
        let values = [
            ("{steno}", self.plan.steno.display().to_string()),
            ("{home}", self.ground.home().display().to_string()),
            ("{store}", self.store().display().to_string()),
            ("{target}", self.target().display().to_string()),
            ("{archive}", archive),
            ("{session}", self.ground.session()),
            ("{prefix}", self.ground.prefix()),
            ("{fresh}", self.place.join("fresh").display().to_string()),
            ("{endpoint}", reach.map(Reach::endpoint).unwrap_or_default()),
        ];
        let fill =
            |word: &str| values.iter().fold(word.to_owned(), |text, (name, value)| text.replace(name, value));
        let own =
            [("PATH", self.plan.search_path.clone()), ("HOME", OsString::from(self.place.join("home")))];
        let tools = self.tool.environment.iter().map(|(name, value)| (*name, OsString::from(fill(value))));
        let mut words = words.iter().map(|word| fill(word));
        Invocation {
            program: words.next().unwrap_or_default().into(),
            arguments: words.collect(),
            directory: within.to_owned(),
            environment: own.into_iter().chain(tools).collect(),
        }
    }

    fn store(&self) -> PathBuf {
        self.place.join("store")
    }

    fn target(&self) -> PathBuf {
        self.place.join("target")
    }

    /// All bytes of the store but those of a cache, which the other tools keep elsewhere; of a server, what it
    /// holds, if that can be seen.
    fn stored(&self, reach: Option<&Reach>) -> Result<Option<u64>, Error> {
        let place = reach.map_or_else(|| Some(self.store()), |reach| reach.directory(self.tool.slug));
        let Some(store) = place else { return Ok(None) };
        let mut sum = 0;
        if store.is_dir() {
            visit(&store, &mut |path, bytes| {
                let inside = path.strip_prefix(&store).unwrap_or(path);
                sum += if inside.starts_with(".cache") { 0 } else { bytes };
                Ok(())
            })?;
        }
        Ok(Some(sum))
    }
}

fn take(invocation: &Invocation, eye: Eye) -> Result<Sample, Error> {
    Ok(match eye {
        Eye::Memory => {
            let watched = invocation.watch()?;
            Sample { time: None, peak_bytes: watched.peak_bytes, failed: watched.failure() }
        }
        Eye::Time => {
            let run = invocation.time()?;
            let failed = (!run.status.success()).then(|| run.status.to_string());
            Sample { time: Some(run.time), peak_bytes: None, failed }
        }
    })
}

fn remove(directory: &Path) -> Result<(), Error> {
    if !directory.exists() {
        return Ok(());
    }
    fs::remove_dir_all(directory).map_err(Error::file("remove", directory))
}
