//! The schedulers of this machine, looked at once: which there are, what is in them, what is to be changed.

use steno_conversation::Warning;

use super::cron;
use super::job::Job;
use super::launchd::Launchd;
use super::original::{self, Found};
use super::step::Step;
use super::systemd::Systemd;
use super::task::TaskScheduler;
use super::{Kind, Standing, State, Tools, warning};

#[derive(Debug)]
pub(super) struct System<'a> {
    tools: &'a Tools,
    launchd: Option<Launchd<'a>>,
    task: Option<TaskScheduler<'a>>,
    systemd: Systemd<'a>,
    /// The whole crontab, where there may be one.
    crontab: Option<Vec<u8>>,
    pub(super) warnings: Vec<Warning>,
}

impl<'a> System<'a> {
    pub(super) fn look(tools: &'a Tools) -> Self {
        let mut warnings = Vec::new();
        let systemd = Systemd::look(tools);
        if !systemd.is_usable() && systemd.has_files() {
            let message = "a timer of ours is installed, but systemd cannot be asked about it from here";
            warnings.push(warning("systemd", None, "scheduler-silent", message));
        }
        let crontab = tools.crontab.path().and_then(|crontab| match cron::read(crontab) {
            Ok(bytes) => Some(bytes),
            Err(reason) => {
                let message = format!("cron cannot be used: {reason}");
                warnings.push(warning("crontab", None, "scheduler-silent", message));
                None
            }
        });
        let (launchd, task) = (Launchd::look(tools), TaskScheduler::look(tools));
        Self { tools, launchd, task, systemd, crontab, warnings }
    }

    /// Where a new job goes.
    pub(super) fn preferred(&self) -> Option<Kind> {
        let systemd = self.systemd.is_usable().then_some(Kind::Systemd);
        let launchd = self.launchd.as_ref().map(|_| Kind::Launchd);
        let task = self.task.as_ref().map(|_| Kind::TaskScheduler);
        launchd.or(task).or(systemd).or(self.crontab.as_ref().map(|_| Kind::Cron))
    }

    pub(super) fn standing(&self) -> Standing {
        let warnings = self.warnings.clone();
        let kinds = [Kind::Launchd, Kind::TaskScheduler, Kind::Systemd, Kind::Cron];
        if let Some(kind) = kinds.into_iter().find(|kind| self.is_active(*kind)) {
            return Standing { state: State::Active, kind: Some(kind), warnings };
        }
        let is_unknown = !self.systemd.is_usable() && self.systemd.has_files();
        let kind = self.preferred();
        let state = if is_unknown || kind.is_none() { State::Unavailable } else { State::Off };
        Standing { state, kind, warnings }
    }

    fn is_active(&self, kind: Kind) -> bool {
        match kind {
            Kind::Launchd => self.launchd.as_ref().is_some_and(Launchd::is_active),
            Kind::TaskScheduler => self.task.as_ref().is_some_and(TaskScheduler::is_active),
            Kind::Systemd => self.systemd.is_active(),
            Kind::Cron => self.crontab.as_deref().is_some_and(cron::has_ours),
        }
    }

    pub(super) fn originals(&self) -> Vec<Found> {
        let mut found =
            original::in_crontab(self.crontab.as_deref().unwrap_or_default(), &self.tools.program);
        if self.launchd.is_some() {
            found.extend(original::in_agents(self.tools));
        }
        found
    }

    /// Puts the job into one scheduler and takes ours out of all others.
    pub(super) fn steps(&self, wanted: Option<&(Kind, Job)>, replace_original: bool) -> Vec<Step> {
        let job = |kind: Kind| wanted.filter(|(wanted, _)| *wanted == kind).map(|(_, job)| job);
        let mut steps = Vec::new();
        steps.extend(self.launchd.iter().flat_map(|launchd| match job(Kind::Launchd) {
            Some(job) => launchd.install(job),
            None => launchd.remove(),
        }));
        steps.extend(self.task.iter().flat_map(|task| match job(Kind::TaskScheduler) {
            Some(job) => task.install(job),
            None => task.remove(),
        }));
        steps.extend(match job(Kind::Systemd) {
            Some(job) => self.systemd.install(job),
            None => self.systemd.remove(),
        });
        steps.extend(self.crontab_step(job(Kind::Cron), replace_original));
        if replace_original {
            steps.extend(self.disable_agents());
        }
        steps
    }

    /// One change for all that is to be changed in it.
    fn crontab_step(&self, job: Option<&Job>, replace_original: bool) -> Option<Step> {
        let (path, before) = (self.tools.crontab.path()?, self.crontab.as_ref()?);
        let mut after = cron::with(before, &job.map(cron::lines).unwrap_or_default());
        if replace_original {
            after = original::disabled(&after, &self.tools.program);
        }
        (after != *before).then(|| Step::Run(cron::replace(path, after)))
    }

    fn disable_agents(&self) -> Vec<Step> {
        let Some(launchd) = &self.launchd else { return Vec::new() };
        let agents = original::in_agents(self.tools).into_iter();
        let labelled = agents.filter_map(|found| Some((found.label?, found.job.file)));
        labelled.flat_map(|(label, file)| launchd.disable(&label, file.into())).collect()
    }
}
