//! A catalogue ↔ rows of plain numbers and few names: it is read whole for one session, so it had better be short.

use std::fmt::Write;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, Machine};
use crate::name::SegmentName;
use crate::stream::{Codec, Generation, Segment, Stream};

/// Machines with their streams.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Rows(Vec<(String, Vec<StreamRow>)>);

/// Name, path unless it is the same, session, generations.
type StreamRow = (String, Option<String>, Option<String>, Vec<GenerationRow>);
/// Number, segments, and the names of those that are not called as they should.
type GenerationRow = (u32, Vec<SegmentRow>, Vec<String>);
/// First, last, offset, length, packed length, the file's time and when it was taken, in nanoseconds.
type SegmentRow = (u32, u32, u64, u64, u64, i64, i64);

impl Rows {
    pub(super) fn of(catalog: &Catalog) -> Self {
        let machines = catalog.machines.iter().map(|(machine, kept)| {
            let streams = kept.streams.iter().map(|(name, stream)| stream_row(machine, name, stream));
            (machine.clone(), streams.collect())
        });
        Self(machines.collect())
    }

    pub(super) fn into_catalog(self) -> Catalog {
        let mut catalog = Catalog::default();
        for (machine, rows) in self.0 {
            let streams = rows.into_iter().map(|row| stream(&machine, row)).collect();
            catalog.machines.insert(machine, Machine { streams });
        }
        catalog
    }
}

fn stream_row(machine: &str, name: &str, stream: &Stream) -> StreamRow {
    let path = (stream.path != name).then(|| stream.path.clone());
    let generations = stream.generations.iter().map(|generation| {
        let odd = generation
            .segments
            .iter()
            .filter(|segment| !is_regular(machine, name, generation.number, segment));
        let odd = odd.map(|segment| segment.file.clone()).collect();
        (generation.number, generation.segments.iter().map(segment_row).collect(), odd)
    });
    (name.to_owned(), path, stream.session.clone(), generations.collect())
}

fn segment_row(segment: &Segment) -> SegmentRow {
    let Segment { first, last, offset, len, packed, .. } = *segment;
    (first, last, offset, len, packed, nanoseconds(segment.modified), nanoseconds(segment.taken))
}

fn stream(machine: &str, (name, path, session, rows): StreamRow) -> (String, Stream) {
    let generations = rows.into_iter().map(|(number, rows, odd)| {
        let mut odd = odd.into_iter();
        let segments = rows.into_iter().map(|row| segment(machine, &name, number, row, &mut odd)).collect();
        Generation { number, segments, broken: Vec::new() }
    });
    let generations = generations.collect();
    let path = path.unwrap_or_else(|| name.clone());
    (name, Stream { path, session, generations })
}

fn segment(
    machine: &str,
    stream: &str,
    generation: u32,
    (first, last, offset, len, packed, modified, taken): SegmentRow,
    odd: &mut impl Iterator<Item = String>,
) -> Segment {
    // What the original tool wrote has no number, and a name of its own.
    let (codec, file) = match first {
        0 => (Codec::Gzip, odd.next().unwrap_or_default()),
        _ => (Codec::Zstd, file_of(machine, stream, generation, (first, last))),
    };
    let (modified, taken) = (timestamp(modified), timestamp(taken));
    Segment { file, first, last, offset, len, packed, modified, taken, codec }
}

fn is_regular(machine: &str, stream: &str, generation: u32, segment: &Segment) -> bool {
    segment.first > 0 && segment.file == file_of(machine, stream, generation, (segment.first, segment.last))
}

/// As [`SegmentName`] writes it, in one piece of memory: there are thousands.
fn file_of(machine: &str, stream: &str, generation: u32, (first, last): (u32, u32)) -> String {
    let mut file = String::with_capacity(machine.len() + stream.len() + 40);
    for part in ["machines/", machine, "/", stream] {
        file.push_str(part);
    }
    let name = SegmentName { stream: String::new(), generation, first, last };
    let _ = write!(file, "{name}");
    file
}

fn nanoseconds(time: Timestamp) -> i64 {
    i64::try_from(time.as_nanosecond()).unwrap_or_default()
}

fn timestamp(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanoseconds.into()).unwrap_or(Timestamp::UNIX_EPOCH)
}
