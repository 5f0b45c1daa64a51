//! Ids as text ↔ small numbers; each text is held once.

use std::collections::HashMap;
use std::sync::Arc;

/// A uuid, a message's id or a tool's id, by its place in the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

/// What an id takes besides its text: in the list, in the map, and on the heap.
const OF_ID: u64 = 96;

#[derive(Debug, Clone, Default)]
pub(crate) struct Ids {
    texts: Vec<Arc<str>>,
    known: HashMap<Arc<str>, Id>,
    /// Of all texts together.
    bytes: u64,
}

impl Ids {
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Roughly how much memory they take, in bytes.
    pub(crate) fn weight(&self) -> u64 {
        self.bytes + OF_ID * self.texts.len() as u64
    }

    pub(crate) fn text(&self, id: Id) -> &str {
        self.texts.get(id.0 as usize).map_or("", |text| text)
    }

    pub(crate) fn find(&self, text: &str) -> Option<Id> {
        self.known.get(text).copied()
    }

    pub(crate) fn intern(&mut self, text: &str) -> Option<Id> {
        if let Some(id) = self.find(text) {
            return Some(id);
        }
        let id = Id(u32::try_from(self.texts.len()).ok()?);
        self.bytes += text.len() as u64;
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.known.insert(text, id);
        Some(id)
    }
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
