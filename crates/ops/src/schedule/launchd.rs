//! A job → an agent of launchd.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use super::job::Job;
use super::quote;
use super::step::{Run, Step};
use super::{Every, Tools};

const LABEL: &str = "com.stenograph.sync";

/// A missed time is caught up when the machine wakes, and `RunAtLoad` does the same when it starts.
pub(super) fn agent(job: &Job) -> String {
    let strings = job.words().fold(String::new(), |mut text, word| {
        let _ = write!(text, "\n    <string>{}</string>", quote::xml(word));
        text
    });
    let path = job.search_path.as_ref().map_or_else(String::new, |path| {
        let path = quote::xml(path);
        format!("  <key>EnvironmentVariables</key>\n  <dict>\n    <key>PATH</key>\n    <string>{path}</string>\n  </dict>\n")
    });
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{LABEL}</string>
  <key>ProgramArguments</key>
  <array>{strings}
  </array>
{path}  <key>StartCalendarInterval</key>
  <array>{times}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>ProcessType</key>
  <string>Background</string>
  <key>LowPriorityIO</key>
  <true/>
  <key>Nice</key>
  <integer>10</integer>
</dict>
</plist>
"#,
        times = times(job)
    )
}

fn times(job: &Job) -> String {
    let hours: &[Option<u8>] = match job.every {
        Every::Day => &[Some(3)],
        Every::SixHours => &[Some(0), Some(6), Some(12), Some(18)],
        Every::Hour => &[None],
    };
    hours.iter().fold(String::new(), |mut text, hour| {
        let hour = hour.map_or_else(String::new, |hour| format!("<key>Hour</key><integer>{hour}</integer>"));
        let minute = job.minute;
        let _ = write!(text, "\n    <dict>{hour}<key>Minute</key><integer>{minute}</integer></dict>");
        text
    })
}

#[derive(Debug)]
pub(super) struct Launchd<'a> {
    launchctl: &'a PathBuf,
    tools: &'a Tools,
}

impl<'a> Launchd<'a> {
    pub(super) fn look(tools: &'a Tools) -> Option<Self> {
        tools.launchctl.path().map(|launchctl| Self { launchctl, tools })
    }

    pub(super) fn is_active(&self) -> bool {
        self.is_loaded(LABEL)
    }

    fn is_loaded(&self, label: &str) -> bool {
        Run::new(self.launchctl, &["print", &self.target(label)]).succeeds()
    }

    fn domain(&self) -> String {
        format!("gui/{}", self.tools.user_id)
    }

    fn target(&self, label: &str) -> String {
        format!("{}/{label}", self.domain())
    }

    fn file(&self) -> PathBuf {
        self.tools.agents_directory.join(format!("{LABEL}.plist"))
    }

    fn unload(&self, label: &str) -> Step {
        Step::Run(Run::new(self.launchctl, &["bootout", &self.target(label)]).may_fail())
    }

    pub(super) fn install(&self, job: &Job) -> Vec<Step> {
        let (path, bytes) = (self.file(), agent(job).into_bytes());
        let is_loaded = self.is_active();
        if is_loaded && fs::read(&path).is_ok_and(|there| there == bytes) {
            return Vec::new();
        }
        let unload = is_loaded.then(|| self.unload(LABEL));
        let enable = Run::new(self.launchctl, &["enable", &self.target(LABEL)]).may_fail();
        let load =
            Run::new(self.launchctl, &["bootstrap", &self.domain(), &path.to_string_lossy()]).patiently();
        let rest = [Step::Write { path, bytes }, Step::Run(enable), Step::Run(load)];
        unload.into_iter().chain(rest).collect()
    }

    pub(super) fn remove(&self) -> Vec<Step> {
        let unload = self.is_active().then(|| self.unload(LABEL));
        let path = self.file();
        let remove = path.exists().then_some(Step::Remove { path });
        unload.into_iter().chain(remove).collect()
    }

    /// Stops another agent for good; its file stays, under a name that launchd does not read.
    pub(super) fn disable(&self, label: &str, file: PathBuf) -> Vec<Step> {
        let disable = Step::Run(Run::new(self.launchctl, &["disable", &self.target(label)]).may_fail());
        let mut to = file.clone().into_os_string();
        to.push(".disabled");
        vec![self.unload(label), disable, Step::Rename { from: file, to: to.into() }]
    }
}
