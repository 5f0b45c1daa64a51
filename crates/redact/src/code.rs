//! A value → whether its form is that of a program, a path or a sentence, so that it is no secret whatever its name says.

use crate::entropy::Classes;

use crate::name::{NameKind, is_one_of, words};
use crate::pattern::Pattern;
use crate::value::{Setting, is_chosen_tail, is_said_of_secrets};

/// Whose members are read, and what they are called.
const MEMBERS: &str = "process config settings setting env environ self this form req request res response props state data \
    params args options opts users auth ctx context event model account values app cfg conf db vars local module output \
    fields errors messages labels hints label hint page i18n test spec json yaml yml";

/// A path, an address, a call, a member, prose.
pub(crate) fn is_code(value: &[u8], name_kind: NameKind, setting: Setting) -> bool {
    let is_doubtful = matches!(setting, Setting::Code | Setting::Near);
    let holds = |part: &&str| memchr::memmem::find(value, part.as_bytes()).is_some();
    let is_call =
        if is_doubtful { ["(", "[", "::", "->"].iter().any(holds) } else { is_expression(value, setting) };
    let is_prose = value.iter().any(u8::is_ascii_whitespace) && !is_phrase(value, name_kind, setting);
    let is_sign = value.starts_with(b"\\")
        || is_doubtful && matches!(value, [b'!' | b'+' | b'-' | b'?' | b':' | b'=', ..]);
    let is_plain_code = setting == Setting::Code && (is_number(value) || is_constant(value));
    let is_type = is_class(value) || is_integer_type(value);
    let is_reference =
        is_member(value) && (is_doubtful || name_kind != NameKind::Password || names_member(value));
    is_call || is_prose || is_sign || is_plain_code || is_type || is_reference || is_address(value)
}

/// `config("TOKEN")`, `z.string().min(8)`, `Option<String>`, `std::env::var`: names with brackets and dots between, where
/// chance has digits and other signs.
fn is_expression(value: &[u8], setting: Setting) -> bool {
    let is_sign = |byte: &u8| b"()[]<>.:?&,'\"`-=".contains(byte);
    let holds = |part: &&str| memchr::memmem::find(value, part.as_bytes()).is_some();
    let mut parts = value.split(is_sign).filter(|part| !part.is_empty());
    let begins = value.first().is_some_and(|first| first.is_ascii_alphabetic() || b"_&".contains(first));
    let has_string = ["(\"", "('", "[\"", "['"].iter().any(holds);
    let is_cut = setting == Setting::Bare && (has_string || matches!(value.last(), Some(b'(' | b'[' | b',')));
    let goes_on = |[one, other]: &[u8; 2]| matches!(one, b')' | b']') && other.is_ascii_alphanumeric();
    let has_form =
        ["(", "[", "::", "->", "<"].iter().any(holds) && begins && !value.array_windows().any(goes_on);
    let fits = has_form && is_balanced(value, is_cut);
    fits && parts.all(|part| is_name(part) || is_number(part))
}

fn is_balanced(value: &[u8], is_cut: bool) -> bool {
    let count = |sign: u8| value.iter().filter(|byte| **byte == sign).count();
    let arrows = memchr::memmem::find_iter(value, b"->").count();
    let pairs = [(count(b'('), count(b')')), (count(b'['), count(b']')), (count(b'<') + arrows, count(b'>'))];
    pairs.into_iter().all(|(open, close)| open == close || (is_cut && open > close))
}

/// Words that say nothing: a passphrase, or anything at all where only values stand.
fn is_phrase(value: &[u8], name_kind: NameKind, setting: Setting) -> bool {
    let is_kept = matches!(name_kind, NameKind::Password | NameKind::Secret);
    match setting {
        Setting::Literal => is_kept,
        Setting::Quoted => is_kept && !is_sentence(value),
        Setting::Bare => is_kept && is_four_by_four(value),
        Setting::Code | Setting::Near => false,
    }
}

/// `abcd efgh ijkl mnop`, as mail services draw passwords for other programs.
pub(crate) fn is_four_by_four(value: &[u8]) -> bool {
    value.len() == 19
        && value.chunks(5).all(|group| {
            group.iter().take(4).all(u8::is_ascii_lowercase) && group.get(4).is_none_or(|byte| *byte == b' ')
        })
}

