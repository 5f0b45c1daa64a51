//! What a compaction preserves is hung behind its summary; the rest of what stood before it goes.

use super::web::Web;
use crate::predict::link::{Link, Preserved, Segment};

/// Gives the summary and the last of what is preserved behind it: a session that ends with the one goes on behind the
/// other.
pub(super) fn relink(web: &mut Web<'_>) -> Option<(usize, usize)> {
    let boundaries = || web.iter().rev().filter(|(_, knot)| knot.link.is_boundary());
    let (last, _) = boundaries().next()?;
    let preserving = boundaries().find(|(_, knot)| knot.link.preserved.is_some());
    let (place, link) = preserving.map(|(place, knot)| (place, knot.link))?;
    if place != last {
        forget(web, last, &[], None);
        return None;
    }
    let (anchor, uuids) = listed(web, link)?;
    let places: Option<Vec<usize>> = uuids.iter().map(|uuid| web.place(uuid)).collect();
    let places = places?;
    let tail = uuids.last().copied();
    if let (Some(tail), Some(first)) = (tail, places.first()) {
        string_up(web, anchor, &uuids, &places);
        push_behind(web, anchor, *first, tail);
    }
    forget(web, last, &places, tail);
    web.place(anchor?).zip(places.last().copied())
}

/// Where what is preserved hangs, and what it is.
fn listed<'l>(web: &Web<'l>, boundary: &'l Link) -> Option<(Option<&'l str>, Vec<&'l str>)> {
    match boundary.preserved.as_ref()? {
        Preserved::Messages(messages) => {
            Some((messages.anchor_uuid.as_deref(), messages.uuids.iter().map(String::as_str).collect()))
        }
        Preserved::Segment(segment) => Some((segment.anchor_uuid.as_deref(), stretch(web, segment)?)),
    }
}

fn stretch<'l>(web: &Web<'l>, segment: &Segment) -> Option<Vec<&'l str>> {
    let head = web.place(segment.head_uuid.as_deref()?)?;
    let tail = web.place(segment.tail_uuid.as_deref()?)?;
    let mut uuids = Vec::new();
    for place in web.up(tail) {
        uuids.push(&*web.knot(place)?.link.uuid);
        if place == head {
            uuids.reverse();
            return Some(uuids);
        }
    }
    None
}

fn string_up<'l>(web: &mut Web<'l>, anchor: Option<&'l str>, uuids: &[&'l str], places: &[usize]) {
    let above = std::iter::once(anchor).chain(uuids.iter().map(|uuid| Some(*uuid)));
    places.iter().zip(above).for_each(|(place, parent)| web.hang(*place, parent));
}

/// What hung on the anchor hangs on the last that is preserved.
fn push_behind<'l>(web: &mut Web<'l>, anchor: Option<&'l str>, first: usize, tail: &'l str) {
    let children = web.iter().filter(|(place, knot)| knot.parent == anchor && *place != first);
    let children: Vec<usize> = children.map(|(place, _)| place).collect();
    children.into_iter().for_each(|place| web.hang(place, Some(tail)));
}

fn forget<'l>(web: &mut Web<'l>, boundary: usize, kept: &[usize], tail: Option<&'l str>) {
    let mut gone = vec![true; boundary];
    for place in kept {
        if let Some(gone) = gone.get_mut(*place) {
            *gone = false;
        }
    }
    let is_gone = |place: usize| gone.get(place) == Some(&true);
    let spoken =
        web.iter().filter(|(place, knot)| !is_gone(*place) && knot.link.is_spoken()).map(|(place, _)| place);
    let lost: Vec<usize> = spoken.filter(|place| web.parent(*place).is_some_and(is_gone)).collect();
    if tail.is_some() {
        lost.into_iter().for_each(|place| web.hang(place, tail));
    }
    (0..boundary).filter(|place| is_gone(*place)).for_each(|place| web.remove(place));
}
