//! Answers of users, as clients of today and of before keep them.

use super::*;
use crate::call::Choice;

fn answered(said: &str) -> (String, Option<String>) {
    let labels = ["Export", "Charts", "Charts, big ones", ""];
    let choices = labels.map(|label| Choice { label, description: None }).to_vec();
    let answer = understand(&Question { text: "Which?", header: None, choices }, said);
    let taken = labels.iter().zip(answer.taken).filter(|(_, taken)| *taken).map(|(label, _)| *label);
    (taken.collect::<Vec<_>>().join("|"), answer.words)
}

#[test]
fn choices_are_told_from_words() {
    assert_eq!(answered("Charts"), ("Charts".into(), None));
    assert_eq!(answered("Export, Charts, big ones"), ("Export|Charts, big ones".into(), None));
    assert_eq!(answered("Charts, in blue"), ("Charts".into(), Some("in blue".into())));
    assert_eq!(answered("Chartsy, neither"), (String::new(), Some("Chartsy, neither".into())));
    assert_eq!(answered(""), (String::new(), None));
}

#[test]
fn older_clients_say_answers_in_words() {
    let text = "User has answered your questions: \"Which?\"=\"a. b\", \"Why?\"=\"c, d\". You can now go on.";
    assert_eq!(in_words(text, "Which?"), Some("a. b"));
    assert_eq!(in_words(text, "Why?"), Some("c, d"));
    assert_eq!(in_words(text, "Who?"), None);
    assert_eq!(in_words("\"Which?\"=\"a\".", "Which?"), Some("a"));
}
