//! Absolute paths of one system → those of another, or nothing that tells about a machine.
//!
//! Unlike a rule, these know no path beforehand, so they are careful where one starts: a URL is left alone whatever
//! is in it, and so is a path right behind a name.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2_iter, memmem};

use super::extent::{self, Writing};
use super::{Context, Match, border, is_separator, strip};

/// Whose paths become whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rewrite) enum System {
    WslToWin,
    WinToWsl,
    Strip,
}

/// How an absolute path begins.
#[derive(Debug, Clone)]
pub(super) struct Start {
    /// What says that it is one: `/mnt/c`, `C:`, `\\wsl$\Ubuntu`, `\\`, or nothing at all.
    pub(super) range: Range<usize>,
    pub(super) writing: Writing,
    /// Of a drive.
    pub(super) letter: Option<char>,
}

impl System {
    pub(super) fn may_be_in(self, raw: &str) -> bool {
        let raw = raw.as_bytes();
        let has = |part: &[u8]| memmem::find(raw, part).is_some();
        let is_named = match self {
            Self::WslToWin => has(b"mnt"),
            Self::WinToWsl => memchr(b':', raw).is_some() || has(b"wsl") || has(b"WSL"),
            Self::Strip => memchr(b'/', raw).is_some() || has(br":\") || has(br"\\\\"),
        };
        is_named || has(br"\u")
    }

    /// What was found is not looked through again: none starts inside another.
    pub(super) fn matches(self, text: &str, context: Context<'_>) -> Vec<Match> {
        let mut starts = match self {
            Self::WslToWin => mounts(text),
            Self::WinToWsl => [drives(text), distributions(text)].concat(),
            Self::Strip => [drives(text), shares(text), strip::roots(text)].concat(),
        };
        starts.sort_by_key(|start| start.range.start);
        let is_json = text.trim_start().starts_with(['{', '[']);
        let mut passed = 0;
        let ahead = starts.into_iter().filter_map(|start| {
            if start.range.start < passed {
                return None;
            }
            let home = context.home.and_then(|home| strip::spaced(text.get(start.range.start..)?, home));
            let known = start.range.end.max(start.range.start + home.unwrap_or(0));
            let end = extent::end(text, &(start.range.start..known), start.writing, context.is_path);
            passed = end;
            self.found(text, start, end, (context, is_json))
        });
        ahead.collect()
    }

    fn found(
        self,
        text: &str,
        start: Start,
        end: usize,
        (context, is_json): (Context<'_>, bool),
    ) -> Option<Match> {
        let Range { start: from, end: known } = start.range;
        let (path, tail) = (text.get(from..end)?, text.get(known..end)?);
        let (rule, replacements) = match (self, start.letter) {
            (Self::WslToWin, Some(letter)) => {
                let separator = r"\".repeat(border::backslashes_for_one(text.get(..from)?, is_json));
                (start.range, vec![(from..end, windows(letter, tail, &separator))])
            }
            (Self::WinToWsl, letter) => (start.range, vec![(from..end, unix(letter, tail))]),
            (Self::Strip, _) if strip::is_telling(text, from, path, context) => {
                let kept = context.home.and_then(|home| strip::below(path, home)).unwrap_or(path.len());
                (from..from, vec![(from..from + kept, strip::MARK.to_owned())])
            }
            _ => return None,
        };
        Some(Match { rule, path: from..end, replacements })
    }
}

/// `/mnt/c`, as a whole.
fn mounts(text: &str) -> Vec<Start> {
    let mount = |at: usize| {
        let letter = text.get(at + "/mnt/".len()..)?.chars().next().filter(char::is_ascii_alphabetic)?;
        let end = at + "/mnt/c".len();
        let is_whole = border::ends_before(text.get(end..)?) || text.get(end..)?.starts_with('/');
        let is_one = is_whole && border::may_start_absolute_after(text.get(..at)?);
        is_one.then_some(Start { range: at..end, writing: Writing::Unix, letter: Some(letter) })
    };
    memmem::find_iter(text.as_bytes(), "/mnt/").filter_map(mount).collect()
}

/// `C:` before a separator.
fn drives(text: &str) -> Vec<Start> {
    // A text inside the text, most likely.
    let is_nested = memmem::find(text.as_bytes(), b"\\\"").is_some();
    memchr_iter(b':', text.as_bytes()).filter_map(|colon| drive(text, colon, is_nested)).collect()
}

fn drive(text: &str, colon: usize, is_nested: bool) -> Option<Start> {
    let before = text.get(..colon)?;
    let letter = before.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let (before, after) = (before.get(..colon - 1)?, text.get(colon + 1..)?);
    let backslashes = after.bytes().take_while(|byte| *byte == b'\\').count();
    let is_path = match backslashes {
        // Two slashes are those of a URL, and with a star it is a comment.
        0 => after.starts_with('/') && !after.starts_with("//") && !after.starts_with("/*"),
        1 => !is_line_break(after, is_nested),
        _ => true,
    };
    let long = [r"\\?\", r"\\\\?\\"].iter().find(|prefix| before.ends_with(**prefix));
    let before = before.get(..before.len() - long.map_or(0, |prefix| prefix.len()))?;
    let is_one = is_path && border::may_start_absolute_after(before) && !before.ends_with('?');
    let writing = Writing::Windows { backslashes };
    is_one.then_some(Start { range: before.len()..colon + 1, writing, letter: Some(letter) })
}

/// Whether a colon is followed by a line break or tab of a text inside the text, as in `A:\nThe answer`. Before a small
/// letter this cannot be told from a name but by what else is in the text.
fn is_line_break(after: &str, is_nested: bool) -> bool {
    let rest = [r"\n", r"\r", r"\t"].iter().find_map(|escape| after.strip_prefix(escape));
    rest.is_some_and(|rest| is_nested || !rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// `\\wsl$\Ubuntu` and `\\wsl.localhost\Ubuntu`, also with slashes.
fn distributions(text: &str) -> Vec<Start> {
    let is_wsl = |name: &str| name.eq_ignore_ascii_case("wsl$") || name.eq_ignore_ascii_case("wsl.localhost");
    servers(text).filter(|server| is_wsl(server.name)).filter_map(|server| server.start(text)).collect()
}

/// `\\server\share`, with names that are longer than what is escaped in a regular expression.
fn shares(text: &str) -> Vec<Start> {
    let is_one =
        |server: &Server<'_>| server.backslashes > 0 && server.name.len() > 1 && server.share.len() > 1;
    servers(text).filter(is_one).filter_map(|server| server.start(text)).collect()
}

/// The beginning of a path in the network.
struct Server<'a> {
    name: &'a str,
    share: &'a str,
    range: Range<usize>,
    /// How many there are for one; none with slashes.
    backslashes: usize,
}

impl Server<'_> {
    fn start(self, text: &str) -> Option<Start> {
        let writing = Writing::Windows { backslashes: self.backslashes };
        let is_one = border::may_start_absolute_after(text.get(..self.range.start)?);
        is_one.then_some(Start { range: self.range, writing, letter: None })
    }
}

fn servers(text: &str) -> impl Iterator<Item = Server<'_>> {
    let mut passed = 0;
    memchr2_iter(b'\\', b'/', text.as_bytes()).filter_map(move |at| {
        let rest = text.get(at..).filter(|_| at >= passed)?;
        let opening = rest.get(..rest.len() - rest.trim_start_matches(is_separator).len())?;
        passed = at + opening.len();
        server(text, at, opening)
    })
}

fn server<'a>(text: &'a str, at: usize, opening: &str) -> Option<Server<'a>> {
    let is_doubled = opening.len() >= 2 && opening.len().is_multiple_of(2);
    let backslashes = match opening {
        "//" => 0,
        _ if is_doubled && !opening.contains('/') => opening.len() / 2,
        _ => return None,
    };
    let name_of = |text: &'a str| text.split(|c| !is_in_server(c)).next();
    let behind = text.get(at + opening.len()..)?;
    let name = name_of(behind)?;
    let separator = if backslashes == 0 { "/" } else { opening.get(..backslashes)? };
    let share = name_of(behind.get(name.len()..)?.strip_prefix(separator)?)?.trim_end_matches('.');
    let range = at..at + opening.len() + name.len() + separator.len() + share.len();
    (!name.is_empty() && !share.is_empty()).then_some(Server { name, share, range, backslashes })
}

fn is_in_server(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_' | '$')
}

/// The path with a drive; `tail` is with slashes, spaces in it may be escaped.
fn windows(letter: char, tail: &str, separator: &str) -> String {
    let tail = if tail.is_empty() { "/" } else { tail };
    format!("{}:{}", letter.to_ascii_uppercase(), tail.replace(r"\ ", " ").replace('/', separator))
}

/// The path below where a drive is mounted, or below the root. Several separators are one.
fn unix(letter: Option<char>, tail: &str) -> String {
    let mut path = letter.map_or_else(String::new, |letter| format!("/mnt/{}", letter.to_ascii_lowercase()));
    let names: Vec<_> = tail.split(is_separator).filter(|name| !name.is_empty()).collect();
    for name in &names {
        path.push('/');
        path.push_str(name);
    }
    if path.is_empty() || (tail.ends_with(is_separator) && !names.is_empty()) {
        path.push('/');
    }
    path
}
