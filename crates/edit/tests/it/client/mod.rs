//! The real client, when `STENO_CLIENT` names one (`cargo xtask check` does): of every session that we make out of one
//! of its own, it sends to the model exactly the messages that we predict.

mod scene;
mod wishes;

use std::fs;

use scene::Scene;
use serde_json::{Value, json};

/// A picture of one grey point.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00,
    0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81,
    0x77, 0xcd, 0x72, 0xb6, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

#[test]
fn calls_and_thoughts() {
    let Some(scene) = Scene::set() else { return };
    let notes = scene.project.join("notes.txt");
    scene.say(&["Two at once mock:many", &format!("Now mock:file={}", notes.display()), "At last mock:todo"]);
    scene.assert_holds(&[r#""thinking""#, "echo one", "echo two", "TodoWrite"]);
    scene.check_all();
}

#[test]
fn subagents_plans_long_results_and_pictures() {
    let Some(scene) = Scene::set() else { return };
    let picture = scene.project.join("picture.png");
    fs::write(&picture, PICTURE).unwrap();
    let look = format!("Look mock:read={}", picture.display());
    scene.say(&["Ask mock:agent=inside", "Think mock:plan", &look, "Count mock:run=seq+1+9000"]);
    scene.assert_holds(&["image/", "ExitPlanMode", "mock:echo=inside", "seq 1 9000"]);
    scene.check_all();
}

/// Older clients of ours have none that report.
#[test]
fn a_subagent_in_the_background() {
    let Some(scene) = Scene::set().filter(|_| scene::is_newest()) else { return };
    scene.say(&["Ask mock:background=inside", "Speak mock:echo=after"]);
    scene.assert_holds(&["<task-notification>"]);
    scene.check_all();
}

#[test]
fn a_compacted_session() {
    let Some(scene) = Scene::set() else { return };
    scene.say(&[
        "Two at once mock:many",
        "Speak mock:echo=before",
        "/compact",
        "Again mock:many",
        "Bye mock:echo=after",
    ]);
    scene.assert_holds(&["compact_boundary", "isCompactSummary"]);
    scene.check_all();
}

/// The client itself goes back to an earlier message and says something else.
#[test]
fn a_rewound_session() {
    let Some(scene) = Scene::set() else { return };
    scene.say(&["Speak mock:echo=first", "Two at once mock:many", "Speak mock:echo=last"]);
    scene.say_instead_of("Two at once mock:many", "Instead mock:echo=instead");
    scene.assert_holds(&["echo last", "echo instead"]);
    scene.check_all();
}

/// The same as it is noted for a session that was left before anything else was said.
#[test]
fn a_session_with_a_chosen_leaf() {
    let Some(scene) = Scene::set() else { return };
    scene.say(&["Speak mock:echo=first", "Two at once mock:many", "Speak mock:echo=last"]);
    scene.rewind_to("Two at once mock:many");
    scene.say_more("Instead mock:echo=instead");
    scene.check_all();
}

/// The session is at work: its file ends in a call.
#[test]
fn a_session_that_was_cut_off() {
    let Some(scene) = Scene::set() else { return };
    scene.say(&["Speak mock:echo=first", "Two at once mock:many"]);
    let mut records = scene.records();
    let is_call = |record: &Value| record["message"]["content"][0]["type"] == json!("tool_use");
    let last_call = records.iter().rposition(is_call).unwrap();
    records.truncate(last_call + 1);
    scene.rewrite(&records);
    scene.check_all();
}
