//! A sync by itself: a wish such as `daily` → a job of the system's own scheduler.
//!
//! Which scheduler there is, and whether our job is in it, only the system knows: it is asked every time, and nothing
//! is remembered. All changes are steps that can be shown before they are taken.

mod choice;
mod cron;
mod job;
mod launchd;
mod original;
mod quote;
mod step;
mod system;
mod systemd;
mod task;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;

pub use self::choice::{Choice, choose, show};
use self::job::Job;
use self::step::Step;
use self::system::System;
use crate::error::{Error, ErrorKind};
pub use crate::program::Tools;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// None for `off`.
    pub every: Option<Every>,
    /// Unless it is the default one.
    pub vault: Option<PathBuf>,
    /// Unless it is the default one.
    pub claude_dirs: Vec<PathBuf>,
    /// Disable the original tool's job, which deletes what it should keep.
    pub replace_original: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Every {
    #[serde(rename = "daily")]
    Day,
    #[serde(rename = "6h")]
    SixHours,
    #[serde(rename = "hourly")]
    Hour,
}

/// What the system says about our job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum State {
    Active,
    Off,
    /// There is no scheduler that could be asked.
    Unavailable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Launchd,
    Systemd,
    Cron,
    TaskScheduler,
}

/// The answer to "does it run by itself?".
#[derive(Debug, Clone)]
pub struct Standing {
    pub state: State,
    /// Where the job is, or where it would come.
    pub kind: Option<Kind>,
    pub warnings: Vec<Warning>,
}

/// A job that the tool whose commands we took over left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalJob {
    pub kind: Kind,
    /// The crontab, or the agent's file.
    pub file: String,
    pub line: Option<u64>,
    pub command: String,
}

#[derive(Debug, Clone)]
pub struct Plan {
    every: Option<Every>,
    kind: Option<Kind>,
    steps: Vec<Step>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub scheduler: State,
    pub every: Option<Every>,
    pub kind: Option<Kind>,
    pub dry_run: bool,
    /// What was done, or would be; nothing where everything is so already.
    pub steps: Vec<String>,
    pub warnings: Vec<Warning>,
    /// There is nothing yet that the job could keep sessions in.
    #[serde(skip)]
    pub lacks_vault: bool,
}

/// Asks the system; changes nothing.
pub fn state(tools: &Tools) -> Standing {
    System::look(tools).standing()
}

/// The original tool's jobs that are in force.
pub fn original_job(tools: &Tools) -> Vec<OriginalJob> {
    System::look(tools).originals().into_iter().map(|found| found.job).collect()
}

/// Fails where a job is wished for and no scheduler is there.
pub fn plan(tools: &Tools, request: &Request) -> Result<Plan, Error> {
    let mut system = System::look(tools);
    let job = request.every.map(|every| Job::new(tools, request, every)).transpose()?;
    let wanted = match job {
        Some(job) => Some((system.preferred().ok_or_else(unavailable)?, job)),
        None => None,
    };
    let mut warnings = std::mem::take(&mut system.warnings);
    if let Some((Kind::Cron, job)) = &wanted {
        warnings.extend(cron::fits(job)?);
    }
    let kind = wanted.as_ref().map(|(kind, _)| *kind).or_else(|| system.standing().kind);
    let steps = system.steps(wanted.as_ref(), request.replace_original);
    if !request.replace_original {
        warnings.extend(system.originals().iter().map(|found| original_warning(&found.job)));
    }
    Ok(Plan { every: request.every, kind, steps, warnings })
}

impl Plan {
    /// For `--dry-run`: what is now, and what would be done.
    pub fn preview(&self, tools: &Tools) -> Report {
        Report { dry_run: true, ..self.report(state(tools).state, self.warnings.clone()) }
    }

    fn report(&self, scheduler: State, warnings: Vec<Warning>) -> Report {
        let steps = self.steps.iter().map(ToString::to_string).collect();
        let (every, kind) = (self.every, self.kind);
        Report { ok: true, scheduler, every, kind, dry_run: false, steps, warnings, lacks_vault: false }
    }
}

/// Takes the steps, then asks the system what came of them.
pub fn apply(tools: &Tools, plan: &Plan) -> Result<Report, Error> {
    for step in &plan.steps {
        step.take()?;
    }
    let standing = state(tools);
    let is_as_wished = (standing.state == State::Active) == plan.every.is_some();
    let mut warnings = plan.warnings.clone();
    warnings.extend(standing.warnings.into_iter().filter(|warning| !plan.warnings.contains(warning)));
    if !is_as_wished {
        let message = "the scheduler took the change and says otherwise now";
        warnings.push(warning("schedule", None, "not-as-wished", message));
    }
    Ok(Report { ok: is_as_wished, ..plan.report(standing.state, warnings) })
}

fn unavailable() -> Error {
    Error::new(ErrorKind::Outside, "there is no scheduler that could run a sync")
        .hint("systemd for users, cron, launchd or the Task Scheduler is needed")
        .hint("or let something else run `steno --quiet sync` from time to time")
}

fn warning(file: &str, line: Option<u64>, kind: &str, message: impl Into<String>) -> Warning {
    Warning { file: file.to_owned(), line, kind: kind.to_owned(), message: message.into() }
}

fn original_warning(job: &OriginalJob) -> Warning {
    let message = format!(
        "another backup job is there, which deletes kept projects: {}; `steno schedule … --replace-original` \
         disables it",
        job.command
    );
    warning(&job.file, job.line, "original-job", message)
}

impl Every {
    /// As the user writes it.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Day, Self::SixHours, Self::Hour].into_iter().find(|every| every.name() == text)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "daily",
            Self::SixHours => "6h",
            Self::Hour => "hourly",
        }
    }
}
