//! `name = value` in any notation → the value, where the name tells that it is a secret and the value is no code.
//!
//! [`NOTATIONS`] are patterns that are tried behind the name: assignments of programs, shells, YAML, JSON and XML, flags
//! of commands, headers, columns. How much a value must look like a secret depends on where it stands: [`Setting`].

use std::ops::Range;
use std::sync::LazyLock;

use crate::code::{is_four_by_four, is_variable_name};
use crate::entropy::is_random;
use crate::find::{Find, Rank};
use crate::line;
use crate::mark::touches_mark;
use crate::name::{NameKind, is_one_of, words};
use crate::pattern::{Parts, Pattern};
use crate::table;
use crate::text::holds_login;
use crate::value::{Setting, is_secret};

/// Every name of a secret contains one of these.
pub(crate) const KEYWORDS: &str = r#"pass|pwd|_pw|pw:|pw=|pw =|"pw"|'pw'|psk=|bindpw|secret|token|key|authorization|"auth|'auth|_auth|.auth|credential|_pat|_jwt"#;

pub(crate) const LONGEST_NAME: usize = 80;
/// How far behind its name a value may end.
const REACH: usize = 4096;
/// Passwords are shorter; what is longer has only letters of tokens.
const LONGEST_WORD: usize = 260;
/// How far above a name the head of its section stands.
const SECTION: usize = 1200;

struct Notation {
    /// What may follow the name, its closing quote and blanks; looked at first, because it is cheap.
    signs: &'static [u8],
    /// Behind the name; the first group that takes part is the value.
    pattern: Pattern,
    /// How the value stands there; nothing where the notation is another one after all.
    setting: Judge,
}

type Judge = fn(&Place, &Range<usize>) -> Option<Setting>;

const fn notation(signs: &'static [u8], pattern: &'static str, setting: Judge) -> Notation {
    Notation { signs, pattern: Pattern::with_parts(pattern, PARTS, true), setting }
}

