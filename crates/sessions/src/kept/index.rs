//! The streams of a catalogue, sorted by the session they belong to.

use std::collections::HashMap;

use jiff::Timestamp;
use steno_vault::{Catalog, Stream};

use super::place::{Place, place_of};

/// Every kept file, by what it is.
#[derive(Debug, Default)]
pub struct Index<'a> {
    /// In the order of machines and ids.
    pub sessions: Vec<KeptSession<'a>>,
    /// Streams that are no transcripts, by machine and session.
    pub(super) parts: HashMap<(&'a str, &'a str), Vec<&'a Stream>>,
    /// By machine.
    pub(super) plans: HashMap<&'a str, Vec<&'a Stream>>,
    /// What belongs to no session.
    loose: Vec<(&'a str, &'a Stream)>,
}

/// A transcript as a machine keeps it.
#[derive(Debug, Clone)]
pub struct KeptSession<'a> {
    pub machine: &'a str,
    /// The stream's.
    pub name: &'a str,
    pub stream: &'a Stream,
    pub id: String,
    /// The name of the project's directory.
    pub project: String,
}

impl<'a> Index<'a> {
    pub(super) fn of(catalog: &'a Catalog) -> Self {
        let mut index = Self::default();
        for (machine, name, stream) in catalog.streams() {
            match (place_of(&stream.path), &stream.session) {
                (Place::Transcript { project, id }, _) => {
                    index.sessions.push(KeptSession { machine, name, stream, id, project });
                }
                (_, Some(session)) => index.parts.entry((machine, session)).or_default().push(stream),
                (place, None) => {
                    if place == Place::Plan {
                        index.plans.entry(machine).or_default().push(stream);
                    }
                    index.loose.push((machine, stream));
                }
            }
        }
        index.drop_twins();
        index
    }

    /// Two files of one path are there where the original tool changed its layout: the later one counts.
    fn drop_twins(&mut self) {
        let order = |kept: &KeptSession<'_>| std::cmp::Reverse(recency(kept.stream));
        self.sessions.sort_by_cached_key(|kept| {
            (kept.machine, kept.id.clone(), kept.stream.path.clone(), order(kept))
        });
        self.sessions.dedup_by(|later, first| {
            (later.machine, &later.stream.path) == (first.machine, &first.stream.path)
        });
    }

    /// The other transcripts of the same session on the same machine.
    pub fn twins<'b>(&'b self, kept: &'b KeptSession<'a>) -> impl Iterator<Item = &'b KeptSession<'a>> {
        let from =
            self.sessions.partition_point(|other| (other.machine, &other.id) < (kept.machine, &kept.id));
        let same = self.sessions.iter().skip(from);
        let same = same.take_while(|other| (other.machine, &other.id) == (kept.machine, &kept.id));
        same.filter(|other| other.name != kept.name)
    }

    /// What a machine keeps that belongs to no session, or to one without a transcript.
    pub fn loose(&self, machine: &str) -> Vec<&'a Stream> {
        let of_none = self.loose.iter().filter(|(own, _)| *own == machine).map(|(_, stream)| *stream);
        let has_transcript = |id: &str| {
            let place =
                self.sessions.partition_point(|kept| (kept.machine, kept.id.as_str()) < (machine, id));
            self.sessions.get(place).is_some_and(|kept| (kept.machine, kept.id.as_str()) == (machine, id))
        };
        let left = self.parts.iter().filter(|((own, id), _)| *own == machine && !has_transcript(id));
        let mut loose: Vec<&Stream> = of_none.chain(left.flat_map(|(_, streams)| streams).copied()).collect();
        loose.sort_by(|one, two| one.path.cmp(&two.path));
        loose
    }

    /// Every kept file that is no transcript, with its machine and the session that it belongs to, if to any.
    pub fn others(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>, &'a Stream)> {
        let parts = self.parts.iter().flat_map(|((machine, session), streams)| {
            streams.iter().map(move |stream| (*machine, Some(*session), *stream))
        });
        parts.chain(self.loose.iter().map(|(machine, stream)| (*machine, None, *stream)))
    }

    /// Every kept file that lay at this path, on any machine.
    pub fn at(&self, path: &str) -> impl Iterator<Item = (&'a str, &'a Stream)> {
        let transcripts = self.sessions.iter().map(|kept| (kept.machine, kept.stream));
        let parts = self.parts.iter();
        let parts =
            parts.flat_map(|((machine, _), streams)| streams.iter().map(move |stream| (*machine, *stream)));
        transcripts
            .chain(parts)
            .chain(self.loose.iter().copied())
            .filter(move |(_, stream)| stream.path == path)
    }
}

/// Larger for what was written to later.
pub fn recency(stream: &Stream) -> (Option<Timestamp>, Option<Timestamp>, u64) {
    let latest = stream.latest();
    (
        latest.and_then(steno_vault::Generation::modified),
        latest.and_then(steno_vault::Generation::taken),
        latest.map_or(0, steno_vault::Generation::len),
    )
}
