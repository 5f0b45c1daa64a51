//! `steno search`: what is planted is found, ranked, shown and opened; what is not there is not.

mod beside;
mod face;
mod filters;
mod literal;
mod needles;
mod opened;

use serde_json::Value;
use steno_testkit::{App, Session};

fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk")
}

/// A home with these sessions.
fn with(sessions: &[Session]) -> App {
    let app = app();
    sessions.iter().for_each(|session| app.write(session));
    app
}

fn said(session: Session, text: &str) -> Session {
    session.assistant(|message| message.text(text))
}

/// The answer to `steno search` with these arguments; it has to be a good one.
fn search(app: &App, arguments: &[&str]) -> Value {
    let line: Vec<&str> = ["search", "--json"].iter().chain(arguments).copied().collect();
    let output = app.output(&line);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn total(report: &Value) -> u64 {
    report["total"].as_u64().unwrap()
}

fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

/// The ids of the sessions that answer, in their order.
fn found(report: &Value) -> Vec<&str> {
    report["sessions"].as_array().unwrap().iter().map(|session| session["id"].as_str().unwrap()).collect()
}

fn roles(report: &Value) -> Vec<&str> {
    report["hits"].as_array().unwrap().iter().map(|hit| hit["role"].as_str().unwrap()).collect()
}

/// What stands in the snippets where it is marked.
fn marked(report: &Value) -> Vec<String> {
    let mut marked = Vec::new();
    for hit in report["hits"].as_array().unwrap() {
        let snippet = hit["snippet"].as_str().unwrap();
        for place in hit["highlights"].as_array().unwrap() {
            let at = |end: usize| usize::try_from(place[end].as_u64().unwrap()).unwrap();
            marked.push(snippet[at(0)..at(1)].to_owned());
        }
    }
    marked
}

/// `steno show` of a hit, opened there.
fn shown(app: &App, hit: &Value) -> Value {
    let (session, at) = (hit["session"].as_str().unwrap(), hit["at"].as_str().unwrap());
    let report = app.json(&format!("show {session} --at {at} --json"));
    assert!(report["at"].is_u64(), "{session} {at}");
    report
}

/// The text of the chunk that a hit opens.
fn opened(app: &App, hit: &Value) -> String {
    let report = shown(app, hit);
    let place = usize::try_from(report["at"].as_u64().unwrap()).unwrap();
    report["chunks"][place].to_string()
}
