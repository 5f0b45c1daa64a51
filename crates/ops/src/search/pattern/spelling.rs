//! A text → the ways in which JSON may spell it.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The longest stretch that every writer spells as it is; nothing where there is none.
pub(super) fn safe_stretch(text: &str) -> &str {
    let stretches = text.split(|character| !is_safe(character));
    stretches
        .reduce(|longest, stretch| if stretch.len() > longest.len() { stretch } else { longest })
        .unwrap_or("")
}

/// Some writers escape a slash, and all that is not ASCII.
fn is_safe(character: char) -> bool {
    matches!(character, ' '..='~') && !matches!(character, '"' | '\\' | '/')
}

/// Whether no writer spells some of it as it is.
pub(super) fn is_always_escaped(text: &str) -> bool {
    text.chars().any(|character| matches!(character, '"' | '\\' | '\0'..' '))
}

/// Every spelling of a text by a writer that has one way for all characters of a kind.
pub(super) fn forms(text: &str) -> Vec<String> {
    let mut forms = BTreeSet::from([text.to_owned()]);
    for escapes_slashes in [false, true] {
        for others in [Others::Plain, Others::Lower, Others::Upper] {
            for controls in [Others::Plain, Others::Lower, Others::Upper] {
                let mut form = String::with_capacity(text.len() * 2);
                for character in text.chars() {
                    spell(character, escapes_slashes, others, controls, &mut form);
                }
                forms.insert(form);
            }
        }
    }
    forms.into_iter().collect()
}

/// How a character is spelled that need not be, or that has a name of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// As it is, or by its name.
    Plain,
    /// By its number, in small letters.
    Lower,
    Upper,
}

fn spell(character: char, escapes_slashes: bool, others: Others, controls: Others, form: &mut String) {
    let name = match character {
        '"' => Some("\\\""),
        '\\' => Some("\\\\"),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        '\u{8}' => Some("\\b"),
        '\u{c}' => Some("\\f"),
        _ => None,
    };
    match (character, name) {
        ('/', _) if escapes_slashes => form.push_str("\\/"),
        (_, Some(name)) if controls == Others::Plain => form.push_str(name),
        (_, Some(_)) => by_number(character, controls == Others::Upper, form),
        ('\0'..' ', None) => by_number(character, controls == Others::Upper, form),
        (character, None) if character.is_ascii() || others == Others::Plain => form.push(character),
        (character, None) => by_number(character, others == Others::Upper, form),
    }
}

fn by_number(character: char, in_capitals: bool, form: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        // To a String, this cannot fail.
        let _ = if in_capitals { write!(form, "\\u{unit:04X}") } else { write!(form, "\\u{unit:04x}") };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_safe_stretch() {
        assert_eq!(safe_stretch("plain words"), "plain words");
        assert_eq!(safe_stretch("src/main.rs"), "main.rs");
        assert_eq!(safe_stretch("say \"hello\""), "hello");
        assert_eq!(safe_stretch("日本"), "");
        assert_eq!(safe_stretch(""), "");
    }

    #[test]
    fn all_spellings_of_a_text() {
        assert_eq!(forms("é"), [r"\u00E9", r"\u00e9", "é"]);
        assert_eq!(forms("/"), ["/", r"\/"]);
        assert_eq!(forms("\n"), ["\n", r"\n", r"\u000A", r"\u000a"]);
        assert_eq!(forms("\""), ["\"", r#"\""#, r"\u0022"]);
    }
}
