//! The chain as clients of old find it: from the latest record by time, up.

use super::Entry;
use super::web::Web;
use crate::predict::Client;
use crate::predict::link::{Link, LinkKind};

/// To 2.0 a progress record is none: a parent that is one ends the chain.
pub(in crate::predict) fn older(entries: &[Entry], client: Client) -> Vec<&Link> {
    let mut web = Web::default();
    for entry in entries {
        if let Entry::Link(link) = entry
            && (client != Client::V2_0 || link.kind != LinkKind::Progress)
        {
            web.insert(link, link.parent.as_deref());
        }
    }
    let Some(leaf) = latest(&web) else {
        return Vec::new();
    };
    let mut seen = vec![false; web.len()];
    let is_fresh = |place: &usize| seen.get_mut(*place).is_some_and(|seen| !std::mem::replace(seen, true));
    let line = web.up(leaf).take_while(is_fresh);
    let mut chain: Vec<&Link> = line.filter_map(|place| Some(web.knot(place)?.link)).collect();
    chain.reverse();
    chain
}

/// Of several at one time, the first in the file.
fn latest(web: &Web<'_>) -> Option<usize> {
    let candidates = web.iter().filter(|(_, knot)| !knot.link.is_sidechain);
    candidates.rev().max_by_key(|(_, knot)| knot.link.time).map(|(place, _)| place)
}
