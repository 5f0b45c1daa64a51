//! A name at the head of a column → what stands below it; a name behind its value → the value.
//!
//! Apart from the assignments because name and value are not side by side: tables of CSV, Markdown and psql, the rows
//! of SQL's `INSERT`, pairs of JSON with the value first.

use std::ops::Range;

use super::cursor::Cursor;
use super::line;
use super::name::Telling;
use super::value::{Setting, is_secret};

const ROWS: usize = 40;
const FAR: usize = 4096;
const LONGEST_ROW: usize = 1024;
const LONGEST_HEAD: usize = 240;

/// Whether the sign behind the name may be the border of a column, or the end of its row; cheap, as it is asked often.
pub(crate) fn may_begin(text: &[u8], name: &Range<usize>) -> bool {
    let mut cursor = Cursor::new(text, name.end);
    let _quote = cursor.eat_quote();
    cursor.skip_blanks();
    matches!(cursor.peek(), Some(b',' | b'|' | b')' | b'}' | b'\n' | b'\r' | b'\t' | b'\\'))
}

pub(crate) fn read(text: &[u8], name: &Range<usize>, telling: Telling, push: &mut impl FnMut(Range<usize>)) {
    if let Some(range) = value_before(text, name, telling) {
        return push(range);
    }
    if inserted(text, name, telling, push).is_none() {
        let _none = column(text, name, telling, push);
    }
}

/// `"value": "x", "name": "PASSWORD"`
fn value_before(text: &[u8], name: &Range<usize>, telling: Telling) -> Option<Range<usize>> {
    let near = name.start.saturating_sub(400);
    let before = text.get(near..name.start)?;
    let at = memchr::memmem::rfind(before, b"alue")?;
    let mut cursor = Cursor::new(text, near + at + 4);
    let _closing = cursor.eat_quote()?;
    cursor.skip_blanks();
    if !cursor.eat(b":") {
        return None;
    }
    cursor.skip_blanks();
    let quote = cursor.eat_quote()?;
    let range = cursor.quoted(quote).filter(|range| range.end < name.start)?;
    cursor.at = range.end;
    let _closing = cursor.eat_quote();
    cursor.skip_gap();
    if !cursor.eat(b",") {
        return None;
    }
    cursor.skip_gap();
    let _opening = cursor.eat_quote();
    cursor.skip(|byte| byte.is_ascii_alphabetic(), 24);
    let is_name = matches!(cursor.last(), Some(b'e' | b'y'));
    let _closing = cursor.eat_quote();
    cursor.skip(|byte| matches!(byte, b' ' | b':'), 4);
    let _opening = cursor.eat_quote();
    let is_side_by_side = cursor.at == name.start && is_name;
    (is_side_by_side && is_secret(text.get(range.clone())?, telling, Setting::Quoted)).then_some(range)
}

/// `(name, password) VALUES ('x', 'y'), …`
fn inserted(
    text: &[u8],
    name: &Range<usize>,
    telling: Telling,
    push: &mut impl FnMut(Range<usize>),
) -> Option<()> {
    let near = name.start.saturating_sub(400);
    let open = near + memchr::memrchr(b'(', text.get(near..name.start)?)? + 1;
    let list = text.get(open..name.start)?;
    let is_column = |byte: &u8| byte.is_ascii_alphanumeric() || b"_\"`', []\n".contains(byte);
    if !list.iter().all(is_column) {
        return None;
    }
    let column = memchr::memchr_iter(b',', list).count();
    let mut cursor = Cursor::new(text, name.end);
    cursor.skip(|byte| is_column(&byte), 400);
    if !cursor.eat(b")") {
        return None;
    }
    cursor.skip_gap();
    if !cursor.eat(b"values") {
        return None;
    }
    for _row in 0..ROWS {
        cursor.skip_gap();
        if !cursor.eat(b"(") {
            break;
        }
        for number in 0..32 {
            let range = field(&mut cursor)?;
            if number == column && is_secret(text.get(range.clone())?, telling, Setting::Quoted) {
                push(range);
            }
            if !cursor.eat(b",") {
                break;
            }
        }
        if !cursor.eat(b")") || !cursor.eat(b",") {
            break;
        }
    }
    Some(())
}

