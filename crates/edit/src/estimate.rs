//! Texts and images → roughly how many tokens they are.
//!
//! No tokenizer is public for these models, so this is a rule of thumb: good for "half of it is tool results", not
//! for a bill.

mod pixels;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a conversation says to the model, in tokens, by kind. Estimates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    pub total: u64,
    /// What people and the model said, summaries and reminders included.
    pub text: u64,
    pub thinking: u64,
    pub tool_calls: u64,
    pub tool_results: u64,
    /// Documents, too.
    pub images: u64,
}

impl Estimate {
    pub(crate) fn add_text(&mut self, tokens: u64) {
        self.text = self.text.saturating_add(tokens);
        self.total = self.total.saturating_add(tokens);
    }
}

/// In twentieths of a token, by the first byte of a character. English is about four letters a token; digits and
/// signs, of which code is full, stand closer; a character of Chinese, Japanese or Korean is a little more than one.
fn weight(byte: u8) -> u64 {
    match byte {
        b'0'..=b'9' => 8,
        b'a'..=b'z' | b'A'..=b'Z' | b' ' | b'\t' | b'\n' | b'\r' => 5,
        0x00..=0x7f => 9,
        // Within a character.
        0x80..=0xbf => 0,
        // Letters with marks, Greek, Cyrillic, Hebrew, Arabic.
        0xc0..=0xdf => 10,
        // Scripts of India and Thailand, dashes and quotes.
        0xe0..=0xe2 => 14,
        0xe3..=0xef => 24,
        // Emoji.
        0xf0..=0xff => 40,
    }
}

/// A run of white space, as code is indented by, is hardly more than its first.
const MORE_SPACE: u64 = 1;

/// Of a text.
pub fn of_text(text: &str) -> u64 {
    let mut was_space = false;
    let mut sum = 0;
    for byte in text.bytes() {
        let is_space = byte.is_ascii_whitespace();
        sum += if is_space && was_space { MORE_SPACE } else { weight(byte) };
        was_space = is_space;
    }
    sum.div_ceil(20)
}

/// What an image is reckoned as at most, and when nothing is known of it.
const IMAGE: u64 = 1600;
/// Pixels that make a token.
const PIXELS: u64 = 750;
/// Bytes of a PDF that make a token, and a page of one: its text, and a picture of it.
const PDF_BYTES: u64 = 35;
const PDF_PAGE: u64 = 2000;

/// Of an image or document, as it is encoded.
pub fn of_media(media_type: &str, data: &str) -> u64 {
    if media_type.starts_with("text/") {
        return of_text(data);
    }
    if media_type == "application/pdf" {
        return (data.len() as u64 * 3 / 4 / PDF_BYTES).max(PDF_PAGE);
    }
    match pixels::size(data) {
        Some((width, height)) => (u64::from(width) * u64::from(height)).div_ceil(PIXELS).clamp(1, IMAGE),
        None => IMAGE,
    }
}

#[cfg(test)]
mod tests;
