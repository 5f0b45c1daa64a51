//! A token of a known form → whether a person wrote it as an example: rows, repetitions, words that say so.
//!
//! Apart from the forms because manuals have examples of all of them. Chance must not make a real token one, so the
//! words are long, or stand alone.

use crate::random::{entropy, is_row};

use super::name::is_one_of;

/// Words that chance spells once in a million tokens.
const WORDS: &[&[u8]] = &[
    b"example",
    b"placeholder",
    b"redacted",
    b"changeme",
    b"change-me",
    b"change_me",
    b"insert-",
    b"insert_",
    b"replace",
    b"dummy",
    b"sample",
    b"xxxx",
    b"****",
    b"....",
    b"\xE2\x80\xA6",
];
/// Words that stand between dashes.
const PARTS: &str = "your my here fake foo bar placeholder";

/// Of a token that a machine drew.
const SHORTEST_BODY: usize = 16;
/// Below that nothing was drawn.
const LEAST_ENTROPY: f64 = 2.5;
const LONGEST_PERIOD: usize = 12;

pub(crate) fn is_example(secret: &[u8]) -> bool {
    let lower = secret.to_ascii_lowercase();
    let says = |word: &&[u8]| memchr::memmem::find(&lower, word).is_some();
    if WORDS.iter().any(says) {
        return true;
    }
    let parts = || lower.split(|byte| !byte.is_ascii_alphanumeric());
    let is_said = |part: &[u8]| std::str::from_utf8(part).is_ok_and(|part| is_one_of(part, PARTS));
    let body = parts().max_by_key(|part| part.len()).unwrap_or_default();
    let is_dull = entropy(secret) < LEAST_ENTROPY
        || body.len() >= SHORTEST_BODY
            && (entropy(body) < LEAST_ENTROPY || is_row(body) || repeats(body) || counts(body));
    is_dull || parts().any(is_said)
}

/// The same again and again, from the beginning or behind a prefix.
fn repeats(body: &[u8]) -> bool {
    let tail = body.get(body.len() / 4..).unwrap_or(body);
    (1..=LONGEST_PERIOD.min(tail.len() / 3))
        .any(|period| tail.get(period..).is_some_and(|rest| tail.starts_with(rest)))
}

/// `1234567890abcdef1234567890abcdef`
fn counts(body: &[u8]) -> bool {
    [&b"1234567890"[..], b"0123456789", b"abcdefghij"]
        .iter()
        .any(|row| memchr::memmem::find(body, row).is_some())
}

#[cfg(test)]
mod tests {
    use super::is_example;

    #[test]
    fn manuals_have_examples_and_chance_has_none() {
        for example in [
            "IOSFODNN7EXAMPLE",
            "ghp_xxxxxxxxxxxxxxxx",
            "sk-your-key-0123",
            "aaaaaaaaaaaaaaaaaaaa",
            "x-abcdefghijklmnop",
        ] {
            assert!(is_example(example.as_bytes()), "{example}");
        }
        for token in ["ghp_q8Rk2fYwoP0vLs7Z1mNbTc", "sk_test_4Tz9qLm2XwVbKc7RdPy3Hs"] {
            assert!(!is_example(token.as_bytes()), "{token}");
        }
    }
}
