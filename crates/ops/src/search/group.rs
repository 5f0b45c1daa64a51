//! What was found in files → what was found in sessions, the best first.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use steno_index::Role;

use super::{FileFinds, Find, session_of};
use crate::reference::Spot;
use crate::sessions::ListedFile;

/// What was found in all sessions.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    /// Those of which something can be shown, the best first.
    pub(super) best: Vec<Group<'a>>,
    /// How many places answer, and how many sessions have one.
    pub(super) total: u64,
    pub(super) sessions: u64,
}

/// What was found in the files of one session.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) session: Cow<'a, str>,
    pub(super) count: u64,
    /// With the places of their items, the best first, titles last.
    pub(super) finds: Vec<(usize, Find)>,
}

impl<'a> Groups<'a> {
    /// As many as are wanted; all, if that is 0.
    pub(super) fn shown(&self, limit: usize) -> &[Group<'a>] {
        self.best.get(..self.count(limit)).unwrap_or_default()
    }

    /// Says of what will be shown, and stands in a file of its own, which record it belongs to.
    pub(super) fn refer(&mut self, limit: usize, spot: impl Fn(usize) -> Option<Spot>) {
        let count = self.count(limit);
        for (item, find) in self.best.iter_mut().take(count).flat_map(|group| &mut group.finds) {
            find.spot = find.spot.take().or_else(|| spot(*item));
        }
    }

    fn count(&self, limit: usize) -> usize {
        if limit == 0 { self.best.len() } else { limit.min(self.best.len()) }
    }
}

impl Group<'_> {
    fn score(&self) -> f32 {
        self.finds.first().map_or(f32::MIN, |(_, find)| find.score)
    }
}

pub(super) fn groups<'a>(items: &'a [ListedFile<'_>], files: Vec<FileFinds>) -> Groups<'a> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut places: HashMap<Cow<'a, str>, usize, RandomState> = HashMap::default();
    for file in files.into_iter().filter(|file| file.count > 0) {
        let Some(item) = items.get(file.item) else { continue };
        let place = *places.entry(session_of(item)).or_insert_with_key(|session| {
            groups.push(Group { session: session.clone(), count: 0, finds: Vec::new() });
            groups.len() - 1
        });
        let Some(group) = groups.get_mut(place) else { continue };
        group.count += file.count;
        group.finds.extend(file.best.into_iter().map(|find| (file.item, find)));
    }
    let total = groups.iter().map(|group| group.count).sum();
    let sessions = groups.len() as u64;
    groups.retain(|group| !group.finds.is_empty());
    sort(&mut groups, items);
    Groups { best: groups, total, sessions }
}

fn sort(groups: &mut [Group<'_>], items: &[ListedFile<'_>]) {
    for group in &mut *groups {
        // Of equals, the session's own before those of its subagents, and the later ones first.
        let is_agent = |place: usize| items.get(place).is_some_and(|item| item.is_agent);
        group.finds.sort_by(|(one_item, one), (two_item, two)| {
            let order = two.score.total_cmp(&one.score).then(is_agent(*one_item).cmp(&is_agent(*two_item)));
            order.then(two.time.cmp(&one.time)).then(two.line.cmp(&one.line)).then(one_item.cmp(two_item))
        });
    }
    groups
        .sort_by(|one, two| two.score().total_cmp(&one.score()).then_with(|| one.session.cmp(&two.session)));
    for group in groups {
        // The title is above the hits anyway.
        group.finds.sort_by_key(|(_, find)| find.role == Some(Role::Title));
    }
}
