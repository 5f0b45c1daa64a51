//! The chain as the newest client finds it: from the leaf that the file names, up, across gaps.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::gap::Gaps;
use super::web::Web;
use super::{Entry, Leaf, parallel, preserved};
use crate::predict::link::{Link, LinkKind};

pub(in crate::predict) fn newest(entries: &[Entry]) -> Vec<&Link> {
    let mut reading = Reading::default();
    for entry in entries {
        match entry {
            Entry::Link(link) => reading.link(link),
            Entry::Leaf(leaf) => reading.leaf(leaf),
        }
    }
    let preserved = preserved::relink(&mut reading.web);
    let Some(leaf) = reading.found() else {
        return Vec::new();
    };
    let leaf = preserved.filter(|(summary, _)| *summary == leaf).map_or(leaf, |(_, last)| last);
    let web = &reading.web;
    let is_spoken = |place: &usize| web.knot(*place).is_some_and(|knot| knot.link.is_spoken());
    let leaf = web.up(leaf).find(is_spoken).unwrap_or(leaf);
    let mut seen = vec![false; web.len()];
    let chain = walk(web, leaf, &mut seen);
    let mut chain = parallel::recovered(web, &chain, &mut seen);
    chain.extend(hanging(web, leaf, &mut seen));
    chain.into_iter().filter_map(|place| Some(web.knot(place)?.link)).collect()
}

#[derive(Debug, Default)]
struct Reading<'l> {
    web: Web<'l>,
    /// Progress records, each with what stands above it.
    bridged: HashMap<&'l str, Option<&'l str>, FixedState>,
    /// The last record of the main conversation.
    last: Option<&'l str>,
    /// What the newest `last-prompt` says.
    chosen: Option<&'l str>,
    is_explicit: bool,
    is_cleared: bool,
}

impl<'l> Reading<'l> {
    fn link(&mut self, link: &'l Link) {
        if link.uuid.is_empty() {
            return;
        }
        let parent = link.parent.as_deref();
        let parent = parent.and_then(|parent| *self.bridged.get(parent).unwrap_or(&Some(parent)));
        if link.kind == LinkKind::Progress {
            self.bridged.insert(&link.uuid, parent);
            return;
        }
        if link.is_boundary() {
            (self.chosen, self.is_explicit) = (None, false);
        }
        self.web.insert(link, parent);
        if may_be_last(link) {
            self.last = Some(&link.uuid);
            (self.is_explicit, self.is_cleared) = (false, false);
        }
    }

    fn leaf(&mut self, leaf: &'l Leaf) {
        let uuid = leaf.uuid.as_deref();
        if uuid.is_some() {
            self.is_explicit = leaf.is_explicit || self.is_explicit && self.chosen == uuid;
            (self.chosen, self.is_cleared) = (uuid, false);
        } else if leaf.is_explicit {
            (self.chosen, self.is_cleared) = (None, true);
        }
    }

    /// The record that the conversation ends with.
    fn found(&self) -> Option<usize> {
        if self.is_cleared {
            return None;
        }
        let last = self.last.and_then(|last| self.web.place(last));
        let is_main = |place: &usize| self.web.knot(*place).is_some_and(|knot| !knot.link.is_sidechain);
        let Some(chosen) = self.chosen.and_then(|chosen| self.web.place(chosen)).filter(is_main) else {
            return last.or_else(|| self.latest());
        };
        let went_on = |last: &usize| !self.is_explicit && self.web.up(*last).any(|place| place == chosen);
        last.filter(went_on).or(Some(chosen))
    }

    fn latest(&self) -> Option<usize> {
        let candidates = self.web.iter().filter(|(_, knot)| !knot.link.is_sidechain);
        candidates.rev().max_by_key(|(_, knot)| &knot.link.timestamp).map(|(place, _)| place)
    }
}

fn may_be_last(link: &Link) -> bool {
    let is_snapshot = link.kind == LinkKind::System && link.subtype.as_deref() == Some("file_snapshot");
    !link.is_sidechain && !is_snapshot && link.attachment.as_deref() != Some("fork_briefing")
}

/// From the leaf up to the first; where a parent is missing, on with the newest earlier record.
fn walk(web: &Web<'_>, leaf: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut gaps = Gaps::default();
    let mut chain = Vec::new();
    let mut next = Some(leaf);
    while let Some(place) = next {
        if let Some(seen) = seen.get_mut(place) {
            *seen = true;
        }
        chain.push(place);
        next = web.knot(place).and_then(|knot| knot.parent).and_then(|parent| {
            let parent = web.place(parent).filter(|parent| seen.get(*parent) == Some(&false));
            parent.or_else(|| gaps.earlier(web, place, seen))
        });
    }
    chain.reverse();
    chain
}

/// What hangs on the leaf and is not spoken, by time.
fn hanging(web: &Web<'_>, leaf: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut children: HashMap<usize, Vec<usize>, FixedState> = HashMap::default();
    for (place, _) in web.iter().filter(|(_, knot)| !knot.link.is_spoken()) {
        if let Some(parent) = web.parent(place) {
            children.entry(parent).or_default().push(place);
        }
    }
    let mut found = vec![leaf];
    let mut next = 0;
    while let Some(parent) = found.get(next) {
        let is_fresh =
            |place: &usize| seen.get_mut(*place).is_some_and(|seen| !std::mem::replace(seen, true));
        let fresh = children.remove(parent).unwrap_or_default().into_iter().filter(is_fresh);
        found.extend(fresh);
        next += 1;
    }
    let mut found: Vec<usize> = found.into_iter().skip(1).collect();
    found.sort_by_key(|place| web.knot(*place).map(|knot| &knot.link.timestamp));
    found
}
