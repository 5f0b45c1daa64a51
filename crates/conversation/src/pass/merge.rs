//! Merge: several records, one message.
//!
//! Records of one message share its id and hold different blocks; other records may stand between them. Each block
//! stays with the first record that has it, and what a later record repeats is taken out of that one. So a
//! cumulative snapshot leaves only what is new in it.

use std::collections::HashMap;

use crate::block::Block;
use crate::entry::Entry;
use crate::usage::MessageKey;

pub(crate) fn merge(entries: &mut [Entry]) {
    let mut seen: HashMap<MessageKey, Vec<Block>> = HashMap::new();
    for entry in entries {
        let Some(key) = entry.key else { continue };
        let earlier = seen.entry(key).or_default();
        entry.blocks.retain(|block| !earlier.iter().any(|known| known.repeats(block)));
        earlier.extend(entry.blocks.iter().map(Block::shadow));
    }
}
