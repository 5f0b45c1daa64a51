//! A secret inside JSON, and inside JSON inside JSON, neither hides nor takes along what follows.

use crate::samples::{found, samples};

/// As a JSON string writes it, slashes too.
fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n").replace('/', r"\/")
}

#[test]
fn escapes_around_a_secret_neither_hide_it_nor_belong_to_it() {
    let around = [
        ("\\n", "\\nnext"),
        ("\\\\n", "\\\\nnext"),
        ("\\\"", "\\\" next"),
        ("\\t", "\\tnext"),
        ("\\u0022", "\\u0022"),
    ];
    for sample in samples() {
        for (before, after) in around {
            let text = format!("{before}{}{after}", sample.text());
            let secrets: Vec<_> = found(&text).into_iter().map(|finding| &text[finding.range]).collect();
            assert_eq!(secrets, [sample.secret.as_str()], "{text}");
        }
    }
}

#[test]
fn a_secret_is_found_through_two_layers_of_json() {
    for sample in samples() {
        let once = format!(r#"{{"text":"before\n{}\nafter"}}"#, escaped(&sample.text()));
        let twice = format!(r#"{{"line":"{}"}}"#, escaped(&once));
        for text in [once, twice] {
            let kinds: Vec<_> = found(&text).into_iter().map(|finding| finding.kind).collect();
            assert_eq!(kinds, [sample.kind], "{text}");
        }
    }
}

#[test]
fn a_secret_is_found_in_a_query_and_after_a_terminals_colour() {
    for sample in samples().iter().filter(|sample| sample.before.is_empty()) {
        for before in ["?q%3D", "\u{1b}[01;31m", "\\u001b[K", "\\u003d"] {
            let kinds: Vec<_> =
                found(format!("{before}{}", sample.secret)).into_iter().map(|finding| finding.kind).collect();
            assert_eq!(kinds, [sample.kind], "{before}");
        }
    }
}
