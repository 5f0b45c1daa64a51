//! The ledger: which segments each machine has written → which of them are missing.
//!
//! The last segment of a generation leaves no gap when it is lost, so the segments alone cannot tell. Each machine
//! therefore records every segment that it writes in `ledger/ends.jsonl`, which is kept in segments itself: it only
//! grows, it is sent with the rest, and appending to it needs no key.

mod mark;
mod write;

pub(crate) use mark::{mark, mark_ledger};
pub(crate) use write::Target;

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::catalog::Machine;
use crate::error::Error;
use crate::header::Hash;
use crate::segment::unpack;
use crate::store::Store;
use crate::stream::{Generation, Segment, Stream};

/// The name of its stream below a machine's directory.
pub(crate) const LEDGER: &str = "ledger/ends.jsonl";

/// A segment, as the ledger records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) stream: String,
    /// The path of the file, if that is not the name of the stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    pub(crate) generation: u32,
    /// The first number of a merged segment, whose pieces count no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<u32>,
    /// The number of the segment; of a merged one, the last.
    pub(crate) segment: u32,
    /// The offset after its last byte.
    pub(crate) end: u64,
    /// The chain with this segment. Files of the original tool have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<Hash>,
}

/// A line of the ledger.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    End(End),
    /// This generation of the ledger holds all that still counts of the older ones.
    Replaces {
        replaces: bool,
    },
}

/// How far a ledger reached when its machine last wrote to it. Both manifests hold it, to notice a lost ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LedgerEnd {
    pub generation: u32,
    /// The number of its last segment.
    pub segment: u32,
}

impl LedgerEnd {
    pub(crate) fn of(generation: &Generation) -> Self {
        Self { generation: generation.number, segment: generation.last_number() }
    }
}

/// Everything that one machine recorded.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// By stream and generation; in there, by segment.
    ends: BTreeMap<(String, u32), BTreeMap<u32, End>>,
    /// Generations of the ledger that a later one replaces.
    pub(crate) replaced: Vec<u32>,
    /// Segments that are not what was written, by their files. What they recorded is unknown.
    pub(crate) damaged: HashSet<String>,
}

impl Ledger {
    /// Reads all segments that can be read.
    pub(crate) fn read(store: &dyn Store, kept: &Machine) -> Result<Self, Error> {
        let mut ledger = Self::default();
        let Some(stream) = &kept.ledger else { return Ok(ledger) };
        for generation in stream.generations.iter().rev() {
            let mut is_replacing = false;
            // The end of the bytes before, and the chain; nothing is known of it after a gap.
            let mut before = (0, Some(Hash::ZERO));
            for segment in &generation.segments {
                let chain = before.1.filter(|_| before.0 == segment.offset);
                let read = read_segment(store, segment, chain)?;
                before = (segment.end(), read.as_ref().map(|(_, after)| *after));
                match read {
                    Some((text, _)) => is_replacing |= ledger.learn(&text),
                    None => drop(ledger.damaged.insert(segment.file.clone())),
                }
            }
            if is_replacing {
                let older = stream.generations.iter().map(|one| one.number);
                ledger.replaced = older.filter(|number| *number < generation.number).collect();
                break;
            }
        }
        Ok(ledger)
    }

    /// Returns whether these lines replace older generations. A line of another version is skipped.
    fn learn(&mut self, text: &str) -> bool {
        let mut is_replacing = false;
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(Line::End(end)) => self.add(end),
                Ok(Line::Replaces { replaces }) => is_replacing |= replaces,
                Err(_) => {}
            }
        }
        is_replacing
    }

    /// Of two records of one segment, the longer one counts: it may not be forgotten.
    fn add(&mut self, end: End) {
        let generation = self.ends.entry((end.stream.clone(), end.generation)).or_default();
        let known = generation.get(&end.segment);
        if known.is_none_or(|known| known.end <= end.end) {
            if let Some(first) = end.first {
                generation.retain(|number, _| !(first..end.segment).contains(number));
            }
            generation.insert(end.segment, end);
        }
    }

    /// The record of one segment, by its last number.
    pub(crate) fn end(&self, stream: &str, generation: u32, segment: u32) -> Option<&End> {
        self.ends.get(&(stream.to_owned(), generation))?.get(&segment)
    }

    fn lines(&self) -> impl Iterator<Item = &End> {
        self.ends.values().flat_map(BTreeMap::values)
    }

    /// Segments that are there and not recorded: a killed process wrote them, or an older version.
    pub(crate) fn unrecorded<'a>(
        &'a self,
        kept: &'a Machine,
    ) -> impl Iterator<Item = (&'a str, &'a Stream, &'a Generation, &'a Segment)> {
        let streams = kept.streams.iter();
        let generations = streams.flat_map(|(name, stream)| {
            stream.generations.iter().map(move |generation| (name.as_str(), stream, generation))
        });
        generations.flat_map(move |(name, stream, generation)| {
            let recorded = self.ends.get(&(name.to_owned(), generation.number));
            let is_new = move |segment: &&Segment| {
                let known = recorded.and_then(|recorded| recorded.get(&segment.last));
                // Files of the layout without machines are in no machine's directory.
                segment.file.starts_with("machines/") && known.is_none_or(|known| known.end < segment.end())
            };
            generation.segments.iter().filter(is_new).map(move |segment| (name, stream, generation, segment))
        })
    }

    /// The sessions of which something is recorded.
    fn sessions(&self) -> HashSet<&str> {
        self.lines().filter_map(|end| end.session.as_deref()).collect()
    }
}

/// The text of a segment and the chain with it, if it is whole and continues the one before it, where that is known.
fn read_segment(
    store: &dyn Store,
    segment: &Segment,
    before: Option<Hash>,
) -> Result<Option<(String, Hash)>, Error> {
    let reader = match store.open(&segment.file) {
        Ok(reader) => reader,
        // It may have been merged since it was listed.
        Err(error @ (Error::Locked { .. } | Error::Missing { .. })) => return Err(error),
        Err(_) => return Ok(None),
    };
    let Ok((header, bytes)) = unpack(reader) else { return Ok(None) };
    let is_own = header.path == LEDGER && before.is_none_or(|before| header.before == before);
    let text = String::from_utf8(bytes).ok().filter(|_| is_own);
    Ok(text.map(|text| (text, header.after)))
}
