//! Merge: several records, one message.
//!
//! Records of one message share its id and hold different blocks; other records may stand between them. Each block
//! stays with the first record that has it, and what a later record repeats is taken out of that one. So a
//! cumulative snapshot leaves only what is new in it.

use std::collections::{HashMap, HashSet};

use crate::entry::Entry;
use crate::usage::MessageKey;

pub(crate) fn merge(entries: &mut [Entry]) {
    let mut messages: HashMap<MessageKey, Message> = HashMap::new();
    for entry in entries {
        let Some(key) = entry.key else { continue };
        let prints = std::mem::take(&mut entry.fingerprints);
        let is_new = messages.entry(key).or_default().add(prints);
        entry.repeated =
            is_new.iter().enumerate().filter(|(_, is_new)| !**is_new).map(|(place, _)| place).collect();
        let mut is_new = is_new.into_iter();
        entry.blocks.retain(|_| is_new.next().unwrap_or(true));
    }
}

/// The blocks of a message so far.
#[derive(Default)]
struct Message {
    blocks: Vec<u64>,
    known: HashSet<u64>,
}

impl Message {
    /// Adds a record's blocks; tells for each whether it is new. After a snapshot of everything so far, all is new.
    fn add(&mut self, prints: Vec<u64>) -> Vec<bool> {
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
