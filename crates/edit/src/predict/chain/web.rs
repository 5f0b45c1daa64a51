//! Links by their uuids, in the order in which the uuids first came. Of several with one uuid, the last counts.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::predict::link::Link;

#[derive(Debug, Default)]
pub(super) struct Web<'l> {
    knots: Vec<Knot<'l>>,
    by_uuid: HashMap<&'l str, usize, FixedState>,
}

/// A link and what it hangs on now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Knot<'l> {
    pub(super) link: &'l Link,
    pub(super) parent: Option<&'l str>,
    is_gone: bool,
}

impl<'l> Web<'l> {
    pub(super) fn insert(&mut self, link: &'l Link, parent: Option<&'l str>) {
        let knot = Knot { link, parent, is_gone: false };
        let place = *self.by_uuid.entry(&link.uuid).or_insert(self.knots.len());
        match self.knots.get_mut(place) {
            Some(known) => *known = knot,
            None => self.knots.push(knot),
        }
    }

    /// With those that are gone: their places stay.
    pub(super) fn len(&self) -> usize {
        self.knots.len()
    }

    pub(super) fn place(&self, uuid: &str) -> Option<usize> {
        self.by_uuid.get(uuid).copied()
    }

    pub(super) fn knot(&self, place: usize) -> Option<&Knot<'l>> {
        self.knots.get(place).filter(|knot| !knot.is_gone)
    }

    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        self.place(self.knot(place)?.parent?)
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Knot<'l>)> {
        self.knots.iter().enumerate().filter(|(_, knot)| !knot.is_gone)
    }

    pub(super) fn hang(&mut self, place: usize, parent: Option<&'l str>) {
        if let Some(knot) = self.knots.get_mut(place) {
            knot.parent = parent;
        }
    }

    pub(super) fn remove(&mut self, place: usize) {
        if let Some(knot) = self.knots.get_mut(place) {
            knot.is_gone = true;
            self.by_uuid.remove(&*knot.link.uuid);
        }
    }

    /// From a place up, for as long as a line without a circle can be.
    pub(super) fn up(&self, from: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(from), |place| self.parent(*place)).take(self.knots.len())
    }
}
