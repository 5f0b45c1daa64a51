//! Sentences that say a secret: `the password is X`, `use X as the pw`, `my API key is X`, in many languages → X.
//!
//! Apart from the assignments because a sentence about a password looks the same up to the last word: only one that is
//! no word is taken.

use std::ops::Range;

use crate::hit::{is_word, starts_word};
use crate::random::Classes;

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;
use super::name::{is_one_of, words};
use super::value::is_drawn;

/// Passwords, in the languages that people write in.
pub(crate) const PASSWORDS: &[&str] = &[
    "password",
    "passwort",
    "passphrase",
    "passcode",
    "kennwort",
    "zugangscode",
    "contraseña",
    "clave",
    "contrasenya",
    "mot de passe",
    "senha",
    "palavra-passe",
    "parola",
    "hasło",
    "haslo",
    "heslo",
    "wachtwoord",
    "şifre",
    "sifre",
    "lösenord",
    "losenord",
    "adgangskode",
    "passord",
    "salasana",
    "jelszó",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "암호",
    "пароль",
    "Пароль",
    "كلمة المرور",
    "كلمة السر",
    "סיסמה",
    "mật khẩu",
    "kata sandi",
    "κωδικός",
    "db pw",
    " pw ",
    "the pw",
    "my pw",
];

/// What a machine draws.
pub(crate) const TOKENS: &[&str] = &[
    "api key",
    "api-key",
    "apikey",
    "api token",
    "access token",
    "access key",
    "auth token",
    "bearer token",
    "secret key",
    "client secret",
    "api secret",
    "github pat",
    "gitlab pat",
    "my pat",
    "the pat",
    "the token",
    "my token",
    "new token",
    "the secret",
    "api-schlüssel",
    "clave de api",
    "clé api",
    "chave de api",
    "api 密钥",
    "apiキー",
    "api-ключ",
];

/// A name and a password follow.
pub(crate) const LOGINS: &[&str] = &[
    "log in with",
    "login with",
    "sign in with",
    "logged in with",
    "credentials",
    "creds",
    "zugangsdaten",
    "test account",
    "login:",
    "user/pass",
    "username/password",
    "credenciales",
    "identifiants",
    "账号",
];

/// What is said behind a password.
pub(crate) const ROLES: &[&str] = &[
    "as the pw",
    "as the password",
    "as password",
    "as pw",
    "as my password",
    "als passwort",
    "als kennwort",
    "como contraseña",
    "comme mot de passe",
];

/// What others know as names.
const ASSIGNED: &[&[u8]] = &[
    b"password",
    b"passwort",
    b"passphrase",
    b"passcode",
    b"api key",
    b"api-key",
    b"apikey",
    b"access key",
    b"secret key",
    b"client secret",
    b"api secret",
    b"the secret",
];

/// Between the word and what it is: `… for the admin user is`.
const MOST_WORDS: usize = 5;
const LONGEST_GAP: usize = 48;
const LONGEST: usize = 128;
const SHORTEST: usize = 6;
const SHORTEST_TOKEN: usize = 10;

/// Signs and verbs between a name and its value.
const SIGNS: &[&str] = &[
    "is now", "is still", "is", "was", "'s", "’s", "will be", "to", "ist", "lautet", "es", "est", "è", "é",
    "är", "это", "是", "为", "は", "는", "은", "-", "–", "—", "=", ":", "：",
];

/// Algorithms and standards, whose names have digits, too.
const STANDARDS: &str = "sha sha1 sha2 sha3 sha224 sha256 sha384 sha512 md5 base16 base32 base58 base64 base85 argon2 argon2i \
    argon2d argon2id bcrypt scrypt pbkdf2 hmac aes aes128 aes192 aes256 rsa rsa2048 rsa4096 ed25519 x25519 secp256k1 secp256r1 hs256 \
    hs512 rs256 rs512 es256 ps256 oauth oauth2 oidc http2 http3 ipv4 ipv6 utf utf8 utf16 x509 pkcs pkcs1 pkcs7 pkcs8 pkcs12 \
    1password lastpass 2fa mfa totp rfc nist p256 s256 id3 win32 python3 node18 node20 b64 b64enc kerberos5 ntlmv2 tls1 tls12";

pub(crate) fn read_password(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let range = end_of(text, at, PASSWORDS).and_then(|end| after(text, at..end, is_password));
    finds.extend(range.map(|range| Find { range, kind: "password", rank: Rank::Vague }));
}

pub(crate) fn read_token(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let range = end_of(text, at, TOKENS).and_then(|end| after(text, at..end, is_token));
    finds.extend(range.map(|range| Find { range, kind: "token", rank: Rank::Vague }));
}

pub(crate) fn read_login(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let range = end_of(text, at, LOGINS).and_then(|end| behind_name(text, end));
    finds.extend(range.map(|range| Find { range, kind: "password", rank: Rank::Vague }));
}

pub(crate) fn read_role(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let end = end_of(text, at, ROLES).filter(|end| !is_about(text, *end));
    let range = end.and_then(|_| before(text, at));
    finds.extend(range.map(|range| Find { range, kind: "password", rank: Rank::Vague }));
}

