//! Secrets of every kind in all surroundings: none survives.

use steno_testkit::secrets::planted;

use crate::masking::masked;

fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n").replace('\r', r"\r")
}

/// The text as it stands in a note, a tool's output, a shell, JSON, and JSON in JSON.
fn surroundings(text: &str) -> Vec<(&'static str, String)> {
    let json = escaped(&format!("{{\"output\":\"{}\"}}", escaped(text)));
    vec![
        ("alone", text.to_owned()),
        ("a note", format!("I found this in the old notes:\n{text}\nplease rotate it")),
        ("output", format!("$ cat notes\n{text}\n$ ")),
        ("json", format!("{{\"output\":\"{}\"}}", escaped(text))),
        ("json in json", json),
    ]
}

/// No long part of it is left either.
fn survives(secret: &str, masked: &str) -> bool {
    let body = &secret[secret.len() / 3..];
    let piece = &body[..body.len().min(24)];
    masked.contains(secret) || (piece.len() > 6 && masked.contains(piece))
}

#[test]
fn none_of_the_planted_secrets_survives() {
    let all = planted();
    let mut kinds: Vec<&str> = all.iter().map(|planted| planted.name.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut count = 0;
    let mut left = Vec::new();
    for planted in &all {
        for (place, text) in surroundings(&planted.text) {
            let shown = masked(&text, None);
            let secret =
                if place.starts_with("json") { escaped(&planted.secret) } else { planted.secret.clone() };
            count += 1;
            if survives(&planted.secret, &shown) || survives(&secret, &shown) {
                left.push(format!("{} in {place}: {shown}", planted.name));
            }
        }
    }
    println!("{} secrets of {} forms in {count} places, {} survive", all.len(), kinds.len(), left.len());
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(kinds.len() >= 60);
}

#[test]
fn a_key_of_json_tells_about_its_value() {
    let cases = [
        ("password", "hunter2"),
        ("password", " hunter2\n"),
        ("DB_PASSWORD", "correcthorse"),
        ("clientSecret", "f8Kq2mPx91LsVbQz"),
        ("Authorization", "Bearer 93jf02kf92kd02lslw9"),
        ("x-api-key", "a8s7df6a8s7d6f8a7sd6"),
        ("token", "9f8e7d6c5b4a39281706"),
        ("HEROKU_API_KEY", "1b9e4c5a-7d0f-4a4e-9a53-1f0f8c4f2d11"),
        ("Cookie", "theme=dark-mode; sid=8f7a6s5d4f"),
        ("auth", "YWxpY2U6aHVudGVyMg=="),
    ];
    for (key, value) in cases {
        let shown = masked(value, Some(key));
        assert!(
            shown.contains('[') && !shown.contains(&value.trim()[value.trim().len() - 6..]),
            "{key}: {shown}"
        );
    }
}

/// As tools list files, search them and show what changed.
#[test]
fn what_stands_before_a_line_hides_nothing() {
    for before in ["+", "-  ", "+  ", "     3\t", "   3→  ", "12:  ", "12-  ", " 3 | ", "> "] {
        let shown = masked(&format!("{before}password: swordfish"), None);
        assert_eq!(shown, format!("{before}password: [password-1]"));
        let lines = format!("{before}- name: DB_PASSWORD\n{before}  value: plugh-7\n");
        let shown = masked(&lines, None);
        assert!(!shown.contains("plugh-7"), "{shown}");
    }
}

#[test]
fn a_name_and_its_value_may_be_neighbours_in_json() {
    let mut redactor = crate::masking::redactor();
    assert_eq!(redactor.masked(&crate::masking::spot("DB_PASSWORD", Some("name"))), None);
    let shown = redactor.masked(&crate::masking::spot("correcthorse", Some("value")));
    assert_eq!(shown.as_deref(), Some("[password-1]"));
    assert_eq!(redactor.masked(&crate::masking::spot("correct", Some("value"))), None);
}

#[test]
fn a_browser_is_told_what_to_type_into_a_field() {
    let mut redactor = crate::masking::redactor();
    assert_eq!(redactor.masked(&crate::masking::spot("Password input", Some("element"))), None);
    assert_eq!(redactor.masked(&crate::masking::spot("e12", Some("ref"))), None);
    let shown = redactor.masked(&crate::masking::spot("Kx93kdQp2mZ", Some("text")));
    assert_eq!(shown.as_deref(), Some("[password-1]"));
    assert_eq!(redactor.masked(&crate::masking::spot("Lx93kdQp2mZ", Some("text"))), None);
}

/// As a line is walked: keys are strings as well, and there may be more of them than two.
#[test]
fn keys_and_other_pairs_may_stand_between_a_name_and_its_value() {
    let mut redactor = crate::masking::redactor();
    let mut shown = |text, key| redactor.masked(&crate::masking::spot(text, Some(key)));
    let around =
        [("Name", "env"), ("DB_PASSWORD", "Name"), ("Type", "env"), ("secure", "Type"), ("Value", "env")];
    assert!(around.iter().all(|(text, key)| shown(text, key).is_none()));
    assert_eq!(shown("correcthorse", "Value").as_deref(), Some("[password-1]"));
    assert_eq!(shown("another", "Value"), None);
}

#[test]
fn a_flag_in_a_list_tells_about_the_next_string() {
    let mut redactor = crate::masking::redactor();
    let mut shown = |text| redactor.masked(&crate::masking::spot(text, Some("args")));
    assert_eq!(shown("--password"), None);
    assert_eq!(shown("wombatfish").as_deref(), Some("[password-1]"));
    assert_eq!(shown("narwhalfish"), None);
}

#[test]
fn a_value_before_its_name_is_learned() {
    let mut redactor = crate::masking::redactor();
    for (text, key) in [("Kx93kdQp2mZ", "value"), ("name", "env"), ("DB_PASSWORD", "name")] {
        redactor.learn(&crate::masking::spot(text, Some(key)));
    }
    let shown = redactor.masked(&crate::masking::spot("Kx93kdQp2mZ", Some("value")));
    assert_eq!(shown.as_deref(), Some("[password-1]"));
}

#[test]
fn a_private_key_may_be_a_list_of_lines() {
    let key = format!("-----{}-----", steno_testkit::secrets::key_block("\n"));
    let mut redactor = crate::masking::redactor();
    let shown: Vec<Option<String>> = key
        .lines()
        .map(|line| redactor.masked(&crate::masking::spot(&format!("+{line}"), Some("lines"))))
        .collect();
    let inner = &shown[1..shown.len() - 1];
    assert!(
        inner.iter().all(|line| line.as_deref().is_some_and(|line| line.starts_with("+[private-key-"))),
        "{shown:?}"
    );
    assert_eq!((&shown[0], &shown[shown.len() - 1]), (&None, &None));
}
