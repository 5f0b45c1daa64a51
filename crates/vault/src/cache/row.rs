//! A catalogue ↔ a line of plain numbers and few names for each stream: who asks for one session reads only its lines.

use std::fmt::Write;

use jiff::Timestamp;

use crate::catalog::Catalog;
use crate::name::push_ending;
use crate::stream::{Codec, Generation, Segment, Stream};

/// Name, path unless it is the same, session, generations.
type StreamRow<Text> = (Text, Option<Text>, Option<Text>, Vec<GenerationRow<Text>>);
/// Number, segments, and the names of those that are not called as they should.
type GenerationRow<Text> = (u32, Vec<SegmentRow>, Vec<Text>);
/// First, last, offset, length, packed length, the file's time and when it was taken, in nanoseconds, and the chain.
type SegmentRow = (u32, u32, u64, u64, u64, i64, i64, u64);

/// A machine's name is a line of its own, before those of its streams. The last line is a point: without it, the file
/// was cut off.
const END: &str = ".";

pub(super) fn lines(catalog: &Catalog) -> String {
    let mut lines = String::new();
    for (machine, kept) in &catalog.machines {
        let _ = writeln!(lines, "{}", serde_json::Value::from(machine.as_str()));
        for (name, stream) in kept.all() {
            if let Ok(row) = serde_json::to_string(&stream_row(machine, name, stream)) {
                let _ = writeln!(lines, "{row}");
            }
        }
    }
    lines.push_str(END);
    lines
}

pub(super) fn catalog(lines: &str) -> Option<Catalog> {
    read(lines, |_| true)
}

pub(super) fn catalog_about(lines: &str, piece: &str, directory: &str) -> Option<Catalog> {
    let finder = memchr::memmem::Finder::new(piece);
    let below = format!("[\"{directory}/");
    read(lines, |line| line.starts_with(&below) || finder.find(line.as_bytes()).is_some())
}

/// The streams of the lines that are wanted, with every machine.
fn read(lines: &str, is_wanted: impl Fn(&str) -> bool) -> Option<Catalog> {
    let mut catalog = Catalog::default();
    let mut machine = None;
    for line in lines.strip_suffix(END)?.lines() {
        if line.starts_with('"') {
            let name: String = serde_json::from_str(line).ok()?;
            catalog.machines.insert(name.clone(), crate::catalog::Machine::default());
            machine = Some(name);
        } else if is_wanted(line) {
            let name = machine.as_deref()?;
            let (stream, kept) = stream(name, serde_json::from_str(line).ok()?);
            catalog.machines.get_mut(name)?.stream_or_insert(&stream, || kept);
        }
    }
    Some(catalog)
}

fn stream_row<'a>(machine: &str, name: &'a str, stream: &'a Stream) -> StreamRow<&'a str> {
    let path = Some(stream.path.as_str()).filter(|path| *path != name);
    let generations = stream.generations.iter().map(|generation| {
        let odd = generation
            .segments
            .iter()
            .filter(|segment| !is_regular(machine, name, generation.number, segment));
        let odd = odd.map(|segment| segment.file.as_str()).collect();
        (generation.number, generation.segments.iter().map(segment_row).collect(), odd)
    });
    (name, path, stream.session.as_deref(), generations.collect())
}

fn segment_row(segment: &Segment) -> SegmentRow {
    let Segment { first, last, offset, len, packed, chain, .. } = *segment;
    (first, last, offset, len, packed, nanoseconds(segment.modified), nanoseconds(segment.taken), chain)
}

fn stream(machine: &str, (name, path, session, rows): StreamRow<String>) -> (String, Stream) {
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
    (first, last, offset, len, packed, modified, taken, chain): SegmentRow,
    odd: &mut impl Iterator<Item = String>,
) -> Segment {
    // What the original tool wrote has no number, and a name of its own.
    let (codec, file) = match first {
        0 => (Codec::Gzip, odd.next().unwrap_or_default()),
        _ => (Codec::Zstd, file_of(machine, stream, generation, (first, last))),
    };
    let (modified, taken) = (timestamp(modified), timestamp(taken));
    Segment { file, first, last, offset, len, packed, modified, taken, chain, codec }
}

fn is_regular(machine: &str, stream: &str, generation: u32, segment: &Segment) -> bool {
    segment.first > 0 && segment.file == file_of(machine, stream, generation, (segment.first, segment.last))
}

/// As [`crate::name::SegmentName`] writes it, in one piece of memory: there are thousands.
fn file_of(machine: &str, stream: &str, generation: u32, (first, last): (u32, u32)) -> String {
    let mut file = String::with_capacity(machine.len() + stream.len() + 40);
    for part in ["machines/", machine, "/", stream] {
        file.push_str(part);
    }
    push_ending(&mut file, generation, (first, last));
    file
}

fn nanoseconds(time: Timestamp) -> i64 {
    i64::try_from(time.as_nanosecond()).unwrap_or_default()
}

fn timestamp(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanoseconds.into()).unwrap_or(Timestamp::UNIX_EPOCH)
}