/// `as the password hash`
fn is_about(text: &[u8], end: usize) -> bool {
    let rest = text.get(end..text.len().min(end + 16)).unwrap_or_default();
    let words = "hash hasher hashing field input manager policy column key type algorithm name parameter file scheme encoder";
    let next = rest.strip_prefix(b" ").and_then(|rest| rest.split(|byte| !byte.is_ascii_alphabetic()).next());
    next.and_then(|next| std::str::from_utf8(next).ok()).is_some_and(|next| is_one_of(next, words))
}

/// Where the longest of the words ends that stands here.
fn end_of(text: &[u8], at: usize, words: &[&str]) -> Option<usize> {
    let is_here = |word: &&&str| Cursor::new(text, at).eat(word.as_bytes());
    let end = words.iter().filter(is_here).map(|word| at + word.len()).max()?;
    let begins = !text.get(at)?.is_ascii_alphanumeric() || starts_word(text.get(..at)?);
    let goes_on =
        text.get(end - 1)?.is_ascii_alphabetic() && text.get(end).is_some_and(|byte| is_word(*byte));
    (begins && !goes_on).then_some(end)
}

fn after(text: &[u8], word: Range<usize>, holds: fn(&[u8]) -> bool) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, word.end);
    // `**Password**`
    cursor.skip(|byte| matches!(byte, b'*' | b'_' | b'"' | b'`'), 3);
    let own = text.get(word.clone())?;
    let is_english = ASSIGNED.iter().any(|known| own.eq_ignore_ascii_case(known)) || own.ends_with(b"token");
    for place in 0..MOST_WORDS {
        let blanks = skip_blanks(&mut cursor);
        if cursor.at > word.end + LONGEST_GAP {
            return None;
        }
        if let Some(behind) = behind_sign(&cursor, blanks > 0) {
            // What stands in one line is an assignment, which others read.
            let is_assigned = is_english && place == 0 && matches!(cursor.peek(), Some(b':' | b'='));
            let is_below = text.get(cursor.at..behind.at)?.contains(&b'\n');
            let value = value_at(behind).filter(|_| !is_assigned || is_below)?;
            return holds(text.get(value.clone())?).then_some(value);
        }
        // `with password X` has no sign, but then X is no word by any means.
        let direct = value_at(cursor).filter(|_| place == 0 && blanks > 0);
        if let Some(value) = direct.filter(|value| is_beyond_doubt(text, value)) {
            return holds(text.get(value.clone())?).then_some(value);
        }
        let letters = cursor.skip(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80 || byte == b'\'', 20);
        if letters == 0 || blanks == 0 {
            return None;
        }
    }
    None
}

fn skip_blanks(cursor: &mut Cursor) -> usize {
    let start = cursor.at;
    while cursor.skip_blanks() > 0 || cursor.eat("\u{a0}".as_bytes()) || cursor.eat("\u{3000}".as_bytes()) {}
    cursor.at - start
}

/// Behind a verb or a sign, of which those that are letters stand alone.
fn behind_sign<'a>(cursor: &Cursor<'a>, had_blank: bool) -> Option<Cursor<'a>> {
    SIGNS.iter().find_map(|sign| {
        let mut beyond = *cursor;
        let is_word = sign.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ')
            || matches!(*sign, "-" | "–" | "—");
        if !beyond.eat(sign.as_bytes()) || (is_word && !had_blank) {
            return None;
        }
        let was = beyond.at;
        skip_blanks(&mut beyond);
        // A colon may end its line; what is meant stands alone in the next but one.
        if sign.ends_with([':', '：']) {
            beyond.skip_gap();
        }
        while beyond.eat(b"*") || beyond.eat(b":") {}
        skip_blanks(&mut beyond);
        (!is_word || beyond.at > was).then_some(beyond)
    })
}

/// A word, without the quotes around and the full stop behind.
fn value_at(mut cursor: Cursor<'_>) -> Option<Range<usize>> {
    let quotes = ["\"", "'", "`", "“", "„", "«", "「", "『", "‘", "\\\"", "<code>", "**"];
    let _opening = quotes.iter().any(|quote| cursor.eat(quote.as_bytes()));
    let range = cursor.bare(b"\"'`<>|");
    let value = cursor.text.get(range.clone()).filter(|value| value.len() <= LONGEST)?;
    let value = value.utf8_chunks().next()?.valid();
    let closing = value.find(['”', '“', '»', '」', '』', '’', '。', '、', '，', '；']).unwrap_or(value.len());
    let own = value.get(..closing)?;
    let own = ["です", "입니다", "だ"].iter().find_map(|end| own.strip_suffix(end)).unwrap_or(own);
    let own = own.trim_end_matches(['.', ',', ';', ':', ')', '?', '*', '\\']);
    Some(range.start..range.start + own.len())
}

/// The word before `as the password`.
fn before(text: &[u8], at: usize) -> Option<Range<usize>> {
    let line = text.get(at.saturating_sub(LONGEST)..at)?;
    let end = at - (line.len() - line.trim_ascii_end().len());
    let start = text.get(at.saturating_sub(LONGEST)..end)?;
    let length = start.iter().rev().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let value = value_at(Cursor::new(text.get(..end)?, end - length))?;
    is_password(text.get(value.clone())?).then_some(value)
}

