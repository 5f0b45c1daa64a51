//! The path of a file in the Claude directory ↔ what its segments are called.
//!
//! A stream is the file as it is kept, below `machines/<slug>/`. Its name is the path it was first seen at, unless
//! a file system or another stream forbids that; the truth about the path is in each segment's header.

use std::fmt::{self, Display, Formatter};
use std::path::{Component, Path, PathBuf};

/// The longest name that leaves room for `.g1.000001-000040.zst` below 255 bytes.
const LONGEST_COMPONENT: usize = 210;
const KEPT_OF_LONG: usize = 180;
/// In units of UTF-16.
const LONGEST_ON_WINDOWS: usize = 255;

/// A path below the Claude directory as text: `/` between names, and `%XX` for bytes that are no text.
pub fn text_of(path: &Path) -> Option<String> {
    if let Some(text) = path.to_str().filter(|text| is_plain(text)) {
        return Some(text.to_owned());
    }
    let mut text = String::new();
    for component in path.components() {
        let Component::Normal(name) = component else { return None };
        if !text.is_empty() {
            text.push('/');
        }
        match name.to_str() {
            Some(name) => text.push_str(&name.replace('%', "%25")),
            None => escape(name.as_encoded_bytes(), &mut text),
        }
    }
    (!text.is_empty()).then_some(text)
}

/// Whether a path is its own text, as nearly all are.
fn is_plain(text: &str) -> bool {
    cfg!(unix) && !text.contains('%') && text.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn escape(bytes: &[u8], text: &mut String) {
    use std::fmt::Write;
    for byte in bytes {
        if byte.is_ascii_graphic() && *byte != b'%' || *byte == b' ' {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
}

/// The path again; nothing for one that would lead elsewhere.
pub fn path_of(text: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for part in text.split('/') {
        let name = unescape(part)?;
        let mut components = Path::new(&name).components();
        let is_plain = components.next() == Some(Component::Normal(&name)) && components.next().is_none();
        let is_odd = cfg!(windows) && name.to_str().is_none_or(is_odd_on_windows);
        if !is_plain || is_odd || name.as_encoded_bytes().contains(&0) {
            return None;
        }
        path.push(name);
    }
    Some(path)
}

fn unescape(part: &str) -> Option<std::ffi::OsString> {
    if !part.contains('%') {
        return Some(part.into());
    }
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    os_string(bytes)
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Option<std::ffi::OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Option<std::ffi::OsString> {
    String::from_utf8(bytes).ok().map(Into::into)
}

/// Relative, without empty parts or such that lead elsewhere.
pub(crate) fn is_relative(name: &str) -> bool {
    name.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains('\0'))
}

/// Separators, streams, devices, endings that Windows drops without a word, and names too long for it.
pub(crate) fn is_odd_on_windows(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    // Also the small figures of Latin 1.
    let is_number = |rest: &str| matches!(rest, "¹" | "²" | "³") || matches!(rest.as_bytes(), [b'0'..=b'9']);
    let is_numbered = |device| stem.strip_prefix(device).is_some_and(is_number);
    part.contains(['\\', ':', '<', '>', '"', '|', '?', '*'])
        || part.contains(char::is_control)
        || part.ends_with(['.', ' '])
        || part.encode_utf16().count() > LONGEST_ON_WINDOWS
        || matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || is_numbered("COM")
        || is_numbered("LPT")
}

/// The stream that a path is kept as, if no other stream has that name.
pub(crate) fn stream_of(path: &str) -> String {
    let parts: Vec<String> = path.split('/').map(shortened).collect();
    parts.join("/")
}

/// File systems take names of 255 bytes; a long one keeps its start and gets a hash for the rest.
fn shortened(part: &str) -> String {
    if part.len() <= LONGEST_COMPONENT {
        return part.to_owned();
    }
    let hash = blake3::hash(part.as_bytes()).to_hex();
    let end = (0..=KEPT_OF_LONG).rev().find(|end| part.is_char_boundary(*end)).unwrap_or_default();
    format!("{}~{}", part.get(..end).unwrap_or_default(), hash.get(..16).unwrap_or_default())
}

/// The name of a segment's file: `<stream>.g<generation>.<first>[-<last>].zst`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentName {
    pub stream: String,
    pub generation: u32,
    pub first: u32,
    /// The same as `first`, unless several were merged into one.
    pub last: u32,
}

impl SegmentName {
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".zst")?;
        let (name, numbers) = name.rsplit_once('.')?;
        let (stream, generation) = name.rsplit_once(".g")?;
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (first, last) = (sequence(first)?, sequence(last)?);
        let generation = number(generation)?;
        let is_stream = !stream.is_empty() && !stream.ends_with('/');
        (is_stream && generation > 0 && first > 0 && first <= last).then(|| Self {
            stream: stream.to_owned(),
            generation,
            first,
            last,
        })
    }
}

