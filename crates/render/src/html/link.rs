//! Addresses in a transcript → links, where they lead to a place that a reader may want to go to.

use maud::{Render, html};

use crate::clean::is_dangerous;

/// What an address begins with, to be a link. Everything else is shown as text: `javascript:` acts, `data:` and
/// `blob:` pretend to be pages, and `file:` leads to the disk of the reader.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// The address, where it may be followed. It is compared unchanged, so that no spelling of another scheme passes.
pub(super) fn allowed(address: &str) -> Option<&str> {
    let starts_with =
        |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let is_odd =
        |character: char| character.is_whitespace() || is_dangerous(character) || character == '\u{fffd}';
    (SCHEMES.into_iter().any(starts_with) && !address.contains(is_odd)).then_some(address)
}

/// A link, or only its text.
pub(super) struct Link<'a>(pub(super) &'a str);

impl Render for Link<'_> {
    fn render_to(&self, buffer: &mut String) {
        let text = super::text::Plain(self.0);
        match allowed(self.0) {
            Some(address) => {
                html! { a href=(address) rel="noopener noreferrer" { (text) } }.render_to(buffer)
            }
            None => text.render_to(buffer),
        }
    }
}

/// Clean prose, in which bare addresses become links.
pub(super) struct Linked<'a>(pub(super) &'a str);

impl Render for Linked<'_> {
    fn render_to(&self, buffer: &mut String) {
        let mut rest = self.0;
        let mut from = 0;
        while let Some(start) =
            rest.get(from..).and_then(|ahead| ahead.find("http")).map(|place| from + place)
        {
            let length = address_length(rest, start);
            if length == 0 {
                from = start + "http".len();
                continue;
            }
            let (before, address) = rest.split_at_checked(start).unwrap_or((rest, ""));
            let (address, after) = address.split_at_checked(length).unwrap_or((address, ""));
            before.render_to(buffer);
            Link(address).render_to(buffer);
            (rest, from) = (after, 0);
        }
        rest.render_to(buffer);
    }
}

/// How far the address goes that begins here; 0 where none does.
fn address_length(text: &str, start: usize) -> usize {
    let (before, ahead) = text.split_at_checked(start).unwrap_or((text, ""));
    let scheme = if ahead.starts_with("https://") { "https://" } else { "http://" };
    if !ahead.starts_with(scheme) || before.ends_with(char::is_alphanumeric) {
        return 0;
    }
    let ends = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '<' | '>' | '"' | '`' | '\'' | '|' | '\\' | '\u{fffd}')
    };
    let address = ahead.get(..ahead.find(ends).unwrap_or(ahead.len())).unwrap_or_default();
    let has_brackets = address.contains('(');
    let closes = |character: char| {
        matches!(character, '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | ']' | '}')
            || (character == ')' && !has_brackets)
    };
    let address = address.trim_end_matches(closes);
    if address.len() > scheme.len() { address.len() } else { 0 }
}

#[cfg(test)]
mod tests;
