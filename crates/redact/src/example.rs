//! A token, or a value → whether a person wrote it as an example or a placeholder: rows, repetitions, words, templates.
//!
//! Manuals have examples of all tokens. Chance must not make a real token one, so the words are long, or stand alone.

use crate::entropy::{entropy, has_long_run, is_row};
use crate::name::is_one_of;
use crate::pattern::Pattern;
use crate::value::is_chosen_tail;

/// Words that stand between dashes.
const PARTS: &str = "your my here fake foo bar placeholder";

/// The longest part of a real token is not shorter.
const SHORTEST_BODY: usize = 16;
/// In bits per letter; below that nothing is random.
const LEAST_ENTROPY: f64 = 2.5;
const LONGEST_PERIOD: usize = 12;

pub(crate) fn is_example(secret: &[u8]) -> bool {
    // Words that chance spells once in a million tokens.
    static SAYS: Pattern = Pattern::new(
        r"(?i)example|placeholder|redacted|change[_-]?me|insert[_-]|replace|dummy|sample|xxxx|\*\*\*\*|\.\.\.\.|\xE2\x80\xA6",
    );
    if SAYS.is_match(secret) {
        return true;
    }
    let lower = secret.to_ascii_lowercase();
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

/// A blank to fill in, a reference of a template or a shell, something already hidden, where a value would stand.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    // A reference anywhere in it, the frame of a table, a class of letters, words of manuals.
    static HOLDS: Pattern = Pattern::new(
        r"(?s)\$\{.*\}|\$\(.*\)|\{\{.*\}\}|#\{.*\}|%\(.*\)|<%.*%>|\A(?:\$\{|\$\(|\{\{|#\{|%\(|<%)|\}\}\z|\xE2\x80[\xA6\xA2]|\xE2\x94[\x94\x80]|\[(?:A-Z|a-z|0-9|\^)|(?i:xxxx|your|\*\*\*|\.\.\.|placeholder|redacted|change[-_]?me|insert-|replace|example|dummy)",
    );
    static FORM: Pattern = Pattern::new(r"(?s)\A(?:<.*>|\{.*\}|\[.*\]|\(.*\)|%[sdv].*|\$[A-Za-z0-9_]*)\z");
    let is_same = value.array_windows().all(|[one, other]| one == other);
    let is_signed = matches!(value, [b'*' | b'&' | b'#' | b'@' | b'%' | b'<' | b'{' | b'[' | b'(' | b'$', rest @ ..]
        if !is_chosen_tail(rest));
    is_same || (is_signed || FORM.is_match(value)) && !has_long_run(value) || HOLDS.is_match(value)
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