fn sequence(text: &str) -> Option<u32> {
    number(text).filter(|_| text.len() >= 6)
}

fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl Display for SegmentName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { stream, generation, first, last } = self;
        write!(formatter, "{stream}.g{generation}.{first:06}")?;
        if last != first {
            write!(formatter, "-{last:06}")?;
        }
        formatter.write_str(".zst")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use proptest::prelude::*;

    #[test]
    fn a_segment_name_is_read_as_it_is_written() {
        for name in [
            "projects/-a/s.jsonl.g1.000001.zst",
            "h.g12.000003-000040.zst",
            "a.g1.000001.zst.g2.1000000.zst",
            "m.g4294967295.999999-4294967295.zst",
        ] {
            assert_eq!(SegmentName::parse(name).unwrap().to_string(), name);
        }
        for other in [
            "s.jsonl",
            "s.g0.000001.zst",
            "s.g1.1.zst",
            ".g1.000001.zst",
            "s.g1.000002-000001.zst",
            "s.g1.000000.zst",
        ] {
            assert_eq!(SegmentName::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_long_name_stays_below_what_file_systems_take() {
        let long = format!("projects/{}/{}.jsonl", "é".repeat(127), "x".repeat(250));
        let stream = stream_of(&long);
        assert!(stream.split('/').all(|part| part.len() <= LONGEST_COMPONENT), "{stream}");
        assert_ne!(stream_of(&long), stream_of(&long.replace("x.jsonl", "y.jsonl")));
        assert_eq!(stream_of("projects/-a/s.jsonl"), "projects/-a/s.jsonl");
    }

    #[test]
    fn no_text_leads_elsewhere() {
        for text in ["", "..", "a/..", "/a", "a//b", "a/", "./a", "%2e%2e", "a%2Fb", "%00", "%4"] {
            assert_eq!(path_of(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_that_windows_takes_for_something_else_are_odd_there() {
        let devices = ["con", "NUL.md", "aux .md", "com1.jsonl", "lpt9", "COM².a", "conin$"];
        let others = ["a:b", "a\\b", "end.", "end ", "a\nb", "why?"];
        for odd in devices.iter().chain(&others) {
            assert!(is_odd_on_windows(odd), "{odd:?}");
        }
        assert!(is_odd_on_windows(&"n".repeat(256)) && !is_odd_on_windows(&"é".repeat(255)));
        for plain in ["console", "com10", "a.con", ".git", "-home-me", "a b", "ä", "comb"] {
            assert!(!is_odd_on_windows(plain), "{plain:?}");
        }
    }

    #[cfg(unix)]
    proptest! {
        #[test]
        fn every_relative_path_comes_back(parts in prop::collection::vec(prop::collection::vec(1..=255u8, 1..20), 1..5)) {
            use std::os::unix::ffi::OsStringExt;
            let names = parts.into_iter().map(std::ffi::OsString::from_vec);
            let path: PathBuf = names.collect();
            let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
            prop_assume!(is_plain);
            let normal: PathBuf = path.components().collect();
            prop_assert_eq!(path_of(&text_of(&path).unwrap()), Some(normal));
        }
    }
}
