//! Merge: several records, one message.
//!
//! Records of one message share its id and hold different blocks; other records may stand between them. Each block
//! stays with the first record of its line that has it, and what a later record of the line repeats is taken out of
//! that one. So a cumulative snapshot leaves only what is new in it, and a line that was left takes nothing from the
//! one that is shown. A call that is repeated with a fuller input was not yet whole before.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;
use steno_transcript::ToolId;

use crate::block::Block;
use crate::entry::Entry;
use crate::model::Line;
use crate::usage::MessageKey;

pub(crate) fn merge(entries: &mut [Entry], lines: &[Line]) {
    let mut messages: HashMap<(MessageKey, Line), Message> = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(entry) = entries.get_mut(index) else { continue };
        let Some(key) = entry.key else { continue };
        let message = messages.entry((key, *line)).or_default();
        for (place, call) in message.add(index, entry) {
            let Some(first) = message.calls.get(&call.id) else { continue };
            if call.length() <= first.length {
                continue;
            }
            let place_of = Call { length: call.length(), ..*first };
            if let Some(holder) = entries.get_mut(first.entry) {
                fill(holder, &call.id, call.input);
            }
            if let Some(entry) = entries.get_mut(index) {
                entry.fuller.push(place);
            }
            message.calls.insert(call.id, place_of);
        }
    }
}

/// The blocks of a message so far.
#[derive(Default)]
struct Message {
    blocks: Vec<u64>,
    known: HashSet<u64>,
    calls: HashMap<ToolId, Call>,
}

/// Where a call stands, and how much its input says.
#[derive(Clone, Copy)]
struct Call {
    entry: usize,
    length: usize,
}

/// A call that is there already.
struct Again {
    id: ToolId,
    input: Option<Box<RawValue>>,
}

impl Again {
    fn length(&self) -> usize {
        length(self.input.as_deref())
    }
}

impl Message {
    /// Adds a record's blocks and takes out of it what is there already. Gives the calls among that, with their places.
    fn add(&mut self, index: usize, entry: &mut Entry) -> Vec<(usize, Again)> {
        let is_new = self.are_new(std::mem::take(&mut entry.fingerprints));
        let mut again = Vec::new();
        for (place, block) in std::mem::take(&mut entry.blocks).into_iter().enumerate() {
            if is_new.get(place).copied().unwrap_or(true) {
                if let Block::ToolUse { id, input, .. } = &block {
                    let call = Call { entry: index, length: length(input.as_deref()) };
                    self.calls.entry(id.clone()).or_insert(call);
                }
                entry.blocks.push(block);
            } else {
                entry.repeated.push(place);
                if let Block::ToolUse { id, input, .. } = block {
                    again.push((place, Again { id, input }));
                }
            }
        }
        again
    }

    /// For each block of a record, whether it is new. After a snapshot of everything so far, all is new.
    fn are_new(&mut self, prints: Vec<u64>) -> Vec<bool> {
        let before = self.blocks.len();
        let is_snapshot = before > 0 && prints.starts_with(&self.blocks);
        let is_new: Vec<bool> = prints
            .iter()
            .enumerate()
            .map(|(place, print)| if is_snapshot { place >= before } else { !self.known.contains(print) })
            .collect();
        let added = prints.into_iter().zip(&is_new).filter(|(_, is_new)| **is_new).map(|(print, _)| print);
        for print in added {
            self.blocks.push(print);
            self.known.insert(print);
        }
        is_new
    }
}

fn length(input: Option<&RawValue>) -> usize {
    input.map_or(0, |input| input.get().len())
}

fn fill(entry: &mut Entry, call: &ToolId, fuller: Option<Box<RawValue>>) {
    let inputs = entry.blocks.iter_mut().find_map(|block| match block {
        Block::ToolUse { id, input, .. } if id == call => Some(input),
        _ => None,
    });
    if let Some(input) = inputs {
        *input = fuller;
    }
}
