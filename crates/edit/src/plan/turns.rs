//! A line → its turns. A prompt starts one; what precedes the first belongs to the first.

use std::ops::Range;

use crate::outline::{NodeId, Outline};

/// The stretches of the line that are turns. A line without a prompt is one.
pub(super) fn turns(outline: &Outline, line: &[NodeId]) -> Vec<Range<usize>> {
    let is_prompt = |node: &NodeId| outline.node(*node).is_some_and(|node| node.is_prompt);
    let prompts = (0..).zip(line).filter(|(_, node)| is_prompt(node)).map(|(place, _)| place);
    let mut starts: Vec<usize> = prompts.collect();
    match starts.first_mut() {
        Some(first) => *first = 0,
        None if line.is_empty() => return Vec::new(),
        None => starts.push(0),
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}
