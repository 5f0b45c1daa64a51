//! The last time that something was seen, and by which source.
//!
//! A mark only moves forward, so that late and repeated observations change nothing.

use crate::observation::{Millis, SeenBy};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) at: Millis,
    pub(crate) seen_by: SeenBy,
}

/// The value of the latest observation; of two with one time, the greater.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Latest<T> {
    pub(crate) mark: Mark,
    pub(crate) value: T,
}

pub(crate) fn mark(slot: &mut Option<Mark>, new: Mark) {
    *slot = (*slot).max(Some(new));
}

pub(crate) fn replace<T: Ord>(slot: &mut Option<Latest<T>>, mark: Mark, value: T) {
    let newer = slot.as_ref().is_none_or(|old| (old.mark, &old.value) < (mark, &value));
    if newer {
        *slot = Some(Latest { mark, value });
    }
}

pub(crate) fn at(slot: Option<Mark>) -> Millis {
    slot.map_or(Millis::MIN, |mark| mark.at)
}
