//! Texts that stand for something ↔ small numbers: each is held once, in one long text.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// A text that stands for itself: a uuid, a message's id, a tool's id; by its place in the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

#[derive(Debug, Clone, Default)]
pub(crate) struct Ids {
    texts: String,
    /// Where each ends.
    ends: Vec<usize>,
    known: HashMap<u64, Id, FixedState>,
    /// Those whose hash another text had before.
    others: HashMap<Box<str>, Id, FixedState>,
}

impl Ids {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn text(&self, id: Id) -> &str {
        let place = id.0 as usize;
        let start = place.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(place).and_then(|end| self.texts.get(start..*end)).unwrap_or_default()
    }

    pub(crate) fn find(&self, text: &str) -> Option<Id> {
        let first = *self.known.get(&hash(text))?;
        if self.text(first) == text { Some(first) } else { self.others.get(text).copied() }
    }

    pub(crate) fn intern(&mut self, text: &str) -> Option<Id> {
        if let Some(id) = self.find(text) {
            return Some(id);
        }
        let id = Id(u32::try_from(self.ends.len()).ok()?);
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        if *self.known.entry(hash(text)).or_insert(id) != id {
            self.others.insert(text.into(), id);
        }
        Some(id)
    }
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_id_and_an_id_one_text() {
        let mut ids = Ids::default();
        let numbers: Vec<_> = ["a", "", "bc", "a", "bc"].map(|text| ids.intern(text).unwrap().0).into();
        assert_eq!(numbers, [0, 1, 2, 0, 2]);
        assert_eq!([0, 1, 2, 3].map(|id| ids.text(Id(id))), ["a", "", "bc", ""]);
        assert_eq!((ids.find("bc"), ids.find("c")), (Some(Id(2)), None));
    }
}
