//! A command line → the passwords that some programs take behind a letter: `curl -u name:x`, `mysql -px`.
//!
//! Apart from the flags with names because here only the program says what the letter means.

use std::ops::Range;

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;
use super::name::Telling;
use super::value::{Setting, is_drawn, is_secret};

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
    "gh secret set",
    "secretsmanager ",
    "ssm put-parameter",
    "vault kv ",
    "vault write",
    "vault login",
    "secrets set",
    "create secret ",
    "sqlcmd",
    "bcp ",
    "twine ",
    "supabase ",
    "htpasswd",
    "keytool",
    "jarsigner",
    "security ",
    "openssl enc",
    "ssh-keygen",
    "useradd",
    "rdesktop",
    "psexec",
    "lftp",
    "bw unlock",
    "bw login",
    "cargo login",
    "add-authtoken",
    "net user",
    "add_user ",
    "rclone config",
];

/// Where such a program has its secret.
enum Manner {
    /// Behind one of these flags; the name stands before it, with this sign between.
    Flags(&'static [&'static str], Option<u8>),
    /// Behind one of these flags at once, without a blank.
    Attached(&'static [&'static str]),
    /// The argument with this number that is no flag, where this flag is given.
    Argument(usize, &'static str),
    /// Every `name=value`.
    Pairs,
    /// Every `name=value` of a cookie, behind one of these flags.
    Cookies(&'static [&'static str]),
}

struct Habit {
    programs: &'static [&'static str],
    manner: Manner,
}

const fn habit(programs: &'static [&'static str], manner: Manner) -> Habit {
    Habit { programs, manner }
}

const HABITS: &[Habit] = &[
    habit(&["curl"], Manner::Flags(&["-u", "--user", "-U", "--proxy-user"], Some(b':'))),
    habit(&["curl"], Manner::Cookies(&["-b", "--cookie"])),
    habit(&["http ", "wget "], Manner::Flags(&["-a", "--auth"], Some(b':'))),
    habit(&["smbclient"], Manner::Flags(&["-U", "--user"], Some(b'%'))),
    habit(&["lftp"], Manner::Flags(&["-u"], Some(b','))),
    habit(&["mysql", "mariadb", "7z ", "unzip ", "zip "], Manner::Attached(&["-p", "-P"])),
    habit(&["unzip ", "zip ", "sqlcmd", "bcp "], Manner::Flags(&["-P"], None)),
    habit(
        &[
            "sshpass",
            "docker login",
            "podman login",
            "registry login",
            "az login",
            "mongosh",
            "mongo ",
            "mongodump",
            "twine ",
            "supabase ",
            "security unlock",
            "security create",
            "useradd",
            "rdesktop",
            "psexec",
        ],
        Manner::Flags(&["-p"], None),
    ),
    habit(&["redis-cli"], Manner::Flags(&["-a", "--pass"], None)),
    habit(&["ldapsearch", "ldapmodify", "security add"], Manner::Flags(&["-w"], None)),
    habit(&["security import"], Manner::Flags(&["-P"], None)),
    habit(&["security set-key", "openssl enc"], Manner::Flags(&["-k"], None)),
    habit(&["gh secret set"], Manner::Flags(&["--body", "-b"], None)),
    habit(&["secretsmanager "], Manner::Flags(&["--secret-string"], None)),
    habit(&["ssm put-parameter"], Manner::Flags(&["--value"], None)),
    habit(&["create secret "], Manner::Flags(&["--from-literal"], Some(b'='))),
    habit(&["vault kv put", "vault kv patch", "vault write", "secrets set"], Manner::Pairs),
    habit(
        &["keytool", "jarsigner"],
        Manner::Flags(&["-storepass", "-keypass", "-srcstorepass", "-deststorepass"], None),
    ),
    habit(&["ssh-keygen"], Manner::Flags(&["-N", "-P"], None)),
    habit(&["htpasswd"], Manner::Argument(3, "b")),
    habit(&["vault login", "bw unlock", "cargo login", "add-authtoken", "bw login"], Manner::Argument(1, "")),
    habit(&["net user", "add_user "], Manner::Argument(2, "")),
    habit(&["rclone config create"], Manner::Flags(&["pass"], None)),
];

const LONGEST: usize = 800;

/// A server's password and a proxy's.
const MOST: usize = 2;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let before = text.get(..at).unwrap_or_default();
    // Behind a dash it is the name of a flag.
    if !crate::hit::starts_word(before) || before.ends_with(b"-") {
        return;
    }
    let here = Cursor::new(text, at);
    for habit in HABITS {
        let program = habit.programs.iter().find(|program| here.clone().eat(program.as_bytes()));
        if let Some(program) = program {
            read_arguments(text, at..at + program.len(), &habit.manner, finds);
        }
    }
}

