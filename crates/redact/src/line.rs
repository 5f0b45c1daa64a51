//! A place in a text → whether it begins or ends a line, whatever listings, diffs, searches and shells write before
//! lines.
//!
//! A setting (`password: swordfish`) has a line of its own; a piece of a program seldom has.

use crate::pattern::Pattern;

/// Paths of a search's results stand before their lines.
const REACH: usize = 160;

/// Numbers of lines, signs of a diff or a list, the path of a search's result, `export` and the like.
const MARGIN: &str = r"(?i)\A(?:[ \t]+|\d{1,7}(?:[ \t]*[:|-]|[ \t]*\xE2\x86\x92|[ \t]*\xE2\x94\x82|[ \t])|(?:export|setx?|setenv|env|arg|declare|local|readonly|-g?x)[ \t]+|[-+><|#$]|[\w./@~-]*[./][\w./@~-]*[:-]|[/~][\w./@~-]*/)*";

/// The text before this place on its line, without the margin.
pub(crate) fn before(text: &[u8], at: usize) -> &[u8] {
    static MARGINS: Pattern = Pattern::new(MARGIN);
    let line = text.get(start_of(text, at)..at).unwrap_or_default();
    let margin = MARGINS.find(line).map_or(0, |found| found.end());
    line.get(margin..).unwrap_or_default()
}

pub(crate) fn is_start(text: &[u8], at: usize) -> bool {
    before(text, at).is_empty()
}

/// Whether nothing but blanks or a comment follow on the line.
pub(crate) fn ends(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match rest.get(blanks..).unwrap_or_default() {
        [] | [b'\n' | b'\r', ..] | [b'\\', b'n' | b'r' | b'\\', ..] => true,
        [b'#', ..] | [b'/', b'/', ..] => blanks > 0,
        _ => false,
    }
}

/// Whether the lines around are of a program, which has signs at their ends and brackets.
pub(crate) fn is_in_program(text: &[u8], name: usize, end: usize) -> bool {
    let above = text.get(..start_of(text, name)).unwrap_or_default();
    let above = above.strip_suffix(br"\n").unwrap_or(above);
    let above = above.get(above.len().saturating_sub(REACH)..).unwrap_or_default().trim_ascii_end();
    let below = text.get(end_of(text, end).1..).unwrap_or_default();
    let below = below.get(..below.len().min(REACH)).unwrap_or_default().trim_ascii_start();
    matches!(above.last(), Some(b',' | b'{' | b'(' | b'[' | b';'))
        || matches!(below.first(), Some(b'}' | b')' | b']'))
}

/// Where the line of this place begins, as far as it is near: behind a new line, escaped or not, or where a string of
/// JSON begins.
pub(crate) fn start_of(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(REACH);
    let near = text.get(from..at).unwrap_or_default();
    let newline = memchr::memrchr2(b'\n', b'\r', near).map(|at| at + 1);
    let escaped = memchr::memmem::rfind(near, br"\n").map(|at| at + 2);
    let string = memchr::memrchr(b'"', near).filter(|quote| {
        let before = near.get(..*quote).unwrap_or_default();
        let before = before.strip_suffix(b"\\").unwrap_or(before);
        before.trim_ascii_end().ends_with(b":")
    });
    from + newline.max(escaped).max(string.map(|at| at + 1)).unwrap_or_default()
}

/// Where the line of this place ends, and where the next one begins.
pub(crate) fn end_of(text: &[u8], at: usize) -> (usize, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let newline = memchr::memchr(b'\n', rest);
    let line = rest.get(..newline.unwrap_or(rest.len())).unwrap_or_default();
    let escaped = memchr::memmem::find(line, br"\n");
    match (escaped, newline) {
        (Some(escaped), _) => (at + escaped, at + escaped + 2),
        (None, Some(newline)) => (at + newline, at + newline + 1),
        (None, None) => (text.len(), text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{before, ends};

    #[test]
    fn what_listings_and_shells_write_before_a_line_is_none_of_it() {
        let lines = [
            "x",
            "  x",
            "a: b\n    x",
            r"a: b\n  x",
            "     4→      x",
            "12:x",
            "  7 | x",
            "+  x",
            "-x",
            "- x",
            "> x",
            "app.yml:12:  x",
            "./config/.env:x",
            "export x",
            "+ export x",
            "set -x x",
            "    12\tENV x",
            "# x",
        ];
        for line in lines {
            assert_eq!(before(line.as_bytes(), line.len() - 1), b"", "{line}");
        }
        for line in ["let x", "f(x", "user: x", "a = x", "pub x", "{x"] {
            assert_ne!(before(line.as_bytes(), line.len() - 1), b"", "{line}");
        }
    }

    #[test]
    fn a_line_ends_before_a_comment_too() {
        let ended = ["", "\n", "\r\n", "  \n", r"\nmore", " # note", " // note"];
        assert!(ended.iter().all(|rest| ends(rest.as_bytes(), 0)));
        assert!([" x", ",", "#x", ";"].iter().all(|rest| !ends(rest.as_bytes(), 0)));
    }
}
