//! `move` while somebody writes: an original goes only as it was read and kept.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use steno_ops::relocate::{self, Reason, Report, Request};
use steno_ops::schedule::Tools;
use steno_ops::{ClaudeDirs, Program, Progress, Workspace, init};
use steno_testkit::{Home, Session};

const MEMORY: &str = "projects/-srv-old/memory/MEMORY.md";

/// Somebody else, who does something when the work has come so far.
struct Other {
    at: Moment,
    does: Box<dyn Fn() + Send + Sync>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// Before anything is copied, and after everything was kept.
    Start,
    /// Whenever a file was copied, and has no name yet.
    Copy,
    /// After the copy.
    End,
}

impl Other {
    fn come(&self, moment: Moment) {
        if moment == self.at {
            (self.does)();
        }
    }
}

impl std::fmt::Debug for Other {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Other").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Progress for Other {
    fn begin(&self, what: &str, _: u64) {
        if what == "Moving" {
            self.come(Moment::Start);
        }
    }

    fn advance(&self, _: u64) {
        self.come(Moment::Copy);
    }

    fn end(&self) {
        self.come(Moment::End);
    }
}

fn workspace(home: &Home, progress: Arc<dyn Progress>) -> Workspace {
    let now = "2026-12-01T12:00:00Z".parse().unwrap();
    Workspace {
        dirs: ClaudeDirs { paths: vec![home.path()], is_default: false, now },
        vault: home.root().join("vault"),
        is_default_vault: true,
        cache: None,
        machine: "box".to_owned(),
        version: String::new(),
        zone: TimeZone::UTC,
        patience: Duration::ZERO,
        room: None,
        git: Program::default(),
        gh: Program::default(),
        schedule: Tools::default(),
        managed_settings: None,
        project: None,
        progress,
        keys: steno_ops::sealing::Keys::default(),
        access: steno_ops::s3::Access::default(),
    }
}

fn session() -> Session {
    Session::numbered(1).cwd("/srv/old").user("go").agent(|agent| agent).turns(1)
}

/// A session and the memory of its project, and a vault that holds both.
fn kept() -> Home {
    let home = Home::new();
    home.write(&session());
    home.file(MEMORY, "notes");
    let request = init::Request { local: true, no_schedule: true, ..init::Request::default() };
    init::run(&workspace(&home, Arc::new(steno_ops::Silent)), &request).unwrap();
    home
}

fn transcript(home: &Home, project: &str) -> PathBuf {
    home.path().join("projects").join(project).join(format!("{}.jsonl", session().id()))
}

/// The subagent's transcript.
fn agent(home: &Home, project: &str) -> PathBuf {
    let directory = transcript(home, "-srv-old").with_extension("").join("subagents");
    let mut entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let path = entries.find(|path| path.extension().is_some_and(|ending| ending == "jsonl")).unwrap();
    transcript(home, project).with_extension("").join("subagents").join(path.file_name().unwrap())
}

fn removed_while(home: &Home, at: Moment, does: impl Fn() + Send + Sync + 'static) -> Report {
    let other = Other { at, does: Box::new(does) };
    let request = Request {
        from: "/srv/old".to_owned(),
        to: "/srv/new".to_owned(),
        remove_originals: true,
        ..Request::default()
    };
    relocate::run(&workspace(home, Arc::new(other)), &request).unwrap()
}

fn reasons(report: &Report) -> Vec<Reason> {
    report.skipped.iter().map(|skipped| skipped.reason).collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Takes a name that somebody is about to give.
fn take(path: &Path) {
    let entries = fs::read_dir(path.parent().unwrap()).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().into_string().unwrap());
    if names.any(|name| name.starts_with(".steno-")) && !path.exists() {
        fs::write(path, "other").unwrap();
    }
}

#[test]
fn what_was_written_to_stays() {
    for (moment, reason) in [(Moment::Start, Reason::Unkept), (Moment::End, Reason::Changed)] {
        let home = kept();
        let path = transcript(&home, "-srv-old");
        let report = removed_while(&home, moment, move || {
            let mut file = fs::File::options().append(true).open(&path).unwrap();
            file.write_all(b"{\"type\":\"user\",\"cwd\":\"/srv/old\"}\n").unwrap();
        });
        assert!(transcript(&home, "-srv-old").exists() && !report.ok && report.removed.is_empty());
        assert_eq!((report.moved.len(), reasons(&report)), (1, vec![reason]), "{report:?}");
    }
}

