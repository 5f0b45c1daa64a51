//! What was found in files → what was found in sessions, the best first.

use std::collections::HashMap;

use steno_index::Role;

use super::{FileFinds, Find, session_of};
use crate::stock::Item;

/// What was found in the files of one session.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) session: String,
    pub(super) count: u64,
    /// With the places of their items, the best first, titles last.
    pub(super) finds: Vec<(usize, Find)>,
}

impl Group {
    fn score(&self) -> f32 {
        self.finds.first().map_or(f32::MIN, |(_, find)| find.score)
    }
}

pub(super) fn groups(items: &[Item<'_>], files: Vec<FileFinds>) -> Vec<Group> {
    let mut groups: HashMap<String, Group> = HashMap::new();
    for file in files.into_iter().filter(|file| file.count > 0) {
        let Some(item) = items.get(file.item) else { continue };
        let session = session_of(item);
        let group = groups.entry(session.clone()).or_insert(Group { session, count: 0, finds: Vec::new() });
        group.count += file.count;
        group.finds.extend(file.best.into_iter().map(|find| (file.item, find)));
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    for group in &mut groups {
        // Of equals, the session's own before those of its subagents, and the later ones first.
        let is_agent = |place: usize| items.get(place).is_some_and(|item| item.is_agent);
        group.finds.sort_by(|(one_item, one), (two_item, two)| {
            let order = two.score.total_cmp(&one.score).then(is_agent(*one_item).cmp(&is_agent(*two_item)));
            order.then(two.time.cmp(&one.time)).then(two.line.cmp(&one.line)).then(one_item.cmp(two_item))
        });
    }
    groups
        .sort_by(|one, two| two.score().total_cmp(&one.score()).then_with(|| one.session.cmp(&two.session)));
    for group in &mut groups {
        // The title stands above the hits anyway.
        group.finds.sort_by_key(|(_, find)| find.role == Some(Role::Title));
    }
    groups
}
