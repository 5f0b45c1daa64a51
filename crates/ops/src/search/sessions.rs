//! Files that answer → the sessions that they belong to, each by a number: a common word answers in thousands of files.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::session_of;
use crate::stock::Item;

/// No session has this number.
const NONE: u32 = u32::MAX;

/// The numbers of sessions, by the places of items.
#[derive(Debug)]
pub(super) struct Sessions {
    numbers: Vec<u32>,
    count: u32,
}

impl Sessions {
    /// Of the items at these places.
    pub(super) fn of(items: &[Item<'_>], places: impl IntoIterator<Item = usize>) -> Self {
        let mut numbers = vec![NONE; items.len()];
        let mut count = 0;
        for place in places {
            numbers.get_mut(place).into_iter().for_each(|number| *number = 0);
            count += 1;
        }
        let mut known: HashMap<Cow<'_, str>, u32, RandomState> =
            HashMap::with_capacity_and_hasher(count, RandomState::default());
        let mut last: Option<(&Item<'_>, u32)> = None;
        // In the order of items, those of a session stand together.
        for (item, number) in items.iter().zip(&mut numbers).filter(|(_, number)| **number != NONE) {
            *number = match last {
                Some((last, number)) if item.session.is_some() && last.session == item.session => number,
                _ => {
                    let next = known.len() as u32;
                    *known.entry(session_of(item)).or_insert(next)
                }
            };
            last = Some((item, *number));
        }
        Self { numbers, count: known.len() as u32 }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn number(&self, place: usize) -> Option<usize> {
        self.numbers.get(place).filter(|number| **number != NONE).map(|number| *number as usize)
    }
}
