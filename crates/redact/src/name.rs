//! A name → what kind of secret its value is, if any: names of assignments, keys of JSON, flags of commands.

/// How much a value has to look like a secret itself depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// People choose passwords: any word may be one.
    Password,
    /// Chosen by a person, or random.
    Secret,
    /// Random; but the word has other meanings too.
    Token,
    /// Some `key`, of which there are many harmless ones: the value alone decides.
    Key,
}

const PASSWORDS: &str = "password passwords passwd passwort pwd passphrase passcode requirepass masterauth sshpass dbpass userpass";
const SHORT_PASSWORDS: &str = "pass pw psw pword psk bindpw";
const SECRETS: &str = "secret secretkey privatekey signingkey encryptionkey masterkey accountkey presharedkey sharedkey credential";
const TOKENS: &str = "token apikey accesskey authkey appkey";
const WHOLE_TOKENS: &str = "bearer jwt authorization auth creds credentials";

/// What makes a secret of a `key` behind it.
const SECRET_KEYS: &str =
    "secret private signing signature encryption decryption master shared preshared account client";
const TOKEN_KEYS: &str = "api access auth app application license integration routing service server session deploy admin sdk \
    subscription webhook org project write read ingest functions stripe openai anthropic algolia";

/// What makes something harmless of a `key` behind it.
const HARMLESS_KEYS: &str = "public primary foreign cache sort partition row map dict object query react item hash json yaml route \
    storage redis index shortcut hot arrow tab press down up host unique composite natural surrogate column group message \
    translation locale i18n config setting registry dedup dedupe idempotency lookup search etag commit context session \
    react error state event field header param attribute parent child node file path ssh gpg pgp socket websocket restore s3 \
    blob bucket";

/// What makes the name of a secret that is kept elsewhere.
const ELSEWHERE: &str = "existing pull ref";

/// Words behind `password` and the like that change nothing.
const QUALIFIERS: &str = "value val old new current prod production staging dev development test live default base64 b64 \
    encoded raw plain plaintext cleartext text env local main primary secondary here";

/// Words before `token` whose values are handed out freely, or are numbers and words of a grammar.
const HARMLESS: &str = "next page cancel cancellation continue continuation cursor sync public etag max min num count input \
    output cache cached total prompt completion per limit budget usage eos bos pad unk sep cls mask stop special design \
    lexer syntax idempotency publishable parse parser previous prev current";

impl NameKind {
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        let mut words = words(name);
        while words.last().is_some_and(|word| is_one_of(word, QUALIFIERS) || is_number(word)) {
            words.pop();
        }
        let (last, before) = words.split_last()?;
        let last = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let pair = before.last().map(String::as_str).unwrap_or_default();
        if ends_in(last, PASSWORDS) || is_one_of(last, SHORT_PASSWORDS) {
            return Some(Self::Password);
        }
        let is_key = last == "key" || (pair == "key" && matches!(last, "base" | "data"));
        let of_key = if last == "key" { Some(pair) } else { before.iter().rev().nth(1).map(String::as_str) };
        let is_key_of = |words: &str| is_key && of_key.is_some_and(|word| is_one_of(word, words));
        if ends_in(last, SECRETS) && before.iter().any(|word| is_one_of(word, ELSEWHERE)) {
            return None;
        }
        if ends_in(last, SECRETS) || is_key_of(SECRET_KEYS) {
            return Some(Self::Secret);
        }
        let is_token = ends_in(last, TOKENS)
            || is_one_of(last, WHOLE_TOKENS)
            || is_key_of(TOKEN_KEYS)
            || (last == "pat" && !before.is_empty());
        if is_token && !before.iter().any(|word| is_one_of(word, HARMLESS)) {
            return Some(Self::Token);
        }
        let is_some_key = last == "key" && !before.is_empty();
        (is_some_key && !before.iter().any(|word| is_one_of(word, HARMLESS_KEYS))).then_some(Self::Key)
    }
}

/// The words of a name in any notation, in small letters.
pub(crate) fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &byte) in name.iter().enumerate() {
        let last = at.checked_sub(1).and_then(|at| name.get(at));
        let next = name.get(at + 1);
        let is_hump = byte.is_ascii_uppercase()
            && (last.is_some_and(|last| last.is_ascii_lowercase() || last.is_ascii_digit())
                || (last.is_some_and(u8::is_ascii_uppercase) && next.is_some_and(u8::is_ascii_lowercase)));
        if (is_hump || !byte.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphanumeric() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    words.split_ascii_whitespace().any(|one| one == word)
}

fn ends_in(word: &str, endings: &str) -> bool {
    endings.split_ascii_whitespace().any(|ending| word.ends_with(ending))
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::NameKind;

    #[test]
    fn names_of_any_notation_tell() {
        let passwords =
            ["password", "DB_PASSWORD", "userPwd", "PGPASSWORD", "spring.datasource.password", "password2"];
        let secrets = ["clientSecret", "SECRET_KEY_BASE", "client-key-data", "PrivateKey", "JWT_SECRET"];
        let tokens =
            ["token", "X-Api-Key", "_authToken", "GITHUB_PAT", "DD_APPLICATION_KEY", "aws_access_key"];
        for (names, name_kind) in [
            (&passwords[..], NameKind::Password),
            (&secrets[..], NameKind::Secret),
            (&tokens[..], NameKind::Token),
        ] {
            for name in names {
                assert_eq!(NameKind::of(name.as_bytes()), Some(name_kind), "{name}");
            }
        }
    }

    #[test]
    fn names_that_only_contain_such_a_word_do_not() {
        let names = [
            "max_tokens",
            "token_count",
            "PASSWORD_MIN_LENGTH",
            "passwordField.value",
            "password.length",
            "next_page_token",
            "sessionId",
            "tokenizer",
            "access_key_id",
            "public_key",
            "secretName",
            "primary_key",
            "compass_bearing",
        ];
        for name in names {
            assert_eq!(NameKind::of(name.as_bytes()), None, "{name}");
        }
    }
}
