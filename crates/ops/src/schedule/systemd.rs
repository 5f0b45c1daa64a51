//! A job → a service and a timer of the user's own systemd.

use std::fs;
use std::path::PathBuf;

use super::job::Job;
use super::quote;
use super::step::{Run, Step};
use super::{Every, Tools};

const SERVICE: &str = "steno-sync.service";
const TIMER: &str = "steno-sync.timer";
const HEADING: &str = "# Written by `steno schedule`; `steno schedule off` removes it.\n";

pub(super) fn service(job: &Job) -> String {
    let command = command(job);
    let path = job.search_path.as_ref().map_or_else(String::new, |path| {
        format!("Environment={}\n", quote::unit(&format!("PATH={path}"), false))
    });
    format!(
        "{HEADING}[Unit]\nDescription=Back up Claude Code sessions\n\n\
         [Service]\nType=oneshot\nExecStart={command}\n{path}Nice=10\nIOSchedulingClass=idle\n"
    )
}

/// systemd starts no program with quotes or backslashes in its path; a shell does it then.
fn command(job: &Job) -> String {
    let is_odd = job.program.contains(['\'', '"', '\\']);
    let shell = is_odd.then_some(["/bin/sh", "-c", r#"exec "$0" "$@""#]);
    let words = shell.into_iter().flatten().chain(job.words()).enumerate();
    words.map(|(place, word)| quote::unit(word, place > 0)).collect::<Vec<_>>().join(" ")
}

pub(super) fn timer(every: Every) -> String {
    let (calendar, delay) = match every {
        Every::Day => ("*-*-* 03:00:00", "1h"),
        Every::SixHours => ("*-*-* 00/6:00:00", "30min"),
        Every::Hour => ("hourly", "10min"),
    };
    format!(
        "{HEADING}[Unit]\nDescription=Back up Claude Code sessions regularly\n\n\
         [Timer]\nOnCalendar={calendar}\nRandomizedDelaySec={delay}\nPersistent=true\n\n\
         [Install]\nWantedBy=timers.target\n"
    )
}

/// The user's systemd; one without a session to run in cannot be asked for anything.
#[derive(Debug)]
pub(super) struct Systemd<'a> {
    systemctl: Option<&'a PathBuf>,
    tools: &'a Tools,
}

impl<'a> Systemd<'a> {
    pub(super) fn look(tools: &'a Tools) -> Self {
        let answers = |systemctl: &&PathBuf| Run::new(systemctl, &["--user", "show-environment"]).succeeds();
        Self { systemctl: tools.systemctl.path().filter(answers), tools }
    }

    pub(super) fn is_usable(&self) -> bool {
        self.systemctl.is_some()
    }

    pub(super) fn is_active(&self) -> bool {
        ["is-enabled", "is-active"].iter().all(|question| self.says(question))
    }

    /// Files of ours that a systemd would act on, whether or not it can be asked.
    pub(super) fn has_files(&self) -> bool {
        self.files().iter().any(|path| path.is_symlink() || path.exists())
    }

    fn says(&self, question: &str) -> bool {
        self.run(&[question, "--quiet", TIMER]).is_some_and(|run| run.succeeds())
    }

    fn run(&self, arguments: &[&str]) -> Option<Run> {
        let arguments: Vec<&str> = ["--user"].iter().chain(arguments).copied().collect();
        self.systemctl.map(|systemctl| Run::new(systemctl, &arguments))
    }

    /// The last is the link that enables the timer.
    fn files(&self) -> [PathBuf; 3] {
        let enabled = PathBuf::from("timers.target.wants").join(TIMER);
        [PathBuf::from(SERVICE), PathBuf::from(TIMER), enabled]
            .map(|file| self.tools.units_directory.join(file))
    }

    pub(super) fn install(&self, job: &Job) -> Vec<Step> {
        let [service_path, timer_path, _] = self.files();
        let wanted = [(service_path, service(job)), (timer_path, timer(job.every))];
        let is_there =
            |(path, text): &(PathBuf, String)| fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes());
        if wanted.iter().all(is_there) && self.is_active() {
            return Vec::new();
        }
        let writes = wanted.into_iter().map(|(path, text)| Step::Write { path, bytes: text.into_bytes() });
        let calls = [&["daemon-reload"][..], &["enable", TIMER], &["restart", TIMER]];
        writes.chain(calls.iter().filter_map(|call| self.run(call)).map(Step::Run)).collect()
    }

    pub(super) fn remove(&self) -> Vec<Step> {
        let is_there =
            self.has_files() || ["is-enabled", "is-active"].iter().any(|question| self.says(question));
        if !is_there {
            return Vec::new();
        }
        let disable = self.run(&["disable", "--now", TIMER]).map(Run::may_fail);
        let reload = self.run(&["daemon-reload"]);
        let files = self.files().into_iter().filter(|path| path.is_symlink() || path.exists());
        let removals = files.map(|path| Step::Remove { path });
        disable.map(Step::Run).into_iter().chain(removals).chain(reload.map(Step::Run)).collect()
    }
}
