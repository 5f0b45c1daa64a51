//! A value under a telling name → whether it is a secret, or code, a reference, a form to fill in, a word about it.
//!
//! Apart from the names because the same questions are asked of every notation; the numbers come from trying real
//! transcripts.

use crate::random::{Classes, entropy, has_word, is_uuid};

use super::code::is_code;
use super::mark::is_marked;
use super::name::{Telling, is_one_of, words};

const UUID: usize = 36;

/// How a value stands there, which tells a word that is meant as such from a name in a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// Between quotes, or a string of JSON.
    Quoted,
    /// Between quotes where only values stand: in the file of an environment.
    Literal,
    /// Bare where no program stands: `NAME=value` of a shell, a value of YAML, a flag's.
    Bare,
    /// Bare where it may as well be a variable.
    Code,
    /// Only near the name: in a table, a list, prose.
    Near,
}

/// Passwords are shorter, and words about them.
const LONG: usize = 256;
const SHORTEST_KEY: usize = 20;

/// What stands in the place of a value in manuals.
const FORMS: &str = "xxxx your *** ... placeholder redacted changeme change-me change_me insert- replace \
    example dummy";

/// Values that say something about the secret, or its type.
const WORDS: &str = "true false null none nil undefined yes no on off string str number integer int boolean bool bytes byte \
    object array any unknown void never char text varchar buffer optional required missing invalid valid expired hidden \
    encrypted hashed default empty unset set required readonly static const self this basic bearer digest oauth oauth2 \
    password passwd passphrase pwd pass token tokens secret secrets key keys api apikey auth authorization access refresh \
    id client user username name new old current confirm confirmation reset forgot my the a an is are was and or of for to \
    in not field input value type file path env var variable header cookie session login admin-password here error success \
    ok fail failed failure skip skipped prompt manual automatic function async await return new let const if else import \
    from http https query body param params keychain vault kubernetes inherit generated random hash hashed digest pw cred \
    creds credential credentials flag flags option options argument arguments parameter instead which when that this with can will should \
    must may takes sets uses gets reads expects";

/// Whether this value, under a name that tells so much, must not be seen.
pub(crate) fn is_secret(value: &[u8], telling: Telling, setting: Setting) -> bool {
    if !is_token_if_long(value) || is_marked(value) || is_form(value) || is_code(value, telling, setting) {
        return false;
    }
    let is_set = matches!(setting, Setting::Bare | Setting::Literal);
    match telling {
        Telling::Password => is_password(value, setting),
        Telling::Secret => is_drawn(value) || is_chosen(value, setting),
        Telling::Token => is_drawn(value) || (is_set && is_mixed(value)),
        Telling::Key => {
            let is_id = is_uuid(value) && !is_set;
            value.len() >= SHORTEST_KEY && !is_id && !is_file(value) && is_drawn(value)
        }
    }
}

/// Looked at first, so that endless lines cost little.
fn is_token_if_long(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-.~%".contains(byte);
    let rest =
        value.iter().position(|byte| !is_letter(byte)).and_then(|at| value.get(at..)).unwrap_or_default();
    value.len() <= LONG || (rest.len() <= 3 && rest.iter().all(|byte| *byte == b'='))
}

fn is_password(value: &[u8], setting: Setting) -> bool {
    let classes = Classes::of(value);
    let is_word =
        classes.digits == 0 && value.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(byte));
    let is_foreign = classes.letters() == 0 && value.iter().any(|byte| *byte >= 0x80);
    match setting {
        Setting::Bare | Setting::Literal if is_foreign && classes.digits > 0 => value.len() >= 8,
        _ if value.len() < 4 || (classes.letters() == 0 && classes.digits < 6) => false,
        _ if !value.iter().any(u8::is_ascii_alphanumeric) => false,
        Setting::Bare | Setting::Literal => !is_words(value),
        Setting::Quoted => !is_words(value) && !is_label(value),
        Setting::Code => !is_word && classes.letters() > 0 && !is_words(without_number(value)),
        Setting::Near => {
            let is_name = value.contains(&b'_') && is_numbered(value);
            value.len() >= 6 && classes.digits > 0 && classes.letters() > 1 && !is_name && !is_words(value)
        }
    }
}

