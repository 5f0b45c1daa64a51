//! The contract of `--json`: the schemas in docs/schema are those of the types, real answers keep to them, and the
//! names in them are the names we promised.

mod promised;
pub(crate) mod shape;
#[cfg(unix)]
use crate::standin;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use jsonschema::Validator;
use promised::{SESSION, SHOWN};
use serde_json::{Value, json};
use steno_testkit::{App, Era, Session, ToolResult, Usage, random_session};

/// Keys that are there only when there is something to say.
const ONLY_SOMETIMES: [&str; 6] = ["client", "clonedFrom", "at", "note", "beside", "next"];

#[test]
fn the_schemas_are_fresh() {
    for (name, schema) in steno_cli::schemas() {
        let fresh = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        let path = path(name);
        if std::env::var_os("STENO_WRITE_DOCS").is_some() {
            fs::write(&path, &fresh).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(committed == fresh, "docs/schema/{name}.json is stale; `cargo xtask docs` writes it anew");
    }
}

#[test]
fn a_full_session_has_every_key() {
    let app = App::with_session(steno(), full);
    let sometimes = BTreeSet::from(ONLY_SOMETIMES.map(str::to_owned));
    let row = &app.json("list --json")["sessions"][0];
    assert_eq!(keys(row), &words(SESSION) - &sometimes);
    let shown = app.json("show last --json");
    assert_eq!(keys(&shown), &(&words(SESSION) | &words(SHOWN)) - &sometimes);
    for name in ["chunks", "tools", "agents", "plans", "phases", "branches", "unknownTypes", "warnings"] {
        assert!(shown[name].as_array().is_some_and(|list| !list.is_empty()), "no {name} in a full session");
    }
    for kind in ["user", "ai", "system", "compact"] {
        assert!(list(&shown["chunks"]).iter().any(|chunk| chunk["kind"] == kind), "no {kind} chunk");
    }
}

#[test]
fn answers_of_every_era_keep_to_the_schemas() {
    let (list, show, doctor) = (strict("list"), strict("show"), strict("doctor"));
    for (number, era) in Era::ALL.into_iter().enumerate() {
        let app = App::new(steno());
        app.write(&full(Session::numbered(1).era(era)));
        for seed in 0..6 {
            app.write(&random_session(100 * number as u64 + seed, 40).era(era));
        }
        let listed = app.json("list --json");
        validates(&list, &listed, &format!("list of {era:?}"));
        validates(&doctor, &app.json("doctor --census --json"), &format!("doctor of {era:?}"));
        for session in self::list(&listed["sessions"]) {
            let id = session["id"].as_str().unwrap();
            validates(&show, &app.json(&format!("show {id} --json")), &format!("show {id} of {era:?}"));
        }
        validates(&show, &app.json("show last --json --at 3"), "show --at");
    }
}

#[cfg(unix)]
#[test]
fn answers_about_the_vault_keep_to_the_schemas() {
    let app = standin::app(&["crontab"]);
    for number in [1, 2] {
        app.write(&full(Session::numbered(number)));
    }
    app.home().file("settings.json", "{}");
    let id = standin::id(1);
    let runs = [
        ("init", "init --local --no-schedule"),
        ("sync", "sync --full"),
        ("status", "status"),
        ("restore-list", "restore --list"),
        ("restore", &format!("restore {id} --force")),
        ("restore", &format!("restore {id} --to elsewhere --dry-run")),
        ("restore-all", "restore --all"),
        ("restore-all", "restore --all --to elsewhere --dry-run"),
        ("peek", &format!("peek {id}")),
        ("stats", "stats --explain"),
        ("stats", "stats branch"),
        ("search", "search the"),
        ("search", "search --literal e"),
        ("verify", "verify --repair"),
        ("remote", "remote"),
        ("schedule", "schedule daily --dry-run"),
        ("export-config", "export-config config.tar.gz"),
        ("import-config", "import-config config.tar.gz"),
        ("export-config", "export-config kept.tar.gz --kept"),
        ("purge", &format!("purge {id} --dry-run")),
        ("purge", &format!("purge {id} --yes")),
        ("uninstall", "uninstall --dry-run"),
        ("help", "help"),
        ("help", "help restore"),
        ("help", "restore --help"),
        ("completions", "completions zsh"),
        ("man", "man restore"),
        ("man", "man --dir pages"),
        ("hook", "hook"),
    ];
    for (name, arguments) in runs {
        validates(&strict(name), &app.json(&format!("{arguments} --json")), arguments);
    }
}

#[test]
fn a_renamed_or_unknown_key_would_be_noticed() {
    let app = App::with_session(steno(), full);
    let shown = app.json("show last --json");
    let validator = strict("show");
    validates(&validator, &shown, "as it is");
    for place in
        ["", "/tokens", "/chunks/0", "/chunks/1/steps/0", "/tools/0", "/agents/0", "/plans/0", "/phases/0"]
    {
        let object =
            shown.pointer(place).unwrap().as_object().unwrap_or_else(|| panic!("{place} is an object"));
        let mut added = shown.clone();
        added.pointer_mut(place).unwrap()["invented"] = json!(1);
        assert!(!validator.is_valid(&added), "a new key in `{place}` went unnoticed");
        for key in object.keys() {
            let mut renamed = shown.clone();
            let object = renamed.pointer_mut(place).unwrap().as_object_mut().unwrap();
            let value = object.remove(key).unwrap();
            object.insert(format!("{key}Renamed"), value);
            assert!(!validator.is_valid(&renamed), "`{key}` renamed in `{place}` went unnoticed");
        }
    }
}

/// A session with something of everything that the answers have a name for.
fn full(session: Session) -> Session {
    let usage = Usage { input: 10, output: 200, cache_read: 3000, cache_5m: 400, cache_1h: 50 };
    session
        .opening()
        .custom_title("A full session")
        .user("Please look around")
        .assistant(|message| {
            let message = message.usage(usage).thinking("where to begin").text("I will look.");
            message
                .tool_use("Bash", json!({"command": "ls"}))
                .answered_with(ToolResult::persisted("long ".repeat(9000)))
        })
        .user("a line that is left behind")
        .rewind_to(1)
        .image("and at this", "iVBORw0KGgo=")
        .slash_command("model", "opus")
        .local_command_stdout("Set model")
        .bash_command("ls", "a.rs", "")
        .teammate_message("pm", "blue", "How is it going?")
        .queued_prompt("one more thing")
        .agent(|agent| {
            agent.description("look").prompt("Look around").steps(|session| session.agent(|inner| inner))
        })
        .plan("# A plan\n\nwith steps")
        .reject_plan("smaller steps")
        .compact("auto", 150_000, 9_000, "What was said so far")
        .assistant(|message| {
            message.block(json!({"type": "sparkle", "glitter": 1})).text("done").usage(usage)
        })
        .api_error("Overloaded")
        .interrupt()
        .unknown_record("sparkle-note")
        .tool_result("toolu_nobody", "orphan")
        .garbage()
}

fn steno() -> &'static str {
    env!("CARGO_BIN_EXE_steno")
}

