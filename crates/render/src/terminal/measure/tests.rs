//! Wide, combined and joined characters, cut and wrapped.

use super::*;

fn room(width: usize) -> Room {
    Room { from: 0, width }
}

fn wrapped(line: &str, width: usize) -> Vec<String> {
    wrap(line, room(width)).map(|(indent, part)| format!("{indent}{part}")).collect()
}

#[test]
fn wide_characters_count_double() {
    assert_eq!(cut("short", room(10)), "short");
    assert_eq!(cut("abcde", room(5)), "abcde");
    assert_eq!(cut("abcdefgh", room(5)), "abcd…");
    assert_eq!(cut("ab   cdefgh", room(5)), "ab…");
    assert_eq!(cut("ab\tcdefgh", room(9)), "ab…");
    assert_eq!(cut("a", room(0)), "…");
    assert_eq!(cut("日本語のセッション", room(7)), "日本語…");
    assert_eq!(cut("日本語のセッション", room(8)), "日本語…");
}

#[test]
fn what_looks_like_one_character_is_not_torn() {
    let family = "👩\u{200d}👩\u{200d}👧";
    assert_eq!(cut(&format!("{family}{family}{family}"), room(5)), format!("{family}{family}…"));
    assert_eq!(cut("❤\u{fe0f}❤\u{fe0f}❤\u{fe0f}", room(5)), "❤\u{fe0f}❤\u{fe0f}…");
    assert_eq!(cut("e\u{301}e\u{301}e\u{301}", room(2)), "e\u{301}…");
    assert_eq!(cut("🇫🇷🇩🇪🇮🇹", room(5)), "🇫🇷🇩🇪…");
    assert_eq!(cut("a\u{200d}b\u{200d}c", room(2)), "a\u{200d}…");
}

#[test]
fn nothing_that_is_cut_is_too_wide() {
    let texts =
        ["日e\u{301}本 👍🏽x❤\u{fe0f}\tz 한글 ไทย", "🇫🇷🇩🇪a\u{200d}日", "a🏽👍🏽🏽🏽🇫🏽", "\u{301}\u{301}a"];
    for text in texts {
        for columns in 1..30 {
            assert!(width(&cut(text, room(columns)), 0) <= columns, "{text} in {columns}");
            for part in wrapped(text, columns.max(2)).iter().filter(|part| !part.contains('\t')) {
                assert!(width(part, 0) <= columns.max(2), "{part} in {columns}");
            }
        }
    }
}

#[test]
fn lines_break_between_words_and_inside_those_too_long() {
    assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
    assert_eq!(wrapped("one two", 7), ["one two"]);
    assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
    assert_eq!(wrapped("a --full-results b", 15), ["a", "--full-results", "b"]);
    assert_eq!(wrapped("see 日本語の例", 8), ["see 日本", "語の例"]);
    assert_eq!(wrapped("", 8), [""]);
}

#[test]
fn what_is_indented_stays_so_until_there_is_no_room() {
    assert_eq!(wrapped("  one two three", 10), ["  one two", "  three"]);
    assert_eq!(wrapped(&format!("{}word", " ".repeat(50)), 10), ["     word"]);
    assert_eq!(wrapped("\tone two", 18), ["\tone two"]);
}

#[test]
fn a_tab_reaches_to_the_next_stop() {
    assert_eq!(width("ab\tc", 0), 9);
    assert_eq!(width("ab\tc", 4), 5);
    assert_eq!(wrapped("ab\tcd\tef", 12), ["ab\tcd", "ef"]);
}
