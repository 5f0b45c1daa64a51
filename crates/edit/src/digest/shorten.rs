//! Texts → their beginnings, on one line.

/// At most so many characters, without line breaks; cut between words where there are any.
pub(super) fn line(text: &str, characters: usize) -> String {
    // Looked at a little further than needed: white space goes.
    let text: String = text.chars().take(characters.saturating_mul(2).saturating_add(200)).collect();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&words, characters)
}

/// At most so many characters, unchanged.
pub(super) fn cut(text: &str, characters: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(characters) else { return text.to_owned() };
    let end = text.char_indices().nth(characters.saturating_sub(1)).map_or(end, |(place, _)| place);
    let whole = text.get(..end).unwrap_or_default();
    let at_word = whole.rfind(char::is_whitespace).filter(|place| *place * 4 > whole.len() * 3);
    format!("{}…", whole.get(..at_word.unwrap_or(whole.len())).unwrap_or_default().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_stays_and_a_long_one_ends_with_a_word() {
        assert_eq!(line("a\n b\t c ", 10), "a b c");
        assert_eq!(line("one two three four five", 20), "one two three four…");
        assert_eq!(line("日本語のとても長い文章", 6), "日本語のと…");
        assert_eq!(cut("a\nb", 9), "a\nb");
        assert_eq!((line("abc", 1), line("abc", 0), line("", 0)), ("…".into(), "…".into(), "".into()));
    }
}