/// A value of SQL: what is not between quotes is none to hide, and empty here.
fn field(cursor: &mut Cursor) -> Option<Range<usize>> {
    cursor.skip_gap();
    if let Some(quote) = cursor.eat_quote() {
        let range = cursor.quoted(quote)?;
        cursor.at = range.end;
        let _closing = cursor.eat_quote();
        cursor.skip_gap();
        return Some(range);
    }
    cursor.skip(|byte| !matches!(byte, b',' | b')' | b'\n'), 200);
    Some(cursor.at..cursor.at)
}

fn column(
    text: &[u8],
    name: &Range<usize>,
    telling: Telling,
    push: &mut impl FnMut(Range<usize>),
) -> Option<()> {
    let head = row_around(text, name)?;
    let own = text.get(head.clone())?;
    let sign = border(own)?;
    // With a comma at its end, or away from the margin, it is a list of a program.
    if sign == b','
        && (own.trim_ascii_end().ends_with(b",") || own.starts_with(b" ") || own.starts_with(b"\t"))
    {
        return None;
    }
    let count = |range: Range<usize>| memchr::memchr_iter(sign, text.get(range).unwrap_or_default()).count();
    let (number, columns) = (count(head.start..name.start), count(head.clone()));
    if is_below_row(text, head.start, |above| count(above) == columns) {
        return None;
    }
    let text = text.get(..head.end + FAR).unwrap_or(text);
    let mut at = line::end_of(text, head.end).1;
    for row in 0..ROWS {
        let (row_end, next) = line::end_of(text, at);
        let is_rule = rule(text.get(at..row_end)?);
        if !is_rule && (row_end - at > LONGEST_ROW || count(at..row_end) != columns) {
            break;
        }
        // Without a line below its head a table has borders on both sides, or commas.
        if row == 0 && !is_rule && sign == b'|' {
            break;
        }
        if !is_rule {
            let range = cell(text, at..row_end, sign, number)?;
            if is_secret(text.get(range.clone())?, telling, Setting::Near) {
                push(range);
            }
        }
        at = next;
    }
    Some(())
}

/// The whole line, where it has nothing but names.
fn row_around(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let start = line::start_of(text, name.start);
    let near = text.get(..name.end + LONGEST_HEAD).unwrap_or(text);
    let (end, _) = line::end_of(near, name.end);
    let is_head = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. \",|\t\r*".contains(byte);
    text.get(start..end)?.iter().all(is_head).then_some(start..end)
}

/// The head of a table is its first row.
fn is_below_row(text: &[u8], start: usize, is_row: impl Fn(Range<usize>) -> bool) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let end = before.strip_suffix(b"\n").or(before.strip_suffix(br"\n")).map(<[u8]>::len);
    end.is_some_and(|end| is_row(line::start_of(text, end)..end))
}

fn border(head: &[u8]) -> Option<u8> {
    [b'|', b',', b'\t'].into_iter().find(|sign| head.contains(sign))
}

fn rule(row: &[u8]) -> bool {
    row.len() > 2 && row.iter().all(|byte| b"-+|: \r=".contains(byte))
}

fn cell(text: &[u8], row: Range<usize>, sign: u8, number: usize) -> Option<Range<usize>> {
    let own = text.get(row.clone())?;
    let mut borders = memchr::memchr_iter(sign, own);
    let start = number.checked_sub(1).map_or(Some(0), |before| borders.nth(before).map(|at| at + 1))?;
    let end = borders.next().unwrap_or(own.len());
    let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    let inner = own.get(start..end)?;
    let first = inner.iter().position(|byte| !is_around(byte))?;
    let last = inner.iter().rposition(|byte| !is_around(byte))?;
    Some(row.start + start + first..row.start + start + last + 1)
}
