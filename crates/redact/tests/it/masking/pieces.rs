//! Secrets that several strings tell together: the parts of one, and the answer of a tool that was asked for one.

use steno_redact::Spot;
use steno_testkit::secrets::{BASE62, draw};

use crate::masking::redactor;

/// All strings are looked through before any is masked.
fn masked(strings: &[(&str, &str, u64)]) -> Vec<String> {
    let mut redactor = redactor();
    let spots =
        || strings.iter().map(|(key, text, line)| Spot { text, key: Some(key), file: 0, line: *line });
    spots().for_each(|spot| redactor.learn(&spot));
    spots().map(|spot| redactor.masked(&spot).unwrap_or_else(|| spot.text.to_owned())).collect()
}

#[test]
fn a_token_that_goes_across_two_blocks_is_masked_in_both() {
    let token = format!("{}{}", ["gh", "p_"].concat(), draw(BASE62, 36, 7));
    for cut in [4, 12, 20, 36] {
        let (first, second) = token.split_at(cut);
        let (one, two) = (format!("it begins with {first}"), format!("{second} and so on"));
        let shown = masked(&[("text", &one, 1), ("type", "text", 1), ("text", &two, 2)]);
        assert!(!shown[0].contains(first) && !shown[2].contains(second), "{shown:?}");
        assert!(shown[0].starts_with("it begins with [") && shown[2].ends_with("] and so on"), "{shown:?}");
    }
}

#[test]
fn what_ends_with_a_token_does_not_hide_the_next_block() {
    let token = format!("{}{}", ["gh", "p_"].concat(), draw(BASE62, 36, 8));
    let first = format!("it is {token}");
    let shown = masked(&[("text", &first, 1), ("text", "However, that is old", 1)]);
    assert_eq!(shown, ["it is [github-token-1]", "However, that is old"]);
}

#[test]
fn an_answer_is_a_secret_where_the_call_asked_for_one() {
    let key = draw("0123456789abcdef", 32, 9);
    let numbered = format!("     1→{key}\n");
    for (name, call, answer) in [
        ("file_path", "/srv/app/config/master.key", numbered.as_str()),
        ("command", "openssl rand -hex 16", &key),
        ("command", "cat ~/.vault-token", &key),
        ("command", "echo $API_SECRET", &key),
    ] {
        let call = [("id", "toolu_01", 1), ("name", "Bash", 1), (name, call, 1)];
        let result = [("tool_use_id", "toolu_01", 2), ("content", answer, 2)];
        let shown = masked(&[&call[..], &result[..]].concat());
        assert!(shown[4].contains("[secret-1]") && !shown[4].contains(&key), "{shown:?}");
    }
}

#[test]
fn an_answer_is_none_where_nothing_asked_for_one() {
    let digest = draw("0123456789abcdef", 32, 10);
    for call in ["md5sum secret.txt", "git rev-parse HEAD # token", "ls -la"] {
        let call = [("id", "toolu_01", 1), ("command", call, 1)];
        let result = [("tool_use_id", "toolu_01", 2), ("content", digest.as_str(), 2)];
        let shown = masked(&[&call[..], &result[..]].concat());
        assert_eq!(shown[3], digest);
    }
}

#[test]
fn a_file_of_nothing_but_a_key_is_masked() {
    let key = draw("0123456789abcdef", 32, 11);
    assert_eq!(crate::masking::masked(&key, None), "[secret-1]");
    assert_eq!(crate::masking::masked(&format!("{key}  README.md"), None), format!("{key}  README.md"));
}
