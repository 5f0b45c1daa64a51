//! A character → its role in a word, and the plain characters that it is indexed by.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible, is_combining_mark};

/// The role of a character in its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Separates words.
    Sign,
    /// Begins a terminal's control sequence.
    Escape,
    /// A small letter, or one of a script that has no capitals.
    Small,
    Capital,
    Digit,
    /// Changes the character before it, and begins no word.
    Mark,
    /// Of a script that puts no spaces between words.
    Dense,
}

const PLAIN: [Kind; 128] = plain_kinds();

const fn plain_kinds() -> [Kind; 128] {
    let mut kinds = [Kind::Sign; 128];
    let mut rest: &mut [Kind] = &mut kinds;
    let mut byte = 0u8;
    while let Some((first, others)) = rest.split_first_mut() {
        *first = match byte {
            0x1b => Kind::Escape,
            b'a'..=b'z' => Kind::Small,
            b'A'..=b'Z' => Kind::Capital,
            b'0'..=b'9' => Kind::Digit,
            _ => Kind::Sign,
        };
        rest = others;
        byte += 1;
    }
    kinds
}

/// The character at a byte of a text, and its length in bytes. None at the end.
#[inline]
pub(super) fn kind_at(text: &str, at: usize) -> Option<(Kind, usize)> {
    let byte = *text.as_bytes().get(at)?;
    match PLAIN.get(usize::from(byte)) {
        Some(kind) => Some((*kind, 1)),
        None => text.get(at..)?.chars().next().map(|character| (kind(character), character.len_utf8())),
    }
}

fn kind(character: char) -> Kind {
    if is_drawing(character) {
        Kind::Sign
    } else if is_dense(character) {
        Kind::Dense
    } else if is_combining_mark(character) || is_invisible(character) {
        Kind::Mark
    } else if !character.is_alphanumeric() {
        Kind::Sign
    } else if character.is_uppercase() {
        Kind::Capital
    } else if character.is_numeric() {
        Kind::Digit
    } else {
        Kind::Small
    }
}

/// Arrows, lines and boxes: the output of tools is full of them, and this saves a lookup.
fn is_drawing(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{245f}' | '\u{2500}'..='\u{2775}')
}

/// The characters of most dense text: kana, Han and syllables of Hangul in their normal form.
pub(super) fn is_settled(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Han, kana, bopomofo, Hangul, Thai, Lao, Khmer, Burmese.
pub(crate) fn is_dense(character: char) -> bool {
    if is_settled(character) {
        return true;
    }
    let is_in_range = matches!(character,
        '\u{0e00}'..='\u{0eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{302f}'
        | '\u{3031}'..='\u{3035}'
        | '\u{3038}'..='\u{30ff}'
        | '\u{3100}'..='\u{318f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{a9e0}'..='\u{a9ff}'
        | '\u{aa60}'..='\u{aa7f}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ffdc}'
        | '\u{1aff0}'..='\u{1b16f}'
        | '\u{20000}'..='\u{3ffff}');
    is_in_range && (character.is_alphanumeric() || is_combining_mark(character))
}

/// Invisible characters inside words: soft hyphens, joiners, byte order marks.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Belongs to the dense character before it: a mark, the rest of a syllable, the choice of a glyph.
pub(super) fn continues(character: char) -> bool {
    let is_rest = matches!(character,
        '\u{1160}'..='\u{11ff}'
        | '\u{d7b0}'..='\u{d7ff}'
        | '\u{ff9e}' | '\u{ff9f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}');
    is_rest || !is_settled(character) && canonical_combining_class(character) != 0
}

/// The small, unmarked, usual form of a character; nothing of a mark.
pub(super) fn fold(character: char, mut each: impl FnMut(char)) {
    decompose_compatible(character, |part| {
        for letter in part.to_lowercase() {
            unmarked(letter).into_iter().filter(|letter| is_letter(*letter)).for_each(&mut each);
        }
    });
}

/// Marks that are letters of their own, as the vowels of Indian scripts are, have no class.
fn is_letter(character: char) -> bool {
    character.is_alphanumeric() && canonical_combining_class(character) == 0
}

/// Letters with a plain form that Unicode does not know of; a form of one letter is filled up with nothing.
fn unmarked(letter: char) -> [char; 2] {
    match letter {
        'ß' => ['s', 's'],
        'æ' => ['a', 'e'],
        'œ' => ['o', 'e'],
        'ø' => ['o', '\0'],
        'ł' => ['l', '\0'],
        'đ' => ['d', '\0'],
        'ı' => ['i', '\0'],
        'ς' => ['σ', '\0'],
        other => [other, '\0'],
    }
}
