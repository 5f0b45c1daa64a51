//! An output → the planted secrets that are left in it, whole or in pieces, however they are spelled there.

use std::borrow::Cow;

use aho_corasick::AhoCorasick;

use super::Planted;

/// So much of a secret is as good as the whole.
const PIECE: usize = 16;

/// Looks for secrets that must not be seen.
#[derive(Debug)]
pub struct Watch {
    searcher: AhoCorasick,
    /// Whose each pattern is.
    names: Vec<String>,
}

impl Watch {
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Planted>) -> Self {
        let (mut patterns, mut names) = (Vec::new(), Vec::new());
        for planted in secrets {
            for pattern in std::iter::once(planted.secret.as_str()).chain(pieces(&planted.secret)) {
                patterns.push(pattern);
                names.push(planted.name.clone());
            }
        }
        // Names of files are written in small letters.
        let searcher = AhoCorasick::builder().ascii_case_insensitive(true).build(patterns);
        Self { searcher: searcher.expect("patterns that fit"), names }
    }

    /// The secrets in a text, each once, with the text around its first piece.
    pub fn seen(&self, text: &str) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        let mut known: Vec<&str> = Vec::new();
        for spelling in spellings(text) {
            for found in self.searcher.find_iter(spelling.as_bytes()) {
                let name = self.names[found.pattern().as_usize()].as_str();
                if !known.contains(&name) {
                    known.push(name);
                    let start = spelling.floor_char_boundary(found.start().saturating_sub(80));
                    let end = spelling.ceil_char_boundary((found.end() + 40).min(spelling.len()));
                    seen.push(format!("{name}: …{}…", &spelling[start..end]));
                }
            }
        }
        seen
    }
}

/// Stretches of a secret that are nothing but it: no line of dashes, no words between.
fn pieces(secret: &str) -> impl Iterator<Item = &str> {
    let is_part = |piece: &str| piece.bytes().all(|byte| byte.is_ascii_graphic()) && !piece.contains("--");
    let starts = 0..secret.len().saturating_sub(PIECE);
    starts.filter_map(|start| secret.get(start..start + PIECE)).filter(move |piece| is_part(piece))
}

/// The text as it is, and as a page, JSON, a URL or folded lines spell it, one in another.
fn spellings(text: &str) -> Vec<Cow<'_, str>> {
    let mut all = vec![Cow::Borrowed(text)];
    for _layer in 0..2 {
        let last = without_escapes(all.last().expect("one at least"));
        all.push(Cow::Owned(last));
    }
    let others: Vec<Cow<'_, str>> = all
        .iter()
        .flat_map(|text| {
            let shown = without_tags(text);
            let folded: String = shown.split_whitespace().collect();
            [without_percents(text), without_percents(&shown), folded, shown].map(Cow::Owned)
        })
        .collect();
    all.extend(others);
    all
}

/// As JSON reads it.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('t') => plain.push('\t'),
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                plain.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            other => plain.extend(other),
        }
    }
    plain
}

/// As a reader of the page sees it.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")];
    entities.iter().fold(plain, |text, (entity, letter)| text.replace(entity, letter))
}

/// As a browser reads an address.
fn without_percents(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        plain.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::planted;

    #[test]
    fn a_secret_is_seen_however_it_is_spelled() {
        let name = "flag apart";
        let all = planted();
        let watch = Watch::new(all.iter().filter(|planted| planted.name == name));
        for text in
            ["Tr0ub4dor&3", "Tr0ub4dor&amp;3", r"Tr0ub4dor\u00263", "Tr0ub4dor%263", "<i>Tr0ub4</i>dor&3"]
        {
            assert_eq!(watch.seen(text).len(), 1, "{text}");
        }
        assert_eq!(watch.seen("Troubadour & 3"), [""; 0]);
    }

    #[test]
    fn every_secret_is_seen_whole_and_in_part() {
        for planted in planted() {
            let watch = Watch::new([&planted]);
            assert_eq!(watch.seen(&planted.text).len(), 1, "{}", planted.name);
            let part = planted
                .secret
                .get(2..planted.secret.len() - 2)
                .filter(|part| part.len() > 20 && !part.contains(char::is_whitespace));
            assert!(part.is_none_or(|part| watch.seen(part).len() == 1), "{}", planted.name);
        }
    }
}
