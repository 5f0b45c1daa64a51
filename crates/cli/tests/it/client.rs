//! The real client, when `STENO_CLIENT` names one (`cargo xtask check` does): what it writes we read, and what we
//! put back it resumes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use steno_testkit::client::{CACHE_READ_TOKENS, CACHE_WRITE_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, Stage};

mod clone;
mod elsewhere;

const ID: &str = "5e551011-0000-4000-8000-000000000001";

#[test]
fn what_the_client_writes_is_listed() {
    let Some(stage) = set() else { return };
    let project = stage.project("a");
    stage.prompt(&project, &["--session-id", ID, "Please mock:echo=hello"]);
    let sessions = &stage.steno(&["list", "--json"])["sessions"];
    assert_eq!(sessions.as_array().unwrap().len(), 1);
    let session = &sessions[0];
    assert_eq!(session["id"], ID);
    assert_eq!(
        (&session["title"], &session["titleSource"]),
        (&json!("Please mock:echo=hello"), &json!("prompt"))
    );
    assert_eq!(session["cwd"], json!(project));
    assert_eq!((&session["turns"], &session["toolCalls"]), (&json!(1), &json!(1)));
    // A call and a last text: two answers.
    let tokens = json!({
        "input": 2 * INPUT_TOKENS, "output": 2 * OUTPUT_TOKENS, "cacheRead": 2 * CACHE_READ_TOKENS,
        "cacheWrite5m": 2 * CACHE_WRITE_TOKENS, "cacheWrite1h": 0, "withoutFinalUsage": 0,
    });
    assert_eq!(session["tokens"], tokens);
    let left: Vec<String> =
        stage.api.refused().into_iter().filter(|asked| asked.contains("CONNECT")).collect();
    assert_eq!(left, [""; 0], "the client tried to reach the world");
}

/// A compaction is billed, and leaves no record: the client's own sum has it.
#[test]
fn ours_and_what_is_unrecorded_are_what_the_client_counts() {
    let Some(stage) = set() else { return };
    let project = stage.project("a");
    converse(&stage, &project);
    stage.prompt(&project, &["--resume", ID, "Now mock:agent=inside"]);
    stage.prompt(&project, &["--resume", ID, "/compact"]);
    let text = fs::read_to_string(stage.transcript(&project, ID)).unwrap();
    let mut records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let last = records.rfind(|record| record["type"] == "cost-state").expect("the client wrote its sum");
    let sum = |key: &str| -> u64 {
        let models = last["modelUsage"].as_object().unwrap().values();
        models.map(|model| model[key].as_u64().unwrap_or_default()).sum()
    };
    let theirs = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"].map(sum);
    let report = stage.steno(&["stats", "--explain", "--json"]);
    let part = |name: &str| {
        let count = |key: &str| report["client"][name]["tokens"][key].as_u64().unwrap();
        [count("input"), count("output"), count("cacheRead"), count("cacheWrite5m") + count("cacheWrite1h")]
    };
    let (recorded, unrecorded) = (part("recorded"), part("unrecorded"));
    let ours: Vec<u64> = recorded.iter().zip(unrecorded).map(|(one, other)| one + other).collect();
    assert_eq!((ours, part("beyond")), (theirs.to_vec(), [0; 4]));
    assert_eq!(
        unrecorded,
        [INPUT_TOKENS, OUTPUT_TOKENS, CACHE_READ_TOKENS, CACHE_WRITE_TOKENS],
        "the compaction"
    );
    let total = &report["total"]["tokens"];
    assert_eq!((&total["input"], &total["output"]), (&json!(recorded[0]), &json!(recorded[1])));
}