fn read_arguments(text: &[u8], program: Range<usize>, manner: &Manner, finds: &mut Vec<Find>) {
    let most = finds.len() + MOST;
    let end = end_of_command(text, &program);
    let mut words = Words { cursor: Cursor::new(text, program.end), end };
    let (mut arguments, mut flags) = (0, Vec::new());
    while let Some(word) = words.next().filter(|_| finds.len() < most) {
        let value = text.get(word.clone()).unwrap_or_default();
        let is_flag = value.starts_with(b"-");
        arguments += usize::from(!is_flag);
        if is_flag {
            flags.extend_from_slice(value);
        }
        match manner {
            Manner::Flags(..) | Manner::Attached(_) => {
                let found =
                    value_of(text, &word, manner, &mut words).and_then(|value| secret(text, value, manner));
                finds.extend(found.map(password));
            }
            Manner::Argument(number, flag) => {
                let is_wanted = flag.is_empty() || memchr::memmem::find(&flags, flag.as_bytes()).is_some();
                let range = unquoted(text, word);
                let is_it = !is_flag && arguments == *number && is_wanted && holds(text, &range, manner);
                finds.extend(is_it.then_some(range).map(password));
            }
            Manner::Pairs => {
                let range = behind(text, unquoted(text, word), Some(b'=')).map(|range| unquoted(text, range));
                finds.extend(range.filter(|range| !is_flag && holds(text, range, manner)).map(password));
            }
            Manner::Cookies(_) => {
                if let Some(value) = value_of(text, &word, manner, &mut words) {
                    let pairs = text.get(..value.end).unwrap_or_default();
                    super::cookie::read_pairs(Cursor::new(pairs, value.start), finds);
                }
            }
        }
    }
}

/// The same program again has its own turn.
fn end_of_command(text: &[u8], program: &Range<usize>) -> usize {
    let end = text.len().min(program.start + LONGEST);
    let own = text.get(program.clone()).unwrap_or_default().trim_ascii();
    let rest = text.get(program.end..end).unwrap_or_default();
    let is_apart = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| rest.get(at));
        before.is_none_or(u8::is_ascii_whitespace)
            && rest.get(at + own.len()).is_some_and(u8::is_ascii_whitespace)
    };
    memchr::memmem::find_iter(rest, own).find(is_apart).map_or(end, |at| program.end + at)
}

fn password(range: Range<usize>) -> Find {
    Find { range, kind: "password", rank: Rank::Vague }
}

fn secret(text: &[u8], value: Range<usize>, manner: &Manner) -> Option<Range<usize>> {
    let sign = if let Manner::Flags(_, sign) = manner { *sign } else { None };
    behind(text, value, sign).filter(|range| holds(text, range, manner))
}

fn value_of(text: &[u8], word: &Range<usize>, manner: &Manner, words: &mut Words) -> Option<Range<usize>> {
    let (flags, is_attached) = match manner {
        Manner::Flags(flags, _) | Manner::Cookies(flags) => (*flags, false),
        Manner::Attached(flags) => (*flags, true),
        Manner::Argument(..) | Manner::Pairs => return None,
    };
    let own = text.get(word.clone())?;
    let flag = flags.iter().filter(|flag| own.starts_with(flag.as_bytes())).max_by_key(|flag| flag.len())?;
    let rest = own.get(flag.len()..)?;
    let is_letter = flag.len() == 2;
    match rest.first() {
        None if is_attached => None,
        None => words.next().map(|next| unquoted(text, next)),
        Some(b'=') => Some(unquoted(text, word.start + flag.len() + 1..word.end)),
        Some(_) if !is_letter => None,
        Some(_) => Some(unquoted(text, word.start + flag.len()..word.end)),
    }
}

pub(crate) fn unquoted(text: &[u8], range: Range<usize>) -> Range<usize> {
    let mut cursor = Cursor::new(text.get(..range.end).unwrap_or_default(), range.start);
    let Some(quote) = cursor.eat_quote() else { return range };
    cursor.quoted(quote).unwrap_or(range)
}

fn behind(text: &[u8], range: Range<usize>, sign: Option<u8>) -> Option<Range<usize>> {
    let Some(sign) = sign else { return Some(range) };
    let at = memchr::memchr(sign, text.get(range.clone())?)?;
    let (name, password) = (range.start..range.start + at, range.start + at + 1..range.end);
    // `-u token:`, where the token is the name.
    let is_empty = matches!(text.get(password.clone())?, b"" | b"x-oauth-basic");
    let is_token = is_empty && name.len() >= 20 && is_drawn(text.get(name.clone())?);
    Some(if is_token { name } else { password })
}

fn holds(text: &[u8], range: &Range<usize>, manner: &Manner) -> bool {
    let value = text.get(range.clone()).unwrap_or_default();
    let is_named = matches!(manner, Manner::Flags(_, Some(_)));
    // A letter may mean something else, and then a port or a word follows it.
    let is_sure = match manner {
        Manner::Flags(flags, None) => flags.iter().all(|flag| flag.len() > 2),
        Manner::Flags(_, Some(_)) | Manner::Pairs => true,
        _ => false,
    };
    let is_port =
        value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'/')) && !is_sure;
    let is_enough = value.len() >= 3 || is_named && !value.is_empty();
    let is_placeholder = [&b"password"[..], b"pass", b"secret", b"token"].contains(&value);
    let is_quoted = value.contains(&b' ');
    let is_word = !is_sure && !is_quoted && !is_secret(value, Telling::Password, Setting::Bare);
    is_enough && !is_placeholder && !is_port && !is_word && !is_other(value) && !is_marked(value)
}

/// A path, a flag, a reference, something already hidden.
pub(crate) fn is_other(value: &[u8]) -> bool {
    let begins = value.first().is_none_or(|byte| b"/-~$<[{".contains(byte));
    let is_masked = value.iter().all(|byte| matches!(byte, b'*' | b'x' | b'.'));
    let is_reference = ["${", "$(", "{{", "file://", "@/"]
        .iter()
        .any(|part| memchr::memmem::find(value, part.as_bytes()).is_some());
    begins || is_masked || is_reference
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
