//! Which line there will be, and what is kept beside it: all of the file, or nothing that belongs to another line.

use std::collections::HashSet;

use super::Refusal;
use super::draft::Draft;
use super::turns::turns;
use crate::line::line_to;
use crate::options::{CloneOptions, Cut};
use crate::outline::{NodeId, Outline};

/// So many characters of a uuid name a record.
const SHORTEST_PREFIX: usize = 4;

/// Cuts and compresses the line.
pub(super) fn cut(draft: &mut Draft<'_>, options: &CloneOptions) -> Result<(), Refusal> {
    select(draft, options.cut.as_ref())?;
    if let Some(options) = &options.compress {
        compress(draft, options.keep_turns)?;
    }
    if options.cut.is_some() || options.compress.is_some() {
        keep_only_line(draft, matches!(options.cut, Some(Cut::At(_) | Cut::First(_))));
    }
    Ok(())
}

/// Cuts the line.
pub(super) fn select(draft: &mut Draft<'_>, cut: Option<&Cut>) -> Result<(), Refusal> {
    match cut {
        None => {}
        Some(Cut::At(name)) => {
            let end = named(draft.outline, name)?;
            // What a subagent said is no end of the session's own conversation.
            let is_aside = draft.outline.node(end).is_none_or(|node| node.is_sidechain);
            let line = if is_aside { Vec::new() } else { line_to(draft.outline, end) };
            draft.line = before_compaction(draft.outline, line);
            if draft.line.is_empty() {
                return Err(Refusal::UnknownRecord(name.clone()));
            }
        }
        Some(Cut::First(count)) => {
            let turns = turns(draft.outline, &draft.line);
            let end = turns.get(..*count).unwrap_or(&turns).last().map_or(0, |turn| turn.end);
            draft.line.truncate(end);
        }
        Some(Cut::Last(count)) => {
            let turns = turns(draft.outline, &draft.line);
            let first = turns.len().saturating_sub(*count);
            let start = turns.get(first).map_or(draft.line.len(), |turn| turn.start);
            draft.line.drain(..start);
        }
    }
    let is_left = cut.is_none() || draft.has_something_to_resume();
    is_left.then_some(()).ok_or(if draft.resumed.is_empty() {
        Refusal::Nothing
    } else {
        Refusal::NothingLeft
    })
}

/// A record that precedes a compaction, and is not preserved by it, cannot go on from it: where a parent was
/// missing, one was guessed that came later.
fn before_compaction(outline: &Outline, mut line: Vec<NodeId>) -> Vec<NodeId> {
    let boundary = |id: &NodeId| outline.node(*id).filter(|node| node.is_boundary).map(|node| (*id, node));
    let Some((boundary, node)) = line.iter().find_map(boundary) else { return line };
    let preserved = node.preserved.as_ref().map_or(&[][..], |preserved| &preserved.uuids);
    let preserved: HashSet<NodeId> = preserved.iter().filter_map(|uuid| outline.bearer(*uuid)).collect();
    if line.iter().any(|id| *id < boundary && !preserved.contains(id)) {
        line.retain(|id| *id < boundary);
    }
    line
}

/// Takes the turns before the last ones out of the line.
pub(super) fn compress(draft: &mut Draft<'_>, keep_turns: usize) -> Result<(), Refusal> {
    let turns = turns(draft.outline, &draft.line);
    if turns.is_empty() {
        return Err(Refusal::Nothing);
    }
    if turns.len() <= keep_turns {
        return Err(Refusal::TooFewTurns(turns.len() as u64));
    }
    let start = turns.get(turns.len() - keep_turns).map_or(draft.line.len(), |turn| turn.start);
    draft.summarised = draft.line.drain(..start).collect();
    Ok(())
}

/// Other lines go; where the line ends early, also what is said about the session later on.
fn keep_only_line(draft: &mut Draft<'_>, ends_early: bool) {
    let on_line = draft.on_line();
    let end = draft.line.iter().chain(&draft.summarised).max().copied();
    let is_before_end = |id: NodeId| !ends_early || end.is_some_and(|end| id < end);
    draft.retain(|id, node| on_line.contains(&id) || node.uuid.is_none() && is_before_end(id));
}

/// The record that the number of a line, with or without `#`, a uuid, or the beginning of one names. Digits are a line
/// first, as they are for `show`.
fn named(outline: &Outline, name: &str) -> Result<NodeId, Refusal> {
    let unknown = || Refusal::UnknownRecord(name.to_owned());
    let number = name.strip_prefix('#');
    if let Ok(line) = number.unwrap_or(name).parse::<u64>() {
        let mut nodes = outline.iter().filter(|(_, node)| node.place.line == line);
        if let Some(node) = nodes.find_map(|(_, node)| outline.bearer(node.uuid?)) {
            return Ok(node);
        }
    }
    if number.is_some() {
        return Err(unknown());
    }
    if let Some(node) = outline.find(name).and_then(|id| outline.bearer(id)) {
        return Ok(node);
    }
    if name.len() < SHORTEST_PREFIX {
        return Err(unknown());
    }
    let is_meant = |id: &NodeId| {
        let uuid = outline.node(*id).and_then(|node| node.uuid);
        uuid.is_some_and(|uuid| outline.bearer(uuid) == Some(*id) && outline.text(uuid).starts_with(name))
    };
    let mut found = outline.iter().map(|(id, _)| id).filter(is_meant);
    match (found.next(), found.next()) {
        (None, _) => Err(unknown()),
        (Some(node), None) => Ok(node),
        (Some(_), Some(_)) => Err(Refusal::AmbiguousRecord(name.to_owned())),
    }
}
