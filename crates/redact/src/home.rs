//! A home directory in a path → `~`; another person's → the name in it.

use std::ops::Range;

use crate::find::{Find, Rank};
use crate::name::is_one_of;
use crate::path::{begins_path, drive_before, ends_name, separator_after, separator_before, word_before};
use crate::person::{is_anybody, is_distinct, is_route};

pub(crate) const KEYWORDS: &str = r"/home|\home|%2fhome|/users|\users|%2fusers|%5cusers|%5chome";

/// A home as its parts, the last of which names it.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    drive: Option<u8>,
    above: Vec<String>,
    pub(crate) name: String,
}

impl Home {
    /// Nothing for what is too short to be one.
    pub(crate) fn new(path: &str) -> Option<Self> {
        let is_drive =
            |part: &&str| matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic());
        let mut parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        let drive = parts.first().filter(|part| is_drive(part)).and_then(|part| part.bytes().next());
        if drive.is_some() {
            parts.remove(0);
        }
        let name = parts.pop().filter(|name| name.len() > 1)?.to_owned();
        let above = parts.into_iter().map(str::to_owned).collect();
        Some(Self { drive: drive.map(|letter| letter.to_ascii_lowercase()), above, name })
    }

    /// The path that ends with the name at this range.
    pub(crate) fn around(&self, text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
        let is_same = text.get(name.clone())? == self.name.as_bytes() || self.drive.is_some();
        let mut at = separator_before(text, name.start)?;
        for part in self.above.iter().rev() {
            at = separator_before(text, word_before(text, at, part)?)?;
        }
        let start = match self.drive {
            Some(letter) => drive_before(text, at).filter(|(_, own)| *own == letter)?.0,
            None => at,
        };
        // `/root` alone may be the address of a page, not a home.
        let is_alone =
            self.above.is_empty() && self.drive.is_none() && separator_after(text, name.end).is_none();
        let is_quoted =
            start.checked_sub(1).and_then(|at| text.get(at)).is_some_and(|byte| b"\"'`".contains(byte));
        if is_alone && is_quoted {
            return None;
        }
        let begins = self.drive.is_some() || begins_path(text, start);
        (is_same && begins && ends_name(text, name.end)).then_some(start..name.end)
    }
}

/// The name in `/home/name`, `/Users/name` or `C:\Users\name`.
pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    if let Some(range) = somebody(text, at) {
        finds.push(Find { range, kind: "user", rank: Rank::User });
    }
}

fn somebody(text: &[u8], at: usize) -> Option<Range<usize>> {
    let word = separator_after(text, at)?;
    let is_users = text.get(word..word + 5).is_some_and(|word| word.eq_ignore_ascii_case(b"users"));
    let end = word + if is_users { 5 } else { 4 };
    let start = separator_after(text, end)?;
    let begin = separator_before(text, word)?;
    let is_rooted = begins_path(text, begin) && matches!(text.get(word..end), Some(b"Users" | b"home"));
    let is_drive = is_users && drive_before(text, begin).is_some();
    if !(is_rooted || is_drive || is_subsystem(text, begin)) {
        return None;
    }
    let name = name_at(text, start, is_drive)?;
    let own = std::str::from_utf8(text.get(name.clone())?).ok()?;
    let is_home = is_users || !is_route(own) || is_lived_in(text, name.end) || begins_as_file(text, begin);
    (is_home && !is_anybody(own) && !is_file(text, &name)).then_some(name)
}

/// What people have in their homes, and addresses of pages have not.
const BELOW: &str = "work code src dev projects project repos repo git github workspace workspaces desktop documents downloads \
    pictures music videos library applications appdata bin go tmp snap public public_html www miniconda3 anaconda3 venv env \
    onedrive dropbox node_modules rustup cargo nltk_data";

fn is_lived_in(text: &[u8], end: usize) -> bool {
    let Some(start) = separator_after(text, end) else { return false };
    let rest = text.get(start..text.len().min(start + LONGEST_NAME)).unwrap_or_default();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let name = rest.get(..length).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    rest.starts_with(b".") && !rest.starts_with(b"..") || is_one_of(&name.to_ascii_lowercase(), BELOW)
}

fn begins_as_file(text: &[u8], begin: usize) -> bool {
    let before = text.get(begin.saturating_sub(8)..begin).unwrap_or_default();
    let signs = [&b"file://"[..], b"HOME=", b"PWD=", b"cd ", b"~"];
    signs.iter().any(|sign| before.ends_with(sign))
}

/// The user that a home gave away: a page has no folders below, or not such.
pub(crate) fn owner<'a>(text: &'a str, name: &Range<usize>) -> Option<&'a str> {
    let bytes = text.as_bytes();
    let separator = separator_before(bytes, name.start)?;
    let above = bytes.get(..separator)?;
    let is_users = above.ends_with(b"Users");
    let folder = if is_users { 5 } else { 4 };
    let begin = separator_before(bytes, separator.checked_sub(folder)?)?;
    let goes_on = separator_after(bytes, name.end).is_some();
    let is_home = above.ends_with(b"home") && (goes_on || begins_as_file(bytes, begin));
    let own = text.get(name.clone())?;
    ((is_users || is_home) && is_distinct(own)).then_some(own)
}

/// `\\wsl$\Ubuntu\home\…`, `\\wsl.localhost\…`
fn is_subsystem(text: &[u8], end: usize) -> bool {
    let before = text.get(end.saturating_sub(40)..end).unwrap_or_default();
    memchr::memmem::find(before, b"wsl$").is_some()
        || memchr::memmem::find(before, b"wsl.localhost").is_some()
}

const LONGEST_NAME: usize = 64;

/// As much as is text: the end of a window may lie in a letter.
fn valid(window: &[u8]) -> &str {
    window.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default()
}

fn name_at(text: &[u8], start: usize, may_have_blank: bool) -> Option<Range<usize>> {
    let rest = valid(text.get(start..text.len().min(start + 2 * LONGEST_NAME))?);
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let length = rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len());
    let name = rest.get(..length)?.trim_end_matches(['.', '-']);
    if !name.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
        || name.len() > LONGEST_NAME
    {
        return None;
    }
    // First and last name, before the next separator.
    let second = rest.get(length..)?.strip_prefix(' ').filter(|_| may_have_blank);
    let second =
        second.and_then(|second| second.find(|letter| !is_letter(letter)).map(|length| (second, length)));
    let whole = second.filter(|(second, length)| {
        second.starts_with(char::is_uppercase)
            && second.get(*length..).is_some_and(|rest| rest.starts_with(['\\', '/']))
    });
    Some(start..start + whole.map_or(name.len(), |(_, second)| length + 1 + second))
}

/// A page or a module below a folder that is called so.
fn is_file(text: &[u8], name: &Range<usize>) -> bool {
    let endings = "ts tsx js jsx mjs cjs css scss html htm vue svelte py rb go rs java kt php md mdx json yml yaml xml svg png jpg txt";
    let own = text.get(name.clone()).unwrap_or_default();
    let ending = own.rsplit(|byte| *byte == b'.').next().filter(|ending| ending.len() < own.len());
    let is_known = |ending: &[u8]| endings.split_ascii_whitespace().any(|known| known.as_bytes() == ending);
    ending.is_some_and(is_known) && separator_after(text, name.end).is_none()
}
