//! Kept transcripts → what a list says of them, read once.
//!
//! To read every kept byte for a list takes seconds. What was read is remembered beside the vault's other caches and
//! believed as long as the transcript has not grown; without the cache, the answer is the same.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::ops::ControlFlow;

use jiff::Timestamp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use steno_conversation::model::TitleSource;
use steno_conversation::{Profiler, Warnings, observe};
use steno_transcript::{SessionId, split};
use steno_vault::{Generation, private};

use super::KeptSessions;
use super::index::{Index, KeptSession};
use super::slug::Slugs;
use crate::error::Error;
use crate::file::{KeptFile, SessionFile};
use crate::sources::Sources;

const FORMAT: u64 = 1;
const CACHE: &str = "sessions.json";

/// The facts of a session told without opening it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    pub title: Option<String>,
    pub cwd: Option<String>,
    pub ended_at: Option<Timestamp>,
    pub slugs: BTreeSet<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Cache {
    format: u64,
    vault: String,
    /// By machine and stream.
    sessions: HashMap<String, Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    /// Of what it was read from.
    state: String,
    sketch: Sketch,
}

/// One for each, in their order.
pub fn sketches(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    sessions: &[&KeptSession<'_>],
) -> Vec<Sketch> {
    if !kept_sessions.vault.is_readable() {
        return vec![Sketch::default(); sessions.len()];
    }
    let mut cache = load(kept_sessions);
    let known = |kept: &KeptSession<'_>| {
        cache.sessions.get(&key(kept)).filter(|entry| entry.state == state(index, kept))
    };
    let unknown: Vec<&KeptSession<'_>> =
        sessions.iter().filter(|kept| known(kept).is_none()).copied().collect();
    let read = read_all(sources, kept_sessions, index, &unknown);
    let mut fresh: HashMap<String, Sketch> = HashMap::new();
    let mut is_changed = false;
    for (kept, (sketch, is_whole)) in unknown.iter().zip(read) {
        if is_whole {
            is_changed = true;
            cache.sessions.insert(key(kept), Entry { state: state(index, kept), sketch: sketch.clone() });
        }
        fresh.insert(key(kept), sketch);
    }
    if is_changed {
        store(kept_sessions, index, &mut cache);
    }
    let mut sketch_of = |kept: &&KeptSession<'_>| {
        let cached = || cache.sessions.get(&key(kept)).map(|entry| entry.sketch.clone());
        fresh.remove(&key(kept)).or_else(cached).unwrap_or_default()
    };
    sessions.iter().map(&mut sketch_of).collect()
}

/// The cached sketch of each session; reads none.
pub fn remembered(
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    sessions: &[&KeptSession<'_>],
) -> Vec<Option<Sketch>> {
    if !kept_sessions.vault.is_readable_at_once() {
        return vec![Some(Sketch::default()); sessions.len()];
    }
    let mut cache = load(kept_sessions);
    let mut known = |kept: &&KeptSession<'_>| {
        cache.sessions.remove(&key(kept)).filter(|entry| entry.state == state(index, kept))
    };
    sessions.iter().map(|kept| known(kept).map(|entry| entry.sketch)).collect()
}

fn read_all(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    sessions: &[&KeptSession<'_>],
) -> Vec<(Sketch, bool)> {
    let len = |kept: &&KeptSession<'_>| kept.stream.latest().map_or(0, Generation::len);
    if sessions.is_empty() {
        return Vec::new();
    }
    sources.progress().begin("Reading", sessions.iter().map(len).sum());
    let sketch = |kept: &&KeptSession<'_>| {
        let sketch = read(kept_sessions, index, kept);
        sources.progress().advance(len(kept));
        sketch
    };
    let sketches = sessions.par_iter().with_max_len(1).map(sketch).collect();
    sources.progress().end();
    sketches
}

