//! What was shown, held against what the screen showed in the same run.
//!
//! A state has to be shown within a second of the screen, and no other from then until the screen changes. States that
//! the screen showed for less than 600 ms may be missed.

use std::collections::BTreeMap;

use serde_json::Value;

use super::rows::Row;

const WITHIN: i64 = 1_000;
const BRIEF: i64 = 600;
const ACTIONS: [&str; 5] = ["start", "type", "key", "kill", "answer"];

/// An expected state, and when the screen showed it.
struct Truth<'a> {
    state: &'a Value,
    from: i64,
    to: i64,
}

#[derive(Debug)]
pub(super) enum Verdict {
    Right,
    /// Nothing wrong was shown, but `unknown`, or nothing at all.
    Unknown(String),
    Wrong(String),
}

impl Verdict {
    pub(super) fn problem(&self) -> Option<String> {
        match self {
            Self::Right => None,
            Self::Unknown(what) => Some(format!("? {what}")),
            Self::Wrong(what) => Some(format!("! {what}")),
        }
    }
}

pub(super) fn judge(
    rows: &[Row],
    expected: &[Value],
    shown: &BTreeMap<String, Vec<(i64, Value)>>,
) -> Vec<Verdict> {
    let none = Vec::new();
    let truths = truths(rows, expected);
    let kept = truths.iter().filter(|truth| truth.state["brief"] != true);
    kept.map(|truth| verdict(truth, shown.get(truth.state["session"].as_str().unwrap()).unwrap_or(&none)))
        .collect()
}

fn verdict(truth: &Truth<'_>, history: &[(i64, Value)]) -> Verdict {
    let name = name(truth.state);
    let until = |i: usize| history.get(i + 1).map_or(i64::MAX, |(next, _)| *next);
    let right = history
        .iter()
        .enumerate()
        .find(|(i, (_, state))| is_right(truth.state, state) && until(*i) > truth.from - 300);
    let during = |from: i64, to: i64| {
        history
            .iter()
            .enumerate()
            .filter(move |(i, (t, _))| *t < to && until(*i) > from)
            .map(|(_, (_, state))| state)
    };
    let late = right.map(|(_, (t, _))| (t - truth.from).max(0));
    if late.is_some_and(|late| late <= WITHIN) {
        let mut others = history.iter().filter(|(t, _)| *t > truth.from + WITHIN && *t < truth.to - 500);
        return match others.find(|(_, state)| !is_right(truth.state, state)) {
            Some((t, state)) => Verdict::Wrong(format!("{name} but then {} at {t}", kind(state))),
            None => Verdict::Right,
        };
    }
    let wrong = during(truth.from + WITHIN, truth.to - 500)
        .find(|state| !is_right(truth.state, state) && state["kind"] != "unknown");
    match wrong {
        Some(state) => Verdict::Wrong(format!("{name} shown as {}", kind(state))),
        None => Verdict::Unknown(name),
    }
}

fn is_right(expected: &Value, state: &Value) -> bool {
    let agrees = |key: &str| expected[key].is_null() || expected[key] == state[key];
    expected["state"] == state["kind"] && agrees("for") && (state["tool"].is_null() || agrees("tool"))
}

fn name(state: &Value) -> String {
    let words = ["state", "for", "tool", "reason"].map(|key| state[key].as_str().unwrap_or_default());
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn kind(state: &Value) -> String {
    let words = ["kind", "for", "tool"].map(|key| state[key].as_str().unwrap_or_default());
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// When the screen of this run showed each expected state.
fn truths<'a>(rows: &[Row], expected: &'a [Value]) -> Vec<Truth<'a>> {
    let mut clients: Vec<&str> = expected.iter().map(|state| state["client"].as_str().unwrap()).collect();
    clients.dedup();
    let mut truths: Vec<_> =
        clients.into_iter().flat_map(|client| of_client(client, rows, expected)).collect();
    // A session that was left may be opened again.
    let opened: Vec<_> = truths.iter().map(|truth| (truth.state["session"].clone(), truth.from)).collect();
    for truth in truths.iter_mut().filter(|truth| truth.state["off_screen"] == true) {
        let again =
            opened.iter().filter(|(session, from)| truth.state["session"] == *session && *from > truth.from);
        truth.to = again.map(|(_, from)| *from).min().unwrap_or(truth.to);
    }
    let left: Vec<_> = truths
        .iter()
        .filter(|truth| truth.state["off_screen"] == true)
        .map(|t| (t.state["session"].clone(), t.from))
        .collect();
    for (session, at) in left {
        for truth in truths.iter_mut().filter(|truth| truth.state["session"] == session && truth.from < at) {
            truth.to = truth.to.min(at);
        }
    }
    truths
}

fn of_client<'a>(client: &str, rows: &[Row], expected: &'a [Value]) -> Vec<Truth<'a>> {
    let last = rows.last().unwrap().t();
    let screen: Vec<&Row> =
        rows.iter().filter(|row| row.is("screen") && row.text("client") == client).collect();
    let own = |row: &&Row| row.text("client") == client || (row.0["client"].is_null() && client == "a");
    let steps: Vec<&Row> =
        rows.iter().filter(|row| row.is("step") && ACTIONS.contains(&row.text("do"))).filter(own).collect();
    let pressed: Vec<i64> =
        rows.iter().filter(|row| row.text("do") == "pressed").filter(own).map(Row::t).collect();
    let ends = |i: usize| screen.get(i + 1).map_or(last, |row| row.t());
    let (mut index, mut current, mut moved) = (0, None::<&Value>, None);
    let mut truths = Vec::new();
    for state in expected.iter().filter(|state| state["client"] == client) {
        let step = steps.iter().position(|row| row.0["n"] == state["cause"]["step"]);
        let start = step.map_or(0, |i| steps[i].t());
        let stop = step.and_then(|i| steps.get(i + 1)).map_or(last + 1, |row| row.t());
        let act = pressed.iter().copied().find(|t| (start..stop).contains(t)).unwrap_or(start);
        if state["off_screen"] == true {
            truths.push(Truth { state, from: act, to: last });
            moved = Some(act);
            continue;
        }
        if state["state"] == "working" && state["cause"]["do"] == "start" {
            truths.push(Truth { state, from: start, to: screen.last().unwrap().t() });
            continue;
        }
        let found = (index..screen.len())
            .take_while(|i| screen[*i].t() < stop)
            .filter(|i| screen[*i].t() >= start)
            .take_while(|i| {
                shows(screen[*i], state)
                    || ends(*i) - screen[*i].t() < BRIEF
                    || screen[*i].text("state") == "unclear"
            })
            .find(|i| shows(screen[*i], state));
        if let Some(i) = found {
            index = i + 1;
            current = Some(state);
            moved = None;
            truths.push(Truth { state, from: screen[i].t(), to: ends(i) });
        } else if current.is_some_and(|now| now["state"] == state["state"] && now["for"] == state["for"]) {
            let to = screen.get(index).map_or(last, |row| row.t());
            truths.push(Truth { state, from: moved.take().unwrap_or(act), to });
        } else {
            assert!(state["brief"] == true, "{client}: the screen never showed {}", name(state));
        }
    }
    truths
}

fn shows(row: &Row, state: &Value) -> bool {
    row.text("state") == state["state"] && (state["for"].is_null() || row.0["about"] == state["for"])
}