#[test]
fn what_the_client_writes_is_shown() {
    let Some(stage) = set() else { return };
    stage.prompt(&stage.project("a"), &["--session-id", ID, "Please mock:echo=hello"]);
    let shown = stage.steno(&["show", ID, "--json"]);
    assert_eq!(shown["chunks"][0]["text"], "Please mock:echo=hello");
    let steps = &shown["chunks"][1]["steps"];
    assert_eq!((&steps[0]["name"], &steps[0]["input"]["command"]), (&json!("Bash"), &json!("echo hello")));
    assert_eq!(
        (&steps[0]["result"]["text"], &steps[0]["result"]["isError"]),
        (&json!("hello"), &json!(false))
    );
    assert_eq!(steps[1]["text"], "The echo script is done.");
    assert_eq!(shown["chunks"].as_array().unwrap().len(), 2);
    assert_eq!((&shown["warnings"], &shown["unknownTypes"]), (&json!([]), &json!([])));
}

#[test]
fn a_subagent_of_the_client_is_shown_inside_its_session() {
    let Some(stage) = set() else { return };
    stage.prompt(&stage.project("a"), &["--session-id", ID, "Please mock:agent=inside"]);
    let shown = stage.steno(&["show", ID, "--json"]);
    assert_eq!(shown["agents"].as_array().unwrap().len(), 1);
    assert!(shown["agents"][0].to_string().contains("echo inside"), "{shown:#}");
    assert_eq!((&shown["warnings"], &shown["unknownTypes"]), (&json!([]), &json!([])));
}

#[test]
fn a_restored_session_is_resumed_with_all_that_was_said() {
    let Some(stage) = set() else { return };
    let project = stage.project("a");
    let mut said = converse(&stage, &project);
    keep_and_lose(&stage);
    stage.steno(&["restore", ID, "--json"]);
    stage.prompt(&project, &["--resume", ID, "go on"]);
    said.push("user: go on".to_owned());
    assert_eq!(said_last(&stage), said);
}

#[test]
fn a_session_restored_to_another_directory_is_resumed_there() {
    let Some(stage) = set() else { return };
    let elsewhere = stage.project("b");
    let mut said = converse(&stage, &stage.project("a"));
    keep_and_lose(&stage);
    let report = stage.steno(&["restore", ID, "--cwd", elsewhere.to_str().unwrap(), "--json"]);
    assert_eq!(report["ok"], true);
    // The client would resume it without this too, and then work in two directories.
    assert_eq!(
        directories(&stage.transcript(&elsewhere, ID)),
        BTreeSet::from([elsewhere.display().to_string()])
    );
    stage.prompt(&elsewhere, &["--resume", ID, "go on"]);
    said.push("user: go on".to_owned());
    assert_eq!(said_last(&stage), said);
}

#[test]
fn the_cleanup_of_the_client_leaves_a_restored_session_alone() {
    let Some(stage) = set() else { return };
    let project = stage.project("a");
    converse(&stage, &project);
    let transcript = stage.transcript(&project, ID);
    let written = fs::read(&transcript).unwrap();
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    age(&stage.app.home().path().join("projects"));
    wait_for_cleanup(&stage);
    assert!(!transcript.exists(), "the client deletes what is 60 days old");
    stage.steno(&["restore", ID, "--json"]);
    wait_for_cleanup(&stage);
    assert!(transcript.exists(), "the client deleted what was restored");
    assert!(
        fs::read(&transcript).unwrap() == written,
        "the restored transcript is not the one that was kept"
    );
}

#[test]
fn what_belongs_to_a_session_of_the_client_is_restored_byte_for_byte() {
    let Some(stage) = set() else { return };
    let project = stage.project("a");
    let notes = project.join("notes.txt");
    fs::write(&notes, "what stood there before\n").unwrap();
    stage.prompt(&project, &["--session-id", ID, "Please mock:agent=inside"]);
    stage.prompt(&project, &["--resume", ID, &format!("Now mock:file={}", notes.display())]);
    let written = files(&stage);
    for part in ["subagents/agent-", ".meta.json", "file-history/"] {
        assert!(
            written.keys().any(|path| path.contains(part)),
            "the client wrote no {part}: {:?}",
            written.keys()
        );
    }
    keep_and_lose(&stage);
    assert_eq!(files(&stage).len(), 0);
    stage.steno(&["restore", ID, "--json"]);
    let restored = files(&stage);
    assert_eq!(restored.keys().collect::<Vec<_>>(), written.keys().collect::<Vec<_>>());
    let changed: Vec<&String> = written.keys().filter(|path| restored[*path] != written[*path]).collect();
    assert_eq!(changed, [""; 0]);
}

