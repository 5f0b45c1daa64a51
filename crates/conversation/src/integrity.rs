//! Pieces → the faults of a transcript: lines that cannot be parsed, chains of parents that break, ids used twice, tool
//! calls without result and results without call.
//!
//! The passes warn about some of them too, but they keep every record. The inspector keeps a few numbers of each record,
//! and so takes files of any size. It knows what clients do every day (forks, replays, compactions, files that continue
//! another one), so that a healthy session has no faults.

mod links;
mod tools;

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use steno_transcript::content::Block;
use steno_transcript::{Kind, Piece, Record, Shape, Troubles};

use links::Links;
use tools::Tools;

/// Something that is wrong with a file, however often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: &'static str,
    /// The first place.
    pub line: u64,
    /// How many places there are.
    pub count: u64,
    /// About the first place.
    pub message: String,
}

/// Looks at a transcript piece by piece. Memory grows by a few numbers for each record.
#[derive(Debug, Default)]
pub struct Inspector {
    /// By kind, with the last line that has it: pieces of one line count once.
    lines: BTreeMap<&'static str, (Fault, u64)>,
    links: Links,
    tools: Tools,
}

impl Inspector {
    /// `troubles` are those of the piece, and others that the caller found.
    pub fn observe(&mut self, piece: &Piece<'_>, troubles: Troubles) {
        let line = piece.place.line;
        for trouble in troubles.iter() {
            let first = || (Fault { kind: trouble.name(), line, count: 0, message: trouble.to_string() }, 0);
            let (fault, last) = self.lines.entry(trouble.name()).or_insert_with(first);
            fault.count += u64::from(*last != line);
            *last = line;
        }
        if let Shape::Record(record) = &piece.shape {
            self.look_at(record);
        }
    }

    fn look_at(&mut self, record: &Record<'_>) {
        let kind = record.kind();
        let envelope = &record.envelope;
        self.links.add(record, &kind);
        match kind {
            Kind::User | Kind::Assistant => {
                if envelope.is_compact_summary.0 {
                    self.tools.start_over();
                }
                let blocks = record.blocks(&mut Troubles::default());
                self.tools.add(record, kind == Kind::Assistant, &blocks);
            }
            Kind::System if envelope.subtype.as_deref() == Some("compact_boundary") => {
                self.tools.start_over()
            }
            _ => {}
        }
    }

    /// The faults, by their first line.
    pub fn finish(self) -> Vec<Fault> {
        let mut faults: Vec<Fault> = self.lines.into_values().map(|(fault, _)| fault).collect();
        faults.extend(self.links.finish());
        faults.extend(self.tools.finish());
        faults.sort_by_key(|fault| fault.line);
        faults
    }
}

/// Gathers places of one kind.
fn fault(kind: &'static str, message: String, lines: impl Iterator<Item = u32>) -> Option<Fault> {
    let (first, count) = lines.fold((None::<u32>, 0), |(first, count), line| {
        (Some(first.map_or(line, |first| first.min(line))), count + 1)
    });
    first.map(|line| Fault { kind, line: line.into(), count, message })
}

/// An id as a number.
fn number(id: &str) -> u64 {
    // None of them is 0, which means none.
    FixedState::default().hash_one(id) | 1
}

/// A line number in four bytes; beyond four billion, the largest.
fn short(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn has_result(blocks: &[Block<'_>]) -> bool {
    blocks.iter().any(|block| matches!(block, Block::ToolResult(_)))
}

#[cfg(test)]
mod tests;
