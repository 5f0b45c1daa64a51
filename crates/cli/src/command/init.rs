//! `steno init`, and `steno` alone: set up a vault and run the first backup.

use steno_ops::Workspace;
use steno_ops::init::{self, Report, Request};
use steno_ops::schedule::State;
use steno_render::terminal::Page;

use super::lines::{push_line, warning_lines};
use super::remote::{Reach, Sealing, about_new_key, target};
use super::sync::summary;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno init                                      set up a vault and run the first backup
  steno init --local                              set up on this disk, whatever else is at hand
  steno init --remote git@host:me/sessions.git    set up, and send what is kept to a git address
  steno init --remote s3://bucket/sessions        set up, and send what is kept to an object store
  steno init --encrypt                            set up, and encrypt all that is kept

Without a flag: a private GitHub repository where gh is signed in, else this disk.
A vault that is there already stays, and goes on as it was. Nothing is ever asked.
On a new machine --remote brings what all machines sent there; --identity FILE opens it.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Keep everything on this disk, whatever else is at hand
    #[arg(long, conflicts_with = "remote")]
    local: bool,
    /// Send what is kept to a git address, `s3://BUCKET/PREFIX`, or `github`
    #[arg(long, value_name = "URL")]
    remote: Option<String>,
    #[command(flatten)]
    sealing: Sealing,
    #[command(flatten)]
    reach: Reach,
    /// Do not run the first backup
    #[arg(long)]
    no_sync: bool,
    /// Do not schedule a daily backup
    #[arg(long)]
    no_schedule: bool,
    /// Send, although something that looks like a secret was found
    #[arg(long)]
    push: bool,
}

/// How to start, when no command is given.
#[derive(Debug, clap::Args)]
pub(crate) struct Start {
    /// Without a command: keep everything on this disk, whatever else is at hand
    #[arg(long)]
    pub(crate) local: bool,
    /// Without a command: do not schedule a daily backup
    #[arg(long)]
    pub(crate) no_schedule: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request {
        local: args.local,
        remote: args.remote.as_deref().map(target),
        reach: args.reach.told(),
        encrypt: args.sealing.wish(),
        no_sync: args.no_sync,
        no_schedule: args.no_schedule,
        push: args.push,
    };
    let report = init::run(workspace, &request)?;
    output.done(false, &report, &next::init(workspace, &report))
}

/// The first time, set up; always, the status.
pub(crate) fn start(start: &Start, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    if !init::is_done(workspace)? {
        let request = Request { local: start.local, no_schedule: start.no_schedule, ..Request::default() };
        let report = init::run(workspace, &request)?;
        output.say(&format!("{}{}", head(&report), report.talk().join("\n")));
        super::status::run(&super::status::Args {}, workspace, output)?;
        output.say(first_steps(&report));
        return report.outcome().as_result();
    }
    super::status::run(&super::status::Args {}, workspace, output)
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        format!("{}{}{}", head(self), arrangement(self), first_steps(self))
    }

    fn talk(&self) -> Vec<String> {
        let pushed = push_line(self.sync.as_ref().and_then(|sync| sync.push.as_ref()));
        let warnings = self.sync.iter().flat_map(|sync| &sync.warnings).chain(&self.warnings).cloned();
        let warnings = warning_lines(&warnings.collect::<Vec<_>>());
        pushed.into_iter().chain(warnings).collect()
    }

    fn tells_next(&self) -> bool {
        self.sync.is_none()
    }

    fn urgent(&self) -> String {
        about_new_key(self.new_key.as_deref())
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

/// What was set up, and how to undo it.
fn head(report: &Report) -> String {
    let verb = if report.created { "Made a vault in" } else { "Vault:" };
    let kept = report.sync.as_ref().map(summary).unwrap_or_default();
    let undo = match (report.created, report.scheduler) {
        (false, _) => "",
        (true, State::Active) => {
            "Undo: `steno uninstall` removes the schedule, with `--delete-vault --yes` the vault too\n"
        }
        (true, _) => "Undo: `steno uninstall --delete-vault --yes` deletes the vault\n",
    };
    let key = about_new_key(report.new_key.as_deref());
    format!("{verb} {}\n{kept}{undo}{key}", report.vault)
}

/// How it goes on, which a status says, too.
fn arrangement(report: &Report) -> String {
    let mode = match &report.repo {
        Some(repo) => format!("{} ({repo})", report.mode),
        None => format!("{} (no remote)", report.mode),
    };
    let mode = if report.encrypted { format!("{mode}, encrypted") } else { mode };
    let schedule = match report.scheduler {
        State::Active => "runs automatically; `steno schedule` shows how often",
        State::Off => "off; `steno schedule daily` turns it on",
        State::Unavailable => "none on this system: run `steno sync` now and then",
    };
    format!("Mode: {mode}\nSchedule: {schedule}\n")
}

/// What one does with it.
fn first_steps(report: &Report) -> &'static str {
    if report.created {
        "Next: `steno list` shows your sessions, `steno restore --list` what is backed up\n"
    } else {
        ""
    }
}
