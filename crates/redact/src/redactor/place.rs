//! A name and its sign in a text → how far a bare value reaches, and how much it is to be believed.
//!
//! Apart from the reader of values because all of it is a question of what stands around: a line, a shell's word, a
//! program.

use std::ops::Range;

use super::code::{is_four_by_four, is_variable_name};
use super::cursor::Cursor;
use super::line;
use super::name::{Telling, is_one_of};
use super::notation::{LONGEST_NAME, Sign};
use super::value::Setting;

/// What ends a bare value besides blanks and quotes.
const ENDS: &[u8] = b"\"'`<>,;|&)}]";

/// Passwords are shorter; what is longer has only letters of tokens.
const LONG: usize = 260;

/// How far above the head of its section stands.
const SECTION: usize = 1200;

/// What is asked for at a prompt.
const PROMPT: &str = "new old current enter your my the default initial temporary generated admin root user database db master \
    login account sudo confirm retype repeat bitte neues";

pub(crate) struct Place<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) name: Range<usize>,
    pub(crate) sign: Sign,
    pub(crate) telling: Telling,
}

impl Place<'_> {
    pub(crate) fn own_name(&self) -> &[u8] {
        self.text.get(self.name.clone()).unwrap_or_default()
    }

    /// Whether the name is the first on its line.
    pub(crate) fn begins_line(&self) -> bool {
        line::before(self.text, self.name.start).is_empty()
    }

    pub(crate) fn quoted_setting(&self) -> Setting {
        match self.sign {
            Sign::Near if !self.is_flag() || self.telling != Telling::Password => Setting::Near,
            Sign::Tight if self.is_variable() && self.begins_line() => Setting::Literal,
            _ => Setting::Quoted,
        }
    }

    pub(crate) fn setting(&self, range: &Range<usize>) -> Setting {
        match self.sign {
            Sign::Tight
                if self.is_variable()
                    || self.is_flag()
                    || self.is_connection(range)
                    || self.is_argument() =>
            {
                Setting::Bare
            }
            Sign::Colon | Sign::Tight if self.is_whole_line(range) => Setting::Bare,
            Sign::Assigns if self.is_whole_line(range) && self.is_in_section() => Setting::Bare,
            Sign::Colon if self.is_prompt(range) => Setting::Bare,
            Sign::Blank if self.is_flag() && (self.telling != Telling::Password || self.is_help(range)) => {
                Setting::Code
            }
            Sign::Blank | Sign::Otherwise => Setting::Bare,
            Sign::Element => Setting::Quoted,
            Sign::Near | Sign::Column => Setting::Near,
            _ => Setting::Code,
        }
    }

    /// To the blank that ends it where it has a line or a shell's word for itself, to any sign elsewhere.
    pub(crate) fn bare(&self, cursor: &Cursor) -> Range<usize> {
        let cursor = within_reach(cursor);
        let range = match self.sign {
            Sign::Element => cursor.bare(b"<"),
            Sign::Otherwise => cursor.bare(b"}\"'`"),
            _ => self.own_word(&cursor).unwrap_or_else(|| self.trimmed(cursor.bare(ENDS))),
        };
        let wide = range.start..range.start + 19;
        let is_wide = self.text.get(wide.clone()).is_some_and(is_four_by_four);
        let is_end = !self.text.get(wide.end).is_some_and(u8::is_ascii_alphanumeric);
        match self.sign {
            Sign::Column if !self.ends_column(&range) => range.start..range.start,
            Sign::Tight | Sign::Colon if is_wide && is_end => wide,
            _ => range,
        }
    }

    fn own_word(&self, cursor: &Cursor) -> Option<Range<usize>> {
        let before = self.name.start.checked_sub(1).and_then(|at| self.text.get(at)).copied();
        let opening = before.filter(|byte| b"\"'`".contains(byte));
        let word = || shell_word(cursor, opening);
        let stands_apart = opening.is_some() || before.is_none_or(|byte| byte.is_ascii_whitespace());
        match self.sign {
            Sign::Tight | Sign::Blank if self.is_flag() => Some(self.trimmed(word())),
            Sign::Tight if self.is_variable() && (stands_apart || self.begins_line()) => {
                Some(self.trimmed(word()))
            }
            Sign::Tight | Sign::Colon | Sign::Assigns if self.begins_line() => {
                let range = word();
                let last = range.end.checked_sub(1).and_then(|at| self.text.get(at));
                let is_statement = matches!(last, Some(b',' | b';' | b'{' | b'('));
                (!is_statement && self.is_whole_line(&range)).then_some(range)
            }
            _ => None,
        }
    }

    fn is_flag(&self) -> bool {
        self.own_name().starts_with(b"-")
    }

    /// `DB_PASSWORD`, `TF_VAR_db_password`
    fn is_variable(&self) -> bool {
        let name = self.own_name();
        let first = name.split(|byte| *byte == b'_').next().unwrap_or_default();
        let is_constant = |part: &[u8]| part.iter().all(|byte| !byte.is_ascii_lowercase());
        is_constant(name) || (first.len() > 1 && first.len() < name.len() && is_constant(first))
    }

    /// A sentence's full stop is not the value's, nor is a bracket that was opened before.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let value = self.text.get(range.clone()).unwrap_or_default();
        let opens = |sign: u8| value.contains(&sign);
        let is_other = |byte: &u8| match byte {
            b'.' | b':' | b',' | b';' | b'"' | b'\'' | b'`' => true,
            b')' => !opens(b'('),
            b']' => !opens(b'['),
            b'}' => !opens(b'{'),
            _ => false,
        };
        let length = value.iter().rposition(|byte| !is_other(byte)).map_or(0, |last| last + 1);
        range.start..range.start + length
    }

    /// Between semicolons, as in `Server=x;Password=y;`.
    fn is_connection(&self, range: &Range<usize>) -> bool {
        let before = self.name.start.checked_sub(1).and_then(|at| self.text.get(at));
        before.is_some_and(|byte| b";&?".contains(byte))
            || self.text.get(range.end) == Some(&b';') && before.is_none_or(|byte| b"\"'".contains(byte))
    }

    /// `--set db.password=x`, `-e password=x`, `--from-literal=password=x`
    fn is_argument(&self) -> bool {
        let start = self.name.start.saturating_sub(LONGEST_NAME);
        let near = self.text.get(start..self.name.start).unwrap_or_default();
        let near = near.strip_suffix(b"\"").or(near.strip_suffix(b"'")).unwrap_or(near).trim_ascii_end();
        let word = near.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let is_cut = start > 0 && word.len() == near.len();
        !is_cut && matches!(word, [b'-', second, ..] if second.is_ascii_alphabetic() || *second == b'-')
    }

    /// `  name: value` and nothing else, as YAML has it, and no variable.
    fn is_whole_line(&self, range: &Range<usize>) -> bool {
        let value = self.text.get(range.clone()).unwrap_or_default();
        line::ends(self.text, range.end)
            && self.begins_line()
            && !is_variable_name(value)
            && !line::is_in_program(self.text, self.name.start, range.end)
    }

    /// Below `[section]`, as settings have it that know no quotes.
    fn is_in_section(&self) -> bool {
        let near =
            self.text.get(self.name.start.saturating_sub(SECTION)..self.name.start).unwrap_or_default();
        let heads = [&b"\n["[..], br"\n[", b"\"["];
        let last = |head: &&[u8]| memchr::memmem::rfind(near, head).map(|at| at + head.len());
        let first = near.starts_with(b"[").then_some(1);
        let Some(start) = heads.iter().filter_map(last).max().or(first) else {
            return false;
        };
        let head = near.get(start..).unwrap_or_default();
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.: \"/".contains(&byte);
        let mut cursor = Cursor::new(head, 0);
        cursor.skip(is_letter, 80) > 0 && cursor.eat(b"]") && line::ends(head, cursor.at)
    }

    /// `New password: x`
    fn is_prompt(&self, range: &Range<usize>) -> bool {
        let before = line::before(self.text, self.name.start).to_ascii_lowercase();
        let before = std::str::from_utf8(&before).unwrap_or_default();
        let mut words = before.split_ascii_whitespace();
        !before.is_empty()
            && words.all(|word| is_one_of(word, PROMPT))
            && line::ends(self.text, range.end)
            && self.telling == Telling::Password
    }

    /// `--password string   what it is for`: two blanks behind the value, as in lists of flags.
    fn is_help(&self, range: &Range<usize>) -> bool {
        let rest = self.text.get(range.end..).unwrap_or_default();
        matches!(rest, [b' ' | b'\t', b' ' | b'\t', ..])
    }

    fn ends_column(&self, range: &Range<usize>) -> bool {
        line::ends(self.text, range.end) || self.is_help(range)
    }
}

