//! An index in a directory of its own, and short ways to fill and ask it.

use std::borrow::Cow;
use std::path::Path;

use jiff::Timestamp;
use steno_index::{Engine, FileId, Found, Origin, Passage, Query, Question, Role};
use steno_transcript::Place;

pub(crate) const NOW: &str = "2026-06-01T00:00:00Z";

pub(crate) struct Ground {
    pub(crate) directory: tempfile::TempDir,
    pub(crate) engine: Engine,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (engine, origin) = Engine::open(directory.path()).unwrap();
        assert_eq!(origin, Origin::New);
        Self { directory, engine }
    }

    pub(crate) fn with(passages: Vec<(u64, Passage<'_>)>) -> Self {
        let ground = Self::new();
        ground.feed(passages);
        ground
    }

    pub(crate) fn feed(&self, passages: Vec<(u64, Passage<'_>)>) {
        let feeder = self.engine.feeder(0).unwrap().unwrap();
        for (file, passage) in passages {
            feeder.add(FileId(file), passage).unwrap();
        }
        feeder.commit().unwrap();
    }

    /// The files that answer, the best first.
    pub(crate) fn files(&self, typed: &str) -> Vec<u64> {
        files(&self.engine, typed)
    }

    /// The same in the order of their numbers.
    pub(crate) fn sorted(&self, typed: &str) -> Vec<u64> {
        let mut files = self.files(typed);
        files.sort_unstable();
        files
    }

    pub(crate) fn inside(&self) -> std::path::PathBuf {
        self.directory.path().join("text")
    }
}

pub(crate) fn files(engine: &Engine, typed: &str) -> Vec<u64> {
    found(engine, typed).files.iter().map(|file| file.file.0).collect()
}

pub(crate) fn found(engine: &Engine, typed: &str) -> Found {
    engine.search(&question(&Query::parse(typed))).unwrap()
}

pub(crate) fn question(query: &Query) -> Question<'_> {
    let now = NOW.parse().unwrap();
    Question { query, files: None, since: None, until: None, each: 10, now, deadline: None }
}

pub(crate) fn said(text: &str) -> Passage<'_> {
    passage(Role::Assistant, text)
}

pub(crate) fn passage(role: Role, text: &str) -> Passage<'_> {
    Passage {
        place: Place { line: 1, offset: 0 },
        role,
        time: Some(NOW.parse::<Timestamp>().unwrap()),
        tools: Vec::new(),
        model: None,
        branch: None,
        files: Vec::new(),
        text: Cow::Borrowed(text),
    }
}

pub(crate) fn at(mut passage: Passage<'_>, line: u64, offset: u64) -> Passage<'_> {
    passage.place = Place { line, offset };
    passage
}

/// What lies in a directory, without locks.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".lock")).collect();
    names.sort();
    names
}
