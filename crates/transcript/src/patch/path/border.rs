//! Where a path in a text may begin and end.
//!
//! Nearly every character may stand in a name, and texts do not mark where a path ends, so this is a judgement:
//! `/home/a/proj` is not in `/home/a/project`, `/home/a/proj.git`, `/x/home/a/proj` or `/home/a/proj\ two`, but in
//! `"/home/a/proj"`, `see /home/a/proj.`, `/home/a/proj:12` and `root@host:/home/a/proj# `.

/// Whether a path may begin behind `before`.
pub(super) fn may_start_after(before: &str) -> bool {
    let mut characters = before.chars().rev();
    match characters.next() {
        None => true,
        Some('/') => before.ends_with("file://") || before.ends_with("file:///"),
        // A line of a diff; otherwise the end of a name.
        Some('+' | '-') => characters.next().is_none_or(|previous| !joins(previous)),
        Some('@') => true,
        Some(last) => !joins(last) || ends_escape(before) || ends_colour(before),
    }
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

fn is_in_name(character: char) -> bool {
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
