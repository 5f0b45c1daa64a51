//! Lines before and after → the hunks of a unified diff.

use std::collections::HashMap;
use std::fmt::Write;

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use steno_conversation::changes::{Hunk, Part};

/// Lines around a change.
const CONTEXT: usize = 3;
/// Pairs of lines that are compared; where there are more, all of the old ones are removed and all of the new ones added.
const MOST_PAIRS: usize = 400_000_000;

#[derive(Debug, Default)]
pub(super) struct Hunks {
    pub(super) text: String,
    pub(super) additions: usize,
    pub(super) deletions: usize,
}

pub(super) fn hunks(part: &Part) -> Hunks {
    let mut hunks = Hunks::default();
    match part {
        Part::Whole { before, after } => {
            hunks.compare(before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
        }
        Part::Hunks(recorded) => recorded.iter().for_each(|hunk| hunks.push_recorded(hunk)),
        // Whether a line ends where the replaced text ends is not recorded.
        Part::Fragment { old, new } => hunks.compare(&format!("{old}\n"), &format!("{new}\n")),
    }
    hunks
}

/// What takes a part back.
pub(super) fn reversed(part: Part) -> Part {
    match part {
        Part::Whole { before, after } => Part::Whole { before: after, after: before },
        Part::Fragment { old, new } => Part::Fragment { old: new, new: old },
        Part::Hunks(hunks) => Part::Hunks(hunks.into_iter().map(reversed_hunk).collect()),
    }
}

fn reversed_hunk(hunk: Hunk) -> Hunk {
    let Hunk { old_start, old_lines, new_start, new_lines, lines } = hunk;
    let mut reversed: Vec<String> = Vec::with_capacity(lines.len());
    // In each block of changed lines the removed ones come first.
    let mut removed_at = 0;
    for line in lines {
        match line.strip_prefix('+') {
            Some(rest) => {
                reversed.insert(removed_at, format!("-{rest}"));
                removed_at += 1;
            }
            None => match line.strip_prefix('-') {
                Some(rest) => reversed.push(format!("+{rest}")),
                None => {
                    reversed.push(line);
                    removed_at = reversed.len();
                }
            },
        }
    }
    Hunk {
        old_start: new_start,
        old_lines: new_lines,
        new_start: old_start,
        new_lines: old_lines,
        lines: reversed,
    }
}

impl Hunks {
    fn compare(&mut self, before: &str, after: &str) {
        let (before, after): (Vec<&str>, Vec<&str>) =
            (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
        for group in group_diff_ops(operations(&before, &after), CONTEXT) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let old = first.old_range().start..last.old_range().end;
            let new = first.new_range().start..last.new_range().end;
            self.header((old.start, old.len()), (new.start, new.len()));
            for operation in &group {
                self.push(operation, &before, &after);
            }
        }
    }

    fn push(&mut self, operation: &DiffOp, before: &[&str], after: &[&str]) {
        let old = before.get(operation.old_range()).unwrap_or_default();
        let new = after.get(operation.new_range()).unwrap_or_default();
        if matches!(operation, DiffOp::Equal { .. }) {
            return old.iter().for_each(|line| self.line(' ', line));
        }
        self.deletions += old.len();
        self.additions += new.len();
        old.iter().for_each(|line| self.line('-', line));
        new.iter().for_each(|line| self.line('+', line));
    }

    fn push_recorded(&mut self, hunk: &Hunk) {
        self.header(
            (hunk.old_start.saturating_sub(1), hunk.old_lines),
            (hunk.new_start.saturating_sub(1), hunk.new_lines),
        );
        for line in &hunk.lines {
            self.additions += usize::from(line.starts_with('+'));
            self.deletions += usize::from(line.starts_with('-'));
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn header(&mut self, old: (usize, usize), new: (usize, usize)) {
        let _ = writeln!(self.text, "@@ -{} +{} @@", range(old), range(new));
    }

    fn line(&mut self, sign: char, line: &str) {
        self.text.push(sign);
        self.text.push_str(line);
        if !line.ends_with('\n') {
            self.text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Lines from a place counted from 0, as a header counts them: from 1, or for none the line before them.
fn range((start, lines): (usize, usize)) -> String {
    match lines {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{lines}", start + 1),
    }
}

fn operations(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    let same = |(before, after): &(&&str, &&str)| before == after;
    let head = before.iter().zip(after).take_while(same).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(same).count();
    let (old_len, new_len) = (before.len() - head - tail, after.len() - head - tail);
    if old_len.saturating_mul(new_len) > MOST_PAIRS {
        let equal = |old_index, new_index, len| DiffOp::Equal { old_index, new_index, len };
        return vec![
            equal(0, 0, head),
            DiffOp::Replace { old_index: head, old_len, new_index: head, new_len },
            equal(head + old_len, head + new_len, tail),
        ];
    }
    // Numbers are compared at once, however long and alike the lines are.
    let mut numbers = HashMap::new();
    let mut number = |line: &&str| {
        let next = numbers.len();
        *numbers.entry((*line).to_owned()).or_insert(next)
    };
    let old: Vec<usize> = before.iter().map(&mut number).collect();
    let new: Vec<usize> = after.iter().map(&mut number).collect();
    capture_diff_slices(Algorithm::Myers, &old, &new)
}