const PARTS: Parts = &[
    ("SIGN", r"[ \t]*(?:[:?|~]{0,2}={1,3}[>~]?|:)[ \t]*(?:\*\*[ \t]*)?"),
    ("QUOTED", r#"[brf@]?(?:"((?:[^"\n\\]|\\.)*)"|'((?:[^'\n\\]|\\.)*)'|`((?:[^`\n\\]|\\.)*)`)"#),
    ("WORD", r#"((?:[^\s"'`\\]|\\[^nrt"'`\\\s])(?:[^\s\\]|\\[^nrt"'`\\\s])*)"#),
    ("BARE", r#"((?:[^\s"'`<>,;|&)}\]\\]|\\[^nrt"'`\\\s])+)"#),
    ("END", r#"["'`]?[\]*?!]{0,3}"#),
    ("MARGIN", r"[\s\d|+>:#-]*(?:→\s*)?"),
];

static NOTATIONS: LazyLock<Vec<Notation>> = LazyLock::new(|| {
    vec![
        notation(b"=:?|~", r#"ENDSIGN(?:"""\s*([^"]+?)\s*"""|'''\s*([^']+?)\s*''')"#, |_, _| {
            Some(Setting::Quoted)
        }),
        notation(b"=:?|~", r"ENDSIGN\(?QUOTED", quoted),
        // `~ password = "old" -> "new"`
        notation(b"=:", r#"ENDSIGN"[^"\n]*" *[-=]> *QUOTED"#, |_, _| Some(Setting::Quoted)),
        // `password: string = "…"`
        notation(b":", r"END:[ \t]*[\w<>\[\]&| ]{1,24}=[ \t]*QUOTED", |_, _| Some(Setting::Quoted)),
        // `process.env.TOKEN || "…"`, `getenv("TOKEN", "…")`: what is taken where the reference leads nowhere.
        notation(b"=:", r"ENDSIGN[^\n]{0,120}?(?:\|\| |\?\? |, |or )QUOTED", random_only),
        notation(b"|?o,", r#"["'`)\]]*[ \t]*(?:\|\||\?\?|or|,)[ \t]*QUOTED"#, random_only),
        notation(b"=:?|~", "ENDSIGNWORD", |place, value| place.whole_word(value)),
        notation(b"=:?|~", "ENDSIGNBARE", |place, value| Some(place.setting(value))),
        // `password: >-` and the value below.
        notation(b":", r"END:[ \t]*[|>][-+]?[ \t]*\nMARGINWORD", |_, _| Some(Setting::Bare)),
        notation(b":=", r"ENDSIGN\r?\nMARGIN(?:QUOTED|WORD)[ \t]*(?:\r?\n|$)", |place, _| {
            place.begins_line().then_some(Setting::Near)
        }),
        // `- name: PASSWORD` and `value: …` below it, `{"key":"PASSWORD","value":"…"}`.
        notation(
            b",\n\r\\vV\"P ",
            r#"["']?,?MARGIN["']?\w*[Vv]alue["']?[ \t]*[:=][ \t]*(?:QUOTED|BARE)"#,
            |_, value| Some(if value.is_empty() { Setting::Near } else { Setting::Quoted }),
        ),
        // The next of a list: `["--password", "…"]`.
        notation(b",", r#"["'`][ \t]*,\s*QUOTED"#, |place, value| {
            let is_flag = place.is_flag() && place.name_kind == NameKind::Password;
            let follows_flag = place.text.get(value.start) == Some(&b'-');
            (!follows_flag).then_some(if is_flag { Setting::Quoted } else { Setting::Near })
        }),
        notation(b"> ", r"(?: [^<>\n/]{0,80})?>([^<\s][^<\n]*)", |place, _| {
            (place.before().ends_with(b"<") && !place.before().ends_with(b"?<")).then_some(Setting::Quoted)
        }),
        notation(b"<", r"</key>\s*<string>([^<]+)", |_, _| Some(Setting::Quoted)),
        notation(b":-=", r#":?[-=]([^}"'`?][^}"'`]*)\}"#, |place, _| {
            place.before().ends_with(b"${").then_some(Setting::Bare)
        }),
        // `--password x`, `login x password y`, `PASSWORD 'x'`, `storePassword "x"`, `password    x`.
        notation(b"", r"[ \t]+(?:QUOTED|WORD)", behind_blank),
        notation(b"", r"\s+(\S+)", |place, _| {
            let near = place.text.get(place.name.start.saturating_sub(80)..place.name.start)?;
            let is_netrc = place.own_name() == b"password" && memchr::memmem::find(near, b"login ").is_some();
            is_netrc.then_some(Setting::Bare)
        }),
    ]
});

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let name = name_around(text, at);
    let own = text.get(name.clone()).unwrap_or_default();
    let Some(next) = sign_behind(text, &name) else { return };
    if touches_mark(text, &name) {
        return;
    }
    let Some(name_kind) = NameKind::of(own) else { return };
    let kind = kind_of(name_kind, own);
    let mut push = |range| finds.push(Find { range, kind, rank: Rank::Context });
    table::read(text, &name, name_kind, &mut push);
    let place = Place { text, name, name_kind };
    for notation in NOTATIONS.iter() {
        if !notation.signs.is_empty() && !notation.signs.contains(&next) {
            continue;
        }
        if let Some(value) = notation.value(&place) {
            push(value);
            break;
        }
    }
}

impl Notation {
    fn value(&self, place: &Place) -> Option<Range<usize>> {
        let value = self.pattern.value(place.text, place.name.end..place.name.end + REACH)?;
        let value = without_scheme(place, value);
        let setting = (self.setting)(place, &value)?;
        let value = if setting == Setting::Quoted { value } else { place.trimmed(value) };
        holds(place, &value, setting).then_some(value)
    }
}

/// The byte that tells which notation it may be, behind the name's closing quote and blanks.
fn sign_behind(text: &[u8], name: &Range<usize>) -> Option<u8> {
    let rest = text.get(name.end..)?;
    let is_around = |byte: &u8| b"\"'`]*!) \t".contains(byte);
    let gap = rest.iter().take(24).take_while(|byte| is_around(byte)).count();
    let sign = *rest.get(gap)?;
    let is_blank = rest.first().is_some_and(u8::is_ascii_whitespace);
    let has_sign =
        b"=:?|~,<>}\n\r".contains(&sign) || gap > 0 && b"voP-".contains(&sign.to_ascii_lowercase());
    (has_sign || is_blank || sign == b'-').then_some(sign)
}

/// The whole name around a keyword.
pub(crate) fn name_around(text: &[u8], at: usize) -> Range<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    // The keyword may begin with a quote.
    let is_quoted = text.get(at).is_some_and(|byte| b"\"'".contains(byte));
    let before = text.get(at.saturating_sub(LONGEST_NAME)..at).unwrap_or_default();
    let length = before.iter().rev().take_while(|byte| is_name(byte)).count();
    let mut start = if is_quoted { at + 1 } else { at - length };
    let is_escape =
        start < at && before.get(..before.len() - length).is_some_and(|before| before.ends_with(b"\\"));
    start += usize::from(is_escape && text.get(start).is_some_and(|byte| b"nrt".contains(byte)));
    let rest = text.get(at.max(start)..).unwrap_or_default();
    let mut end = at.max(start) + rest.iter().take(LONGEST_NAME).take_while(|byte| is_name(byte)).count();
    while end > start && text.get(end - 1).is_some_and(|byte| matches!(byte, b'.' | b'-')) {
        end -= 1;
    }
    start - word_before_key(text, start..end)..end
}

/// `API key: …` is a name of two words.
fn word_before_key(text: &[u8], name: Range<usize>) -> usize {
    let words = "api access secret private license auth encryption master signing account";
    let before = text.get(name.start.saturating_sub(12)..name.start).unwrap_or_default();
    let is_key = text.get(name).is_some_and(|name| name.eq_ignore_ascii_case(b"key"));
    let above = before.strip_suffix(b" ").filter(|_| is_key).unwrap_or_default();
    let word = above.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_first = is_one_of(&String::from_utf8_lossy(word).to_ascii_lowercase(), words);
    if is_first { word.len() + 1 } else { 0 }
}

/// The secret in a string of JSON, by the key it stands under.
pub(crate) fn under(key: &str, name_kind: NameKind, value: &[u8]) -> Option<Find> {
    let key = key.as_bytes();
    let end = value.trim_ascii_end().len();
    let start = (value.len() - value.trim_ascii_start().len()).min(end);
    let start = start + scheme(value.get(start..end)?, is_login(key));
    let secret = value.get(start..end)?;
    let holds = is_secret(secret, name_kind, Setting::Quoted) || (is_login(key) && holds_login(secret));
    holds.then_some(Find { range: start..end, kind: kind_of(name_kind, key), rank: Rank::Context })
}

fn holds(place: &Place, range: &Range<usize>, setting: Setting) -> bool {
    let value = place.text.get(range.clone()).unwrap_or_default();
    let name = place.own_name();
    let is_short =
        name.rsplit(|byte| *byte == b'-').next().is_some_and(|word| word.eq_ignore_ascii_case(b"pass"));
    // `PASS: TestName` is how tests report.
    if is_short && name.ends_with(b"S") && place.text.get(place.name.end) == Some(&b':') {
        return false;
    }
    let name_kind = if is_short && setting != Setting::Bare { NameKind::Token } else { place.name_kind };
    !says_name(value, name) && is_secret(value, name_kind, setting) || (is_login(name) && holds_login(value))
}

/// `CHALLENGE_PASSWORD: "challengePassword"`
fn says_name(value: &[u8], name: &[u8]) -> bool {
    let is_name = value.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(byte));
    if !is_name || value.len() > 2 * name.len() {
        return false;
    }
    let (said, own) = (words(value), words(name));
    said.len() > 1 && said.iter().all(|word| own.contains(word))
}