/// Short, but no word: in an environment's variable that is enough.
fn is_mixed(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    classes.digits > 0 && value.len() >= 8 && is_chosen(value, Setting::Bare) && !has_word(value, "token")
}

/// `password2` is a second variable, where variables stand.
fn without_number(value: &[u8]) -> &[u8] {
    let length = value.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    value.get(..length).unwrap_or_default()
}

/// Chosen by a person: not so short, and more than the name said again.
fn is_chosen(value: &[u8], setting: Setting) -> bool {
    let classes = Classes::of(value);
    let is_varied = classes.digits > 0 || classes.others > 0 || (classes.upper > 1 && classes.lower > 1);
    let is_enough = match setting {
        Setting::Bare | Setting::Literal => value.len() >= 6,
        Setting::Quoted => value.len() >= 8 && (is_varied || value.len() >= 12),
        Setting::Code | Setting::Near => value.len() >= 10 && classes.digits > 1 && is_varied,
    };
    is_enough && classes.letters() > 2 && !is_words(value) && !is_label(value)
}

/// Whether a machine drew it. Looser than for a guard: the name has said so already.
pub(crate) fn is_drawn(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    if is_uuid(value) || value.windows(UUID).any(is_uuid) || has_long_run(value) {
        return true;
    }
    if value.len() < 8
        || classes.letters() < 2
        || value.iter().any(u8::is_ascii_whitespace)
        || is_words(value)
    {
        return false;
    }
    let is_hex = value.iter().all(u8::is_ascii_hexdigit);
    if is_hex {
        return value.len() >= 16 && classes.digits > 1;
    }
    let is_restless = classes.digits > 1 && classes.changes * 20 >= classes.pairs * 3;
    let is_long = value.len() >= 20 && classes.upper > 2 && classes.lower > 2 && is_choppy(value);
    entropy(value) > 2.3
        && classes.others * 3 <= value.len()
        && (is_restless || is_long)
        && !is_numbered(value)
}

/// Capitals, small letters and digits in turn, as no name has them; strict, for what nothing else gives away.
pub(crate) fn is_machine_drawn(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    let least = if value.len() >= 32 { 3 } else { 2 };
    value.len() >= 12
        && [classes.upper, classes.lower, classes.digits].iter().all(|count| *count >= least)
        && classes.changes * 10 >= classes.pairs * 4
        && classes.others * 6 <= value.len()
        && entropy(value) > if value.len() >= 32 { 3.8 } else { 3.0 }
}

/// Letters and digits in turn, of which some may have one case only.
pub(crate) fn is_jumbled(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    let is_mixed = classes.digits > 0 || classes.upper > 2 && classes.lower > 2;
    value.len() >= 8
        && is_mixed
        && classes.letters() > 2
        && classes.changes * 6 >= classes.pairs
        && entropy(value) > 2.5
}

/// Letters and digits without a sign between, longer than names are.
fn has_long_run(value: &[u8]) -> bool {
    let mut runs = value.split(|byte| !byte.is_ascii_alphanumeric()).filter(|run| run.len() >= 20);
    runs.any(|run| {
        let classes = Classes::of(run);
        classes.digits > 2 && classes.letters() > 3 && entropy(run) > 2.8
    })
}

/// Chance makes words of two letters where people's have four or more.
fn is_choppy(value: &[u8]) -> bool {
    words(value).len() * 3 > value.len()
}

