//! Texts before and after → the lines that differ, with a few around them.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{DiffLine, Sign};

/// Lines shown around those that differ.
const CONTEXT: usize = 3;

/// Pairs of lines that are compared for one call; the work grows with them. Texts that need more are shown as
/// removed and added.
const MOST_PAIRS: usize = 1_000_000;

/// The lines of all replacements; the lines between them are not known.
pub(super) fn lines<'a>(replacements: &[(&'a str, &'a str)]) -> Vec<DiffLine<'a>> {
    let mut shown = Vec::new();
    let mut pairs_left = MOST_PAIRS;
    for (old, new) in replacements {
        if !shown.is_empty() {
            shown.push(GAP);
        }
        replacement(old, new, &mut pairs_left, &mut shown);
    }
    shown.dedup_by(|next, last| next.sign == Sign::Gap && last.sign == Sign::Gap);
    shown
}

const GAP: DiffLine<'static> = DiffLine { sign: Sign::Gap, text: "" };

fn replacement<'a>(old: &'a str, new: &'a str, pairs_left: &mut usize, shown: &mut Vec<DiffLine<'a>>) {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    let rest = before.iter().skip(head).rev().zip(after.iter().skip(head).rev());
    let tail = rest.take_while(|(before, after)| before == after).count();
    let removed = part(&before, head, tail);
    let added = part(&after, head, tail);
    if removed.is_empty() && added.is_empty() && old != new {
        // Only the ends of lines differ.
        push(shown, Sign::Removed, &before);
        return push(shown, Sign::Added, &after);
    }
    same(shown, part(&before, 0, before.len() - head), Side::Start);
    let pairs = removed.len().saturating_mul(added.len());
    if pairs <= *pairs_left {
        *pairs_left -= pairs;
        middle(removed, added, shown);
    } else {
        push(shown, Sign::Removed, removed);
        push(shown, Sign::Added, added);
    }
    same(shown, part(&before, before.len() - tail, 0), Side::End);
}

fn part<'a, 'b>(lines: &'b [&'a str], head: usize, tail: usize) -> &'b [&'a str] {
    lines.get(head..lines.len().saturating_sub(tail)).unwrap_or_default()
}

fn middle<'a>(before: &[&'a str], after: &[&'a str], shown: &mut Vec<DiffLine<'a>>) {
    // Numbers are compared at once, however long and alike the lines are.
    let mut numbers = HashMap::new();
    let mut number = |line: &&'a str| {
        let next = numbers.len();
        *numbers.entry(*line).or_insert(next)
    };
    let old: Vec<usize> = before.iter().map(&mut number).collect();
    let new: Vec<usize> = after.iter().map(&mut number).collect();
    let slice = |lines: &[&'a str], range: Range<usize>| lines.get(range).unwrap_or_default().to_vec();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (removed, added) = (slice(before, op.old_range()), slice(after, op.new_range()));
        if matches!(op, DiffOp::Equal { .. }) {
            same(shown, &removed, Side::Both);
        } else {
            push(shown, Sign::Removed, &removed);
            push(shown, Sign::Added, &added);
        }
    }
}

/// On which side of lines that are the same there are others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    Both,
    End,
}

fn same<'a>(shown: &mut Vec<DiffLine<'a>>, lines: &[&'a str], side: Side) {
    let head = if side == Side::Start { 0 } else { CONTEXT };
    let tail = if side == Side::End { 0 } else { CONTEXT };
    // A gap in place of one line says less and is as long.
    if lines.len() <= head + tail + 1 {
        return push(shown, Sign::Same, lines);
    }
    push(shown, Sign::Same, part(lines, 0, lines.len() - head));
    shown.push(GAP);
    push(shown, Sign::Same, part(lines, lines.len() - tail, 0));
}

fn push<'a>(shown: &mut Vec<DiffLine<'a>>, sign: Sign, lines: &[&'a str]) {
    shown.extend(lines.iter().map(|text| DiffLine { sign, text }));
}