fn path(command: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(format!("{command}.json"))
}

fn schema(command: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path(command)).unwrap()).unwrap()
}

/// The committed schema with everything forbidden that it does not name. It is published without that, because keys
/// may be added.
fn strict(command: &str) -> Validator {
    let mut schema = schema(command);
    close(&mut schema);
    jsonschema::validator_for(&schema).unwrap()
}

/// Closes a schema that describes a whole value, and those of the values in it.
fn close(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Object(defined)) = fields.get_mut("$defs") {
        defined.values_mut().for_each(close_inside);
    }
    let describes = ["$ref", "properties", "anyOf", "oneOf"].iter().any(|word| fields.contains_key(*word));
    close_inside(schema);
    if describes {
        schema["unevaluatedProperties"] = json!(false);
    }
}

/// Leaves the schema itself open: others are joined with it to describe a value.
fn close_inside(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    for (word, inner) in fields {
        match (word.as_str(), inner) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(close),
            ("items" | "additionalProperties", inner) => close(inner),
            ("anyOf" | "oneOf" | "allOf", Value::Array(parts)) => parts.iter_mut().for_each(close_inside),
            _ => {}
        }
    }
}

/// The answer has every key that its schema requires, and none that the schema does not name.
pub(crate) fn keeps_to(name: &str, answer: &Value) {
    validates(&strict(name), answer, name);
}

/// An error has no schema of its own.
pub(crate) fn assert_error(error: &Value, what: &str) {
    assert_eq!(keys(error), words("error kind code hints"), "{what}");
    let types = (error["error"].is_string(), error["kind"].is_string(), error["code"].is_u64());
    assert!(types == (true, true, true) && error["hints"].is_array(), "{what}: {error}");
}

fn validates(validator: &Validator, answer: &Value, what: &str) {
    let errors: Vec<String> = validator
        .iter_errors(answer)
        .take(5)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what} does not keep to its schema:\n{}", errors.join("\n"));
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}
