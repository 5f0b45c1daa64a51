//! Excerpts, at the borders of what is shown.

use super::*;

fn missing(text: &str) -> Option<String> {
    let excerpt = input(text);
    assert!(text.starts_with(excerpt.shown));
    excerpt.missing
}

#[test]
fn a_little_too_long_stays_whole() {
    assert_eq!(missing(&"ä".repeat(2200)), None);
    assert_eq!(missing(&"a\n".repeat(44)), None);
}

#[test]
fn lines_are_left_out_whole_where_that_is_possible() {
    assert_eq!(missing(&"a\n".repeat(45)).as_deref(), Some("… 5 more lines"));
    let wide = format!("{}\n", "a".repeat(99));
    assert_eq!(missing(&wide.repeat(30)).as_deref(), Some("… 10 more lines"));
    assert_eq!(missing(&"ä".repeat(3234)).as_deref(), Some("… 1,234 more characters"));
    assert_eq!(missing(&format!("a\n{}", "b".repeat(3000))).as_deref(), Some("… 1,002 more characters"));
}

#[test]
fn a_result_is_its_first_characters() {
    let text = format!("{}b", "ä\n".repeat(300));
    assert_eq!(result(&text).shown.chars().count(), 600);
    assert_eq!(result(&text).missing.as_deref(), Some("… 1 more character"));
}
