//! `steno watch`: the board, the changes, and what they are based on.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::{App, Session};

const STENO: &str = env!("CARGO_BIN_EXE_steno");
/// Two minutes before the tests' clock.
const SINCE: u64 = 1_796_126_280_000;
/// Before any clock that is right.
const LONG_AGO: u64 = 1_700_000_000_000;

/// A process that lives as long as the value: a client, to the registry.
struct Process(Child);

impl Process {
    fn start() -> Self {
        Self(Command::new("sleep").arg("600").spawn().unwrap())
    }

    fn change(&self, app: &App, fields: &Value) {
        let path = app.home().path().join(format!("sessions/{}.json", self.0.id()));
        let mut entry: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        fields.as_object().unwrap().iter().for_each(|(key, value)| entry[key] = value.clone());
        fs::write(path, entry.to_string()).unwrap();
    }

    fn entry(&self, app: &App, session: &Session, fields: &Value) {
        app.home().registry(session, self.0.id(), "idle");
        self.change(app, &json!({"updatedAt": SINCE, "statusUpdatedAt": SINCE}));
        self.change(app, fields);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn asks() -> Session {
    Session::numbered(1)
        .user("run the tests")
        .assistant(|message| message.tool_use("Bash", json!({"command": "cargo test"})))
}

fn answered() -> Session {
    Session::numbered(2).user("write the docs").assistant(|message| message.text("Done."))
}

fn app() -> (App, Vec<Process>) {
    let app = App::new(STENO);
    let (first, second) = (asks(), answered());
    app.write(&first);
    app.write(&second);
    let processes = vec![Process::start(), Process::start()];
    processes[0].entry(&app, &first, &json!({"status": "waiting", "waitingFor": "permission prompt"}));
    processes[1].entry(&app, &second, &json!({"status": "idle"}));
    (app, processes)
}

#[test]
fn the_session_that_waits_comes_first() {
    let (app, _processes) = app();
    assert_snapshot!(app.run("watch --once"), @r"
    exit: 0
    ----- stdout -----
    Needs you
      00000001    2m  project         run the tests · permission Bash cargo test

    Your turn
      00000002    2m  project         write the docs

    ----- stderr -----
    next: steno show 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude
    ");
}

#[test]
fn no_session_runs() {
    assert_snapshot!(App::new(STENO).run("watch --once"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no session runs
    ");
}

#[test]
fn a_plan_is_told_from_a_permission_by_its_tool() {
    let app = App::new(STENO);
    let session = Session::numbered(1)
        .user("plan it")
        .assistant(|message| message.tool_use("ExitPlanMode", json!({"plan": "# It"})));
    app.write(&session);
    let process = Process::start();
    process.entry(&app, &session, &json!({"status": "waiting", "waitingFor": "permission prompt"}));
    let report = app.json("watch --once --json");
    assert_eq!(report["sessions"][0]["state"]["for"], "plan");
    assert_eq!(report["sessions"][0]["state"]["tool"], "ExitPlanMode");
}

#[test]
fn why_names_the_observation() {
    let (app, _processes) = app();
    let id = answered().id().to_owned();
    let said = app.run(&format!("watch --why {}", &id.as_str()[..8]));
    assert!(
        said.contains("idle, for 2m, because the registry says idle: seen in the client's registry at"),
        "{said}"
    );
    assert_snapshot!(app.run("watch --why ffff"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no running session 'ffff'
    hint: `steno watch --once` lists those that run
    ");
}

#[test]
fn what_was_recorded_leads_to_the_same_states() {
    let (app, _processes) = app();
    app.run("watch --once --record seen.jsonl");
    assert_snapshot!(app.run("watch --replay seen.jsonl"), @r"
    exit: 0
    ----- stdout -----
    12:00:00 00000001 waiting: permission Bash cargo test
    12:00:00 00000002 idle

    ----- stderr -----
    ");
    fs::write(app.home().root().join("odd.jsonl"), "{\"at\":1}\n").unwrap();
    assert_snapshot!(app.run("watch --replay odd.jsonl"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: odd.jsonl:1: not an observation: missing field `seen` at line 1 column 8
    hint: `steno watch --record FILE` writes such a file
    ");
}

/// A status that an unknown client writes, a stranger's file, half a file: nothing is made up.
#[test]
fn odd_entries_are_unknown_and_break_nothing() {
    let (app, processes) = app();
    processes[0].entry(&app, &asks(), &json!({"status": "dreaming"}));
    fs::write(app.home().path().join("sessions/1.json"), "{\"pid\":1,").unwrap();
    fs::write(app.home().path().join("sessions/2.json"), "[]").unwrap();
    let report = app.json("watch --once --json");
    let kinds: Vec<&Value> =
        report["sessions"].as_array().unwrap().iter().map(|row| &row["state"]["kind"]).collect();
    assert_eq!(kinds, ["idle", "unknown"]);
    let hints = report["hints"].to_string();
    assert!(hints.contains("sessions/1.json") && hints.contains("sessions/2.json"), "{hints}");
}

#[test]
fn changes_come_as_lines_and_a_killed_client_ends_its_session() {
    let (app, mut processes) = app();
    let times = json!({"statusUpdatedAt": LONG_AGO, "updatedAt": LONG_AGO});
    processes[0].change(&app, &times);
    processes[1].change(&app, &times);
    let mut watch = app.command();
    watch.args(["watch", "--json"]).env_remove("STENO_NOW").stdout(Stdio::piped());
    let mut watch = Process(watch.spawn().unwrap());
    let mut lines = BufReader::new(watch.0.stdout.take().unwrap()).lines();
    let mut next = || {
        let change: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        (
            text(&change["was"]),
            text(&change["session"]["state"]["kind"]),
            text(&change["session"]["state"]["reason"]),
        )
    };
    let told = |was: &str, kind: &str, reason: &str| (was.to_owned(), kind.to_owned(), reason.to_owned());
    assert_eq!(next(), told("-", "waiting", "-"));
    assert_eq!(next(), told("-", "idle", "-"));
    processes[1]
        .change(&app, &json!({"status": "busy", "statusUpdatedAt": LONG_AGO + 5, "updatedAt": LONG_AGO + 5}));
    assert_eq!(next(), told("idle", "working", "-"));
    drop(processes.remove(0));
    assert_eq!(next(), told("waiting", "ended", "killed"));
}

#[cfg(unix)]
#[test]
fn a_command_gets_the_session_that_begins_to_need_you() {
    let (app, _processes) = app();
    let mut watch = app.command();
    watch.args(["watch", "--exec", "cat > told.json.part && mv told.json.part told.json"]);
    watch.env_remove("STENO_NOW").stdout(Stdio::null());
    let _watch = Process(watch.spawn().unwrap());
    let path = app.home().root().join("told.json");
    let told = std::iter::repeat_with(|| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::read(&path).ok()
    });
    let told: Value = serde_json::from_slice(&told.take(1_000).flatten().next().unwrap()).unwrap();
    assert_eq!(told["id"], asks().id().as_str());
    assert_eq!(told["state"]["tool"], "Bash");
}
