//! Marks hold still: a masked text is masked no further, and the same secret has the same mark.

use proptest::prelude::*;
use steno_redact::Redactor;
use steno_testkit::secrets::planted;

use crate::masking::{alice, masked, redactor, spot};

/// Pieces that texts with secrets are made of.
fn piece() -> impl Strategy<Value = String> {
    let secrets: Vec<String> = planted().into_iter().map(|planted| planted.text).collect();
    let glue = [
        " ",
        "\n",
        "\\n",
        "\"",
        "'",
        "=",
        ":",
        ": ",
        "@",
        "/",
        "\\",
        "[",
        "]",
        "{\"password\":\"",
        "token=",
        "Cookie: a=",
        "https://u:",
        "@host/",
        "/home/alice",
        "/home/bob/",
        "alice",
        "curl -u a:",
        "é",
        "→",
        "🦀",
        "-p",
        "mysql ",
        "Bearer ",
        "[token-1]",
        "secret",
        "C:\\Users\\alice\\",
        "; ",
        "&",
        "a@b.io",
        ",",
        "--token ",
        "xoxb-",
        "eyJ",
        "|",
    ];
    let glue = glue.map(str::to_owned).to_vec();
    prop_oneof![
        3 => proptest::sample::select(glue),
        2 => proptest::sample::select(secrets),
        1 => "\\PC{0,8}",
        1 => "[a-zA-Z0-9]{1,12}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..10).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_masked_text_is_masked_no_further() {
    for planted in planted() {
        let once = masked(&planted.text, None);
        assert_eq!(masked(&once, None), once, "{}", planted.name);
    }
}

#[test]
fn the_same_secret_has_the_same_mark_everywhere() {
    for planted in planted() {
        let mut redactor = redactor();
        let first = redactor.masked(&spot(&planted.text, None)).unwrap();
        let second = redactor.masked(&spot(&planted.text, None)).unwrap();
        assert_eq!(first, second, "{}", planted.name);
        assert_eq!(redactor.report().total, redactor.report().distinct * 2, "{}", planted.name);
    }
}

#[test]
fn the_same_password_has_one_mark_whatever_gave_it_away() {
    let text = "postgres://app:Tr0mbone9@db/x\nDB_PASSWORD=Tr0mbone9\nmysql -pTr0mbone9";
    let shown = masked(text, None);
    assert_eq!(shown.matches("[url-password-1]").count(), 3, "{shown}");
}

#[test]
fn secrets_may_be_masked_before_the_rest() {
    let mut redactor = redactor();
    let text = "cat /home/alice/x; DB_PASSWORD=Winter-2026";
    let first = redactor.secrets_masked(&spot(text, None)).unwrap();
    assert_eq!(first, "cat /home/alice/x; DB_PASSWORD=[password-1]");
    assert_eq!(redactor.masked(&spot(&first, None)).unwrap(), "cat ~/x; DB_PASSWORD=[password-1]");
    assert_eq!((redactor.report().total, redactor.report().distinct), (2, 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn masking_twice_is_masking_once(text in text(), emails: bool) {
        let once = |text: &str| {
            let mut redactor = Redactor::new(&alice(), emails);
            redactor.masked(&spot(text, None)).unwrap_or_else(|| text.to_owned())
        };
        let first = once(&text);
        prop_assert_eq!(once(&first), first);
    }

    #[test]
    fn ranges_are_ordered_apart_and_between_letters(text in text(), key in proptest::option::of("password|token|Cookie|x")) {
        let marks = Redactor::new(&alice(), true).mask(&spot(&text, key.as_deref()));
        let mut end = 0;
        for (range, mark) in marks {
            prop_assert!(end <= range.start && range.start < range.end && range.end <= text.len());
            prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
            prop_assert!(mark.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'\\<>".contains(&byte)));
            end = range.end;
        }
    }

    #[test]
    fn the_same_texts_have_the_same_marks(texts in proptest::collection::vec(text(), 1..4)) {
        let all = || {
            let mut redactor = redactor();
            texts.iter().map(|text| redactor.mask(&spot(text, None))).collect::<Vec<_>>()
        };
        prop_assert_eq!(all(), all());
    }
}
