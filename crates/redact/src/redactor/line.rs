//! A place in a text → whether it begins or ends a line, whatever listings, diffs and shells write before lines.
//!
//! Apart from the assignments because a line of its own is what tells a setting from a piece of a program.

use super::cursor::Cursor;

/// Paths of a search's results are before their lines.
const REACH: usize = 160;

/// What a shell or a Dockerfile has before a variable.
const WORDS: &[&[u8]] = &[
    b"export",
    b"setx",
    b"set",
    b"setenv",
    b"env",
    b"arg",
    b"declare",
    b"local",
    b"readonly",
    b"-x",
    b"-gx",
];

/// What stands before this place on its line, without numbers of lines, signs of a diff, and `export`.
pub(crate) fn before(text: &[u8], at: usize) -> &[u8] {
    let near = text.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    without_gutter(near.get(start(near)..).unwrap_or_default())
}

/// Whether nothing but blanks or a comment follow on the line.
pub(crate) fn ends(text: &[u8], at: usize) -> bool {
    let mut cursor = Cursor::new(text, at);
    let blanks = cursor.skip_blanks();
    match cursor.rest() {
        [] | [b'\n' | b'\r', ..] | [b'\\', b'n' | b'r' | b'\\', ..] => true,
        [b'#', ..] | [b'/', b'/', ..] => blanks > 0,
        _ => false,
    }
}

/// Whether the lines around are of a program, which has signs at their ends and brackets.
pub(crate) fn is_in_program(text: &[u8], name: usize, end: usize) -> bool {
    let near = text.get(name.saturating_sub(REACH)..name).unwrap_or_default();
    let above = near.get(..start(near)).unwrap_or_default();
    let above = above.strip_suffix(br"\n").unwrap_or(above).trim_ascii_end();
    let mut below = Cursor::new(text, end);
    below.skip(|byte| byte != b'\n' && byte != b'\\', REACH);
    below.skip_gap();
    matches!(above.last(), Some(b',' | b'{' | b'(' | b'[' | b';'))
        || matches!(below.peek(), Some(b'}' | b')' | b']'))
}

/// Where the line of this place begins, as far as it is near.
pub(crate) fn start_of(text: &[u8], at: usize) -> usize {
    let near = at.saturating_sub(REACH);
    near + start(text.get(near..at).unwrap_or_default())
}

/// Where the line of this place ends, and where the next one begins.
pub(crate) fn end_of(text: &[u8], at: usize) -> (usize, usize) {
    let rest = text.get(at..).unwrap_or_default();
    for offset in memchr::memchr2_iter(b'\n', b'\\', rest) {
        let here = rest.get(offset..).unwrap_or_default();
        let backslashes = here.iter().take_while(|byte| **byte == b'\\').count();
        if backslashes == 0 || here.get(backslashes) == Some(&b'n') {
            return (at + offset, at + offset + backslashes + 1);
        }
    }
    (text.len(), text.len())
}

/// Behind the last end of a line, which may be escaped, or where a string of JSON begins.
fn start(near: &[u8]) -> usize {
    let escaped = memchr::memmem::rfind(near, br"\n").map(|at| at + 2);
    let breaks = [memchr::memrchr2(b'\n', b'\r', near).map(|at| at + 1), escaped, string_start(near)];
    breaks.into_iter().flatten().max().unwrap_or_default()
}

fn string_start(near: &[u8]) -> Option<usize> {
    let quote = memchr::memrchr(b'"', near)?;
    let mut before = near.get(..quote)?;
    while let [rest @ .., b'\\'] = before {
        before = rest;
    }
    before.trim_ascii_end().ends_with(b":").then_some(quote + 1)
}

fn without_gutter(line: &[u8]) -> &[u8] {
    let mut cursor = Cursor::new(line, 0);
    loop {
        let at = cursor.at;
        cursor.skip_blanks();
        while skip_word(&mut cursor) {}
        skip_margin(&mut cursor);
        skip_path(&mut cursor);
        if cursor.at == at {
            return cursor.rest();
        }
    }
}

/// The number of a line, and the sign of a diff or of a list.
pub(crate) fn skip_margin(cursor: &mut Cursor) {
    cursor.skip_blanks();
    skip_number(cursor);
    cursor.skip(|byte| b"+-><|#$".contains(&byte), 2);
    cursor.skip_blanks();
}

/// `12→`, `12:`, `12 |`, and `12` with a tab behind.
fn skip_number(cursor: &mut Cursor) {
    let mut number = *cursor;
    if number.skip(|byte| byte.is_ascii_digit(), 7) > 0 {
        let blanks = number.skip_blanks();
        let is_margin = [&b":"[..], b"|", b"-", br"\t", "→".as_bytes(), "│".as_bytes()]
            .iter()
            .any(|sign| number.eat(sign));
        if is_margin || blanks > 0 {
            *cursor = number;
        }
    }
}

/// `config/app.yml:`, and the directory that a file is in.
fn skip_path(cursor: &mut Cursor) {
    let mut path = *cursor;
    path.skip(|byte| byte.is_ascii_alphanumeric() || b"_./-@~".contains(&byte), REACH);
    let own = cursor.text.get(cursor.at..path.at).unwrap_or_default();
    let is_path = own.contains(&b'.') || own.contains(&b'/');
    let is_directory = matches!(own, [b'/' | b'~', .., b'/']);
    if is_directory || is_path && (path.eat(b":") || path.eat(b"-")) {
        *cursor = path;
    }
}

fn skip_word(cursor: &mut Cursor) -> bool {
    let mut word = *cursor;
    let is_one = WORDS.iter().any(|one| word.eat(one)) && word.skip_blanks() > 0;
    if is_one {
        *cursor = word;
    }
    is_one
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
