//! Homes hold what sessions wrote, and random sessions are the same for the same seed.

use steno_testkit::{Era, Home, Rng, Session, encode_project, random_session, random_text};

#[test]
fn a_session_is_written_below_its_project() {
    let home = Home::new();
    let session =
        Session::numbered(3).era(Era::V2_1_56).cwd("/home/dev/my.app").turns(1).agent(|agent| agent);
    let path = home.write(&session);
    assert_eq!(std::fs::read(&path).unwrap(), session.bytes());
    let expected = home.path().join("projects/-home-dev-my-app").join(format!("{}.jsonl", session.id()));
    assert_eq!(path, expected);
    assert_eq!(std::fs::read_dir(path.with_extension("").join("subagents")).unwrap().count(), 1);
    home.append(&session, b"{}\n");
    assert!(std::fs::read(&path).unwrap().ends_with(b"\n{}\n"));
}

#[test]
fn a_registry_entry_names_the_session() {
    let home = Home::new();
    let session = Session::numbered(3);
    let path = home.registry(&session, std::process::id(), "busy");
    let entry: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(entry["sessionId"], session.id().as_str());
}

#[test]
fn every_unit_outside_ascii_letters_and_digits_becomes_a_dash() {
    assert_eq!(encode_project("/a/b.c_d é🦀"), "-a-b-c-d----");
}

#[test]
fn random_sessions_repeat_by_seed_and_mix_record_types() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let session = random_session(seed, 40);
        assert_eq!(session.bytes(), random_session(seed, 40).bytes());
        for line in session.build().lines() {
            let Ok(record) = serde_json::from_slice::<serde_json::Value>(line) else {
                continue;
            };
            kinds.insert(record["type"].as_str().unwrap().to_owned());
        }
    }
    for kind in
        ["user", "assistant", "system", "attachment", "progress", "summary", "api-request", "cost-state"]
    {
        assert!(kinds.contains(kind), "{kind} is missing in {kinds:?}");
    }
}

#[test]
fn random_text_needs_escapes() {
    let text = random_text(&mut Rng::new(5), 400);
    assert!(text.contains('"') && text.contains('\n') && !text.is_ascii());
}
