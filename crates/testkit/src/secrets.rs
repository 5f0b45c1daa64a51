//! Secrets to plant and look-alikes to leave alone, for the tests of masking and of the guard before a push.
//!
//! They are drawn by a small generator or put together from parts: no literal is a whole token, so that neither a git
//! host nor anybody who searches the source for secrets finds one.

mod assigned;
mod context;
mod look_alike;
mod sample;
mod service;
mod told;
mod watch;

pub use look_alike::look_alikes;
pub use sample::{Sample, samples};
pub use watch::Watch;

pub const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const DIGITS: &str = "0123456789";

/// A text with a secret in it.
#[derive(Debug, Clone)]
pub struct Planted {
    pub name: String,
    pub text: String,
    pub secret: String,
}

/// A text that has no secret in it.
#[derive(Debug, Clone)]
pub struct LookAlike {
    /// The JSON key of the string that holds it.
    pub key: Option<&'static str>,
    pub text: String,
}

/// Secrets of all kinds, each in the surroundings that give it away.
pub fn planted() -> Vec<Planted> {
    let of_guard = samples().into_iter().map(|sample| {
        let text = sample.text();
        Planted { name: sample.kind.to_owned(), text, secret: sample.secret }
    });
    of_guard
        .chain(service::services())
        .chain(context::in_context())
        .chain(assigned::assigned())
        .chain(told::told())
        .collect()
}

/// Letters in the order of a linear congruence: the same at every run, without a pattern to the eye.
pub fn draw(alphabet: &str, length: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(alphabet.as_bytes()[(state >> 33) as usize % alphabet.len()])
    };
    (0..length).map(|_| letter()).collect()
}

/// A private key without the dashes around it.
pub fn key_block(newline: &str) -> String {
    let lines: Vec<String> = (0..25).map(|line| draw(BASE64, 64, 900 + line)).collect();
    let (begin, end) = ("BEGIN RSA PRIVATE", "END RSA PRIVATE");
    format!("{begin} KEY-----{newline}{}{newline}-----{end} KEY", lines.join(newline))
}

fn token(name: &str, prefix: &str, alphabet: &str, length: usize) -> Planted {
    let seed = name.bytes().map(u64::from).sum::<u64>() + length as u64;
    let secret = format!("{prefix}{}", draw(alphabet, length, seed));
    Planted { name: name.to_owned(), text: secret.clone(), secret }
}

fn inside(name: &str, before: &str, secret: &str, after: &str) -> Planted {
    Planted { name: name.to_owned(), text: format!("{before}{secret}{after}"), secret: secret.to_owned() }
}

impl Planted {
    fn and(self, between: &str, rest: &str) -> Self {
        let secret = format!("{}{between}{rest}", self.secret);
        Self { text: secret.clone(), secret, ..self }
    }
}
