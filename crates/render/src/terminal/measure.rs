//! How many columns a text takes, how much of it fits, and where a line breaks.
//!
//! What a reader sees as one character may be several: a letter and its accents, the parts of an emoji. These are
//! never torn apart. Every function reads a text once, because one line of a transcript may hold megabytes.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::clean::is_plain;

const TAB: usize = 8;
/// Bytes that one column may take, nearly always.
const LONGEST_CLUSTER: usize = 32;
const JOINER: char = '\u{200d}';

/// Where on the page a text is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Columns to the left of it; tabs depend on them.
    pub(crate) from: usize,
    /// Columns that it may take.
    pub(crate) width: usize,
}

/// As much of the text as fits, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, room: Room) -> String {
    if is_plain(text) {
        return cut_plain(text, room.width);
    }
    let mut column = 0;
    let mut kept = 0;
    let mut rest = text;
    while let Some(cluster) = first_cluster(rest) {
        column += columns(cluster, room.from + column);
        if column > room.width {
            return format!("{}…", text.get(..kept).unwrap_or_default().trim_end());
        }
        rest = rest.get(cluster.len()..).unwrap_or_default();
        // Until here there is room for an ellipsis too.
        if column < room.width {
            kept = text.len() - rest.len();
        }
    }
    text.to_owned()
}

/// The same for the usual case: one byte is one column.
fn cut_plain(text: &str, width: usize) -> String {
    if text.len() <= width {
        return text.to_owned();
    }
    format!("{}…", text.get(..width.saturating_sub(1)).unwrap_or_default().trim_end())
}

/// The end of a path, with as many of the folders before its last name as fit.
pub(crate) fn cut_path(path: &str, room: Room) -> String {
    if path.len() <= room.width || width(path, room.from) <= room.width {
        return path.to_owned();
    }
    let ends = path.match_indices(['/', '\\']).filter_map(|(at, _)| path.get(at..));
    // Of a path of any length, only its end is measured.
    let may_fit = |end: &&str| end.len() > 1 && end.len() <= room.width * LONGEST_CLUSTER;
    let mut ends = ends.filter(may_fit).filter(|end| width(end, room.from) < room.width);
    let name = || path.rsplit(['/', '\\']).find(|name| !name.is_empty()).unwrap_or(path);
    ends.next().map_or_else(|| cut(name(), room), |end| format!("…{end}"))
}

/// A line in parts that fit, each with its indentation: an indented line stays indented.
pub(crate) fn wrap(line: &str, room: Room) -> impl Iterator<Item = (&str, &str)> {
    let content = line.trim_start();
    let indent = line.get(..line.len() - content.len()).unwrap_or_default();
    let indent = fitting_indent(indent, Room { width: room.width / 2, ..room });
    let taken = width(indent, room.from);
    let room = Room { from: room.from + taken, width: room.width.saturating_sub(taken).max(1) };
    let mut rest = Some(content.trim_end());
    std::iter::from_fn(move || {
        let text = rest?;
        let end = fitting(text, room);
        let (part, left) = text.split_at_checked(end).unwrap_or((text, ""));
        rest = Some(left.trim_start()).filter(|left| !left.is_empty());
        Some((indent, part.trim_end()))
    })
}

fn fitting_indent(indent: &str, room: Room) -> &str {
    let fits = |end: &usize| width(indent.get(..*end).unwrap_or_default(), room.from) <= room.width;
    if indent.len() * TAB <= room.width || fits(&indent.len()) {
        return indent;
    }
    let ends = indent.char_indices().map(|(at, _)| at).take(room.width + 1);
    indent.get(..ends.take_while(fits).last().unwrap_or(0)).unwrap_or_default()
}

/// Where the first line of the text ends: after a space or a wide character, else where it is full.
fn fitting(text: &str, room: Room) -> usize {
    if let Some(end) = fitting_plain(text.as_bytes(), room.width) {
        return end;
    }
    let (mut at, mut column, mut break_at) = (0, 0, None);
    while let Some(cluster) = text.get(at..).and_then(first_cluster) {
        let width = columns(cluster, room.from + column);
        let is_space = matches!(cluster, " " | "\t");
        if !is_space && at > 0 && column + width > room.width {
            return break_at.unwrap_or(at);
        }
        at += cluster.len();
        column += width;
        if is_space || width > 1 {
            break_at = Some(at);
        }
    }
    at
}

/// The same for the usual case: one byte is one column.
fn fitting_plain(text: &[u8], width: usize) -> Option<usize> {
    let is_plain = |bytes: &[u8]| bytes.is_ascii() && !bytes.contains(&b'\t');
    match text.get(..=width) {
        None => is_plain(text).then_some(text.len()),
        Some(window) if is_plain(window) => {
            Some(window.iter().rposition(|byte| *byte == b' ').map_or(width, |space| space + 1))
        }
        Some(_) => None,
    }
}

/// The columns of a text that starts in a column.
pub(crate) fn width(text: &str, from: usize) -> usize {
    if is_plain(text) {
        return text.len();
    }
    let (mut column, mut rest) = (0, text);
    while let Some(cluster) = first_cluster(rest) {
        column += columns(cluster, from + column);
        rest = rest.get(cluster.len()..).unwrap_or_default();
    }
    column
}

fn columns(cluster: &str, column: usize) -> usize {
    match cluster.as_bytes() {
        b"\t" => TAB - column % TAB,
        [_] => 1,
        _ => cluster.width(),
    }
}

/// What the reader sees as the first character.
fn first_cluster(text: &str) -> Option<&str> {
    if let [first, rest @ ..] = text.as_bytes()
        && first.is_ascii()
        && rest.first().is_none_or(u8::is_ascii)
    {
        return text.get(..1);
    }
    let mut characters = text.char_indices();
    let first = characters.next()?.1;
    let (mut before, mut flags) = (first, usize::from(is_flag(first)));
    for (at, character) in characters {
        let joins_picture =
            before == JOINER && is_picture(character) || is_skin(character) && !is_skin(before);
        let continues = character.width() == Some(0)
            || is_picture(first) && joins_picture
            || is_flag(character) && flags % 2 == 1;
        if !continues {
            return text.get(..at);
        }
        flags += usize::from(is_flag(character));
        before = character;
    }
    Some(text)
}

/// What emoji are made of; some of these are other signs, which no joiner follows.
fn is_picture(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}') && !is_flag(character)
}

/// The colour of an emoji's skin.
fn is_skin(character: char) -> bool {
    matches!(character, '\u{1f3fb}'..='\u{1f3ff}')
}

/// One half of a flag.
fn is_flag(character: char) -> bool {
    matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
}

#[cfg(test)]
mod tests;
