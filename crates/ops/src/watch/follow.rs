//! The transcripts of one running session → observations, as they grow.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use steno_conversation::Profiler;
use steno_live::{Millis, Observation};
use steno_source::{LiveEntry, Tail, project_directory_name};
use steno_transcript::{AgentId, Line, SessionId, Shape, Troubles, split};

use super::record::{self, Seen};

/// Of a transcript that was there before, so much is read: the last turn or two.
const BEFORE: u64 = 1 << 20;
/// New files are looked for this often.
const SEARCH_EVERY: Millis = 200;

#[derive(Debug)]
pub(super) struct Followed {
    directories: Vec<PathBuf>,
    cwd: Option<PathBuf>,
    main: Option<Tail>,
    agents: BTreeMap<PathBuf, (AgentId, Tail)>,
    searched: Millis,
    /// Whether the lines that were there before were read.
    is_read: bool,
    /// Of the first and the last megabyte: enough for a title.
    profiler: Profiler,
    pub(super) title: Option<String>,
    pub(super) last_text: Option<String>,
    /// Why the last look could not read a file.
    pub(super) trouble: Option<String>,
}

impl Followed {
    pub(super) fn new(entry: &LiveEntry, directories: &[PathBuf]) -> Self {
        Self {
            directories: directories.to_vec(),
            cwd: entry.cwd.clone(),
            main: None,
            agents: BTreeMap::new(),
            searched: Millis::MIN / 2,
            is_read: false,
            profiler: Profiler::default(),
            title: None,
            last_text: None,
            trouble: None,
        }
    }

    fn transcript(&self) -> Option<&Path> {
        self.main.as_ref().map(|tail| tail.path.as_path())
    }

    /// What the new lines say. The next look tries a file again that cannot be read.
    pub(super) fn read(&mut self, id: &SessionId, now: Millis) -> Vec<Observation> {
        self.search(id, now);
        let Some(main) = &mut self.main else { return Vec::new() };
        let read_at = self.is_read.then_some(now);
        self.is_read = true;
        let mut seen = Seen::new(id, None, read_at);
        let profiler = &mut self.profiler;
        self.trouble = None;
        match main.read(|line| visit(line, &mut seen, Some(profiler))) {
            Ok(true) => self.title = profiler.clone().finish(id.clone()).profile.title,
            Ok(false) => {}
            Err(error) => self.trouble = Some(unreadable(main, &error)),
        }
        self.last_text = seen.last_text.take().or(self.last_text.take());
        let mut observations = seen.observations;
        for (agent, tail) in self.agents.values_mut() {
            let mut seen = Seen::new(id, Some(agent.clone()), None);
            if let Err(error) = tail.read(|line| visit(line, &mut seen, None)) {
                self.trouble = Some(unreadable(tail, &error));
            }
            observations.append(&mut seen.observations);
        }
        observations
    }

    fn search(&mut self, id: &SessionId, now: Millis) {
        if now - self.searched < SEARCH_EVERY {
            return;
        }
        self.searched = now;
        if self.main.is_none() {
            self.main = self.find(&format!("{id}.jsonl")).map(|path| Tail::new(path, BEFORE));
            self.read_head();
            // A transcript that appears later holds nothing from before.
            self.is_read |= self.main.is_none();
        }
        let agents = self.transcript().map(|path| path.with_extension("").join("subagents"));
        for path in agents.into_iter().flat_map(names) {
            let stem = path.file_stem().and_then(|stem| stem.to_str()?.strip_prefix("agent-"));
            if let Some(stem) = stem.filter(|_| path.extension().is_some_and(|ext| ext == "jsonl")) {
                let agent = AgentId::from(stem);
                self.agents.entry(path.clone()).or_insert_with(|| (agent, Tail::new(path, BEFORE)));
            }
        }
    }

    /// The title may stand at the beginning of a long transcript.
    fn read_head(&mut self) {
        let head = self.transcript().and_then(|path| File::open(path).ok());
        let Some(head) = head.filter(|head| head.metadata().is_ok_and(|metadata| metadata.len() > BEFORE))
        else {
            return;
        };
        let _ = steno_transcript::read(head.take(BEFORE), |piece| {
            if let Shape::Record(record) = piece.shape {
                self.profiler.observe(record, &mut Troubles::default());
            }
            ControlFlow::Continue(())
        });
    }

    /// In the project of the session's directory; else, since a session may have changed directories, in any.
    fn find(&self, name: &str) -> Option<PathBuf> {
        let projects = self.directories.iter().map(|directory| directory.join("projects"));
        let projects: Vec<PathBuf> = projects.collect();
        let own = self.cwd.as_ref().map(|cwd| project_directory_name(cwd));
        let expected = projects.iter().filter_map(|projects| Some(projects.join(own.as_ref()?).join(name)));
        let any =
            projects.iter().flat_map(|projects| names(projects.clone())).map(|project| project.join(name));
        expected.chain(any).find(|path| path.is_file())
    }
}

fn names(directory: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn unreadable(tail: &Tail, error: &std::io::Error) -> String {
    format!("{} cannot be read: {error}", tail.path.display())
}

fn visit(bytes: &[u8], seen: &mut Seen, mut profiler: Option<&mut Profiler>) {
    let _ = split(Line::alone(bytes, false), &mut |piece| {
        if let Shape::Record(record) = piece.shape {
            record::observe(record, seen);
            if let Some(profiler) = &mut profiler {
                profiler.observe(record, &mut Troubles::default());
            }
        }
        ControlFlow::Continue(())
    });
}
