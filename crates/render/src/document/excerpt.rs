//! Long texts of machines → their beginning, and how much is missing.

/// Characters of a result that are shown.
const RESULT: usize = 600;

/// Characters and lines of a tool's input that are shown. A text that is a little longer stays whole.
const INPUT: usize = 2000;
const INPUT_LINES: usize = 40;

/// What is shown of a text, and in words what is not.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt<'a> {
    pub(super) shown: &'a str,
    pub(super) missing: Option<String>,
}

impl<'a> Excerpt<'a> {
    fn new(text: &'a str, end: usize) -> Self {
        let (shown, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        let is_between_lines = shown.ends_with('\n');
        let missing = match rest.chars().count() {
            0 => None,
            _ if is_between_lines => Some(more(rest.lines().count(), "line")),
            characters => Some(more(characters, "character")),
        };
        Self { shown, missing }
    }

    fn whole(shown: &'a str) -> Self {
        Self { shown, missing: None }
    }
}

/// The first characters of what a tool gave back.
pub(super) fn result(text: &str) -> Excerpt<'_> {
    let Some((end, _)) = text.char_indices().nth(RESULT) else { return Excerpt::whole(text) };
    let (shown, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    Excerpt { shown, missing: Some(more(rest.chars().count(), "character")) }
}

/// The first lines of what a tool was given, as many as there is room for, or the beginning of a line that is longer.
pub(super) fn input(text: &str) -> Excerpt<'_> {
    let is_short = text.char_indices().nth(INPUT + INPUT / 10).is_none();
    if is_short && text.lines().nth(INPUT_LINES + INPUT_LINES / 10).is_none() {
        return Excerpt::whole(text);
    }
    let most = text.char_indices().nth(INPUT).map_or(text.len(), |(at, _)| at);
    let ends = text.match_indices('\n').map(|(at, _)| at + 1).take(INPUT_LINES);
    let end = ends.take_while(|end| *end <= most).last();
    // A line that takes most of the room is not worth leaving out.
    Excerpt::new(text, end.filter(|end| *end > most / 2 || most == text.len()).unwrap_or(most))
}

fn more(number: usize, noun: &str) -> String {
    let many = if number == 1 { "" } else { "s" };
    format!("… {} more {noun}{many}", grouped(number))
}

/// `12345` → `12,345`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
