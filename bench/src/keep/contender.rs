//! A tool, its store in this round, and what was measured of it in all rounds.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Error;
use crate::files::visit;
use crate::keep::ground::Ground;
use crate::keep::job::Job;
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

/// Whether a run is looked at or timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Eye {
    Memory,
    Time,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(plan: &'a Plan, ground: &'a Ground, tool: &'a Tool) -> Self {
        let outcome = |job: Job| {
            let mut measured = Measured::new(job.group(), job.command(tool)?.name);
            measured.ours = tool.ours;
            measured.target = if tool.ours { job.target() } else { "" };
            Some(Outcome { job, times: Vec::new(), measured })
        };
        let outcomes = Job::ALL.into_iter().filter_map(outcome).collect();
        Self { plan, ground, tool, place: ground.place(tool.slug), outcomes, runs: 0 }
    }

    /// An empty store and an empty home of its own.
    pub(crate) fn prepare(&mut self) -> Result<(), Error> {
        let home = self.place.join("home");
        fs::create_dir_all(&home).map_err(Error::file("create", &home))?;
        self.runs = 0;
        if let Some(failure) = self.invocation(self.tool.prepare, &home).watch()?.failure() {
            self.give_up(&failure);
        }
        Ok(())
    }

    pub(crate) fn clear(&self) -> Result<(), Error> {
        remove(&self.place)
    }

    /// Does the job, if the tool can and has not failed before; `new_bytes` is what the home has grown by.
    pub(crate) fn perform(&mut self, job: Job, eye: Eye, new_bytes: u64) -> Result<(), Error> {
        let Some(command) = job.command(self.tool).filter(|_| self.is_sound(job)) else { return Ok(()) };
        let before = self.stored()?;
        let samples = self.samples(job, command, eye)?;
        let stored = self.stored()?;
        let failed = samples.iter().find_map(|sample| sample.failed.clone());
        if let Some(outcome) = self.outcomes.iter_mut().find(|outcome| outcome.job == job) {
            let growth = Growth { bytes: stored.saturating_sub(before), new_bytes };
            outcome.measured.stored_bytes = (job == Job::First).then_some(stored);
            outcome.measured.growth = (job == Job::Appended).then_some(growth);
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

    fn samples(&mut self, job: Job, command: Command, eye: Eye) -> Result<Vec<Sample>, Error> {
        let most = if job.repeats() && eye == Eye::Time { REPEATS } else { 1 };
        let start = Instant::now();
        let mut samples = Vec::new();
        while samples.len() < most && (samples.is_empty() || start.elapsed() < ENOUGH) {
            samples.push(self.sample(job, command, eye)?);
        }
        Ok(samples)
    }

    fn sample(&mut self, job: Job, command: Command, eye: Eye) -> Result<Sample, Error> {
        let target = self.target();
        fs::create_dir_all(&target).map_err(Error::file("create", &target))?;
        let within = if command.within == Within::Target { &target } else { self.ground.home() };
        let invocation = self.invocation(command.words, within);
        self.runs += 1;
        // What others have left for the disk to do is not this one's to wait for.
        #[cfg(unix)]
        rustix::fs::sync();
        let mut sample = take(&invocation, eye)?;
        if job.restores() && sample.failed.is_none() {
            sample.failed = self.ground.missing(job, &target)?;
        }
        remove(&target)?;
        Ok(sample)
    }

    fn invocation(&self, words: &[&str], within: &Path) -> Invocation {
        let archive = if self.runs == 0 { "first".to_owned() } else { format!("later-{}", self.runs) };
        let values = [
            ("{steno}", self.plan.steno.display().to_string()),
            ("{home}", self.ground.home().display().to_string()),
            ("{store}", self.store().display().to_string()),
            ("{target}", self.target().display().to_string()),
            ("{archive}", archive),
            ("{session}", self.ground.session()),
            ("{prefix}", self.ground.prefix()),
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

    /// All bytes of the store but those of a cache, which the other tools keep elsewhere.
    fn stored(&self) -> Result<u64, Error> {
        let store = self.store();
        let mut sum = 0;
        if store.is_dir() {
            visit(&store, &mut |path, bytes| {
                let inside = path.strip_prefix(&store).unwrap_or(path);
                sum += if inside.starts_with(".cache") { 0 } else { bytes };
                Ok(())
            })?;
        }
        Ok(sum)
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
