//! Texts that many rows share, in one piece: an account is read far more often than it is made.

use super::Name;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    text: String,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Names {
    /// With room for texts of that length.
    pub(super) fn with_capacity(len: usize) -> Self {
        Self { text: String::with_capacity(len), ends: Vec::new() }
    }

    /// Nothing where there are too many.
    pub(super) fn push(&mut self, text: &str) -> Option<Name> {
        let name = Name(u32::try_from(self.ends.len()).ok().filter(|place| *place < u32::MAX)?);
        self.text.push_str(text);
        self.ends.push(self.text.len());
        Some(name)
    }

    pub(super) fn get(&self, Name(place): Name) -> Option<&str> {
        let place = place as usize;
        let start = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(place)?)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|place| self.get(Name(u32::try_from(place).ok()?)))
    }
}
