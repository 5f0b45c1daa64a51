//! `steno watch`: which sessions run, and which of them need you.

mod alert;
mod board;
mod screen;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use steno_ops::watch::{self, Changes, Recorded, Report, Row, Watcher};
use steno_ops::{ClaudeDirs, Error, ErrorKind};
use steno_render::terminal::Page;

use self::alert::Alert;
use crate::config;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno watch                      show all running sessions, those that need you first
  steno watch --once               print that once
  steno watch --json               write a line of JSON for every change of a state
  steno watch --notify             tell me when a session begins to need me
  steno watch --why 1c9e           say how the state of a session is known

Nothing has to be installed: the client's own registry and the transcripts tell.
On the board, the arrow keys and Enter show a session, q quits.";

/// Between two looks. The client's registry follows its screen within a tenth of a second.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print the sessions once, and end
    #[arg(long)]
    once: bool,
    /// Say which observation led to the state of this session
    #[arg(long, value_name = "ID", conflicts_with_all = ["once", "replay"])]
    why: Option<String>,
    /// A notification of the desktop, and the terminal's bell, when a session begins to need you
    #[arg(long)]
    notify: bool,
    /// Run this command then, with the session as JSON on its standard input
    #[arg(long, value_name = "COMMAND")]
    exec: Option<String>,
    /// Add every observation to this file, to report a wrong state
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Show the states that a recording leads to
    #[arg(long, value_name = "FILE", conflicts_with_all = ["once", "record", "notify", "exec"])]
    replay: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, dirs: &ClaudeDirs, output: &mut Output) -> Result<(), Failure> {
    if let Some(path) = &args.replay {
        return replay(path, output);
    }
    let mut recorder = args.record.as_deref().map(Recorder::open).transpose()?;
    let mut watcher = Watcher::new(dirs);
    look(&mut watcher, recorder.as_mut())?;
    let report = watcher.report(config::now()?);
    if let Some(id) = &args.why {
        return output.report(&Why(find(&report, id)?), &[]);
    }
    if args.once {
        return output.report(&report, &next::watch(dirs, &report));
    }
    let alert = Alert { notifies: args.notify, command: args.exec.clone() };
    let follow = Follow { watcher, changes: Changes::default(), recorder, alert };
    if output.reader().is_some() { screen::run(follow, dirs, output) } else { lines(follow, output) }
}

/// One line for each change of a state, until interrupted.
fn lines(mut follow: Follow, output: &mut Output) -> Result<(), Failure> {
    loop {
        for change in follow.step()? {
            output.line(&change, &board::change(&change, output.width()))?;
        }
        std::thread::sleep(LOOK);
    }
}

fn replay(path: &Path, output: &mut Output) -> Result<(), Failure> {
    let mut recorded = Vec::new();
    for (number, line) in
        BufReader::new(File::open(path).map_err(|error| failed(path, error))?).lines().enumerate()
    {
        let line = line.map_err(|error| failed(path, error))?;
        recorded.push(serde_json::from_str::<Recorded>(&line).map_err(|error| {
            let message = format!("{}:{}: not an observation: {error}", path.display(), number + 1);
            Error::new(ErrorKind::Invalid, message).hint("`steno watch --record FILE` writes such a file")
        })?);
    }
    for change in watch::replay(recorded) {
        output.line(&change, &board::change(&change, output.width()))?;
    }
    Ok(())
}

fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{}: {error}", path.display()))
}

fn find(report: &Report, id: &str) -> Result<Row, Error> {
    let found: Vec<&Row> = report.sessions.iter().filter(|row| row.id.as_str().starts_with(id)).collect();
    match found[..] {
        [row] => Ok(row.clone()),
        [] => Err(Error::new(ErrorKind::NotFound, format!("no running session '{id}'"))
            .hint("`steno watch --once` lists those that run")),
        _ => Err(Error::new(
            ErrorKind::Ambiguous,
            format!("'{id}' begins the ids of {} sessions", found.len()),
        )),
    }
}

fn look(watcher: &mut Watcher, recorder: Option<&mut Recorder>) -> Result<(), Failure> {
    let now = config::now()?;
    let seen = watcher.look(now);
    let Some(recorder) = recorder else { return Ok(()) };
    for observation in seen {
        recorder.write(&Recorded { seen: now.as_millisecond(), observation })?;
    }
    Ok(())
}

/// A watcher that goes on, and whom it tells.
pub(super) struct Follow {
    watcher: Watcher,
    changes: Changes,
    recorder: Option<Recorder>,
    alert: Alert,
}

impl Follow {
    /// Looks once; which sessions changed their state.
    pub(super) fn step(&mut self) -> Result<Vec<watch::Change>, Failure> {
        look(&mut self.watcher, self.recorder.as_mut())?;
        let now = config::now()?;
        let report = self.watcher.report(now);
        let changes = self.changes.of(&report.sessions, now.as_millisecond());
        changes
            .iter()
            .filter(|change| change.begins_to_need_you())
            .for_each(|change| self.alert.tell(change));
        Ok(changes)
    }
}

struct Recorder {
    path: PathBuf,
    file: File,
}

impl Recorder {
    fn open(path: &Path) -> Result<Self, Error> {
        let file = File::options().create(true).append(true).open(path);
        Ok(Self { path: path.to_owned(), file: file.map_err(|error| failed(path, error))? })
    }

    fn write(&mut self, line: &Recorded) -> Result<(), Error> {
        let mut text = serde_json::to_string(line).map_err(|error| failed(&self.path, error.into()))?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(|error| failed(&self.path, error))
    }
}

impl Human for Report {
    fn text(&self, page: &Page) -> String {
        board::text(self, page)
    }

    fn talk(&self) -> Vec<String> {
        let none = self.sessions.is_empty().then(|| "no session runs".to_owned());
        none.into_iter().chain(self.hints.iter().map(|hint| format!("hint: {hint}"))).collect()
    }

    fn tells_next(&self) -> bool {
        true
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct Why(Row);

impl Human for Why {
    fn text(&self, page: &Page) -> String {
        board::why(&self.0, page)
    }
}
