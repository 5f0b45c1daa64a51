//! Random letters, with no sign around them → a token of some service.
//!
//! No table can list all services. What is random for other reasons (digests, ids, media, names of files) is told by its
//! alphabet, its length and what stands right before it.

use std::ops::Range;

use crate::entropy::{Classes, is_surely_random, is_uuid};

use crate::find::{Find, Rank};
use crate::name::{is_one_of, words};
use crate::text::{decoded, is_base64, long_runs};

/// Every run that is as long covers one of the bytes that are looked at.
const STEP: usize = 24;
/// With a word before it that says what it is.
const TOLD: usize = 20;
/// With nothing: ids are shorter.
const UNTOLD: usize = 32;
/// Blobs are longer.
const LONGEST: usize = 220;
/// Of AWS, of 32 and of 64 bytes.
const PADDED: [usize; 3] = [40, 44, 88];
/// Of parts with dots between, together and each.
const DOTTED: usize = 50;
const SHORTEST_PART: usize = 5;
/// How far before a run its name begins.
const NEAR: usize = 48;
const HEX: [usize; 3] = [32, 40, 64];
/// Of files in base64.
const LINE: usize = 60;

/// Parts of a token that say it is one.
const TELLING: &str =
    "key token secret sk pat pk live test prod auth apikey api access private rk cred password pwd";
/// Names of what is random and harmless.
const HARMLESS: &str = "id uuid guid hash sha sha1 sha256 sha384 sha512 md5 h1 digest checksum integrity cursor page etag nonce commit \
    revision rev build chunk fingerprint signature mappings public pub address wallet tx txid transaction block cid trace span request \
    version next continuation sitekey site measurement ssh pin data image font src href url uri file path name tracking csrf xsrf \
    anonymous machine device invocation oid ref tree parent crc merkle root resource bucket account tenant sync";
/// The same, anywhere before it on its line.
const DIGESTS: &str = "hash sha sha1 sha256 sha384 sha512 md5 digest checksum fingerprint integrity";
/// What begins a thing that has a number, and no secret.
const THINGS: &[&[u8]] = &[
    b"msg_",
    b"toolu_",
    b"srvtoolu_",
    b"req_",
    b"chatcmpl-",
    b"call_",
    b"resp_",
    b"rs_",
    b"fc_",
    b"run_",
    b"thread_",
    b"session_",
    b"sha256-",
    b"sha384-",
    b"sha512-",
    b"sha1-",
    b"css-",
    b"AAAA",
    b"MII",
    b"iVBORw0KGgo",
    b"R0lGOD",
    b"UklGR",
    b"Qm",
    b"bafy",
    b"d09GM",
    b"nonce-",
    b"phc_",
    b"pk_live_",
    b"pk_test_",
    b"sb_publishable_",
    b"pk-lf-",
];

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    for run in long_runs(text, STEP, is_part) {
        if let Some(range) = token(text, run) {
            finds.push(Find { range, kind: "token", rank: Rank::Random });
        }
    }
}

/// Letters, digits, and what joins them in tokens.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Of base64, too.
fn is_part(byte: u8) -> bool {
    is_letter(byte) || is_base64(byte)
}

fn token(text: &[u8], run: Range<usize>) -> Option<Range<usize>> {
    if run.len() > LONGEST {
        return None;
    }
    // `name=value` is one run.
    let own = text.get(run.clone())?;
    let trimmed = own.len() - own.iter().rev().take_while(|byte| **byte == b'=').count();
    let mut start = own.get(..trimmed)?.iter().rposition(|byte| *byte == b'=').map_or(0, |sign| sign + 1);
    let is_escaped = start == 0 && run.start.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'\\');
    start += usize::from(is_escaped && own.first().is_some_and(|byte| b"nrt".contains(byte)));
    let range = run.start + start..run.end;
    let value = text.get(range.clone())?;
    if let Some(wide) = dotted(text, &range) {
        return Some(wide);
    }
    let is_apart = text.get(range.end).is_none_or(|byte| is_border(*byte)) && begins(text, range.start);
    let holds = if value.iter().all(|byte| is_letter(*byte)) { is_token(value) } else { is_padded(value) };
    (is_apart && holds && !is_harmless(text, &range, value)).then_some(range)
}

/// `MTA4….Gx7f2k.9d8f…`: parts with dots between, of which none is a word.
fn dotted(text: &[u8], range: &Range<usize>) -> Option<Range<usize>> {
    let is_part = |byte: &&u8| is_letter(**byte);
    let (mut start, mut end) = (range.start, range.end);
    while let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix(b".")) {
        let length = rest.iter().take(LONGEST).take_while(is_part).count();
        if length < SHORTEST_PART {
            break;
        }
        end += 1 + length;
    }
    while let Some(before) = text.get(..start).and_then(|before| before.strip_suffix(b".")) {
        let length = before.iter().rev().take(LONGEST).take_while(is_part).count();
        if length < SHORTEST_PART {
            break;
        }
        start -= 1 + length;
    }
    let value = text.get(start..end)?;
    let mut parts = value.split(|byte| *byte == b'.');
    let is_alone =
        !text.get(..start)?.last().is_some_and(|byte| b"/@%".contains(byte)) && text.get(end) != Some(&b'(');
    let is_token = value.len() > range.len()
        && (DOTTED..LONGEST).contains(&value.len())
        && is_surely_random(value)
        && parts.all(is_mixed)
        && !value.split(|byte| *byte == b'.').any(is_digest);
    (is_token && is_alone && !is_harmless(text, &(start..end), value)).then_some(start..end)
}

