//! Where a path in a text may begin and end.
//!
//! Nearly every character may be in a name, and texts do not mark where a path ends, so this is a judgement:
//! `/home/a/proj` is not in `/home/a/project`, `/home/a/proj.git`, `/x/home/a/proj` or `/home/a/proj\ two`, but in
//! `"/home/a/proj"`, `see /home/a/proj.`, `/home/a/proj:12` and `root@host:/home/a/proj# `.

use memchr::memmem;

/// How far back the beginning of a URL is looked for.
const LONGEST_URL: usize = 512;

/// Whether a path may begin behind `before`.
fn may_start_after(before: &str) -> bool {
    let mut characters = before.chars().rev();
    match characters.next() {
        None => true,
        Some('/') => ends_in_file(before),
        // A line of a diff; otherwise the end of a name.
        Some('+' | '-') => characters.next().is_none_or(|previous| !joins(previous)),
        Some('@') => true,
        Some(last) => !joins(last) || ends_escape(before) || ends_colour(before),
    }
}

/// The same for a path that is known beforehand: in a URL it is one only if that is one of a file.
pub(super) fn may_start_named_after(before: &str) -> bool {
    may_start_after(before) && (ends_in_file(before) || !ends_in_url(before))
}

/// The same for a path that is not known beforehand. In a URL there is none, and a flag may be right before one.
pub(super) fn may_start_absolute_after(before: &str) -> bool {
    (may_start_after(before) || ends_flag(before)) && !ends_in_url(before)
}

/// Whether a name may end before `after`.
pub(super) fn ends_before(after: &str) -> bool {
    let mut characters = after.chars();
    match characters.next() {
        None => true,
        // As the shell writes a space in a name.
        Some('\\') => characters.next() != Some(' '),
        // The end of a sentence, or of an ending.
        Some('.') => {
            let next = after.trim_start_matches('.').chars().next();
            next.is_none_or(|next| !is_in_name(next) && next != '/' && next != '\\')
        }
        Some('%') => characters.take(2).filter(char::is_ascii_hexdigit).count() < 2,
        Some(first) => !is_in_name(first),
    }
}

/// Whether a path may go on with `character`.
pub(super) fn is_in_path(character: char) -> bool {
    is_in_name(character) || matches!(character, '.' | '/' | '\\')
}

/// Whether what follows `character` belongs to the same path.
fn joins(character: char) -> bool {
    is_in_path(character) || matches!(character, '$' | '}' | ')' | ']')
}

pub(super) fn is_in_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '+' | '@' | '~');
    }
    // Punctuation, arrows, lines and signs; accents that combine with a letter are none of these.
    let is_sign = matches!(character,
        '\u{80}'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}'
        | '\u{2000}'..='\u{206f}' | '\u{2190}'..='\u{27bf}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}'
        | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}'
        | '\u{feff}' | char::REPLACEMENT_CHARACTER);
    !is_sign && !character.is_whitespace()
}

/// How many backslashes `text` ends with.
pub(super) fn backslashes_at_end(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

/// How many backslashes replace one in what follows `before`: more than one in a string of a JSON text.
pub(super) fn backslashes_for_one(before: &str, is_json: bool) -> usize {
    let Some(before) = before.strip_suffix('"') else { return 1 };
    let escape = backslashes_at_end(before);
    if escape == 0 && is_json && before.trim_end().ends_with([':', ',', '[']) { 2 } else { escape + 1 }
}

/// As in `-I/usr/include`.
fn ends_flag(before: &str) -> bool {
    let flag = before.strip_suffix(|last: char| last.is_ascii_alphabetic());
    let before = flag.and_then(|flag| flag.strip_suffix('-'));
    before
        .is_some_and(|before| before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || c == '"'))
}

/// Whether `before` ends where the path in the URL of a file begins.
fn ends_in_file(before: &str) -> bool {
    before.ends_with("file://") || before.ends_with("file:///")
}

/// Whether the word that `before` ends with is a URL.
fn ends_in_url(before: &str) -> bool {
    let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(LONGEST_URL))..);
    let is_outside = |c: char| c.is_whitespace() || "\"'`<>()[]{}|,;\\".contains(c);
    let behind = near.and_then(|near| near.get(memmem::rfind(near.as_bytes(), b"://")?..));
    behind.is_some_and(|behind| !behind.contains(is_outside))
}

/// A line break or tab in a text inside the text.
fn ends_escape(before: &str) -> bool {
    [r"\n", r"\r", r"\t"].iter().any(|escape| before.ends_with(escape))
}

/// A terminal's escape sequence, as `ESC [ 3 5 m`.
fn ends_colour(before: &str) -> bool {
    let Some(parameters) = before.strip_suffix(|last: char| last.is_ascii_alphabetic()) else {
        return false;
    };
    parameters.trim_end_matches(|c: char| c.is_ascii_digit() || c == ';').ends_with("\u{1b}[")
}
