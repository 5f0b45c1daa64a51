//! Text from a transcript → text that cannot act on a terminal, nor on whatever else shows it.

use std::borrow::Cow;

/// Makes control characters visible; newlines and tabs stay. A transcript may hold anything, also the sequence
/// that rewrites a window's title or hides what follows. Colours that a command printed are taken out whole, and so
/// is what progress bars switch on and off.
pub fn clean(text: &str) -> Cow<'_, str> {
    cleaned(text, is_dangerous)
}

/// The same for what has to stay on its line, as names do: newlines and tabs become visible too.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    cleaned(text, |character| is_dangerous(character) || breaks_lines(character))
}

/// Whether a terminal may do something else with it than show it.
pub fn is_dangerous(character: char) -> bool {
    // Marks that turn the direction of what follows can make a text look like another one.
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() && !matches!(character, '\n' | '\t') || turns
}

fn breaks_lines(character: char) -> bool {
    matches!(character, '\n' | '\t' | '\u{2028}' | '\u{2029}')
}

/// Whether every byte is a harmless character that takes one column. Nearly all text is like that, and seen to be in
/// no time.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn cleaned(text: &str, is_unwanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    if is_plain(text) || !text.contains(&is_unwanted) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&is_unwanted) {
        cleaned.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let skipped = match silent_length(rest) {
            Some(length) => length,
            None => {
                let unwanted = rest.chars().next().unwrap_or_default();
                cleaned.extend(visible(unwanted));
                unwanted.len_utf8()
            }
        };
        rest = rest.get(skipped..).unwrap_or_default();
    }
    cleaned.push_str(rest);
    Cow::Owned(cleaned)
}

fn visible(character: char) -> Option<char> {
    match u32::from(character) {
        0x0d => None,
        code @ 0..0x20 => char::from_u32(0x2400 + code),
        0x7f => Some('␡'),
        _ => Some('\u{fffd}'),
    }
}

/// The length of an escape that a reader misses nothing of: colours, the end of a line made blank, and modes such as
/// whether the cursor is seen.
fn silent_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\u{1b}[")?;
    let is_parameter = |character: char| character.is_ascii_digit() || matches!(character, ';' | ':' | '?');
    let end = inside.find(|character| !is_parameter(character))?;
    let is_silent = match inside.get(end..)?.chars().next()? {
        'm' | 'K' => true,
        'h' | 'l' => inside.starts_with('?'),
        _ => false,
    };
    is_silent.then_some(2 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_everything_else_becomes_visible() {
        assert_eq!(clean("\u{1b}[1;31mred\u{1b}[0m\tplain\r\n"), "red\tplain\n");
        assert_eq!(clean("\u{1b}[?25l\u{1b}[38:5:1mred\u{1b}[K\u{1b}[?2026h"), "red");
        assert_eq!(clean("a\u{1b}]0;title\u{7}b\u{1b}[2Jc"), "a␛]0;title␇b␛[2Jc");
        assert_eq!(clean("x\u{202e}y\u{9b}z"), "x\u{fffd}y\u{fffd}z");
    }

    #[test]
    fn a_name_stays_on_its_line() {
        assert_eq!(clean_line("two  words\nand\ta\u{1b}c\u{2028}"), "two  words␊and␉a␛c\u{fffd}");
        assert_eq!(clean_line("\u{1b}[31mred"), "red");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(clean("plain\ntext"), Cow::Borrowed(_)));
        assert!(matches!(clean_line("plain  text"), Cow::Borrowed(_)));
    }
}
