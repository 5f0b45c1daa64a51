//! How many JSON values a line holds.
//!
//! A value of two bytes takes fifty or more once it is parsed. A line of sixty megabytes that is a list of numbers, or of
//! empty blocks, would take gigabytes in every parser. So lines of very many values are found before they are parsed.
//! No client writes such lines.

use memchr::{memchr_iter, memchr2};

/// A line with more values is not parsed.
pub(crate) const MOST_VALUES: usize = 512 * 1024;

/// Whether a line has more. Nearly all lines are too short for so many.
pub(crate) fn has_too_many_values(line: &[u8]) -> bool {
    line.len() > 2 * MOST_VALUES
        && memchr_iter(b',', line).nth(MOST_VALUES).is_some()
        && values(line) > MOST_VALUES
}

/// Counts the commas outside strings, up to the limit.
fn values(line: &[u8]) -> usize {
    let (mut count, mut rest) = (0, line);
    while let Some(quote) = memchr::memchr(b'"', rest) {
        count += memchr_iter(b',', rest.get(..quote).unwrap_or_default()).count();
        if count > MOST_VALUES {
            return count;
        }
        rest = behind_string(rest.get(quote + 1..).unwrap_or_default());
    }
    count + memchr_iter(b',', rest).count()
}

/// What follows the string that begins here.
fn behind_string(mut inside: &[u8]) -> &[u8] {
    while let Some(found) = memchr2(b'"', b'\\', inside) {
        let is_end = inside.get(found) == Some(&b'"');
        inside = inside.get(found + if is_end { 1 } else { 2 }..).unwrap_or_default();
        if is_end {
            return inside;
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commas_between_values_count() {
        assert_eq!(values(br#"{"a,b":[1,2,"\",\\",3],"c":"\\","d":","}"#), 5);
        assert_eq!(values(br#"[1,2,"never ends, \"#), 2);
    }

    #[test]
    fn a_long_text_is_one_value() {
        let text = format!(r#"{{"a":"{}"}}"#, "x, y, \\\" z,".repeat(MOST_VALUES));
        assert!(!has_too_many_values(text.as_bytes()));
        let list = |count: usize| format!("[{}0]", "0,".repeat(count)).into_bytes();
        assert!(!has_too_many_values(&list(MOST_VALUES)) && has_too_many_values(&list(MOST_VALUES + 1)));
    }
}