/// Words with a number behind them, as in `release-2024-10` and `user_token_v2`: no part mixes letters and digits much.
fn is_numbered(value: &[u8]) -> bool {
    let mut parts =
        value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b':' | b'/')).filter(|part| !part.is_empty());
    let is_plain = |part: &[u8]| {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        let changes = part.array_windows().filter(|[a, b]| a.is_ascii_digit() != b.is_ascii_digit()).count();
        digits == part.len() || (changes <= 1 && part.len() <= 16 && !has_humps(part))
    };
    parts.all(is_plain)
}

/// Capitals in the midst of small letters, again and again.
fn has_humps(part: &[u8]) -> bool {
    part.array_windows().filter(|[a, b]| a.is_ascii_lowercase() != b.is_ascii_lowercase()).count() > 3
}

/// What a template has where a value will be, and how that ends.
const REFERENCES: &[(&str, &str)] =
    &[("${", "}"), ("$(", ")"), ("{{", "}}"), ("#{", "}"), ("%(", ")"), ("<%", "%>")];

/// A blank to fill in, a reference to be replaced, something already hidden.
fn is_form(value: &[u8]) -> bool {
    let is_same = value.array_windows().all(|[one, other]| one == other);
    let refers = match value {
        [b'<', .., b'>'] | [b'{', .., b'}'] | [b'[', .., b']'] | [b'(', .., b')'] => true,
        [b'%', b's' | b'd' | b'v', ..] => true,
        [b'$', rest @ ..] => is_name_of_variable(rest) || !is_chosen_tail(rest),
        [b'*' | b'&' | b'#' | b'@' | b'%' | b'<' | b'{' | b'[' | b'(', rest @ ..] => !is_chosen_tail(rest),
        _ => false,
    };
    let holds = |part: &str| memchr::memmem::find(value, part.as_bytes());
    let has_reference = REFERENCES.iter().any(|(open, close)| match (holds(open), holds(close)) {
        (Some(0), _) => true,
        (Some(open), Some(close)) => open < close,
        _ => false,
    });
    let has_sign = value.ends_with(b"}}")
        || ["…", "•", "└", "─", "[A-Z", "[a-z", "[0-9", "[^"].iter().any(|sign| holds(sign).is_some());
    is_same || (refers && !has_long_run(value)) || has_reference || has_sign || has_word(value, FORMS)
}

fn is_name_of_variable(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Passwords may begin with a sign, but then the rest mixes classes.
pub(crate) fn is_chosen_tail(rest: &[u8]) -> bool {
    let classes = Classes::of(rest);
    let signs = rest.iter().filter(|byte| byte.is_ascii_punctuation() && !b"_-./:".contains(byte)).count();
    let mixed = [classes.upper, classes.lower, classes.digits, signs].into_iter().filter(|count| *count > 0);
    mixed.count() > 2
}

/// `data/raw/part-00000.parquet`: what stores of objects call a key.
fn is_file(value: &[u8]) -> bool {
    let (path, ending) = value.split_at(memchr::memrchr(b'.', value).unwrap_or(value.len()));
    path.contains(&b'/')
        && (2..=9).contains(&ending.len())
        && ending.iter().skip(1).all(u8::is_ascii_alphanumeric)
}

pub(crate) fn is_said_of_secrets(word: &str) -> bool {
    word.len() > 1 && is_one_of(word, WORDS)
}

/// Nothing but words that people say about secrets, and types.
fn is_words(value: &[u8]) -> bool {
    let is_plain = value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.?:!/".contains(byte));
    let known = |word: &String| is_one_of(word, WORDS) || word.len() == 1;
    let is_short = value.len() <= LONG;
    (is_short && is_plain && words(value).iter().all(known)) || value.iter().all(|byte| *byte >= 0x80)
}

/// What a form shows beside its field, in any language.
fn is_label(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80 || matches!(byte, b':' | b'*');
    let is_capitalised = matches!(value, [first, rest @ ..]
        if (first.is_ascii_uppercase() || *first >= 0x80) && !rest.iter().any(u8::is_ascii_uppercase));
    let is_constant = value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    (is_capitalised && value.iter().all(is_letter)) || is_constant
}
