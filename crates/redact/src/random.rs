//! A value → whether it was drawn at random or written by a person as an example.
//!
//! Apart from the rules since all of them ask it; the numbers come from trying real transcripts.

/// What people write where a secret would stand. Few are shorter than four letters, so that chance does not spell them.
const WORDS: &str = "xxxx example your placeholder redact dummy fake sample changeme change-me change_me insert \
    replace test mock foobar abcdef 123456 secret password token ... ***";

/// Tokens that stand in every copy of RFC 6749.
const KNOWN: &str = "2yotnfzfejr1zcsicmwp tgzv3jokf0xg5qx2tlkwia";

const LONGEST_PERIOD: usize = 16;

/// An example, a mask, a row of the alphabet, the same again and again.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    entropy(value) < 2.5
        || has_word(value, WORDS)
        || has_word(value, KNOWN)
        || is_row(value)
        || is_periodic(value)
}

/// Whether one of the words, which are small letters between blanks, stands in the value, in whatever case.
pub(crate) fn has_word(value: &[u8], words: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    words.split_ascii_whitespace().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
}

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

fn is_periodic(value: &[u8]) -> bool {
    let repeats = |period: usize| value.get(period..).is_some_and(|rest| value.starts_with(rest));
    (1..=LONGEST_PERIOD.min(value.len() / 2)).any(repeats)
}

pub(crate) fn is_uuid(value: &[u8]) -> bool {
    let dashes = [8, 13, 18, 23];
    let fits = |(at, byte): (usize, &u8)| {
        if dashes.contains(&at) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
    };
    value.len() == 36 && value.iter().enumerate().all(fits)
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

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn what_people_write_is_a_placeholder() {
        let samples = [
            "aaaaaaaaaaaaaaaa",
            "abcdefghijklmnop",
            "deadbeefdeadbeef",
            "Xxxxq82kfYwo",
            "MyExampleKq82",
            "a1b2...z9",
        ];
        for sample in samples {
            assert!(is_placeholder(sample.as_bytes()), "{sample}");
        }
        assert!(!is_placeholder(b"q8Rk2fYwoP0vLs7Z"));
    }
}
