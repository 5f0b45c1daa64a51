//! What is highlighted, and what is shown of a long text.
#![allow(clippy::indexing_slicing, reason = "a test that fails should say where")]

use proptest::prelude::*;

use super::{Shown, Snippet, cluster, cut, highlights, snippet};
use crate::query::{Clause, Query, Term};
use crate::token::tests::texts;

fn highlighted<'a>(query: &str, text: &'a str) -> Vec<&'a str> {
    highlights(&Query::parse(query), text).into_iter().map(|place| &text[place]).collect()
}

/// The snippet with its highlights in brackets.
fn shown(query: &str, text: &str, width: usize) -> String {
    let Snippet { text, highlights } = snippet(text, &highlights(&Query::parse(query), text), width);
    let mut marked = String::new();
    let mut at = 0;
    for place in highlights {
        marked += &format!("{}[{}]", &text[at..place.start], &text[place.clone()]);
        at = place.end;
    }
    marked + &text[at..]
}

#[test]
fn words_phrases_and_beginnings_are_highlighted() {
    for (query, text, expected) in [
        ("fox", "The Fox, a fox, foxes", vec!["Fox", "fox"]),
        ("fox*", "fox foxes", vec!["fox", "foxes"]),
        ("\"red fox\"", "red fox, red dog, fox", vec!["red fox"]),
        ("\"red fox\"", "red red fox", vec!["red fox"]),
        ("-red fox", "red fox", vec!["fox"]),
        ("user", "getUserName", vec!["User"]),
        ("getusername", "x.getUserName()", vec!["getUserName"]),
        ("getUserName", "get_user_name GETUSERNAME", vec!["get_user_name", "GETUSERNAME"]),
        ("UserName", "x.getUserNameOf()", vec!["UserName"]),
        ("user_name", "x.getUserNameOf(userName)", vec!["UserName", "userName"]),
        ("user_na*", "getUserNameOf userNation", vec!["UserName", "userNation"]),
        ("us*", "getUserName used", vec!["User", "used"]),
        ("user_name", "getUser NameOf user", vec![]),
        ("\"use github actions\"", "We use GitHub actions.", vec!["use GitHub actions"]),
        ("\"a b c\"", "a b aB c, a B c", vec!["a B c"]),
        ("user getUserName", "getUserName", vec!["getUserName"]),
        ("cafe", "Café", vec!["Café"]),
        ("\"a b\" b", "a b b", vec!["a b", "b"]),
        ("role:user", "role user", vec![]),
        ("", "a", vec![]),
    ] {
        assert_eq!(highlighted(query, text), expected, "{query}");
    }
}

#[test]
fn dense_scripts_are_highlighted_by_character() {
    for (query, text, expected) in [
        ("议", "会议记录", vec!["议"]),
        ("录", "会议记录", vec!["录"]),
        ("会议记", "会议记录", vec!["会议记"]),
        ("使用API", "我使用API了", vec!["使用API"]),
        ("API接", "用API接口", vec!["API接"]),
        ("ガ", "ｶﾞｷﾞ", vec!["ｶﾞ"]),
    ] {
        assert_eq!(highlighted(query, text), expected, "{query}");
    }
}

#[test]
fn a_short_text_is_shown_whole_on_one_line() {
    assert_eq!(shown("b", "  a\n\n\t b\u{7}c \u{1b}[1mb\u{1b}[0m\u{202e} ", 40), "a [b]c [b]");
    assert_eq!(shown("x", "", 40), "");
    assert_eq!(shown("x", "a b", 0), "…");
}

#[test]
fn a_long_text_is_cut_between_words() {
    let text = "one two three four five six seven eight nine ten eleven twelve thirteen";
    assert_eq!(shown("seven", text, 26), "…five six [seven] eight nine…");
    assert_eq!(shown("one", text, 20), "[one] two three four…");
    assert_eq!(shown("thirteen", text, 22), "…eleven twelve [thirteen]");
    assert_eq!(shown("nowhere", text, 10), "one two…");
    assert_eq!(shown("\"five six seven eight nine\"", text, 12), "…[five six]…");
}

#[test]
fn a_word_without_borders_is_cut_anywhere() {
    let text = format!("{}针{}", "会".repeat(100), "议".repeat(100));
    assert_eq!(shown("针", &text, 5), "…会会[针]议议…");
}

#[test]
fn the_place_with_most_different_words_is_shown() {
    let gap = " and".repeat(60);
    let text = format!("red red red red{gap} fox then red{gap} fox");
    assert_eq!(shown("red fox", &text, 24), "…and [fox] then [red] and…");
}

