//! Merge: several records, one message.
//!
//! Records of one message share its id and hold different blocks; other records may be between them. Each block stays with
//! the first record of its thread that has it, and is taken out of later records of the thread. So only the new blocks of
//! a cumulative snapshot are left, and an abandoned thread takes nothing from the active one. A call may be repeated with
//! a longer input: then its first record was written too early, and gets the longer input.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;
use steno_transcript::ToolId;

use crate::block::Block;
use crate::entry::Entry;
use crate::model::Thread;
use crate::usage::MessageKey;

pub(crate) fn merge(entries: &mut [Entry], threads: &[Thread]) {
    let mut messages: HashMap<(MessageKey, Thread), Message> = HashMap::new();
    for (index, thread) in threads.iter().enumerate() {
        let Some(entry) = entries.get_mut(index) else { continue };
        let Some(key) = entry.key else { continue };
        let message = messages.entry((key, *thread)).or_default();
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

/// The entry that holds a call, and the length of its input.
#[derive(Clone, Copy)]
struct Call {
    entry: usize,
    length: usize,
}

/// A call that an earlier record holds already.
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
    /// Adds the new blocks of a record, and takes the others out of it. Gives the calls among the others, with their
    /// indices.
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
