//! A secret that was given away once is masked where nothing around it tells.

use crate::{redactor, spot};

#[test]
fn a_password_is_known_again_in_prose() {
    let mut redactor = redactor();
    let first = redactor.masked(&spot("DB_PASSWORD=Winter-2026-Sale", None)).unwrap();
    let second = redactor.masked(&spot("does Winter-2026-Sale still work?", None)).unwrap();
    assert_eq!(
        (first.as_str(), second.as_str()),
        ("DB_PASSWORD=[password-1]", "does [password-1] still work?")
    );
}

#[test]
fn what_was_learned_is_masked_before_it_is_given_away() {
    let texts = ["does Winter-2026-Sale still work?", "DB_PASSWORD=Winter-2026-Sale"];
    let mut redactor = redactor();
    texts.iter().for_each(|text| redactor.learn(&spot(text, None)));
    assert_eq!(redactor.report().total, 0);
    let shown = redactor.masked(&spot(texts[0], None)).unwrap();
    assert_eq!(shown, "does [password-1] still work?");
}

#[test]
fn a_password_that_is_a_word_is_not_looked_for() {
    let mut redactor = redactor();
    assert!(redactor.masked(&spot("POSTGRES_PASSWORD=postgres", None)).is_some());
    assert_eq!(redactor.masked(&spot("start postgres first", None)), None);
}

#[test]
fn many_are_known_again() {
    let mut redactor = redactor();
    let secret = |number: usize| format!("pw-{number}-{}", number * 7919);
    for number in 0..100 {
        redactor.masked(&spot(&format!("DB_PASSWORD={}", secret(1000 + number)), None)).unwrap();
    }
    for number in 0..100 {
        let shown = redactor.masked(&spot(&format!("see {} there", secret(1000 + number)), None)).unwrap();
        assert_eq!(shown, format!("see [password-{}] there", number + 1));
    }
}