/// `admin / X`, `bob@acme.io and X`, `admin:X`, after a word that announces both.
fn behind_name(text: &[u8], end: usize) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, end);
    while cursor.eat(b" are") || cursor.eat(b" is") || cursor.eat(b":") || cursor.skip_blanks() > 0 {}
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+@".contains(&byte);
    let _quote = cursor.eat_quote();
    let name = cursor.skip(is_name, 64);
    let _quote = cursor.eat_quote();
    let separators = [" / ", "/", ":", " : ", " and ", " und ", " y ", " et ", " | ", " with "];
    if name == 0 || !separators.iter().any(|separator| cursor.eat(separator.as_bytes())) {
        return None;
    }
    cursor.skip_blanks();
    let value = value_at(cursor)?;
    is_password(text.get(value.clone())?).then_some(value)
}

/// No word of any language, and no name of a program.
fn is_password(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    let is_short = value.len() < SHORTEST || classes.letters() < 2;
    let has_sign = value.iter().skip(1).any(|byte| b"!@#$%^&*+=~?".contains(byte));
    let is_varied = classes.digits > 0 || has_sign || is_restless(value);
    is_varied && !is_short && !is_other(value) && !is_standard(value)
}

fn is_token(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    let is_mixed = classes.upper > 1 && classes.lower > 1 && (classes.digits > 0 || classes.others > 0);
    value.len() >= SHORTEST_TOKEN && !is_other(value) && !is_standard(value) && (is_drawn(value) || is_mixed)
}

/// Letters, digits and capitals or signs at once.
fn is_beyond_doubt(text: &[u8], range: &Range<usize>) -> bool {
    let value = text.get(range.clone()).unwrap_or_default();
    let classes = Classes::of(value);
    let signs = value.iter().filter(|byte| b"!@#$%^&*+~?".contains(byte)).count();
    classes.digits > 0 && classes.lower > 0 && (classes.upper > 0 || signs > 0) && classes.changes > 1
}

/// Capitals in the midst, not as the words of a name begin.
fn is_restless(value: &[u8]) -> bool {
    let parts = words(value);
    let is_name = parts.iter().all(|part| part.len() > 2);
    let tells = |part: &String| {
        is_one_of(part, "password passwd token secret hash user key auth session field form input")
    };
    let mixes = value.array_windows().any(|[one, other, next]| {
        other.is_ascii_uppercase()
            && (one.is_ascii_lowercase() || one.is_ascii_uppercase() && next.is_ascii_lowercase())
    });
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    mixes && value.iter().all(is_word) && !is_name && !parts.iter().any(tells)
}

/// Code, a path, an address, a reference, a form to fill in.
fn is_other(value: &[u8]) -> bool {
    let holds = |part: &str| memchr::memmem::find(value, part.as_bytes()).is_some();
    let begins = value.first().is_none_or(|byte| b"$<{[(/.~-@%\\".contains(byte));
    let is_mail = value.iter().position(|byte| *byte == b'@').is_some_and(|at| {
        value.get(at..).is_some_and(|host| host.contains(&b'.'))
            && value.iter().filter(|byte| **byte == b'@').count() == 1
    });
    let is_code = [
        "::", "->", "=>", "()", "(", ")", "==", "!=", "&&", "||", "{", "}", "[", "…", "...", "://", "%2",
        "***", "xxxx", "='", "=\"",
    ];
    let is_path = value.iter().filter(|byte| **byte == b'/').count() > 1;
    let is_member = value.contains(&b'.')
        && value.split(|byte| *byte == b'.').all(|part| {
            part.first().is_some_and(u8::is_ascii_alphabetic)
                && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        });
    begins || is_mail || is_path || is_member || is_marked(value) || is_code.iter().any(|part| holds(part))
}

/// `SHA-256`, `argon2id`, `8-16`, `12-character`, `user_password2`: names and numbers, none of them mixed.
fn is_standard(value: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(value).to_lowercase();
    let parts: Vec<&str> =
        lower.split(['-', '_', '.', '/', '+', '=', ':', ',']).filter(|part| !part.is_empty()).collect();
    let is_plain = |part: &&str| {
        let is_word = part.chars().all(char::is_alphabetic);
        let is_number = part.chars().all(|letter| letter.is_ascii_digit());
        is_word || is_number || is_one_of(part, STANDARDS)
    };
    let is_one = is_one_of(&lower.replace(['-', '_'], ""), STANDARDS);
    // `correct-horse-9` is a password; `8-character` and `aes-256` are none.
    let ends_in_number = parts.last().is_some_and(|part| part.chars().all(|letter| letter.is_ascii_digit()))
        && parts.len() > 2
        && !parts.iter().any(|part| is_one_of(part, STANDARDS));
    let has_sign = value.iter().any(|byte| b"!@#$%^&*~?".contains(byte));
    is_one || (parts.iter().all(is_plain) && !ends_in_number && !has_sign && !is_restless(value))
}
