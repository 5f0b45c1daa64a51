//! The keys of an object, each expected where it stood in the object before.
//!
//! A client writes the same keys in the same order, over and over. To see that one stands where it is expected costs a
//! third of finding out where it ends.

use super::scan;

/// What is expected of the objects of a file.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    pub(super) record: Order,
    pub(super) within: Within,
}

/// What is expected of a message.
#[derive(Debug, Default)]
pub(crate) struct Within {
    pub(super) message: Order,
    pub(super) usage: WithinUsage,
}

/// What is expected of token counts.
#[derive(Debug, Default)]
pub(crate) struct WithinUsage {
    pub(super) usage: Order,
    pub(super) lifetimes: Order,
    pub(super) tools: Order,
}

/// The keys of an object by their places, at most so many as are worth it.
#[derive(Debug, Default)]
pub(super) struct Order(Vec<Expected>);

const MOST: usize = 24;

/// A key with its quotes and its colon, padded with what is not looked at.
#[derive(Debug, Clone, Copy)]
struct Expected {
    words: [u64; WORDS],
    masks: [u64; WORDS],
    length: usize,
}

/// As many as the longest key takes that is common.
const WORDS: usize = 4;
const WIDTH: usize = WORDS * 8;

impl Order {
    /// A key without its quotes, and what follows its colon; as [`scan::key`] would give it.
    pub(super) fn key<'j>(&mut self, place: usize, json: &'j [u8]) -> Option<(&'j [u8], &'j [u8])> {
        let expected = self.0.get(place).and_then(|expected| expected.key(json));
        expected.or_else(|| self.learn(place, json))
    }

    fn learn<'j>(&mut self, place: usize, json: &'j [u8]) -> Option<(&'j [u8], &'j [u8])> {
        let (key, after) = scan::key(json)?;
        if let Some(expected) = Expected::of(json.get(..json.len() - after.len())?) {
            if let Some(known) = self.0.get_mut(place) {
                *known = expected;
            } else if place == self.0.len() && place < MOST {
                self.0.push(expected);
            }
        }
        Some((key, after))
    }
}

impl Expected {
    fn of(key: &[u8]) -> Option<Self> {
        let mut padded = [0; WIDTH];
        let mut mask = [0; WIDTH];
        padded.get_mut(..key.len())?.copy_from_slice(key);
        mask.get_mut(..key.len())?.fill(u8::MAX);
        Some(Self { words: words(&padded), masks: words(&mask), length: key.len() })
    }

    fn key<'j>(&self, json: &'j [u8]) -> Option<(&'j [u8], &'j [u8])> {
        let here = words(json.first_chunk()?);
        let pairs = here.iter().zip(self.words).zip(self.masks);
        let difference = pairs.fold(0, |all, ((here, word), mask)| all | ((here ^ word) & mask));
        if difference != 0 {
            return None;
        }
        Some((json.get(1..self.length - 2)?, json.get(self.length..)?))
    }
}

fn words(bytes: &[u8; WIDTH]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let (chunks, _) = bytes.as_chunks();
    words.iter_mut().zip(chunks).for_each(|(word, chunk)| *word = u64::from_le_bytes(*chunk));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: &[u8] = br#""a value that is long enough","and":"more of it"}"#;

    #[test]
    fn a_key_is_the_same_whether_it_was_expected_or_not() {
        let keys = ["type", "", "id", "cache_creation_input_tokens", "cache_creation_input_tokens_", "é"];
        for expected in keys {
            for found in keys {
                for rest in [REST, b"1}", b""] {
                    let json = |key: &str| [format!("\"{key}\":").as_bytes(), rest].concat();
                    let mut order = Order::default();
                    assert_eq!(order.key(0, &json(expected)), scan::key(&json(expected)));
                    for _ in 0..2 {
                        assert_eq!(order.key(0, &json(found)), scan::key(&json(found)), "{expected} {found}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_key_is_none_whatever_is_expected() {
        for json in
            [&br#""type" :"a value that is long enough""#[..], br#""ty\u0070e":1"#, b"\"type", b"", b"}"]
        {
            let mut order = Order::default();
            order.key(0, &[b"\"type\":", REST].concat());
            assert_eq!(order.key(0, json), None);
        }
    }

    #[test]
    fn places_beyond_the_last_are_read_without_being_learnt() {
        let mut order = Order::default();
        let json = [b"\"type\":", REST].concat();
        for place in [7, 0, 1, 2, 1000] {
            assert_eq!(order.key(place, &json), scan::key(&json));
        }
        assert_eq!(order.0.len(), 3);
    }
}
