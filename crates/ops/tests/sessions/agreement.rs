//! List and show say the same of a session, by every key that they share.

use serde_json::Value;
use steno_testkit::{Home, random_session};

use crate::library::{examined, listed, shown};

fn count(agents: &Value) -> u64 {
    let agents = agents.as_array().unwrap();
    agents.iter().map(|agent| 1 + count(&agent["agents"])).sum()
}

#[test]
fn every_row_is_what_show_says() {
    let home = Home::new();
    for seed in 1..=120 {
        home.write(&random_session(seed, 5 + (seed % 40) as usize));
    }
    let report = listed(&home);
    assert_eq!(report.sessions.len(), 120);
    for row in report.sessions {
        let id = row.profile.id.clone();
        let row = serde_json::to_value(row).unwrap();
        let show = serde_json::to_value(shown(&home, id.as_str())).unwrap();
        for (key, value) in row.as_object().unwrap() {
            if key == "agents" {
                assert_eq!(value.as_u64(), Some(count(&show["agents"])), "{id}: agents");
            } else {
                assert_eq!(Some(value), show.get(key), "{id}: {key}");
            }
        }
    }
}

#[test]
fn list_counts_what_doctor_names_of_the_transcript_and_show_names_all_of_it() {
    for seed in 1..=40 {
        let home = Home::new();
        let session = random_session(seed, 30);
        let transcript = home.write(&session).display().to_string();
        let doctor = examined(&home).warnings;
        let own = doctor.iter().filter(|warning| warning.file == transcript);
        assert_eq!(listed(&home).warnings, own.count() as u64, "{seed}: {doctor:?}");
        let shown = shown(&home, session.id().as_str()).conversation.warnings;
        for warning in doctor {
            assert!(shown.contains(&warning), "{seed}: show says nothing of {warning:?}");
        }
    }
}
