//! What was typed → the sessions that match, by their places.
//!
//! Every word that was typed has to occur. Texts that contain all of them as they are come first; then those where a
//! word has the letters of a typed one in their order (`prsr` in `parser`). Among equals the given order stays.

/// A text in the form that is matched.
pub(super) fn folded(text: &str) -> String {
    text.to_lowercase()
}

/// The places of the folded texts that match.
pub(super) fn matching<'a>(typed: &str, texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let typed = folded(typed);
    let words: Vec<&str> = typed.split_whitespace().collect();
    let (mut exact, mut loose) = (Vec::new(), Vec::new());
    for (place, text) in texts.enumerate() {
        if words.iter().all(|word| text.contains(word)) {
            exact.push(place);
        } else if words.iter().all(|word| text.contains(word) || is_spread(word, text)) {
            loose.push(place);
        }
    }
    exact.append(&mut loose);
    exact
}

/// Whether some word of the text has these letters in their order.
fn is_spread(letters: &str, text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let mut word = word.chars();
        letters.chars().all(|letter| word.any(|other| other == letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 4] = ["fix the parser api", "parse dates web", "write a poem", "release naïve café"];

    fn found(typed: &str) -> Vec<usize> {
        matching(typed, TEXTS.into_iter())
    }

    #[test]
    fn all_words_have_to_occur() {
        assert_eq!(found(""), [0, 1, 2, 3]);
        assert_eq!(found("  parse  "), [0, 1]);
        assert_eq!(found("parse api"), [0]);
        assert_eq!(found("api parse"), [0], "in any order");
        assert_eq!(found("parse poem"), [0; 0]);
        assert_eq!(found("PARSER Café"), [0; 0]);
        assert_eq!(found("CAFÉ"), [3], "in any case");
    }

    #[test]
    fn letters_in_their_order_are_the_second_choice() {
        assert_eq!(found("prsr"), [0]);
        assert_eq!(found("pe"), [0, 1, 2], "as it is nowhere, spread in three");
        assert_eq!(found("po"), [2]);
        assert_eq!(found("ea"), [3], "as it is in `release`");
        assert_eq!(found("xparser"), [0; 0]);
        let texts = ["a p-o-e-m", "poem", "the poem"];
        assert_eq!(
            matching("poem", texts.into_iter()),
            [1, 2, 0],
            "the spread one is last, though it is newer"
        );
    }

    /// So many that a pass that is not linear would not end in time.
    #[test]
    fn thousands_are_matched_at_each_key() {
        let texts: Vec<String> =
            (0..50_000).map(|number| format!("session {number} about the parser")).collect();
        assert_eq!(matching("49999 prsr", texts.iter().map(String::as_str)), [49_999]);
    }
}
