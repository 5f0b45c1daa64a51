//! A home → the same home a moment later: some of its sessions have grown.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use memchr::memmem;
use steno_testkit::{Rng, millis};

use crate::Error;
use crate::files::{Transcript, sessions};
use crate::generate::{Order, Summary, pick};
use crate::pool::Pools;
use crate::shapes::{self, EraShapes};
use crate::template::Fill;

/// Adds about `order.bytes` to `order.files` sessions below `directory`; linked to their last record, each in the
/// era of its file.
pub fn append(directory: &Path, order: &Order) -> Result<Summary, Error> {
    let found = sessions(&directory.join("projects"))?;
    if found.is_empty() {
        return Err(Error::NoTranscripts(directory.to_owned()));
    }
    let mut rng = Rng::stream(order.seed, 0);
    let chosen = choose(found, order.files as usize, &mut rng);
    let appender = Appender { pools: Pools::new(), shapes: shapes::all(50_000) };
    let mut summary = Summary::default();
    for (number, transcript) in (1..).zip(&chosen) {
        let due = order.bytes * number / chosen.len() as u64;
        summary.bytes += appender.grow(transcript, due.saturating_sub(summary.bytes), &mut rng)?;
        summary.sessions += 1;
    }
    Ok(summary)
}

fn choose(mut found: Vec<Transcript>, count: usize, rng: &mut Rng) -> Vec<Transcript> {
    let mut chosen = Vec::new();
    while chosen.len() < count && !found.is_empty() {
        chosen.push(found.swap_remove(rng.below(found.len() as u64) as usize));
    }
    chosen
}

struct Appender {
    pools: Pools,
    shapes: Vec<EraShapes>,
}

impl Appender {
    fn grow(&self, transcript: &Transcript, bytes: u64, rng: &mut Rng) -> Result<u64, Error> {
        let path = &transcript.path;
        let before = fs::read(path).map_err(Error::file("read", path))?;
        let mut fill = end_of(&before, path, rng);
        let version = last_field(&before, "version").unwrap_or_default();
        let era = self.shapes.iter().find(|shapes| shapes.era.version() == version).or(self.shapes.last());
        let Some(era) = era else { return Ok(0) };
        let mut added = Vec::new();
        loop {
            let template = pick(era, bytes.saturating_sub(added.len() as u64), rng);
            // A subagent would need files of its own; growth is about transcripts that get longer.
            let template = if template.agents.is_empty() { template } else { &era.chat };
            template.write(&fill, &self.pools, &mut added);
            fill.parent = Some(template.leaf(&fill, &self.pools));
            fill.start += template.duration;
            fill.stamp = rng.next();
            if added.len() as u64 >= bytes {
                break;
            }
        }
        let mut file = OpenOptions::new().append(true).open(path).map_err(Error::file("open", path))?;
        file.write_all(&added).map_err(Error::file("append to", path))?;
        Ok(added.len() as u64)
    }
}

fn end_of(bytes: &[u8], path: &Path, rng: &mut Rng) -> Fill {
    let last = last_field(bytes, "timestamp").filter(|text| text.len() == 24);
    Fill {
        session: path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        cwd: last_field(bytes, "cwd").unwrap_or_default(),
        stamp: rng.next(),
        start: last.map_or(0, |text| millis(&text)) + 60_000,
        parent: last_field(bytes, "uuid"),
    }
}

/// The value of the last string field of this name; quotes inside strings are escaped, so none is found there.
pub(crate) fn last_field(bytes: &[u8], name: &str) -> Option<String> {
    let needle = format!("\"{name}\":\"");
    let start = memmem::rfind(bytes, needle.as_bytes())? + needle.len();
    let rest = bytes.get(start..)?;
    let end = memchr::memchr(b'"', rest)?;
    Some(String::from_utf8_lossy(rest.get(..end)?).into_owned())
}