/// Of the latest generation that says something, and whether all of it could be read.
fn read(kept_sessions: &KeptSessions, index: &Index<'_>, kept: &KeptSession<'_>) -> (Sketch, bool) {
    let mut is_whole = true;
    let mut sketch = Sketch::default();
    for generation in kept.stream.generations.iter().rev() {
        let (machine, stream, generation) = (kept.machine, kept.stream, Some(generation));
        let file = KeptFile { kept_sessions, machine, stream, generation, is_damaged: false };
        let read = of_file(&SessionFile::Kept(file), &kept.id);
        is_whole &= read.is_ok();
        let Ok((read, source)) = read else { continue };
        sketch = read;
        if source != Some(TitleSource::Custom) {
            let title = index
                .custom_title(kept)
                .map(|part| SessionFile::kept(kept_sessions, kept.machine, part).field("customTitle"));
            is_whole &= !matches!(title, Some(Err(_)));
            sketch.title = title.and_then(|title| title.ok().flatten()).or(sketch.title);
        }
        if sketch.title.is_some() || sketch.ended_at.is_some() {
            break;
        }
    }
    (sketch, is_whole)
}

fn of_file(file: &SessionFile<'_>, id: &str) -> Result<(Sketch, Option<TitleSource>), Error> {
    let mut slugs = Slugs::default();
    let mut profiler = Profiler::default();
    let mut warnings = Warnings::new(file.place());
    file.lines(|line| {
        slugs.observe(line.bytes);
        let _ = split(line, &mut |piece| {
            observe(&piece, &mut profiler, &mut warnings);
            ControlFlow::Continue(())
        });
    })?;
    let profile = profiler.finish(SessionId::from(id)).profile;
    let sketch =
        Sketch { title: profile.title, cwd: profile.cwd, ended_at: profile.ended_at, slugs: slugs.found() };
    Ok((sketch, profile.title_source))
}

/// The title that the user gave it, in a file beside the transcript.
pub fn custom_title(
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    kept: &KeptSession<'_>,
) -> Option<String> {
    SessionFile::kept(kept_sessions, kept.machine, index.custom_title(kept)?).field("customTitle").ok()?
}

/// The session that it was cloned from.
pub fn cloned_from(
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    kept: &KeptSession<'_>,
) -> Option<SessionId> {
    let lineage = SessionFile::kept(kept_sessions, kept.machine, index.lineage(kept)?);
    lineage.field("from").ok()?.map(SessionId::new)
}

fn key(kept: &KeptSession<'_>) -> String {
    format!("{} {}", kept.machine, kept.name)
}

/// Changes whenever the answer may.
fn state(index: &Index<'_>, kept: &KeptSession<'_>) -> String {
    let of = |stream: &steno_vault::Stream| {
        stream.latest().map_or_else(String::new, |latest| {
            let taken = latest.taken().map(|taken| taken.to_string()).unwrap_or_default();
            format!("{} {} {taken}", latest.number, latest.len())
        })
    };
    let title = index.custom_title(kept).map(of).unwrap_or_default();
    format!("{} {title}", of(kept.stream))
}

fn load(kept_sessions: &KeptSessions) -> Cache {
    let id = kept_sessions.vault.id();
    let read = fs::read(kept_sessions.vault.store.cache().join(CACHE)).ok();
    let cache = read.and_then(|bytes| serde_json::from_slice::<Cache>(&bytes).ok());
    cache.filter(|cache| cache.format == FORMAT && cache.vault == id).unwrap_or_else(|| Cache {
        format: FORMAT,
        vault: id.to_owned(),
        ..Cache::default()
    })
}

/// A vault that cannot be written to is read again the next time.
fn store(kept_sessions: &KeptSessions, index: &Index<'_>, cache: &mut Cache) {
    let there: std::collections::HashSet<String> = index.sessions.iter().map(key).collect();
    cache.sessions.retain(|key, _| there.contains(key));
    if let Ok(bytes) = serde_json::to_vec(cache) {
        let _ = private::replace_cache(&kept_sessions.vault.store.cache().join(CACHE), &bytes);
    }
}