/// Where the files of sessions stand in a Claude directory.
const PLACES: [&str; 5] = ["projects", "file-history", "plans", "tasks", "todos"];

fn set() -> Option<Stage> {
    // Without it, there is no file history of what --print changes.
    Some(Stage::set(env!("CARGO_BIN_EXE_steno"))?.variable("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "1"))
}

/// A session of three prompts, each with a tool; gives everything that was said in it.
fn converse(stage: &Stage, project: &Path) -> Vec<String> {
    let notes = project.join("notes.txt");
    stage.prompt(project, &["--session-id", ID, "First mock:echo=hello"]);
    stage.prompt(project, &["--resume", ID, &format!("Then mock:file={}", notes.display())]);
    stage.prompt(project, &["--resume", ID, "At last mock:todo"]);
    let mut said = said_last(stage);
    let calls: Vec<&String> = said.iter().filter(|said| said.starts_with("call: ")).collect();
    assert_eq!(calls.len(), 4, "{said:#?}");
    for expected in ["user: First mock:echo=hello", r#"result: "hello""#, "user: At last mock:todo"] {
        assert!(said.iter().any(|said| said == expected), "{expected} is missing in {said:#?}");
    }
    said.push("assistant: The todo script is done.".to_owned());
    said
}

/// What the client sent to the model with its last request.
fn said_last(stage: &Stage) -> Vec<String> {
    stage.api.requests().last().map(said).unwrap()
}

/// Into the vault with everything, and away with what the client has.
fn keep_and_lose(stage: &Stage) {
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    for place in PLACES {
        fs::remove_dir_all(stage.app.home().path().join(place)).ok();
    }
}

/// Every file of every session, by its path in the Claude directory.
fn files(stage: &Stage) -> BTreeMap<String, Vec<u8>> {
    let root = stage.app.home().path();
    let mut found = Vec::new();
    PLACES.iter().for_each(|place| walk(&root.join(place), &mut found));
    let name = |path: &PathBuf| path.strip_prefix(&root).unwrap().display().to_string();
    found.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

/// Runs the client for as long as it takes until it cleans up: five seconds from its start, once a day.
fn wait_for_cleanup(stage: &Stage) {
    let mark = stage.app.home().path().join(".last-cleanup");
    fs::remove_file(&mark).ok();
    stage.prompt(&stage.project("other"), &["Take your time: mock:slow=8"]);
    assert!(mark.exists(), "the client did not clean up");
}

/// Prompts, answers, calls and results of a request, in order, without what the client adds for the model.
fn said(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter();
    let messages = messages.filter(|message| message["role"] != "system");
    messages.flat_map(|message| said_in(message["role"].as_str().unwrap(), &message["content"])).collect()
}

fn said_in(role: &str, content: &Value) -> Vec<String> {
    let said_by = |text: &str| (!text.starts_with("<system-reminder>")).then(|| format!("{role}: {text}"));
    if let Some(text) = content.as_str() {
        return said_by(text).into_iter().collect();
    }
    let blocks = content.as_array().unwrap().iter();
    let said = blocks.filter_map(|block| match block["type"].as_str().unwrap() {
        "text" => said_by(block["text"].as_str().unwrap()),
        "tool_use" => Some(format!("call: {} {}", block["name"], block["input"])),
        "tool_result" => Some(format!("result: {}", block["content"])),
        other => Some(format!("{role}: a block of type {other}")),
    });
    said.collect()
}

/// Every working directory that a transcript names.
fn directories(transcript: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(transcript).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter_map(|record| record["cwd"].as_str().map(str::to_owned)).collect()
}

/// Makes files look 60 days old.
fn age(directory: &Path) {
    let old = SystemTime::now() - Duration::from_secs(60 * 24 * 60 * 60);
    let mut found = Vec::new();
    walk(directory, &mut found);
    assert!(!found.is_empty());
    found.iter().for_each(|path| File::options().write(true).open(path).unwrap().set_modified(old).unwrap());
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}
