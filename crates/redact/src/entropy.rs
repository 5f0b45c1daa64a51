//! Letters → whether they are random.
//!
//! Entropy alone does not tell: an identifier of a program has as much. Chance also changes between capitals, small
//! letters and digits all the time, which names and paths seldom do. The numbers come from trying real transcripts.

use crate::name::words;
use crate::value::is_words;

/// Bits per byte.
pub(crate) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    for &byte in value {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = value.len() as f64;
    let share = |&count: &u32| f64::from(count) / total;
    counts.iter().filter(|count| **count > 0).map(share).map(|share| -share * share.log2()).sum()
}

/// Neighbours in the alphabet stand side by side, as in `abcdefgh` and `11111111`.
pub(crate) fn is_row(value: &[u8]) -> bool {
    let near = value.array_windows::<2>().filter(|[one, other]| one.abs_diff(*other) <= 1).count();
    near * 5 > value.len() * 2
}

pub(crate) fn is_uuid(value: &[u8]) -> bool {
    let dashes = [8, 13, 18, 23];
    let fits = |(at, byte): (usize, &u8)| {
        if dashes.contains(&at) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
    };
    value.len() == UUID && value.iter().enumerate().all(fits)
}

/// Chance changes between capitals, small letters and digits all the time; names and paths seldom do.
#[derive(Default)]
pub(crate) struct Classes {
    pub(crate) upper: usize,
    pub(crate) lower: usize,
    pub(crate) digits: usize,
    pub(crate) others: usize,
    /// Neighbours that are letters or digits, and those of them that are of two classes.
    pub(crate) pairs: usize,
    pub(crate) changes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Other,
}

impl Classes {
    pub(crate) fn of(value: &[u8]) -> Self {
        let mut classes = Self::default();
        let mut last = Class::Other;
        for &byte in value {
            let class = class_of(byte);
            *classes.count(class) += 1;
            if class != Class::Other && last != Class::Other {
                classes.pairs += 1;
                classes.changes += usize::from(class != last);
            }
            last = class;
        }
        classes
    }

    fn count(&mut self, class: Class) -> &mut usize {
        match class {
            Class::Upper => &mut self.upper,
            Class::Lower => &mut self.lower,
            Class::Digit => &mut self.digits,
            Class::Other => &mut self.others,
        }
    }

    pub(crate) fn letters(&self) -> usize {
        self.upper + self.lower
    }
}

fn class_of(byte: u8) -> Class {
    match byte {
        b'A'..=b'Z' => Class::Upper,
        b'a'..=b'z' => Class::Lower,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

const UUID: usize = 36;

/// Whether the value looks random, where a name or a prefix has already said that it is a secret.
pub(crate) fn is_random(value: &[u8]) -> bool {
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
pub(crate) fn is_surely_random(value: &[u8]) -> bool {
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
pub(crate) fn has_long_run(value: &[u8]) -> bool {
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
pub(crate) fn is_numbered(value: &[u8]) -> bool {
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
