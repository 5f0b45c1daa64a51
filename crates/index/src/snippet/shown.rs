//! A stretch of a text → the characters of it that may stand on one line of a terminal.

use std::ops::Range;

use super::NEAR;
use crate::token::escape_end;

/// How many bytes of the text are looked at for each character that is wanted: mostly that is enough.
const LITTLE: usize = 2;
/// And where it is not, because blanks and colours are not shown.
const PLENTY: usize = 16;

/// The characters of a stretch, without what only moves a cursor.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Each with its byte in the text.
    pub(super) characters: Vec<(char, usize)>,
    /// The text has more before the first.
    pub(super) is_cut_before: bool,
    pub(super) is_cut_after: bool,
}

impl Shown {
    /// What surrounds a place of a text, wide enough to choose from.
    pub(super) fn around(text: &str, core: &Range<usize>, width: usize) -> Self {
        let little = Self::within(text, core, width.saturating_mul(LITTLE));
        if little.is_enough(core, width) { little } else { Self::plenty(text, core, width) }
    }

    /// The same, wide enough whatever is not shown of it.
    pub(super) fn plenty(text: &str, core: &Range<usize>, width: usize) -> Self {
        Self::within(text, core, width.saturating_mul(PLENTY))
    }

    /// Whether more of the text would change nothing if `width` characters around a place are shown.
    fn is_enough(&self, core: &Range<usize>, width: usize) -> bool {
        let core = self.range(core);
        let is_wide = |characters: usize| characters > width + NEAR;
        (is_wide(core.start) || !self.is_cut_before)
            && (is_wide(self.characters.len().saturating_sub(core.end)) || !self.is_cut_after)
    }

    /// The text within `reach` bytes of a place.
    fn within(text: &str, core: &Range<usize>, reach: usize) -> Self {
        let from =
            start_of_word(text, text.floor_char_boundary(core.start.saturating_sub(reach)), core.start);
        let to = text.ceil_char_boundary(core.end.max(from).saturating_add(reach));
        let is_more = |text: Option<&str>| text.unwrap_or_default().contains(|c: char| !c.is_whitespace());
        Self {
            characters: characters(text, from..to),
            is_cut_before: is_more(text.get(..from)),
            is_cut_after: is_more(text.get(to..)),
        }
    }

    /// The numbers of the characters that stand in a place of the text.
    pub(super) fn range(&self, place: &Range<usize>) -> Range<usize> {
        let number = |at: usize| self.characters.partition_point(|(_, byte)| *byte < at);
        let start = number(place.start);
        start..number(place.end).max(start)
    }

    /// From where to where in the text some of the characters stand.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        match self.characters.get(range.clone()) {
            Some([(_, first), .., (_, last)]) => *first..last + 1,
            Some([(_, only)]) => *only..only + 1,
            _ => 0..0,
        }
    }

    pub(super) fn is_gap(&self, number: usize) -> bool {
        self.characters.get(number).is_some_and(|(character, _)| *character == ' ')
    }
}

/// Begins behind a blank, so that no half of a control sequence is taken for text.
fn start_of_word(text: &str, from: usize, core: usize) -> usize {
    let before = text.get(from..core).filter(|_| from > 0).unwrap_or_default();
    from + before.find(char::is_whitespace).unwrap_or(0)
}

fn characters(text: &str, range: Range<usize>) -> Vec<(char, usize)> {
    let mut shown = Vec::with_capacity(range.len());
    let mut gap = None;
    let mut at = range.start;
    while let Some(character) = text.get(at..range.end).and_then(|rest| rest.chars().next()) {
        if character.is_whitespace() {
            gap = gap.or(Some(at));
        } else if !is_hidden(character) {
            let gap = gap.take().filter(|_| !shown.is_empty());
            shown.extend(gap.map(|gap| (' ', gap)));
            shown.push((character, at));
        }
        at = if character == '\u{1b}' { escape_end(text, at) } else { at + character.len_utf8() };
    }
    shown
}

/// Controls, and what turns the direction of all that follows.
fn is_hidden(character: char) -> bool {
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns
}