fn quoted(place: &Place, _: &Range<usize>) -> Option<Setting> {
    let is_environment = place.is_tight() && place.is_variable() && place.begins_line();
    Some(if is_environment { Setting::Literal } else { Setting::Quoted })
}

fn random_only(place: &Place, value: &Range<usize>) -> Option<Setting> {
    is_random(place.text.get(value.clone())?).then_some(Setting::Near)
}

fn behind_blank(place: &Place, value: &Range<usize>) -> Option<Setting> {
    let name = place.own_name();
    let quote =
        value.start.checked_sub(1).and_then(|at| place.text.get(at)).filter(|byte| b"\"'".contains(byte));
    let gap = place.text.get(place.name.end..value.start)?;
    let is_password = name.len() >= 8 && name.get(name.len() - 8..)?.eq_ignore_ascii_case(b"password");
    if place.is_flag() {
        let is_word = place.name_kind != NameKind::Password || place.is_help(value);
        return Some(if quote.is_some() {
            Setting::Quoted
        } else if is_word {
            Setting::Code
        } else {
            Setting::Bare
        });
    }
    if quote == Some(&b'\'') && name == b"PASSWORD" || quote.is_some() && is_password && place.begins_line() {
        return Some(Setting::Quoted);
    }
    let is_column = gap.len() > 1 || gap == b"\t";
    let ends = line::ends(place.text, value.end) || place.is_help(value);
    (is_column && quote.is_none() && place.begins_line() && ends).then_some(Setting::Near)
}