fn within_reach<'a>(cursor: &Cursor<'a>) -> Cursor<'a> {
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/_-.~%".contains(byte);
    let letters = cursor.rest().iter().take_while(is_letter).take(4096).count();
    let end = cursor.at + LONG.max(letters + 4);
    Cursor::new(cursor.text.get(..end).unwrap_or(cursor.text), cursor.at)
}

/// Up to a blank, or to what ends it in a shell, a page or a list of such pairs.
fn shell_word(cursor: &Cursor, opening: Option<u8>) -> Range<usize> {
    let range = cursor.bare(b"");
    let value = cursor.text.get(range.clone()).unwrap_or_default();
    let stops = |at: &usize| {
        let rest = value.get(at + 1..).unwrap_or_default();
        let next = rest.first().copied();
        match value.get(*at).copied() {
            Some(quote @ (b'"' | b'\'' | b'`')) => {
                Some(quote) == opening || !next.is_some_and(|byte| byte.is_ascii_alphanumeric())
            }
            Some(b'<') => next == Some(b'/') || rest.starts_with(b"br"),
            Some(sign @ (b'&' | b'|')) => next == Some(sign) || begins_pair(rest),
            Some(b',' | b';') => begins_pair(rest),
            _ => false,
        }
    };
    let length = (0..value.len()).find(stops).unwrap_or(value.len());
    range.start..range.start + length
}

fn begins_pair(rest: &[u8]) -> bool {
    let mut cursor = Cursor::new(rest, 0);
    let is_name = rest.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    is_name
        && cursor.skip(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte), 40) > 2
        && cursor.eat(b"=")
}
