//! The contract of `--json`: the schemas in docs/schema are those of the types, real answers keep to them, and the
//! names in them are the names we promised.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

#[cfg(unix)]
mod standin;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use jsonschema::Validator;
use serde_json::{Value, json};
use steno_testkit::{App, Era, Session, ToolResult, Usage, random_session};

/// Every object of the answers with its keys: add some, never rename one.
const NAMES: &[(&str, &str, &str)] = &[
    ("list", "", "sessions total warnings hints next"),
    ("list", "Session", SESSION),
    ("list", "Tokens", TOKENS),
    ("show", "Tokens", TOKENS),
    ("show", "Chunk", "index startedAt endedAt records"),
    ("show", "UserChunk", "text images command bash queued fromTeam plan"),
    ("show", "SlashCommand", "name args"),
    ("show", "BashCommand", "command stdout stderr"),
    ("show", "TeamMessage", "member color summary"),
    ("show", "AiChunk", "model tokens durationMs steps"),
    ("show", "ToolStep", "id name input result durationMs record"),
    ("show", "ToolOutcome", "isError text structured persisted images record"),
    ("show", "Persisted", "path found sizeBytes"),
    ("show", "Media", "mediaType url encodedBytes"),
    ("show", "AgentStep", "agent id name input result durationMs record"),
    ("show", "PlanStep", "plan id name input result durationMs record"),
    ("show", "Notification", "task toolId status text record"),
    ("show", "SystemChunk", "subtype text"),
    ("show", "CompactChunk", "trigger preTokens postTokens summary"),
    ("show", "RecordRef", "uuid line"),
    ("show", "Tool", "id name call result isError durationMs"),
    (
        "show",
        "Agent",
        "id description type toolId linkedBy parallel team background startedAt endedAt ongoing messages toolCalls \
         tokens path continues chunks tools agents",
    ),
    ("show", "Team", "name member color"),
    ("show", "Plan", "toolId text proposedAt verdict feedback clearedContext implementedIn"),
    ("show", "Phase", "index startTokens endTokens contribution boundary"),
    ("show", "Branch", "leaf forkedAt messages active"),
    ("show", "Warning", "file line kind message"),
    ("doctor", "", "files records unknownTypes warnings census next"),
    ("doctor", "CensusReport", "recordTypes subtypes blockTypes fields unknown"),
    ("doctor", "Unknown", "recordTypes subtypes blockTypes fields"),
    ("doctor", "Warning", "file line kind message"),
    ("init", "", "ok mode repo vault machine scheduler sync created warnings next"),
    ("init", "Report", "ok config sessions pushed kept bytesRead bytesWritten push vault warnings next"),
    ("init", "Config", "filesSynced"),
    ("init", "Sessions", "added updated removed"),
    ("init", "Push", "state reason received secrets"),
    ("init", "Secrets", "found kinds places"),
    ("init", "SecretsPlace", "kind path session line"),
    ("init", "Warning", "file line kind message"),
    ("sync", "", "ok config sessions pushed kept bytesRead bytesWritten push vault warnings next"),
    ("sync", "Config", "filesSynced"),
    ("sync", "Sessions", "added updated removed"),
    ("sync", "Push", "state reason received secrets"),
    ("sync", "Secrets", "found kinds places"),
    ("sync", "SecretsPlace", "kind path session line"),
    ("sync", "Warning", "file line kind message"),
    (
        "status",
        "",
        "version mode repo lastBackup backupSize backupSizeBytes config sessions scheduler schedule \
         index retention lastError vault machine machines pending push warnings next",
    ),
    ("status", "Config", "files size sizeBytes"),
    ("status", "Sessions", "files projects size sizeBytes uncompressedBytes"),
    ("status", "Index", "sessions"),
    (
        "status",
        "Retention",
        "cleanupPeriodDays source path suspended atRisk atRiskNotKept notKept nextDeletion",
    ),
    ("status", "LastError", "time command error"),
    ("status", "Push", "state reason"),
    ("status", "Machine", "machine own sessions sizeBytes lastBackup"),
    ("status", "Warning", "file line kind message"),
    ("restore-list", "", "sessions total hints next"),
    (
        "restore-list",
        "Session",
        "uuid projectHash sizeBytes backedUpAt title cwd machine live lastActivity generations \
         uncompressedBytes files",
    ),
    ("restore", "", "ok restored dryRun plan warnings resume next"),
    ("restore", "Restored", "from to files uuid machine generation cwd"),
    ("restore", "Plan", "files"),
    ("restore", "Planned", "path bytes action"),
    ("restore", "Warning", "file line kind message"),
    ("restore-all", "", "ok restored skipped others dryRun forced warnings next"),
    ("restore-all", "Restored", "uuid from to files"),
    ("restore-all", "Skipped", "uuid reason message"),
    ("restore-all", "Others", "files"),
    ("restore-all", "Warning", "file line kind message"),
    (
        "peek",
        "",
        "uuid projectHash backedUpAt sizeBytes uncompressedBytes messageCount firstMessages lastMessages \
         machine generation generations title warnings next",
    ),
    ("peek", "Preview", "role preview"),
    ("peek", "Warning", "file line kind message"),
    ("verify", "", "ok files bytes segments repair damaged missing repaired keptAnew warnings next"),
    ("verify", "Damage", "session machine path generation segment offset length reason detail"),
    ("verify", "Warning", "file line kind message"),
    ("remote", "", "ok mode repo pushed push warnings next"),
    ("remote", "Push", "state reason received secrets"),
    ("remote", "Secrets", "found kinds places"),
    ("remote", "SecretsPlace", "kind path session line"),
    ("remote", "Warning", "file line kind message"),
    ("schedule", "", "ok scheduler every kind dryRun steps warnings next"),
    ("schedule", "Warning", "file line kind message"),
    ("export-config", "", "ok exported dryRun warnings next"),
    ("export-config", "Exported", "path size sizeBytes files names"),
    ("export-config", "Warning", "file line kind message"),
    ("import-config", "", "ok imported dryRun warnings next"),
    ("import-config", "Imported", "files into new overwritten identical"),
    ("import-config", "Warning", "file line kind message"),
    ("purge", "", "ok purged remaining dryRun warnings next"),
    ("purge", "Purged", "uuid files paths liveFiles"),
    ("purge", "Remaining", "where detail"),
    ("purge", "Warning", "file line kind message"),
    ("uninstall", "", "ok removed vaultKept vault repo dryRun steps warnings next"),
    ("uninstall", "Warning", "file line kind message"),
    (
        "help",
        "",
        "help program version about usage globalFlags flags commands notes exitCodes errorKinds environment",
    ),
    ("help", "Command", "name group about usage aliases arguments flags examples notes schemas"),
    ("help", "Argument", "name required repeatable values default help"),
    ("help", "Flag", "long short value default values repeatable required conflicts help"),
    ("help", "Example", "command does"),
    ("help", "ExitCode", "code means"),
    ("help", "ErrorKind", "kind code means"),
    ("help", "Variable", "name means"),
    ("completions", "", "shell script install"),
    ("man", "", "ok pages dryRun"),
    ("man", "Entry", "name section text path"),
    ("hook", "", "ok event session started reason message"),
];