fn without_scheme(place: &Place, range: Range<usize>) -> Range<usize> {
    let value = place.text.get(range.clone()).unwrap_or_default();
    let length = scheme(value, is_login(place.own_name()));
    if length > 0 || value.is_empty() {
        return range.start + length..range.end;
    }
    // A bare word is the scheme itself, and the value comes behind it.
    let rest = place.text.get(range.start..place.text.len().min(range.start + REACH)).unwrap_or_default();
    let is_quoted = place.text.get(range.end).is_some_and(|byte| b"\"'`".contains(byte));
    let length = if is_quoted { 0 } else { scheme(rest, is_login(place.own_name())) };
    let word = rest.get(length..).unwrap_or_default();
    let end = word.iter().position(|byte| byte.is_ascii_whitespace() || b"\"'`<>,;|&)}]\\".contains(byte));
    if length > range.len() {
        range.start + length..range.start + length + end.unwrap_or(word.len())
    } else {
        range
    }
}

fn is_login(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b"auth") || name.ends_with(b"authorization")
}

/// How long the word before the credentials of a header is; services have words of their own.
fn scheme(value: &[u8], is_login: bool) -> usize {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let length = value.iter().take(17).take_while(|byte| is_letter(byte)).count();
    let word = String::from_utf8_lossy(value.get(..length).unwrap_or_default()).to_ascii_lowercase();
    let is_known = is_one_of(&word, "bearer basic token apikey bot negotiate digest key splunk");
    let blanks = value.iter().skip(length).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if blanks > 0 && (is_known || is_login && (1..17).contains(&length)) { length + blanks } else { 0 }
}

pub(crate) fn kind_of(name_kind: NameKind, name: &[u8]) -> &'static str {
    let lower = name.to_ascii_lowercase();
    let holds = |part: &str| memchr::memmem::find(&lower, part.as_bytes()).is_some();
    match name_kind {
        NameKind::Password => "password",
        NameKind::Token if is_login(name) => "authorization",
        NameKind::Key => "api-key",
        NameKind::Token if holds("key") => "api-key",
        NameKind::Token => "token",
        NameKind::Secret if holds("aws_secret") || holds("secret_access_key") || holds("secretaccesskey") => {
            "aws-secret-key"
        }
        NameKind::Secret => "secret",
    }
}

/// A name in a text, and the text around it.
struct Place<'a> {
    text: &'a [u8],
    name: Range<usize>,
    name_kind: NameKind,
}

