//! The hunks that the client records with an edit (`structuredPatch`).

use serde::Deserialize;
use serde_json::Value;

/// Some changed lines of a file, with a few around them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    /// Counted from 1.
    pub old_start: usize,
    pub old_lines: usize,
    pub new_start: usize,
    pub new_lines: usize,
    /// Each with its sign before it, without its newline.
    pub lines: Vec<String>,
}

/// Hunks that are not as expected count as none.
pub(super) fn all(value: Option<&Value>) -> Vec<Hunk> {
    value.and_then(|value| Vec::deserialize(value).ok()).unwrap_or_default()
}

/// The content before the hunks were applied; none where they do not fit the content, or there are none.
pub(super) fn undone(after: &str, hunks: &[Hunk]) -> Option<String> {
    replaced(after, hunks, '+', '-', |hunk| hunk.new_start)
}

/// The content after the hunks were applied.
pub(super) fn done(before: &str, hunks: &[Hunk]) -> Option<String> {
    replaced(before, hunks, '-', '+', |hunk| hunk.old_start)
}

fn replaced(
    text: &str,
    hunks: &[Hunk],
    out: char,
    into: char,
    start: impl Fn(&Hunk) -> usize,
) -> Option<String> {
    if hunks.is_empty() {
        return None;
    }
    let mut lines = text.split('\n');
    let mut taken = 0;
    let mut result: Vec<&str> = Vec::new();
    for hunk in hunks {
        let untouched = start(hunk).saturating_sub(1).checked_sub(taken)?;
        for _ in 0..untouched {
            result.push(lines.next()?);
        }
        taken += untouched;
        for line in &hunk.lines {
            let mut letters = line.chars();
            let (sign, rest) = (letters.next().unwrap_or(' '), letters.as_str());
            if sign == '\\' {
                continue;
            }
            if sign != into {
                (lines.next()? == rest).then_some(())?;
                taken += 1;
            }
            if sign != out {
                result.push(rest);
            }
        }
    }
    result.extend(lines);
    Some(result.join("\n"))
}
