//! A job → a task of the Windows Task Scheduler.
//!
//! The definition is a document, because the flags of `schtasks` can neither catch up on a missed run nor hold a
//! long command.

use std::fs;
use std::path::PathBuf;

use super::job::Job;
use super::quote;
use super::step::{Run, Step};
use super::{Every, Tools};

const NAME: &str = "Stenograph";

pub(super) fn definition(job: &Job) -> String {
    let (repetition, delay) = match job.every {
        Every::Day => ("", "PT1H"),
        Every::SixHours => {
            ("<Repetition><Interval>PT6H</Interval><Duration>P1D</Duration></Repetition>", "PT30M")
        }
        Every::Hour => {
            ("<Repetition><Interval>PT1H</Interval><Duration>P1D</Duration></Repetition>", "PT10M")
        }
    };
    let arguments: Vec<String> = job.arguments.iter().map(|argument| quote::windows(argument)).collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Back up Claude Code sessions</Description></RegistrationInfo>
  <Triggers>
    <CalendarTrigger><StartBoundary>2024-01-01T03:{minute:02}:00</StartBoundary>{repetition}<RandomDelay>{delay}</RandomDelay><ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay></CalendarTrigger>
  </Triggers>
  <Principals><Principal id="Author"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <Priority>7</Priority>
  </Settings>
  <Actions Context="Author"><Exec><Command>{program}</Command><Arguments>{arguments}</Arguments></Exec></Actions>
</Task>
"#,
        minute = job.minute,
        program = quote::xml(&job.program),
        arguments = quote::xml(&arguments.join(" ")),
    )
}

/// As the document says of itself.
fn encoded(text: &str) -> Vec<u8> {
    let units =
        std::iter::once(0xfeff).chain(text.replace('\n', "\r\n").encode_utf16().collect::<Vec<u16>>());
    units.flat_map(u16::to_le_bytes).collect()
}

#[derive(Debug)]
pub(super) struct TaskScheduler<'a> {
    schtasks: &'a PathBuf,
    tools: &'a Tools,
}

impl<'a> TaskScheduler<'a> {
    pub(super) fn look(tools: &'a Tools) -> Option<Self> {
        tools.schtasks.path().map(|schtasks| Self { schtasks, tools })
    }

    /// The task as the system holds it; the document is the same in every language of Windows.
    fn held(&self) -> Option<String> {
        let output = Run::new(self.schtasks, &["/Query", "/TN", NAME, "/XML"]).output().ok()?;
        let text = output.stdout.into_iter().filter(|byte| *byte != 0).collect::<Vec<u8>>();
        let text = String::from_utf8_lossy(&text).into_owned();
        // Not every `schtasks` fails when it has nothing to show.
        (output.status.success() && text.contains("<Task")).then_some(text)
    }

    pub(super) fn is_active(&self) -> bool {
        self.held().is_some_and(|text| !text.contains("<Enabled>false</Enabled>"))
    }

    fn file(&self) -> PathBuf {
        self.tools.tasks_directory.join(format!("{NAME}.xml"))
    }

    pub(super) fn install(&self, job: &Job) -> Vec<Step> {
        let (path, bytes) = (self.file(), encoded(&definition(job)));
        if self.is_active() && fs::read(&path).is_ok_and(|there| there == bytes) {
            return Vec::new();
        }
        let arguments = ["/Create", "/F", "/TN", NAME, "/XML", &path.to_string_lossy()];
        let create = Step::Run(Run::new(self.schtasks, &arguments));
        vec![Step::Write { path, bytes }, create]
    }

    pub(super) fn remove(&self) -> Vec<Step> {
        let delete = || Step::Run(Run::new(self.schtasks, &["/Delete", "/F", "/TN", NAME]));
        let delete = self.held().map(|_| delete());
        let path = self.file();
        let remove = path.exists().then_some(Step::Remove { path });
        delete.into_iter().chain(remove).collect()
    }
}
