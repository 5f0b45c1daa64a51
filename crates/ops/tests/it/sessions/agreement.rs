//! List and show say the same of a session, by every key that they share.

use serde_json::Value;
use steno_ops::Warning;
use steno_ops::doctor::Finding;
use steno_testkit::{Home, random_session};

use crate::sessions::claude_dirs::{faults, listed, shown};

/// What only a look at the whole file tells.
const OF_THE_WHOLE: [&str; 6] = [
    "duplicate-uuid",
    "broken-chain",
    "missing-parent",
    "parent-cycle",
    "tool-without-result",
    "result-without-tool",
];

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
        home.write(&session);
        let doctor = faults(&home);
        let of_lines = |finding: &&Finding| finding.line.is_some() && !OF_THE_WHOLE.contains(&&*finding.kind);
        let has_any = doctor.iter().any(|finding| of_lines(&finding));
        assert_eq!(listed(&home).warnings > 0, has_any, "{seed}: {doctor:?}");
        let shown = shown(&home, session.id().as_str()).conversation.warnings;
        for finding in doctor.iter().filter(|finding| finding.line.is_some()) {
            let is_same = |warning: &Warning| {
                let is_kind = warning.kind == finding.kind || finding.kind == "broken-chain";
                is_kind && Some(&warning.file) == finding.file.as_ref() && warning.line == finding.line
            };
            assert!(shown.iter().any(is_same), "{seed}: show says nothing of {finding:?}");
        }
    }
}
