//! `mnemonic: twelve words …` → the words, which are the key of a wallet.
//!
//! Apart from the passwords because each of its words is a word.

use super::cursor::Cursor;
use super::find::{Find, Rank};

pub(crate) const LITERALS: &[&str] = &[
    "mnemonic",
    "seed phrase",
    "seed_phrase",
    "seedphrase",
    "recovery phrase",
    "recovery_phrase",
    "secret phrase",
];

/// Twelve, fifteen … twenty-four.
const FEWEST: usize = 12;
const MOST: usize = 24;
const SHORTEST_WORD: usize = 3;
const LONGEST_WORD: usize = 8;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at);
    cursor.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' '), 48);
    let _quote = cursor.eat_quote();
    cursor.skip_blanks();
    if cursor.skip(|byte| matches!(byte, b'=' | b':'), 2) == 0 {
        return;
    }
    cursor.skip_gap();
    let _opening = cursor.eat_quote();
    let (start, mut end, mut words) = (cursor.at, cursor.at, 0);
    while words < MOST {
        let length = cursor.skip(|byte| byte.is_ascii_lowercase(), LONGEST_WORD + 1);
        if !(SHORTEST_WORD..=LONGEST_WORD).contains(&length) {
            break;
        }
        (end, words) = (cursor.at, words + 1);
        if cursor.skip(|byte| byte == b' ', 1) == 0 {
            break;
        }
    }
    if words >= FEWEST && words % 3 == 0 {
        finds.push(Find { range: start..end, kind: "seed-phrase", rank: Rank::Vague });
    }
}
