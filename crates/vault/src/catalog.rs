//! The names and headers in a store → every kept file of every machine.

mod legacy;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Reason;
use crate::error::Error;
use crate::header::{Header, Unreadable};
use crate::name::SegmentName;
use crate::store::{Entry, Store};
use crate::stream::{Broken, Codec, Generation, Segment, Stream};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    pub machines: BTreeMap<String, Machine>,
    /// Segments that a merged one covers, left behind by a process that was killed.
    #[serde(skip)]
    pub(crate) covered: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// By their names.
    pub streams: BTreeMap<String, Stream>,
}

/// One file of the store, explained.
#[derive(Debug)]
struct Found {
    machine: String,
    stream: String,
    generation: u32,
    path: String,
    session: Option<String>,
    content: Result<Segment, Broken>,
}

impl Catalog {
    /// Looks at every name; opens only what `known` does not know. `own` is the machine that the oldest layouts,
    /// which know of no machines, belong to.
    pub fn read(store: &dyn Store, known: Option<&Self>, own: &str) -> Result<Self, Error> {
        let index = known.map(Self::index).unwrap_or_default();
        let mut found = Vec::new();
        for entry in store.list("")? {
            if let Some(one) = explain(store, entry, &index, own)? {
                found.push(one);
            }
        }
        Ok(Self::assemble(found))
    }

    /// Segments by their file names, with the stream they belong to.
    fn index(&self) -> HashMap<&str, (&Segment, &Stream)> {
        let streams = self.machines.values().flat_map(|machine| machine.streams.values());
        let segments = streams.flat_map(|stream| stream.segments().map(move |segment| (segment, stream)));
        segments.map(|(segment, stream)| (segment.file.as_str(), (segment, stream))).collect()
    }

    fn assemble(found: Vec<Found>) -> Self {
        let mut catalog = Self::default();
        let mut streams: BTreeMap<(String, String), Vec<Found>> = BTreeMap::new();
        for one in found {
            streams.entry((one.machine.clone(), one.stream.clone())).or_default().push(one);
        }
        for ((machine, name), found) in streams {
            if let Some(stream) = assemble_stream(found, &mut catalog.covered) {
                catalog.machines.entry(machine).or_default().streams.insert(name, stream);
            }
        }
        catalog
    }

    pub fn streams(&self) -> impl Iterator<Item = (&str, &str, &Stream)> {
        self.machines.iter().flat_map(|(machine, kept)| {
            kept.streams.iter().map(move |(name, stream)| (machine.as_str(), name.as_str(), stream))
        })
    }

    /// The directories, below the vault, that hold segments.
    pub(crate) fn shelves(&self) -> std::collections::BTreeSet<&str> {
        let files = self.streams().flat_map(|(_, _, stream)| stream.files());
        files.filter_map(|file| file.rsplit_once('/')).map(|(directory, _)| directory).collect()
    }
}

/// The machine and what follows it. A second Claude directory of a machine counts as one of its own.
fn split(name: &str) -> Option<(&str, &str)> {
    let inside = name.strip_prefix("machines/")?;
    let (slug, rest) = inside.split_once('/')?;
    match rest.strip_prefix("homes/").and_then(|rest| rest.split_once('/')) {
        Some((label, rest)) => Some((inside.get(..slug.len() + "/homes/".len() + label.len())?, rest)),
        None => Some((slug, rest)),
    }
}

fn explain(
    store: &dyn Store,
    entry: Entry,
    known: &HashMap<&str, (&Segment, &Stream)>,
    own: &str,
) -> Result<Option<Found>, Error> {
    let inside = split(&entry.name);
    let name = inside.and_then(|(machine, rest)| Some((machine.to_owned(), SegmentName::parse(rest)?)));
    let Some((machine, name)) = name else {
        return legacy::explain(store, entry, known, own);
    };
    if let Some((segment, stream)) = known.get(entry.name.as_str()).filter(|(one, _)| one.packed == entry.len)
    {
        let (path, session) = (stream.path.clone(), stream.session.clone());
        let content = Ok((*segment).clone());
        return Ok(Some(Found {
            machine,
            stream: name.stream,
            generation: name.generation,
            path,
            session,
            content,
        }));
    }
    read_header(store, &entry, machine, name, own).map(Some)
}

fn read_header(
    store: &dyn Store,
    entry: &Entry,
    machine: String,
    name: SegmentName,
    own: &str,
) -> Result<Found, Error> {
    let header = store.open(&entry.name).map(|mut reader| Header::read(&mut reader));
    let broken = |reason| {
        Err(Broken {
            file: entry.name.clone(),
            first: name.first,
            last: name.last,
            packed: entry.len,
            reason,
        })
    };
    let (path, session, content) = match header {
        Ok(Ok(header)) if header.generation == name.generation => {
            let segment = Segment {
                file: entry.name.clone(),
                first: name.first,
                last: name.last,
                offset: header.offset,
                len: header.length,
                packed: entry.len,
                modified: header.modified,
                taken: header.taken,
                codec: Codec::Zstd,
            };
            (header.path, header.session, Ok(segment))
        }
        // Another machine may run a newer version; what is ours must not be touched by an older one.
        Ok(Err(Unreadable::Newer(format))) if machine == own => {
            let path = Path::new(&entry.name).to_owned();
            return Err(Error::Newer { path, format, known: crate::header::FORMAT });
        }
        Ok(Ok(_) | Err(Unreadable::Damaged | Unreadable::Newer(_))) => {
            (name.stream.clone(), None, broken(Reason::Header))
        }
        Ok(Err(Unreadable::Io)) | Err(_) => (name.stream.clone(), None, broken(Reason::Unreadable)),
    };
    Ok(Found { machine, stream: name.stream, generation: name.generation, path, session, content })
}

fn assemble_stream(found: Vec<Found>, covered: &mut Vec<String>) -> Option<Stream> {
    let mut generations: BTreeMap<u32, Generation> = BTreeMap::new();
    // The path and the session are those of the newest segment that can be read.
    let mut newest: Option<((u32, u32), String, Option<String>)> = None;
    for one in found {
        let place = (one.generation, one.content.as_ref().map_or(0, |segment| segment.last));
        let told = (place, one.path, one.session);
        if newest.as_ref().is_none_or(|(known, ..)| *known <= place) {
            newest = Some(told);
        }
        let number = one.generation;
        let empty = || Generation { number, segments: Vec::new(), broken: Vec::new() };
        let generation = generations.entry(number).or_insert_with(empty);
        match one.content {
            Ok(segment) => generation.segments.push(segment),
            Err(broken) => generation.broken.push(broken),
        }
    }
    let (_, path, session) = newest?;
    let mut generations: Vec<Generation> = generations.into_values().collect();
    for generation in &mut generations {
        set_aside_covered(generation, covered);
    }
    Some(Stream { path, session, generations })
}

/// A merged segment is durable before its pieces are removed; pieces that are still there are ignored.
fn set_aside_covered(generation: &mut Generation, covered: &mut Vec<String>) {
    generation.segments.sort_by_key(|segment| (segment.first, std::cmp::Reverse(segment.last)));
    let mut end = None;
    generation.segments.retain(|segment| {
        let is_covered = end.is_some_and(|end| segment.last <= end);
        if is_covered {
            covered.push(segment.file.clone());
        } else {
            end = Some(segment.last);
        }
        !is_covered
    });
    let whole = &generation.segments;
    generation.broken.retain(|broken| {
        let is_covered =
            whole.iter().any(|segment| segment.first <= broken.first && broken.last <= segment.last);
        if is_covered {
            covered.push(broken.file.clone());
        }
        !is_covered
    });
}
