//! A page → its tags and its text, by a reader that knows nothing but what we write: whatever is not ours fails.

use steno_render::html::{SCRIPT, STYLE};

/// A page that was read.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) tags: Vec<Tag>,
    /// All text outside of tags, without the style and the script.
    pub(crate) text: String,
    /// The markup of the conversation.
    pub(crate) body: String,
    pub(crate) deepest: usize,
}

#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// How many elements are open around it.
    pub(crate) depth: usize,
}

const ELEMENTS: &str = "a article blockquote body br code dd del details div dl dt em figure footer h1 h2 h3 h4 h5 \
                        h6 head header hr html img ins li main meta nav ol p pre script section span strong style \
                        summary table tbody td th thead time title tr ul";
const EMPTY: [&str; 4] = ["meta", "br", "hr", "img"];
const ATTRIBUTES: &str = "alt aria-hidden aria-label charset class content data-lang datetime decoding dir href \
                          http-equiv id lang loading name open rel src start title";

impl Tag {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Page {
    /// Fails where anything in the page is not as we write it.
    pub(crate) fn read(page: &str) -> Self {
        let rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
        assert_eq!((rest.matches(STYLE).count(), rest.matches(SCRIPT).count()), (1, 1));
        let rest = rest.replacen(STYLE, "", 1).replacen(SCRIPT, "", 1);
        let body = rest.split_once("</header>").unwrap().1.split_once("</main>").unwrap().0.to_owned();
        let mut read = Self { tags: Vec::new(), text: String::new(), body, deepest: 0 };
        let mut open: Vec<String> = Vec::new();
        let mut rest = rest.as_str();
        while let Some(at) = rest.find('<') {
            read.text.push_str(&unescaped(&rest[..at]));
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('/') {
                let (name, after) = after.split_once('>').unwrap();
                assert_eq!(open.pop().as_deref(), Some(name), "before {}", start(after));
                rest = after;
                continue;
            }
            let (tag, after) = read_tag(rest, open.len());
            if !EMPTY.contains(&tag.name.as_str()) {
                open.push(tag.name.clone());
                read.deepest = read.deepest.max(open.len());
            }
            read.tags.push(tag);
            rest = after;
        }
        read.text.push_str(&unescaped(rest));
        assert!(open.is_empty(), "never closed: {open:?}");
        read.check();
        read
    }

    /// Whatever the transcript, a page acts in no way but ours.
    fn check(&self) {
        let number = |name: &str| self.tags.iter().filter(|tag| tag.name == name).count();
        assert_eq!((number("script"), number("style"), number("title")), (1, 1, 1));
        for tag in &self.tags {
            if let Some(link) = tag.get("href") {
                let allowed = ["https://", "http://", "mailto:", "#"];
                let link = link.to_ascii_lowercase();
                assert!(allowed.iter().any(|scheme| link.starts_with(scheme)), "{link}");
                assert_eq!(tag.name, "a");
            }
            if let Some(source) = tag.get("src") {
                let (kind, data) = source.split_once(";base64,").unwrap();
                assert!(
                    ["png", "jpeg", "gif", "webp"]
                        .map(|kind| format!("data:image/{kind}"))
                        .contains(&kind.to_owned())
                );
                assert!(data.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
            }
        }
        let acts = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
        assert!(!self.text.contains(acts));
        assert!(!self.text.contains(['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}']));
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Tag> {
        self.tags.iter().filter(move |tag| tag.name == name)
    }

    pub(crate) fn links(&self) -> Vec<&str> {
        self.all("a").filter_map(|tag| tag.get("href")).filter(|link| !link.starts_with('#')).collect()
    }

    pub(crate) fn has(&self, words: &str) -> bool {
        self.text.contains(words)
    }
}

fn read_tag(text: &str, depth: usize) -> (Tag, &str) {
    let end = text.find([' ', '>']).unwrap();
    let name = text[..end].to_owned();
    assert!(ELEMENTS.split_whitespace().any(|known| known == name), "<{}", start(text));
    let mut attributes = Vec::new();
    let mut rest = &text[end..];
    while let Some(after) = rest.strip_prefix(' ') {
        let end = after.find(['=', ' ', '>']).unwrap();
        let name = &after[..end];
        assert!(ATTRIBUTES.split_whitespace().any(|known| known == name), "attribute {}", start(after));
        rest = &after[end..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let (inside, after) = quoted.split_once('"').unwrap();
            assert!(!inside.contains(['<', '>']), "{inside}");
            value = unescaped(inside);
            rest = after;
        }
        attributes.push((name.to_owned(), value));
    }
    (
        Tag { name, attributes, depth },
        rest.strip_prefix('>').unwrap_or_else(|| panic!("no end: {}", start(rest))),
    )
}

/// Fails at an ampersand that is not escaped.
fn unescaped(text: &str) -> String {
    let mut whole = String::new();
    let mut parts = text.split('&');
    whole.push_str(parts.next().unwrap());
    for part in parts {
        let (entity, after) = part.split_once(';').unwrap_or_else(|| panic!("&{}", start(part)));
        whole.push_str(match entity {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            other => panic!("&{other};"),
        });
        whole.push_str(after);
    }
    assert!(!text.contains('>'), "{}", start(text));
    whole
}

fn start(text: &str) -> String {
    text.chars().take(60).collect()
}