/// Not in the midst of an address, a path, the name of a file or a call.
fn is_border(byte: u8) -> bool {
    !matches!(byte, b'.' | b'(' | b'@' | b'%' | b'[' | b'~') && byte < 0x80
}

fn begins(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    !matches!(before.last(), Some(b'.' | b'#' | b'@' | b'%' | b'$' | b'~' | 0x80..))
        || before.ends_with(b"\xE2\x86\x92")
}

fn is_token(value: &[u8]) -> bool {
    if is_uuid(value) || THINGS.iter().any(|thing| value.starts_with(thing)) {
        return false;
    }
    let (prefix, body) = value.split_at(value.len() - body_length(value));
    let is_hex = body.iter().all(u8::is_ascii_hexdigit);
    let is_told = !prefix.is_empty() && words(prefix).iter().any(|word| tells(word));
    if is_told && (if is_hex { HEX.contains(&body.len()) } else { body.len() >= TOLD && is_varied(body) }) {
        return true;
    }
    let is_long = |value: &[u8]| {
        value.len() >= UNTOLD && is_surely_random(value) && !is_digest(value) && !says_something(value)
    };
    is_long(body) || is_long(value) && is_mixed(value)
}

/// In capitals and small letters at once, or with dashes at odd places.
fn is_digest(value: &[u8]) -> bool {
    let digits = value.strip_prefix(b"0x").unwrap_or(value);
    digits.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

fn tells(word: &str) -> bool {
    is_one_of(word, TELLING)
        || ["key", "token", "pat", "secret", "sk"].iter().any(|end| word.len() <= 9 && word.ends_with(end))
}

/// The letters and digits at its end.
fn body_length(value: &[u8]) -> usize {
    value.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// Behind a word such as `key` or `token`, small letters and digits in turn are enough.
fn is_varied(body: &[u8]) -> bool {
    let classes = Classes::of(body);
    is_surely_random(body)
        || classes.digits > 2 && classes.letters() > 5 && classes.changes * 4 >= classes.pairs
}

/// With `-` and `_` in its midst: no part of it is a word.
fn is_mixed(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| matches!(byte, b'-' | b'_')).filter(|part| part.len() > 3);
    parts.all(|part| {
        let classes = Classes::of(part);
        let used = [classes.upper, classes.lower, classes.digits].into_iter().filter(|count| *count > 0);
        used.count() > 1 && classes.changes * 4 >= classes.pairs
    })
}

/// Base64 with all its letters, as long as keys are.
fn is_padded(value: &[u8]) -> bool {
    let is_base64 = value.iter().all(|byte| is_base64(*byte));
    let body = value.strip_suffix(b"==").or(value.strip_suffix(b"=")).unwrap_or(value);
    let is_key = PADDED.contains(&value.len()) && (value.len() != 40 || body.len() == 40);
    is_base64 && is_key && is_surely_random(body) && !body.starts_with(b"/") && !says_something(body)
}

/// A text in base64, which is read by others.
fn says_something(body: &[u8]) -> bool {
    let start = body.get(..body.len() / 4 * 4).unwrap_or_default();
    decoded(start)
        .is_some_and(|bytes| bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()))
}

/// Whether a random value of this name opens nothing.
pub(crate) fn is_harmless_name(name: &str) -> bool {
    words(name.as_bytes()).iter().any(|word| is_one_of(word, HARMLESS))
}

/// What stands before it says that it is something else; or it is one of many lines.
fn is_harmless(text: &[u8], range: &Range<usize>, value: &[u8]) -> bool {
    let before = text.get(range.start.saturating_sub(NEAR)..range.start).unwrap_or_default();
    let name = name_before(before);
    let is_named = std::str::from_utf8(name).is_ok_and(is_harmless_name);
    let is_path = before.ends_with(b"/") || text.get(range.end) == Some(&b'/');
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_said = words(line).iter().any(|word| is_one_of(word, DIGESTS));
    is_named || is_said || is_path || is_line_of_many(text, range) || value.starts_with(b"-")
}

/// `name: "`, `"name":"`, `name="`, `'sha256-`
fn name_before(before: &[u8]) -> &[u8] {
    let is_sign = |byte: &u8| b" \t\"'`:=\\>(".contains(byte);
    let end = before.iter().rposition(|byte| !is_sign(byte)).map_or(0, |last| last + 1);
    let name = before.get(..end).unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let start = name.iter().rposition(|byte| !is_name(byte)).map_or(0, |last| last + 1);
    name.get(start..).unwrap_or_default()
}

/// A line of a certificate, a signature, a picture, whatever precedes each.
fn is_line_of_many(text: &[u8], range: &Range<usize>) -> bool {
    let is_margin = |byte: &&u8| b" \t\r\n\"'`/#*!|\\".contains(byte);
    let before = text.get(..range.start).unwrap_or_default();
    let gap = before.iter().rev().take(NEAR).take_while(is_margin).count();
    let above = before.get(..before.len() - gap).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let margin = after.iter().take(NEAR).take_while(is_margin).count();
    let below = after.get(margin..).unwrap_or_default();
    let breaks = |gap: Option<&[u8]>| gap.is_some_and(|gap| gap.contains(&b'\n'));
    let above = above.iter().rev().take(LINE).take_while(|byte| is_base64(**byte)).count();
    let below = below.iter().take(LINE).take_while(|byte| is_base64(**byte)).count();
    let fits = |length: usize| length >= LINE || range.len() >= LINE && length > 3;
    fits(above) && breaks(before.get(before.len() - gap..)) || fits(below) && breaks(after.get(..margin))
}