/// What is said to people about a secret, in any language.
fn is_sentence(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    let parts: Vec<&[u8]> = value.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()).collect();
    let is_said = |part: &&[u8]| {
        let word = part.to_ascii_lowercase();
        let word = std::str::from_utf8(&word).unwrap_or_default();
        is_one_of(word.trim_matches(|letter: char| letter.is_ascii_punctuation()), SAID)
            || words(part).iter().any(|word| is_said_of_secrets(word))
    };
    let is_varied = classes.digits > 0 || parts.len() >= 4 && classes.upper == 0;
    !value.is_ascii() || !is_varied || parts.len() > 30 || value.ends_with(b".") || parts.iter().any(is_said)
}

/// Words of sentences.
const SAID: &str = "a an the your my our this that these is are was were be been must should can could will may has have had at \
    least than then of to for with without in on by from as and or not no do does did please enter type use using set choose \
    provide contain contains characters character chars letters digits numbers number minimum maximum min max long short too \
    match matches incorrect wrong weak strong again here show hide see when if it you we i all any only per first last click \
    press copy get update create delete change changed updated created cost rounds bits minutes hours days seconds";

fn names_member(value: &[u8]) -> bool {
    words(value).iter().any(|word| is_one_of(word, MEMBERS) || is_said_of_secrets(word))
}

fn is_address(value: &[u8]) -> bool {
    static PATH: Pattern = Pattern::new(
        r"\A(?:\.{1,2}/|~[/\\%]|/(?:home|usr|etc|var|run|tmp|opt|Users)/|projects/|[A-Za-z]:[\\/])|://",
    );
    let is_single = memchr::memchr_iter(b'/', value).count() == 1 && is_chosen_tail(value);
    PATH.is_match(value) || value.starts_with(b"/") && !is_random_base64(value) && !is_single
}

/// Base64 may begin with a slash, but has capitals and digits all over.
fn is_random_base64(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    value.len() >= 20 && classes.upper > 3 && classes.digits > 2 && classes.changes * 10 >= classes.pairs * 3
}

/// `process.env.TOKEN`, `config.token`, `auth.password.label`: names with dots between, none random.
fn is_member(value: &[u8]) -> bool {
    let value = value.strip_suffix(b".").unwrap_or(value);
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_name)
}

fn is_name(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    part.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && part.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'?' | b'!'))
        && digits <= 2
        && part.len() <= 40
}

/// `userPassword`, `hashed_pw`, `SecretStr`: words about secrets in a name of a program.
pub(crate) fn is_variable_name(value: &[u8]) -> bool {
    let parts = words(value);
    is_name(value)
        && parts.len() > 1
        && parts.iter().any(|word| is_said_of_secrets(word) || is_one_of(word, MEMBERS))
}

/// `0x80550008_u32`, `134217728`, `2048u32`; longer ones may be keys.
fn is_number(value: &[u8]) -> bool {
    static NUMBER: Pattern = Pattern::new(
        r"\A(?:0x[[:xdigit:]_]{1,20}|[0-9_]{1,20})(?:_*[iuf](?:8|16|32|64|128|size)|n|L|ULL?)?\z",
    );
    NUMBER.is_match(value)
}

/// `u32`, `__u32`, `f64`
fn is_integer_type(value: &[u8]) -> bool {
    static TYPE: Pattern = Pattern::new(r"\A_*[iuf](?:8|16|32|64|128|size)\z");
    TYPE.is_match(value)
}

/// `MAX_TOKEN_2`
fn is_constant(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    value.contains(&b'_') && value.iter().all(is_letter)
}

/// `Ed25519PrivateKey`, `_RSAPrivateKey`: the type of a secret.
fn is_class(value: &[u8]) -> bool {
    let last = value.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_name = last.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let begins = last.first().is_some_and(|first| first.is_ascii_uppercase() || *first == b'_');
    let has_small = last.iter().any(u8::is_ascii_lowercase);
    let parts = words(last);
    let tells = NameKind::of(last).is_some_and(|name_kind| name_kind != NameKind::Password)
        || parts.last().is_some_and(|word| word == "key");
    is_name && begins && has_small && parts.len() > 1 && tells
}