#[test]
fn megabytes_are_quick() {
    let text = "lorem ipsum dolor sit amet ".repeat(60_000) + "needle";
    assert_eq!(shown("needle", &text, 20), "…sit amet [needle]");
    assert!(shown("lorem", &text, 20).starts_with("[lorem]"));
}

#[test]
fn the_same_word_many_times_is_quick() {
    let text = "lorem ipsum ".repeat(60_000);
    let clauses = vec![Query::parse("lorem lor* \"lorem ipsum\"").clauses; 300].concat();
    let found = highlights(&Query { clauses, filters: Vec::new() }, &text);
    assert_eq!((found.len(), found.first()), (60_000, Some(&(0..11))));
}

#[test]
fn what_is_found_later_takes_what_it_covers_along() {
    assert_eq!(highlighted("a b \"x a b c\" d", "x a b c d x a b"), ["x a b c", "d", "a", "b"]);
}

proptest! {
    #[test]
    fn highlights_are_in_order_and_answer(text in texts(), query in texts()) {
        let query = Query::parse(&query);
        let mut next = 0;
        for place in highlights(&query, &text) {
            prop_assert!(place.start >= next && text.get(place.clone()).is_some_and(|place| !place.is_empty()));
            next = place.end;
        }
    }

    /// Whatever stands between two blanks of a text finds it, and so does its beginning.
    #[test]
    fn what_is_there_is_found(text in texts()) {
        for piece in text.split_whitespace() {
            for term in [Term::Word(piece.to_owned()), Term::Phrase(piece.to_owned()), Term::Prefix(piece.to_owned())] {
                let is_word = !term.wanted().is_empty();
                let query = Query { clauses: vec![Clause { any: vec![term], is_negated: false }], filters: Vec::new() };
                prop_assert_eq!(!highlights(&query, &text).is_empty(), is_word, "{}", query);
            }
        }
    }

    /// In scripts without spaces, every stretch of characters.
    #[test]
    fn every_dense_stretch_is_found(
        text in "[会议记录日本語のコード한국어]{1,12}",
        from in 0usize..12,
        length in 1usize..6,
    ) {
        let stretch: String = text.chars().skip(from).take(length).collect();
        let found = highlighted(&stretch, &text);
        prop_assert!(stretch.is_empty() || found.iter().any(|found| found.contains(&stretch)), "{:?}", found);
    }

    #[test]
    fn snippets_are_clean(text in texts(), query in texts(), width in 0usize..60) {
        let found = highlights(&Query::parse(&query), &text);
        let snippet = snippet(&text, &found, width);
        prop_assert!(snippet.text.chars().count() <= width + 2);
        prop_assert!(!snippet.text.contains(char::is_control) && !snippet.text.contains("  "));
        let mut next = 0;
        for place in snippet.highlights {
            prop_assert!(place.start >= next && snippet.text.get(place.clone()).is_some_and(|place| !place.is_empty()));
            next = place.end;
        }
    }

    /// With room for all, all is there: the same highlights with the same words.
    #[test]
    fn wide_snippets_keep_every_highlight(
        words in prop::collection::vec("[a-c]{1,2}|[é会]", 0..20),
        query in "[a-c ]{0,6}",
    ) {
        let text = words.join(" \n");
        let found = highlights(&Query::parse(&query), &text);
        let snippet = snippet(&text, &found, text.len());
        let before: Vec<_> = found.into_iter().map(|place| &text[place]).collect();
        let after: Vec<_> = snippet.highlights.into_iter().map(|place| &snippet.text[place]).collect();
        prop_assert_eq!(before, after);
    }

    #[test]
    fn a_little_of_the_text_is_shown_as_all_of_it_would_be(
        text in texts(),
        query in texts(),
        times in 1usize..40,
        width in 0usize..60,
    ) {
        // Of a sequence that a blank cuts, more is seen where more is looked at.
        let text = text.replace('\u{1b}', "e").repeat(times);
        let found = highlights(&Query::parse(&query), &text);
        let core = cluster::densest(&text, &found, width);
        let all = cut(&Shown::plenty(&text, &core, width), &core, &found, width);
        prop_assert_eq!(snippet(&text, &found, width), all);
    }

    #[test]
    fn places_from_elsewhere_do_no_harm(
        text in texts(),
        start in 0usize..300,
        length in 0usize..300,
        width in 0usize..60,
    ) {
        let places = [start..start + length, start / 2..start];
        let snippet = snippet(&text, &places, width);
        for place in snippet.highlights {
            prop_assert!(snippet.text.get(place).is_some());
        }
    }
}
