//! A secret that was given away once is masked where nothing around it tells.

use steno_testkit::secrets::key_block;

use crate::masking::{redactor, spot};

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
fn a_secret_is_known_in_the_name_of_a_directory() {
    let mut redactor = redactor();
    let first = redactor.masked(&spot("cd /srv/DB_PASSWORD=Winter_2026.Sale", None)).unwrap();
    let second = redactor.masked(&spot("~/.claude/projects/-srv-Winter-2026-Sale/x.jsonl", None)).unwrap();
    assert!(first.ends_with("=[password-1]"), "{first}");
    assert_eq!(second, "~/.claude/projects/-srv-[password-1]/x.jsonl");
}

#[test]
fn the_lines_of_a_key_are_known_one_by_one() {
    let mut redactor = redactor();
    let key = format!("-----{}-----", key_block("\n"));
    redactor.learn(&spot(&key, None));
    for line in key.lines().skip(1).take(25) {
        let shown = redactor.masked(&spot(&format!("+{line}"), None)).unwrap();
        assert!(shown.starts_with("+[private-key-") && shown.len() < 20, "{shown}");
    }
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

#[test]
fn a_short_password_is_known_as_a_word_of_its_own() {
    let mut redactor = redactor();
    assert!(redactor.masked(&spot("PGPASSWORD=hunter2 psql", None)).is_some());
    let shown = redactor.masked(&spot("I used hunter2, not hunter22 or hunter2-old.", None)).unwrap();
    assert_eq!(shown, "I used [password-1], not hunter22 or hunter2-old.");
}

#[test]
fn a_password_is_known_in_urls_in_base64_and_behind_a_letter() {
    let mut redactor = redactor();
    redactor.masked(&spot("DB_PASSWORD=\"p@ss/w0rd+9x\"\nPGPASSWORD=Kx93kdQp2mZ", None)).unwrap();
    for text in
        ["http://x/?q=p%40ss%2Fw0rd%2B9x", "S3g5M2tkUXAybVo=", "tool -xKx93kdQp2mZ", "test_Kx93kdQp2mZ2"]
    {
        let shown = redactor.masked(&spot(text, None)).unwrap_or_default();
        assert!(shown.contains("[password-"), "{text}: {shown}");
    }
    assert!(redactor.masked(&spot("PGPASSWORD=Wombat-Fish-Sky psql", None)).is_some());
    assert!(redactor.masked(&spot("is Wombat-Fish-Sky still right?", None)).is_some());
}
