//! Recorded runs of the real client, replayed source by source against what its screen showed.
//!
//! `tests/live/timelines` holds one run of each scenario, `tests/live/expect` the states that the screen went through. Each
//! run is replayed with some of the sources; the table pins what those can know.

mod judge;
mod rows;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use judge::{Verdict, judge};
use proptest::prelude::*;
use rows::{Row, Sources, observations};
use serde_json::Value;
use steno_live::{Board, Observation, SeenBy, StateOf};

const STEP: i64 = 25;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live")
}

struct Scenario {
    name: String,
    rows: Vec<Row>,
    expected: Vec<Value>,
}

fn scenarios(version: &str) -> Vec<Scenario> {
    let mut paths: Vec<_> = std::fs::read_dir(data().join("timelines").join(version))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| scenario(version, path)).collect()
}

fn scenario(version: &str, path: &Path) -> Scenario {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expect = std::fs::read_to_string(data().join(format!("expect/{name}.json"))).unwrap();
    let expect: Value = serde_json::from_str(&expect).unwrap();
    let expected = expect["versions"][version]["states"].as_array().unwrap().clone();
    Scenario { name, rows, expected }
}

/// What a board shows of each session, whenever it changes.
fn shown(scenario: &Scenario, sources: Sources) -> BTreeMap<String, Vec<(i64, Value)>> {
    let mut board = Board::default();
    let mut shown: BTreeMap<String, Vec<(i64, Value)>> = BTreeMap::new();
    let mut pending = observations(&scenario.rows, sources).into_iter().peekable();
    let end = scenario.rows.last().unwrap().t();
    for now in (0..=end).step_by(STEP as usize) {
        while let Some((_, observation)) = pending.next_if(|(at, _)| *at <= now) {
            board.observe(observation);
        }
        for id in board.sessions() {
            let state = serde_json::to_value(board.state(id, now).unwrap()).unwrap();
            let history = shown.entry(id.to_string()).or_default();
            let face = |state: &Value| (state["kind"].clone(), state["for"].clone(), state["tool"].clone());
            if history.last().is_none_or(|(_, last)| face(last) != face(&state)) {
                history.push((now, state));
            }
        }
    }
    shown
}

/// One line for each scenario with a state that was not known (`?`) or wrong (`!`).
fn problems(version: &str, sources: Sources) -> String {
    let mut table = String::new();
    for scenario in scenarios(version) {
        let verdicts = judge(&scenario.rows, &scenario.expected, &shown(&scenario, sources));
        let problems: Vec<_> = verdicts.iter().filter_map(Verdict::problem).collect();
        if !problems.is_empty() {
            writeln!(table, "{}: {}", scenario.name, problems.join("; ")).unwrap();
        }
    }
    table
}

/// The client asks for trust before it writes a registry entry or calls a hook.
#[test]
fn all_sources_see_all_but_the_question_of_trust() {
    assert_snapshot!(problems("2.1.325", Sources::ALL), @r"
    trust-dialog: ? waiting dialog
    ");
}

#[test]
fn with_nothing_installed_registry_and_transcripts_see_the_same() {
    assert_snapshot!(problems("2.1.325", Sources::NOTHING_INSTALLED), @r"
    trust-dialog: ? waiting dialog
    ");
}

/// Busy may mean that only subagents run, and plans are permissions.
#[test]
fn the_registry_alone_sees_neither_plans_nor_work_in_the_background() {
    assert_snapshot!(problems("2.1.325", Sources::REGISTRY), @r"
    plan-approve: ! waiting plan ExitPlanMode shown as waiting permission
    plan-esc: ! waiting plan ExitPlanMode shown as waiting permission
    plan-reject: ! waiting plan ExitPlanMode shown as waiting permission
    subagent-background: ! background shown as working
    subagent-foreground: ! background shown as working
    subagents-parallel: ! background shown as working; ! background shown as working
    trust-dialog: ? waiting dialog
    ");
}

/// Esc and No fire no hook.
#[test]
fn hooks_alone_see_no_escape() {
    assert_snapshot!(problems("2.1.325", Sources::HOOKS), @r"
    held-esc-first: ! idle shown as waiting permission Bash
    permission-auto-mode: ! waiting dialog shown as working Bash; ! waiting permission Bash shown as working Bash
    permission-deny: ! idle shown as waiting permission Bash
    permission-esc: ! idle shown as waiting permission Bash
    plan-esc: ! idle shown as waiting plan ExitPlanMode
    question-esc: ! idle shown as waiting question AskUserQuestion
    resume-command: ! waiting dialog shown as idle
    stream-esc: ! idle shown as working
    tool-esc: ! idle shown as working Bash
    trust-dialog: ? waiting dialog
    ");
}

/// Without a registry a dialog that no hook announces is not seen.
#[test]
fn an_old_client_with_hooks() {
    assert_snapshot!(problems("2.1.56", Sources::ALL), @r"
    headless-denied: ! working shown as idle
    headless: ! working shown as idle
    resume-command: ! waiting dialog shown as idle
    trust-dialog: ? waiting dialog
    ");
}

/// What no source tells is unknown, and never wrong.
#[test]
fn an_old_client_without_hooks_is_unknown() {
    let problems = problems("2.1.56", Sources::NOTHING_INSTALLED);
    assert!(!problems.is_empty() && !problems.contains('!'), "{problems}");
}

fn end_states(scenario: &Scenario, seen: &[(i64, Observation)]) -> BTreeMap<String, StateOf> {
    let mut board = Board::default();
    seen.iter().for_each(|(_, observation)| board.observe(observation.clone()));
    let now = scenario.rows.last().unwrap().t() + 10_000;
    board.sessions().map(|id| (id.to_string(), board.state(id, now).unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Hooks are separate processes, and files are read late and again.
    #[test]
    fn neither_order_nor_repeats_change_the_state(seed: u64) {
        for version in ["2.1.325", "2.1.56"] {
            for scenario in scenarios(version) {
                let seen = observations(&scenario.rows, Sources::ALL);
                let mut mixed = [seen.clone(), seen.iter().step_by(3).cloned().collect()].concat();
                shuffle(&mut mixed, seed);
                prop_assert_eq!(end_states(&scenario, &mixed), end_states(&scenario, &seen), "{}", scenario.name);
            }
        }
    }

    /// While the registry is read, no loss of a hook or of a record keeps a session working or waiting.
    #[test]
    fn lost_observations_pin_nothing(seed: u64) {
        for scenario in scenarios("2.1.325") {
            let seen = observations(&scenario.rows, Sources::ALL);
            let mut kept = seen.clone();
            shuffle(&mut kept, seed);
            let (lost, kept) = kept.split_at(kept.len() / 2);
            let registry = lost.iter().filter(|(_, lost)| lost.seen_by >= SeenBy::Registry);
            let kept: Vec<_> = kept.iter().chain(registry).cloned().collect();
            for (id, state) in end_states(&scenario, &seen) {
                let found = end_states(&scenario, &kept).get(&id).map_or("unknown", |found| found.state.kind());
                prop_assert_eq!(found, state.state.kind(), "{} {}", scenario.name, id);
            }
        }
    }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed | 1;
    for i in (1..items.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(i, (state >> 33) as usize % (i + 1));
    }
}
