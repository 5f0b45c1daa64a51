//! `Cookie: a=x; b=y` → each value, so that the same session has the same mark in every header.

use crate::find::{Find, Rank};
use crate::mark::is_marked;
use crate::name::is_one_of;
use crate::pattern::Pattern;

pub(crate) const KEYWORDS: &str = "cookie";

/// What a server says about its cookie, and a browser about anything.
const ATTRIBUTES: &str = "path domain expires max-age samesite priority version";

const SHORTEST: usize = 6;
/// Browsers send no more to a host.
const MOST: usize = 60;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    static HEADER: Pattern = Pattern::new(r#"\A(?i:cookie)(?:["']?[ \t]*(?:[:,]|=[^=])[ \t]*|=)["']?"#);
    let rest = text.get(at..text.len().min(at + 80)).unwrap_or_default();
    if let Some(header) = HEADER.find(rest) {
        let before_value =
            header.end() - usize::from(header.as_bytes().last().is_some_and(u8::is_ascii_alphanumeric));
        read_pairs(text, at + before_value, finds);
    }
}

/// The pairs from here on; the whole text where it stands under such a key.
pub(crate) fn read_pairs(text: &[u8], start: usize, finds: &mut Vec<Find>) {
    static PAIR: Pattern = Pattern::new(r#"\A([\w.!%~$*-]{1,128})=([^\s"'`;,<>\\]*)(;[ \t]*)?"#);
    let mut at = start;
    for _pair in 0..MOST {
        let Some(groups) = PAIR.captures(text.get(at..).unwrap_or_default()) else { return };
        let (Some(whole), Some(name), Some(value)) = (groups.get(0), groups.get(1), groups.get(2)) else {
            return;
        };
        let name = String::from_utf8_lossy(name.as_bytes()).to_ascii_lowercase();
        if !is_one_of(&name, ATTRIBUTES) && is_value(value.as_bytes()) {
            finds.push(Find {
                range: at + value.start()..at + value.end(),
                kind: "cookie",
                rank: Rank::Context,
            });
        }
        if groups.get(3).is_none() {
            return;
        }
        at += whole.end();
    }
}

fn is_value(value: &[u8]) -> bool {
    let is_code =
        value.iter().any(|byte| b"({".contains(byte)) || value.starts_with(b"$") || value.starts_with(b"[");
    let is_masked = value.iter().all(|byte| matches!(byte, b'*' | b'x' | b'.'));
    value.len() >= SHORTEST && !is_code && !is_masked && !is_marked(value)
}
