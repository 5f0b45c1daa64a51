//! Wishes for a schedule → what the system's schedulers are told, with stand-ins that write it down.

#![cfg(unix)]
mod cron;
mod original;
mod others;
mod systemd;

use std::fs;
use std::path::{Path, PathBuf};

use steno_ops::Program;
use steno_ops::schedule::{self, Every, Report, Request, Standing, State, Tools};
use steno_testkit::Home;

/// A machine with some schedulers.
struct Machine {
    home: Home,
    tools: Tools,
}

impl Machine {
    fn with(programs: &[&str]) -> Self {
        let home = Home::new();
        let root = home.root().to_owned();
        fs::create_dir(root.join("bin")).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/schedule/stand-in.sh");
        let tool = |name: &str| {
            if programs.contains(&name) {
                std::os::unix::fs::symlink(&script, root.join("bin").join(name)).unwrap();
                Program::from(root.join("bin").join(name))
            } else {
                Program::default()
            }
        };
        let tools = Tools {
            program: "/opt/steno".into(),
            search_path: None,
            systemctl: tool("systemctl"),
            crontab: tool("crontab"),
            launchctl: tool("launchctl"),
            schtasks: tool("schtasks"),
            units_directory: root.join("units"),
            agents_directory: root.join("agents"),
            tasks_directory: root.join("tasks"),
            user_id: 501,
            spread: 127,
        };
        Self { home, tools }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.root().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.file(name).parent().unwrap()).unwrap();
        fs::write(self.file(name), text).unwrap();
    }

    /// The program fails from now on, saying this.
    fn break_down(&self, program: &str, said: &str) {
        self.write(&format!("bin/{program}-fails"), said);
    }

    fn request(&self, every: Option<Every>) -> Request {
        Request { every, ..Request::default() }
    }

    fn ask(&self, request: &Request) -> Result<Report, steno_ops::Error> {
        schedule::apply(&self.tools, &schedule::plan(&self.tools, request)?)
    }

    fn set(&self, every: Option<Every>) -> Report {
        self.ask(&self.request(every)).unwrap()
    }

    fn standing(&self) -> Standing {
        schedule::state(&self.tools)
    }

    /// The calls that changed something since the last time.
    fn changes(&self) -> Vec<String> {
        let calls = self.read("bin/calls");
        let _ = fs::remove_file(self.file("bin/calls"));
        let questions = ["crontab -l", "show-environment", " is-", "launchctl print", "/Query"];
        let is_change = |call: &&str| !questions.iter().any(|question| call.contains(question));
        calls
            .lines()
            .filter(is_change)
            .map(|call| call.replace(&self.home.root().display().to_string(), "~"))
            .collect()
    }
}

#[test]
fn without_a_scheduler_it_is_unavailable_and_no_failure_to_say_so() {
    let machine = Machine::with(&[]);
    assert_eq!(machine.standing().state, State::Unavailable);
    assert_eq!(machine.set(None).scheduler, State::Unavailable);
    let error = machine.ask(&machine.request(Some(Every::Day))).unwrap_err();
    assert!(!error.hints.is_empty());
}

#[test]
fn the_report_has_the_keys_of_the_contract() {
    let machine = Machine::with(&["crontab"]);
    let report = serde_json::to_value(machine.set(Some(Every::SixHours))).unwrap();
    assert_eq!(report["ok"], true);
    assert_eq!(report["scheduler"], "active");
    assert_eq!(report["every"], "6h");
    assert_eq!(report["kind"], "cron");
    assert_eq!(report["warnings"], serde_json::json!([]));
    let report = serde_json::to_value(machine.set(None)).unwrap();
    assert_eq!((&report["scheduler"], &report["every"]), (&"off".into(), &serde_json::Value::Null));
}

#[test]
fn a_dry_run_shows_the_steps_and_takes_none() {
    let machine = Machine::with(&["systemctl", "crontab"]);
    let plan = schedule::plan(&machine.tools, &machine.request(Some(Every::Day))).unwrap();
    let report = plan.preview(&machine.tools);
    assert!(report.dry_run && report.scheduler == State::Off);
    assert_eq!(report.steps.len(), 5);
    assert_eq!(machine.changes(), [""; 0]);
    assert!(!machine.tools.units_directory.exists());
}

#[test]
fn names_of_intervals_are_read_as_they_are_written() {
    for name in ["daily", "6h", "hourly"] {
        assert_eq!(Every::parse(name).map(Every::name), Some(name));
    }
    assert_eq!(Every::parse("weekly"), None);
}
