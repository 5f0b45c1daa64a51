//! HTML and XML → tokens.

use super::{Class, Token};

pub(super) fn tokens<'a>(text: &'a str, emit: &mut impl FnMut(Token<'a>)) {
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at(open);
        put(None, before, emit);
        rest = if let Some(inside) = tag.strip_prefix("<!--") {
            let end = inside.find("-->").map_or(tag.len(), |end| 4 + end + 3);
            take(Some(Class::Comment), tag, end, emit)
        } else if tag.get(1..).is_some_and(|inside| inside.starts_with(opens_tag)) {
            inside_tag(tag, emit)
        } else {
            take(None, tag, 1, emit)
        };
    }
    put(None, rest, emit);
}

fn opens_tag(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '/' | '!' | '?')
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_' | ':' | '.' | '@')
}

/// From `<` to `>`; gives what comes after.
fn inside_tag<'a>(tag: &'a str, emit: &mut impl FnMut(Token<'a>)) -> &'a str {
    let name = tag.find(|character| !(is_name(character) || opens_tag(character) || character == '<'));
    let mut rest = take(Some(Class::Keyword), tag, name.unwrap_or(tag.len()), emit);
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '>' => return take(Some(Class::Keyword), rest, 1, emit),
            '<' => return rest,
            '"' | '\'' => {
                let end =
                    rest.get(1..).and_then(|inside| inside.find(first)).map_or(rest.len(), |end| end + 2);
                take(Some(Class::Text), rest, end, emit)
            }
            _ if is_name(first) => {
                let end = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
                take(Some(Class::Key), rest, end, emit)
            }
            _ => take(None, rest, first.len_utf8(), emit),
        };
    }
    rest
}

/// Emits the beginning of a text and gives the rest.
fn take<'a>(class: Option<Class>, text: &'a str, length: usize, emit: &mut impl FnMut(Token<'a>)) -> &'a str {
    let (taken, rest) = text.split_at_checked(length).unwrap_or((text, ""));
    put(class, taken, emit);
    rest
}

fn put<'a>(class: Option<Class>, text: &'a str, emit: &mut impl FnMut(Token<'a>)) {
    if !text.is_empty() {
        emit((class, text));
    }
}
