//! A text → its words, one at a time, so that the caller can stop in between.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::character::{Kind, continues, fold, is_settled, kind_at};
use super::escape::escape_end;
use super::part::{part_at, word_end};
use super::{PART, Token};

/// A word is indexed by so many characters; longer words are cut.
pub(crate) const LONGEST_WORD: usize = 40;

/// A longer word has no parts: it is data, not a name.
const LONGEST_NAME: usize = 256;

/// As many characters as may make one, with its marks.
const LONGEST_CHARACTER: usize = 8;

/// Goes through a text word by word.
#[derive(Debug)]
pub(crate) struct Walker<'a> {
    text: &'a str,
    at: usize,
    /// Of the next word.
    position: usize,
    /// Of the next part.
    part_position: usize,
    /// The word whose parts are under way; empty between words.
    name: Range<usize>,
    /// The last word, if it differs from the text.
    folded: String,
}

/// A word before it is handed out.
struct Step {
    place: Range<usize>,
    position: usize,
    is_plain: bool,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, position: 0, part_position: 0, name: 0..0, folded: String::new() }
    }

    #[inline]
    pub(crate) fn advance(&mut self) -> Option<Token<'_>> {
        let Step { place, position, is_plain } = self.step()?;
        let word = if is_plain { self.text.get(place.clone())? } else { &self.folded };
        Some(Token { word, position, place })
    }

    fn step(&mut self) -> Option<Step> {
        loop {
            let step = if self.at < self.name.end {
                self.part()
            } else if self.skip_signs()? == Kind::Dense {
                self.pair()
            } else {
                self.word()
            };
            if step.is_some() {
                return step;
            }
        }
    }

    /// Tells what begins behind the signs.
    fn skip_signs(&mut self) -> Option<Kind> {
        loop {
            match kind_at(self.text, self.at)? {
                (Kind::Sign | Kind::Mark, length) => self.at += length,
                (Kind::Escape, _) => self.at = escape_end(self.text, self.at),
                (kind, _) => return Some(kind),
            }
        }
    }

    /// A word of one part is done with; the parts of another one follow.
    fn word(&mut self) -> Option<Step> {
        let part = part_at(self.text, self.at);
        let mut place = self.at..part.end;
        let mut is_ascii = part.is_ascii;
        if part.is_last {
            self.at = place.end;
        } else {
            place.end = word_end(self.text, place.end);
            is_ascii = self.text.get(place.clone())?.is_ascii();
            self.name = place.clone();
            self.part_position += 1;
        }
        let is_plain = part.is_last && part.is_plain && is_ascii && place.len() <= LONGEST_WORD;
        if !is_plain {
            self.folded.clear();
            self.fold(place.clone(), is_ascii);
            if self.folded.is_empty() {
                return None;
            }
        }
        self.position += 1;
        Some(Step { place, position: self.position - 1, is_plain })
    }

    fn part(&mut self) -> Option<Step> {
        if self.at - self.name.start > LONGEST_NAME {
            self.at = self.name.end;
            return None;
        }
        let part = part_at(self.text, self.at);
        let place = self.at..part.end;
        self.at = part.end;
        self.folded.clear();
        self.folded.push(PART);
        self.fold(place.clone(), part.is_ascii);
        if self.folded.len() == PART.len_utf8() {
            return None;
        }
        self.part_position += 1;
        Some(Step { place, position: self.part_position - 1, is_plain: false })
    }

    /// None if only marks are left.
    fn fold(&mut self, place: Range<usize>, is_ascii: bool) {
        if is_ascii {
            let end = place.end.min(place.start + LONGEST_WORD);
            self.folded.push_str(self.text.get(place.start..end).unwrap_or_default());
            self.folded.make_ascii_lowercase();
            return;
        }
        let mut left = LONGEST_WORD;
        for character in self.text.get(place).unwrap_or_default().chars() {
            fold(character, |letter| {
                if left > 0 {
                    left -= 1;
                    self.folded.push(letter);
                }
            });
            if left == 0 {
                break;
            }
        }
    }

    /// A character of a dense script with the next one, or alone at the end of a run.
    fn pair(&mut self) -> Option<Step> {
        let start = self.at;
        let middle = character_end(self.text, start);
        self.folded.clear();
        self.compose(start..middle);
        let mut end = middle;
        if matches!(kind_at(self.text, middle), Some((Kind::Dense, _))) {
            end = character_end(self.text, middle);
            self.compose(middle..end);
        }
        self.at = middle;
        self.position += 1;
        (!self.folded.is_empty()).then_some(Step {
            place: start..end,
            position: self.position - 1,
            is_plain: false,
        })
    }

    fn compose(&mut self, place: Range<usize>) {
        let text = self.text.get(place).unwrap_or_default();
        if text.chars().all(is_settled) {
            self.folded.push_str(text);
            return;
        }
        let characters = text.chars().take(LONGEST_CHARACTER);
        self.folded.extend(characters.nfkc().filter(|character| !is_selector(*character)));
    }
}

fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Where a character of a dense script ends, with all that belongs to it.
pub(crate) fn character_end(text: &str, at: usize) -> usize {
    let mut characters = text.get(at..).unwrap_or_default().chars();
    let first = characters.next().map_or(1, char::len_utf8);
    at + first + characters.take_while(|next| continues(*next)).map(char::len_utf8).sum::<usize>()
}
