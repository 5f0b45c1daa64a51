//! Parallel calls fork the chain; the newest client puts back what a walk along one branch has missed.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::web::Web;
use crate::predict::link::{Link, LinkKind};

/// The chain with all records of its messages and the results of their calls; they stand, in the order of the file,
/// between the first and the last of their message.
pub(super) fn recovered(web: &Web<'_>, chain: &[usize], seen: &mut [bool]) -> Vec<usize> {
    let mut whole = Vec::with_capacity(chain.len());
    let mut done = 0;
    for Missed { start, end, mut records } in missed(web, chain, seen) {
        if start < done {
            continue;
        }
        records.sort_unstable();
        let mut records = records.into_iter().peekable();
        whole.extend(chain.iter().take(start + 1).skip(done));
        for place in chain.iter().take(end).skip(start + 1) {
            while let Some(earlier) = records.next_if(|record| record < place) {
                whole.push(earlier);
            }
            whole.push(*place);
        }
        whole.extend(records);
        done = end;
    }
    whole.extend(chain.iter().skip(done));
    whole
}

/// What belongs between two places of the chain.
#[derive(Debug)]
struct Missed {
    start: usize,
    end: usize,
    records: Vec<usize>,
}

fn missed(web: &Web<'_>, chain: &[usize], seen: &mut [bool]) -> Vec<Missed> {
    let mut families = Families::gather(web);
    let mut at = vec![None; web.len()];
    for (index, place) in chain.iter().enumerate() {
        if let Some(at) = at.get_mut(*place) {
            *at = Some(index);
        }
    }
    let mut found = Vec::new();
    for (start, place) in chain.iter().enumerate() {
        let Some(id) = web.knot(*place).and_then(|knot| message(knot.link)) else { continue };
        // Each message once.
        let Some(records) = families.records.remove(id) else { continue };
        let last = records.iter().filter_map(|record| at.get(*record).copied().flatten()).max();
        let end = start.max(last.unwrap_or(start)) + 1;
        let following = chain.iter().skip(end).take_while(|place| belongs(web, **place, id)).count();
        let results: Vec<usize> =
            records.iter().filter_map(|record| families.results.remove(record)).flatten().collect();
        let is_fresh =
            |place: &usize| seen.get_mut(*place).is_some_and(|seen| !std::mem::replace(seen, true));
        let records: Vec<usize> = records.into_iter().chain(results).filter(is_fresh).collect();
        if !records.is_empty() {
            found.push(Missed { start, end: end + following, records });
        }
    }
    found
}

/// The records of each message, and the results that hang on each record.
#[derive(Debug, Default)]
struct Families<'l> {
    records: HashMap<&'l str, Vec<usize>, FixedState>,
    results: HashMap<usize, Vec<usize>, FixedState>,
}

impl<'l> Families<'l> {
    fn gather(web: &Web<'l>) -> Self {
        let mut families = Self::default();
        for (place, knot) in web.iter() {
            if let Some(id) = message(knot.link) {
                families.records.entry(id).or_default().push(place);
            } else if let Some(parent) = web.parent(place).filter(|_| knot.link.has_result) {
                families.results.entry(parent).or_default().push(place);
            }
        }
        families
    }
}

fn message(link: &Link) -> Option<&str> {
    link.message.as_deref().filter(|id| link.kind == LinkKind::Assistant && !id.is_empty())
}

/// Whether a record that follows a message is still part of what happened around its calls.
fn belongs(web: &Web<'_>, place: usize, id: &str) -> bool {
    let Some(knot) = web.knot(place) else { return false };
    match knot.link.kind {
        LinkKind::Assistant => message(knot.link) == Some(id),
        LinkKind::User => knot.link.is_meta || knot.link.has_result,
        LinkKind::Attachment => true,
        LinkKind::System => !knot.link.is_boundary(),
        LinkKind::Progress => false,
    }
}