#[test]
fn a_session_that_was_resumed_meanwhile_stays() {
    let home = Arc::new(kept());
    let client = Arc::clone(&home);
    let report = removed_while(&home, Moment::End, move || {
        client.registry(&session(), std::process::id(), "busy");
    });
    assert_eq!((report.moved.len(), reasons(&report)), (1, vec![Reason::Running]), "{report:?}");
    assert!(transcript(&home, "-srv-old").exists() && agent(&home, "-srv-old").exists());
}

#[test]
fn a_transcript_that_came_meanwhile_stays_and_so_does_the_original() {
    let home = kept();
    let path = transcript(&home, "-srv-new");
    let report = removed_while(&home, Moment::Copy, move || take(&path));
    assert_eq!((report.moved.len(), reasons(&report)), (0, vec![Reason::Exists]), "{report:?}");
    assert!(report.skipped.iter().all(|skipped| !skipped.message.contains("--force")), "{report:?}");
    assert_eq!(fs::read_to_string(transcript(&home, "-srv-new")).unwrap(), "other");
    assert!(transcript(&home, "-srv-old").exists() && agent(&home, "-srv-old").exists());
}

#[test]
fn a_file_that_came_meanwhile_stays_and_so_does_its_original() {
    let home = kept();
    let path = agent(&home, "-srv-new");
    let report = removed_while(&home, Moment::Copy, move || take(&path));
    assert_eq!((report.moved.len(), report.removed.len()), (1, 1), "{report:?}");
    assert!(report.warnings.iter().any(|warning| warning.kind == "exists"), "{report:?}");
    assert_eq!(fs::read_to_string(agent(&home, "-srv-new")).unwrap(), "other");
    assert!(agent(&home, "-srv-old").exists() && !transcript(&home, "-srv-old").exists());
}

/// What cannot be made durable where it is now, is not removed where it was.
#[test]
fn a_copy_that_is_gone_again_keeps_its_original() {
    let home = kept();
    let path = agent(&home, "-srv-new");
    let report = removed_while(&home, Moment::End, move || fs::remove_file(&path).unwrap());
    assert_eq!((report.removed.len(), reasons(&report)), (0, vec![Reason::Failed]), "{report:?}");
    assert!(transcript(&home, "-srv-old").exists() && agent(&home, "-srv-old").exists());
}

/// This process has the number of one that was killed.
#[test]
fn what_a_killed_move_left_is_in_nobodys_way() {
    let home = kept();
    let project = home.path().join("projects/-srv-new");
    let name = format!(".steno-{}-", std::process::id());
    let places = [project.clone(), agent(&home, "-srv-new").parent().unwrap().to_owned()];
    for place in &places {
        // Nothing sweeps these.
        (0..100).for_each(|number| fs::create_dir_all(place.join(format!("{name}{number}"))).unwrap());
        (100..200).for_each(|number| write(&place.join(format!("{name}{number}")), "half"));
    }
    write(&project.join(format!("{name}100-7")), "half");
    let held = project.join(".steno-1-0");
    write(&held, "somebody is at work");
    write(&project.join(".steno-1-0-3"), "somebody is at work");
    let lock = fs::File::options().write(true).open(&held).unwrap();
    lock.lock().unwrap();
    let report = removed_while(&home, Moment::End, || {});
    assert!(report.ok, "{report:?}");
    let left = places.iter().flat_map(|place| fs::read_dir(place).unwrap()).map(Result::unwrap);
    let left = left.filter(|entry| entry.file_type().unwrap().is_file());
    let left = left.map(|entry| entry.file_name().into_string().unwrap());
    let mut left: Vec<String> = left.filter(|name| name.starts_with(".steno-")).collect();
    left.sort();
    assert_eq!(left, [".steno-1-0", ".steno-1-0-3"]);
}
