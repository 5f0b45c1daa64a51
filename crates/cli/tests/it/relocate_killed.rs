//! `steno move`, killed at any instant: a session is here or there, whole, and the next run finishes.
//!
//! A few rounds here; `STENO_FAULT_ROUNDS` asks for more.

#![cfg(unix)]
use crate::standin;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use standin::{app, files, id};
use steno_testkit::{App, Rng, Session};

const SESSIONS: u32 = 5;
/// Long results of each session.
const RESULTS: u64 = 20;
const LINE: [&str; 5] = ["move", "/srv/old", "/srv/new", "--remove-originals", "--json"];

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What a process is killed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Copying,
    Removing,
}

/// A kept project, and how it looks in both places.
struct Project {
    app: App,
    old: Files,
    new: Files,
}

fn rounds(usual: u64) -> u64 {
    std::env::var("STENO_FAULT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

fn project() -> Project {
    let app = app(&["crontab"]);
    for number in 1..=SESSIONS {
        let session = Session::numbered(number).cwd("/srv/old").user("go").agent(|agent| agent).turns(8);
        app.write(&session);
        for result in 0..RESULTS {
            app.home().file(&format!("projects/-srv-old/{}", result_of(number, result)), "long");
        }
    }
    app.home().file("projects/-srv-old/memory/MEMORY.md", "notes");
    app.json("init --local --no-schedule --json");
    app.json("move /srv/old /srv/new --json");
    let (old, new) = (seen(&place(&app, "-srv-old")), seen(&place(&app, "-srv-new")));
    assert_eq!(old.len(), new.len());
    Project { app, old, new }
}

fn result_of(session: u32, result: u64) -> String {
    format!("{}/tool-results/{result}.txt", id(session))
}

fn place(app: &App, project: &str) -> PathBuf {
    app.home().path().join("projects").join(project)
}

/// Files with their bytes, by the path below a directory; but not what has no name yet.
fn seen(directory: &Path) -> Files {
    let named = files(directory).into_iter().filter(|path| !is_temporary(path));
    named.map(|path| (path.strip_prefix(directory).unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

fn is_temporary(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_str().unwrap().starts_with(".steno-"))
}

impl Project {
    /// As it was before it moved.
    fn reset(&self) {
        let (old, new) = (place(&self.app, "-srv-old"), place(&self.app, "-srv-new"));
        let _ = fs::remove_dir_all(new);
        let _ = fs::remove_dir_all(&old);
        for (path, bytes) in &self.old {
            fs::create_dir_all(old.join(path).parent().unwrap()).unwrap();
            fs::write(old.join(path), bytes).unwrap();
        }
    }

    /// Kills a process so long after a file came or went; whether it was at work still.
    fn kill(&self, work: Work, file: &str, delay: Duration) -> bool {
        let mut command = self.app.command();
        let mut child = command.args(LINE).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (old, new) = (place(&self.app, "-srv-old").join(file), place(&self.app, "-srv-new").join(file));
        let has_begun = || match work {
            Work::Copying => new.exists(),
            Work::Removing => !old.exists(),
        };
        while !has_begun() && child.try_wait().unwrap().is_none() {
            std::hint::spin_loop();
        }
        let begun = Instant::now();
        while begun.elapsed() < delay {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        !child.wait().unwrap().success()
    }

    fn check(&self) {
        let (old, new) = (seen(&place(&self.app, "-srv-old")), seen(&place(&self.app, "-srv-new")));
        assert!(old.iter().all(|(path, bytes)| self.old[path] == *bytes), "an original changed");
        assert!(new.iter().all(|(path, bytes)| self.new[path] == *bytes), "a name without all of its bytes");
        assert!(self.old.keys().all(|path| old.contains_key(path) || new.contains_key(path)), "one is lost");
        for number in 1..=SESSIONS {
            let transcript = PathBuf::from(format!("{}.jsonl", id(number)));
            let own: Vec<&PathBuf> = self.new.keys().filter(|path| path.starts_with(id(number))).collect();
            assert_eq!(own.len() as u64, 2 + RESULTS);
            let is_whole = |found: &Files| own.iter().all(|path| found.contains_key(*path));
            assert!(!new.contains_key(&transcript) || is_whole(&new), "listed before it is whole");
            assert!(new.contains_key(&transcript) || (old.contains_key(&transcript) && is_whole(&old)));
        }
        let listed = self.app.json("list --json");
        assert_eq!(listed["sessions"].as_array().unwrap().len(), SESSIONS as usize, "{listed}");
    }

    fn finish(&self) {
        let (old, new) = (place(&self.app, "-srv-old"), place(&self.app, "-srv-new"));
        let is_left = !seen(&old).is_empty();
        let output = self.app.output(&LINE);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || !is_left, "{said}");
        assert!(seen(&old).is_empty() && seen(&new) == self.new, "{said}");
        let left: Vec<PathBuf> = files(&new).into_iter().filter(|path| is_temporary(path)).collect();
        assert!(left.is_empty() || !is_left, "{left:?}");
    }
}

fn torment(work: Work) {
    let project = project();
    let mut rng = Rng::new(42);
    let mut killed = 0;
    for round in 0..rounds(6) {
        project.reset();
        let file = result_of(1 + rng.below(u64::from(SESSIONS)) as u32, rng.below(RESULTS));
        let longest = if round.is_multiple_of(2) { 150 } else { 30_000 };
        killed += u64::from(project.kill(work, &file, Duration::from_micros(rng.below(longest))));
        project.check();
        project.finish();
        project.check();
    }
    assert!(killed > 0, "none was killed in time");
    assert_eq!(project.app.json("verify --json")["ok"], true);
}

#[test]
fn while_it_copies() {
    torment(Work::Copying);
}

#[test]
fn while_it_removes() {
    torment(Work::Removing);
}