const SESSION: &str = "id aliases title titleSource projectHash cwd gitBranch startedAt endedAt messages turns \
     toolCalls agents models versions tokens sizeBytes ongoing live kept path clonedFrom";
/// A step of any `next`.
const NEXT: &str = "command why ask";
const TOKENS: &str = "input output cacheRead cacheWrite5m cacheWrite1h withoutFinalUsage";
/// What `show` adds to a session's own keys.
const SHOWN: &str = "chunks tools plans phases branches recordTypes unknownTypes warnings at next";

/// Keys that are there only when there is something to say.
const ONLY_SOMETIMES: [&str; 3] = ["clonedFrom", "at", "next"];

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
fn names_are_the_ones_we_promised() {
    for (command, object, names) in NAMES {
        let schema = schema(command);
        let described = if object.is_empty() { &schema } else { &schema["$defs"][object] };
        assert_eq!(keys(&described["properties"]), words(names), "{object} of {command}");
    }
    for (command, schema) in steno_cli::schemas() {
        if let Some(step) = schema.as_value().pointer("/$defs/Next/properties") {
            assert_eq!(keys(step), words(NEXT), "a step of {command}");
        }
    }
    let shown = words(SESSION).into_iter().chain(words(SHOWN)).collect::<BTreeSet<_>>();
    assert_eq!(keys(&schema("show")["properties"]), shown);
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
        keeps_to(&list, &listed, &format!("list of {era:?}"));
        keeps_to(&doctor, &app.json("doctor --census --json"), &format!("doctor of {era:?}"));
        for session in self::list(&listed["sessions"]) {
            let id = session["id"].as_str().unwrap();
            keeps_to(&show, &app.json(&format!("show {id} --json")), &format!("show {id} of {era:?}"));
        }
        keeps_to(&show, &app.json("show last --json --at 3"), "show --at");
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
        ("verify", "verify --repair"),
        ("remote", "remote"),
        ("schedule", "schedule daily --dry-run"),
        ("export-config", "export-config config.tar.gz"),
        ("import-config", "import-config config.tar.gz"),
        ("purge", &format!("purge {id} --dry-run")),
        ("purge", &format!("purge {id}")),
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
        keeps_to(&strict(name), &app.json(&format!("{arguments} --json")), arguments);
    }
}

#[test]
fn a_renamed_or_unknown_key_would_be_noticed() {
    let app = App::with_session(steno(), full);
    let shown = app.json("show last --json");
    let validator = strict("show");
    keeps_to(&validator, &shown, "as it is");
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

fn keeps_to(validator: &Validator, answer: &Value, what: &str) {
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
