//! A command line → the passwords that some programs take behind a letter: `curl -u name:x`, `mysql -px`.
//!
//! Apart from the flags with names because here only the program says what the letter means.

use std::ops::Range;

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::name::Telling;
use super::value::{Setting, is_secret};

pub(crate) const LITERALS: &[&str] = &[
    "curl",
    "wget ",
    "http ",
    "mysql",
    "mariadb",
    "sshpass",
    "redis-cli",
    "docker login",
    "podman login",
    "registry login",
    "az login",
    "ldapsearch",
    "ldapmodify",
    "smbclient",
    "mongosh",
    "mongo ",
    "mongodump",
    "7z ",
    "unzip ",
    "zip ",
];

/// What such a program does with a flag.
struct Habit {
    programs: &'static [&'static str],
    flags: &'static [&'static str],
    /// The name stands before it, with this sign between.
    after: Option<u8>,
    /// The value may only follow at once, without a blank.
    is_attached: bool,
}

const HABITS: &[Habit] = &[
    Habit {
        programs: &["curl"],
        flags: &["-u", "--user", "-U", "--proxy-user"],
        after: Some(b':'),
        is_attached: false,
    },
    Habit { programs: &["http ", "wget "], flags: &["-a", "--auth"], after: Some(b':'), is_attached: false },
    Habit { programs: &["smbclient"], flags: &["-U", "--user"], after: Some(b'%'), is_attached: false },
    Habit {
        programs: &["mysql", "mariadb", "7z ", "unzip ", "zip "],
        flags: &["-p", "-P"],
        after: None,
        is_attached: true,
    },
    Habit { programs: &["unzip ", "zip "], flags: &["-P"], after: None, is_attached: false },
    Habit {
        programs: &[
            "sshpass",
            "docker login",
            "podman login",
            "registry login",
            "az login",
            "mongosh",
            "mongo ",
            "mongodump",
        ],
        flags: &["-p"],
        after: None,
        is_attached: false,
    },
    Habit { programs: &["redis-cli"], flags: &["-a", "--pass"], after: None, is_attached: false },
    Habit { programs: &["ldapsearch", "ldapmodify"], flags: &["-w"], after: None, is_attached: false },
];

const LONGEST: usize = 800;

/// A server's password and a proxy's.
const MOST: usize = 2;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    if !crate::hit::starts_word(text.get(..at).unwrap_or_default()) {
        return;
    }
    let here = Cursor::new(text, at);
    let fits = |program: &&str| here.clone().eat(program.as_bytes());
    for habit in HABITS.iter().filter(|habit| habit.programs.iter().any(fits)) {
        read_arguments(text, at, habit, finds);
    }
}

fn read_arguments(text: &[u8], at: usize, habit: &Habit, finds: &mut Vec<Find>) {
    let most = finds.len() + MOST;
    let mut words = Words { cursor: Cursor::new(text, at), end: text.len().min(at + LONGEST) };
    while let Some(word) = words.next().filter(|_| finds.len() < most) {
        let Some(value) = value_of(text, &word, habit, &mut words) else { continue };
        let Some(range) = behind(text, value, habit.after) else { continue };
        if holds(text, &range, habit) {
            finds.push(Find { range, kind: "password", rank: Rank::Vague });
        }
    }
}

fn value_of(text: &[u8], word: &Range<usize>, habit: &Habit, words: &mut Words) -> Option<Range<usize>> {
    let own = text.get(word.clone())?;
    let flag = habit.flags.iter().find(|flag| own.starts_with(flag.as_bytes()))?;
    let rest = own.get(flag.len()..)?;
    match rest.first() {
        None if habit.is_attached => None,
        None => words.next().map(|next| unquoted(text, next)),
        Some(b'=') => Some(unquoted(text, word.start + flag.len() + 1..word.end)),
        Some(_) if flag.starts_with("--") => None,
        Some(_) => Some(unquoted(text, word.start + flag.len()..word.end)),
    }
}

fn unquoted(text: &[u8], range: Range<usize>) -> Range<usize> {
    let mut cursor = Cursor::new(text.get(..range.end).unwrap_or_default(), range.start);
    let Some(quote) = cursor.eat_quote() else { return range };
    cursor.quoted(quote).unwrap_or(range)
}

fn behind(text: &[u8], range: Range<usize>, sign: Option<u8>) -> Option<Range<usize>> {
    let Some(sign) = sign else { return Some(range) };
    let at = memchr::memchr(sign, text.get(range.clone())?)?;
    Some(range.start + at + 1..range.end)
}

fn holds(text: &[u8], range: &Range<usize>, habit: &Habit) -> bool {
    let value = text.get(range.clone()).unwrap_or_default();
    let is_port = value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'/'));
    let is_enough = value.len() >= 3 || habit.after.is_some() && !value.is_empty();
    let is_other = value.first().is_some_and(|byte| matches!(byte, b'/' | b'-' | b'~'));
    let is_quoted = value.contains(&b' ');
    let is_word = habit.after.is_none() && !is_quoted && !is_secret(value, Telling::Password, Setting::Bare);
    let is_reference = value.starts_with(b"$")
        || value.starts_with(b"<")
        || value.starts_with(b"[")
        || value.starts_with(b"{");
    let is_masked = value.iter().all(|byte| matches!(byte, b'*' | b'x' | b'.'));
    is_enough && !is_port && !is_other && !is_word && !is_reference && !is_masked
}

/// The words of a shell's line, with their quotes, up to where the command ends.
struct Words<'a> {
    cursor: Cursor<'a>,
    end: usize,
}

impl Words<'_> {
    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            self.cursor.skip(|byte| matches!(byte, b' ' | b'\t'), usize::MAX);
            // A backslash at the end of a line carries on.
            if !(self.cursor.eat(b"\\\n") || self.cursor.eat(b"\\\r\n")) {
                break;
            }
        }
        let start = self.cursor.at;
        while self.cursor.at < self.end {
            let byte = self.cursor.peek()?;
            if byte.is_ascii_whitespace() || matches!(byte, b'|' | b';') || is_escaped_newline(&self.cursor) {
                break;
            }
            let inner = self.cursor.eat_quote().and_then(|quote| self.cursor.quoted(quote));
            match inner {
                Some(inner) => {
                    self.cursor.at = inner.end;
                    let _closing = self.cursor.eat_quote();
                }
                None => self.cursor.at += usize::from(self.cursor.peek() == Some(byte)),
            }
        }
        (self.cursor.at > start).then_some(start..self.cursor.at)
    }
}

/// `\n` of a command that lies in JSON.
fn is_escaped_newline(cursor: &Cursor) -> bool {
    cursor.rest().starts_with(b"\\n")
}
