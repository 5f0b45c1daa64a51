//! Addresses in a transcript → links, where they lead to a place that a reader may want to go to.

use maud::{Render, html};

use crate::clean::is_dangerous;

/// What an address begins with, to be a link. Everything else is shown as text: `javascript:` acts, `data:` and
/// `blob:` pretend to be pages, and `file:` leads to the disk of the reader.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// The address, where it may be followed. It is compared as it stands, so that no spelling of another scheme passes.
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
mod tests {
    use super::*;

    #[test]
    fn only_three_schemes_pass_and_in_no_disguise() {
        for address in ["https://a.b/c?d=e&f#g", "HTTP://a", "mailto:a@b.c"] {
            assert_eq!(allowed(address), Some(address));
        }
        for address in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            " https://a",
            "\u{1}javascript:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "//a.b",
            "/a",
            "#a",
            "https:/a",
            "https:a",
            "",
            "http://a b",
            "http://a\u{202e}b",
            "ftp://a",
            "blob:https://a",
            "view-source:https://a",
        ] {
            assert_eq!(allowed(address), None, "{address:?}");
        }
    }

    #[test]
    fn bare_addresses_become_links_without_the_stop_behind_them() {
        let shown = |text| Linked(text).render().into_string();
        assert_eq!(
            shown("see https://a.b/c_(d), or (http://e)."),
            "see <a href=\"https://a.b/c_(d)\" rel=\"noopener noreferrer\">https://a.b/c_(d)</a>, or \
             (<a href=\"http://e\" rel=\"noopener noreferrer\">http://e</a>)."
        );
        assert_eq!(shown("xhttp://a http:// https http<b>"), "xhttp://a http:// https http&lt;b&gt;");
    }
}
