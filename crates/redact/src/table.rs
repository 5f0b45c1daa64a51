//! A name at the head of a column → what stands below it: tables of CSV, Markdown and psql, the rows of SQL's `INSERT`;
//! a pair of JSON with the value before the name.

use std::ops::Range;

use crate::line;
use crate::name::NameKind;
use crate::pattern::Pattern;
use crate::value::{Setting, is_secret};

const ROWS: usize = 40;
const LONGEST_ROW: usize = 1024;
const LONGEST_HEAD: usize = 240;
const NEAR: usize = 400;
const FAR: usize = 4096;

pub(crate) fn read(
    text: &[u8],
    name: &Range<usize>,
    name_kind: NameKind,
    push: &mut impl FnMut(Range<usize>),
) {
    // Behind the name a column has its border, or the row its end; cheap, as it is asked often.
    let rest = text.get(name.end..).unwrap_or_default();
    let is_around = |byte: &&u8| b"\"'` ".contains(byte);
    let gap = rest.iter().take(16).take_while(is_around).count();
    if !rest.get(gap).is_none_or(|byte| b",|)}\n\r\t\\".contains(byte)) {
        return;
    }
    let mut push = |range: Range<usize>, setting| {
        if is_secret(text.get(range.clone()).unwrap_or_default(), name_kind, setting) {
            push(range);
        }
    };
    if let Some(range) = value_before(text, name) {
        return push(range, Setting::Quoted);
    }
    if inserted(text, name, &mut |range| push(range, Setting::Quoted)).is_none() {
        let _none = column(text, name, &mut |range| push(range, Setting::Near));
    }
}

/// `"value": "x", "name": "PASSWORD"`
fn value_before(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    static PAIR: Pattern =
        Pattern::new(r#"[Vv]alue"\s*:\s*"([^"\n]*)"\s*,\s*"\w*(?:[Nn]ame|[Kk]ey)"\s*:\s*"\z"#);
    let from = name.start.saturating_sub(NEAR);
    let groups = PAIR.captures(text.get(from..name.start)?)?;
    groups.get(1).map(|value| from + value.start()..from + value.end())
}

/// `(name, password) VALUES ('x', 'y'), …`
fn inserted(text: &[u8], name: &Range<usize>, push: &mut impl FnMut(Range<usize>)) -> Option<()> {
    static HEAD: Pattern = Pattern::new(r#"\A[\w"`', \[\]\n]{0,400}\)\s*(?i:values)\s*"#);
    static FIELD: Pattern = Pattern::new(r#"\A[(\s]*(?:'([^'\n]*)'|"([^"\n]*)"|([^,)\n(]*))\s*([,)])"#);
    let from = name.start.saturating_sub(NEAR);
    let open = from + memchr::memrchr(b'(', text.get(from..name.start)?)? + 1;
    let column = memchr::memchr_iter(b',', text.get(open..name.start)?).count();
    let mut at = name.end + HEAD.find(text.get(name.end..text.len().min(name.end + FAR))?)?.end();
    for _row in 0..ROWS {
        let mut number = 0;
        loop {
            let groups = FIELD.captures(text.get(at..text.len().min(at + LONGEST_ROW))?)?;
            let value = groups.get(1).or(groups.get(2));
            if let Some(value) = value.filter(|_| number == column) {
                push(at + value.start()..at + value.end());
            }
            let is_last = groups.get(4)?.as_bytes() == b")";
            at += groups.get(0)?.end();
            number += 1;
            if is_last {
                break;
            }
        }
        at += usize::from(text.get(at) == Some(&b','));
    }
    Some(())
}

fn column(text: &[u8], name: &Range<usize>, push: &mut impl FnMut(Range<usize>)) -> Option<()> {
    let start = line::start_of(text, name.start);
    let (end, mut at) = line::end_of(text.get(..name.end + LONGEST_HEAD).unwrap_or(text), name.end);
    let head = text.get(start..end)?;
    let is_head = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. \",|\t\r*".contains(byte);
    let sign = *[b'|', b',', b'\t'].iter().find(|sign| head.contains(sign))?;
    // With a comma at its end, or away from the margin, it is a list of a program.
    let is_list = head.trim_ascii_end().ends_with(b",") || head.first().is_some_and(u8::is_ascii_whitespace);
    let count = |range: Range<usize>| memchr::memchr_iter(sign, text.get(range).unwrap_or_default()).count();
    let columns = count(start..end);
    let above = text.get(..start)?.strip_suffix(b"\n").map(<[u8]>::len);
    let is_below_row = above.is_some_and(|end| count(line::start_of(text, end)..end) == columns);
    if !head.iter().all(is_head) || sign == b',' && is_list || is_below_row {
        return None;
    }
    let text = text.get(..end + FAR).unwrap_or(text);
    let number = count(start..name.start);
    for row in 0..ROWS {
        let (row_end, next) = line::end_of(text, at);
        let own = text.get(at..row_end)?;
        let is_rule = own.len() > 2 && own.iter().all(|byte| b"-+|: \r=".contains(byte));
        // Without a line below its head a table has borders on both sides, or commas.
        if !is_rule && (own.len() > LONGEST_ROW || count(at..row_end) != columns || row == 0 && sign == b'|')
        {
            break;
        }
        if let Some(cell) = own.split(|byte| *byte == sign).nth(number).filter(|_| !is_rule) {
            let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
            let cell_start =
                at + own.split(|byte| *byte == sign).take(number).map(|cell| cell.len() + 1).sum::<usize>();
            let first = cell.iter().position(|byte| !is_around(byte))?;
            let last = cell.iter().rposition(|byte| !is_around(byte))?;
            push(cell_start + first..cell_start + last + 1);
        }
        at = next;
    }
    Some(())
}
