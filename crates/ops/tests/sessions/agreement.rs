//! List and show say the same of a session, by every key that they share.

use serde_json::Value;
use steno_testkit::{Home, random_session};

use crate::library::{kinds, listed, shown};

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
fn list_warns_of_nothing_that_show_and_doctor_do_not_name() {
    for seed in 1..=40 {
        let home = Home::new();
        let session = random_session(seed, 30);
        home.write(&session);
        let report = listed(&home);
        let shown = shown(&home, session.id().as_str()).conversation.warnings;
        let doctor = steno_ops::census::run(&crate::library::library(&home)).unwrap().warnings;
        for kind in kinds(&report) {
            assert!(shown.iter().any(|warning| warning.kind == kind), "{seed}: show says nothing of {kind}");
            assert!(
                doctor.iter().any(|warning| warning.kind == kind),
                "{seed}: doctor says nothing of {kind}"
            );
        }
    }
}
