//! One sample at least of every kind, found whole and by its name.

use steno_redact::{Finding, Scanner};

use crate::samples::{Sample, draw, found, samples};

#[track_caller]
fn assert_found(sample: &Sample, before: &str, after: &str) {
    let text = format!("{before}{}{after}", sample.text());
    let start = before.len() + sample.before.len();
    let expected = Finding { kind: sample.kind, range: start..start + sample.secret.len() };
    assert_eq!(found(&text), [expected], "{text}");
}

#[test]
fn every_kind_is_found_alone_and_in_a_sentence() {
    for sample in samples() {
        assert_found(&sample, "", "");
        assert_found(&sample, "use ", " for it");
    }
}

#[test]
fn every_kind_has_a_sample() {
    for kind in Scanner::kinds() {
        assert!(samples().iter().any(|sample| sample.kind == kind), "{kind}");
    }
}

#[test]
fn the_form_of_a_token_says_more_than_the_name_it_is_given_to() {
    for sample in samples().iter().filter(|sample| sample.before.is_empty()) {
        assert_found(sample, "token = \"", "\"");
        assert_found(sample, r#"{"apiKey":""#, "\"}");
    }
    let github = &samples()[5];
    assert_found(github, "https://x-access-token:", "@github.com/acme/x.git");
    assert_found(github, "https://", "@github.com/acme/x.git");
}

#[test]
fn a_key_whose_end_is_cut_off_is_still_a_key() {
    let whole = crate::samples::key_block("\n");
    let cut = format!("-----{}", &whole[..600]);
    let findings = found(&cut);
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].kind, findings[0].range.start), ("private-key", 5));
    assert!(findings[0].range.end > 500);
}

#[test]
fn bytes_that_are_no_text_hide_nothing() {
    for sample in samples() {
        let mut bytes = vec![0xff, 0xfe, 0x00, b'"'];
        bytes.extend_from_slice(sample.text().as_bytes());
        bytes.extend_from_slice(&[0xc3, 0x28, 0x00]);
        let kinds: Vec<_> = found(&bytes).into_iter().map(|finding| finding.kind).collect();
        assert_eq!(kinds, [sample.kind], "{}", sample.text());
    }
}

#[test]
fn each_of_many_is_found_once() {
    let tokens: Vec<String> =
        (0..40).map(|seed| format!("ghp_{}", draw(crate::samples::BASE62, 36, 100 + seed))).collect();
    assert_eq!(found(tokens.join(",")).len(), 40);
}