impl Place<'_> {
    fn own_name(&self) -> &[u8] {
        self.text.get(self.name.clone()).unwrap_or_default()
    }

    fn before(&self) -> &[u8] {
        self.text.get(..self.name.start).unwrap_or_default()
    }

    /// Whether `=` follows the name with nothing around it.
    fn is_tight(&self) -> bool {
        match self.text.get(self.name.end..).unwrap_or_default() {
            [b'=', next, ..] | [b'"' | b'\'', b'=', next, ..] => !next.is_ascii_whitespace() && *next != b'=',
            _ => false,
        }
    }

    fn is_colon(&self) -> bool {
        let rest = self.text.get(self.name.end..).unwrap_or_default();
        let rest = rest.strip_prefix(b"\"").or(rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
        matches!(rest, [b':', next, ..] if *next != b'=' && *next != b':')
    }

    fn begins_line(&self) -> bool {
        line::is_start(self.text, self.name.start)
    }

    /// To the blank that ends it, where the value has a line or a shell's word for itself.
    fn whole_word(&self, range: &Range<usize>) -> Option<Setting> {
        if range.len() > LONGEST_WORD {
            return None;
        }
        let before = self.before().last().copied();
        let opens = before.is_some_and(|byte| b"\"'`".contains(&byte));
        let value = self.text.get(range.clone())?;
        let is_cut = shell_end(value) < value.len();
        let stands_apart = opens || before.is_none_or(|byte| byte.is_ascii_whitespace());
        let is_word = self.is_tight()
            && !is_cut
            && (self.is_flag() || self.is_variable() && (stands_apart || self.begins_line()));
        let is_statement = matches!(value.last(), Some(b',' | b';' | b'{' | b'('));
        let is_line = !is_statement && !is_cut && self.is_whole_line(range);
        (is_word || is_line).then(|| self.setting(range))
    }

    fn setting(&self, range: &Range<usize>) -> Setting {
        let is_set = self.is_tight()
            && (self.is_variable() || self.is_flag() || self.is_connection(range) || self.is_argument());
        let is_line =
            self.is_whole_line(range) && (self.is_tight() || self.is_colon() || self.is_in_section());
        if is_set || is_line || self.is_colon() && self.is_prompt(range) {
            Setting::Bare
        } else {
            Setting::Code
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
        let value = value.get(..shell_end(value)).unwrap_or_default();
        if value.len() == 4 && self.text.get(range.start..range.start + 19).is_some_and(is_four_by_four) {
            return range.start..range.start + 19;
        }
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
        let before = self.before().last();
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
        static HEAD: Pattern = Pattern::new(r#"(?m)(?:^|")\[[\w.: "/-]{1,80}\][ \t]*(?:$|\r|\\n)"#);
        let near =
            self.text.get(self.name.start.saturating_sub(SECTION)..self.name.start).unwrap_or_default();
        HEAD.is_match(near)
    }

    /// `New password: x`
    fn is_prompt(&self, range: &Range<usize>) -> bool {
        let words = "new old current enter your my the default initial temporary generated admin root user database db master \
            login account sudo confirm retype repeat";
        let before = String::from_utf8_lossy(line::before(self.text, self.name.start)).to_ascii_lowercase();
        let is_asked = before.split_ascii_whitespace().all(|word| is_one_of(word, words));
        !before.trim().is_empty()
            && is_asked
            && line::ends(self.text, range.end)
            && self.name_kind == NameKind::Password
    }

    /// `--password string   what it is for`: two blanks behind the value, as in lists of flags.
    fn is_help(&self, range: &Range<usize>) -> bool {
        let rest = self.text.get(range.end..).unwrap_or_default();
        matches!(rest, [b' ' | b'\t', b' ' | b'\t', ..])
    }
}

/// Where a word ends that goes to the next blank: at a closing tag or quote, at `&&`, before the next `name=`.
fn shell_end(value: &[u8]) -> usize {
    static END: Pattern =
        Pattern::new(r#"["'`](?:[^A-Za-z0-9]|$)|</|<br|&&|\|\||[&|,;][A-Za-z_][\w.-]{2,40}="#);
    END.find(value).map_or(value.len(), |found| found.start())
}

#[cfg(test)]
mod tests {
    use super::NOTATIONS;

    #[test]
    fn every_pattern_compiles() {
        assert!(NOTATIONS.iter().all(|notation| notation.pattern.captures_len() > 1));
    }
}
