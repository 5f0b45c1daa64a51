//! A value, and what its name says → whether it is a secret, or code, a reference, a form to fill in, a word about it.
//!
//! All notations ask the same questions; the numbers come from trying real transcripts.

use crate::entropy::{Classes, is_numbered, is_random, is_uuid};
use crate::example::is_placeholder;
use crate::pattern::Pattern;

use crate::code::is_code;
use crate::mark::is_marked;
use crate::name::{NameKind, is_one_of, words};

/// How a value stands there: a word that is meant as such, or perhaps a name in a program.
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

/// Whether this value, under a name of this kind, is a secret.
pub(crate) fn is_secret(value: &[u8], name_kind: NameKind, setting: Setting) -> bool {
    if !is_token_if_long(value)
        || is_marked(value)
        || is_placeholder(value)
        || is_code(value, name_kind, setting)
    {
        return false;
    }
    let is_set = matches!(setting, Setting::Bare | Setting::Literal);
    match name_kind {
        NameKind::Password => is_password(value, setting),
        NameKind::Secret => is_random(value) || is_chosen(value, setting),
        NameKind::Token => is_random(value) || (is_set && is_mixed(value)),
        NameKind::Key => {
            let is_id = is_uuid(value) && !is_set;
            value.len() >= SHORTEST_KEY && !is_id && !is_file(value) && is_random(value)
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
    classes.digits > 0
        && value.len() >= 8
        && is_chosen(value, Setting::Bare)
        && memchr::memmem::find(&value.to_ascii_lowercase(), b"token").is_none()
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

/// Passwords may begin with a sign, but then the rest mixes classes.
pub(crate) fn is_chosen_tail(rest: &[u8]) -> bool {
    let classes = Classes::of(rest);
    let signs = rest.iter().filter(|byte| byte.is_ascii_punctuation() && !b"_-./:".contains(byte)).count();
    let mixed = [classes.upper, classes.lower, classes.digits, signs].into_iter().filter(|count| *count > 0);
    mixed.count() > 2
}

/// `data/raw/part-00000.parquet`: what stores of objects call a key.
fn is_file(value: &[u8]) -> bool {
    static FILE: Pattern = Pattern::new(r"(?s)/.*\.[A-Za-z0-9]{1,8}\z");
    FILE.is_match(value)
}

pub(crate) fn is_said_of_secrets(word: &str) -> bool {
    word.len() > 1 && is_one_of(word, WORDS)
}

/// Nothing but words that people say about secrets, and types.
pub(crate) fn is_words(value: &[u8]) -> bool {
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

/// A path, a flag, a reference, something already hidden.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let begins = value.first().is_none_or(|byte| b"/-~$<[{".contains(byte));
    let is_masked = value.iter().all(|byte| matches!(byte, b'*' | b'x' | b'.'));
    let parts = ["${", "$(", "{{", "file://", "@/"];
    begins || is_masked || parts.iter().any(|part| memchr::memmem::find(value, part.as_bytes()).is_some())
}
