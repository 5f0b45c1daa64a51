//! Help, for people and for programs: it fits a screen, it is the same wherever it is asked for, its examples work,
//! and docs/cli.md says what it says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use steno_cli::describe::{Command, describe};
use steno_testkit::App;

/// Lines of a screen, at 100 columns.
const SCREEN: usize = 40;
/// It names every command.
const TALL_SCREEN: usize = 64;

/// What somebody may want, and the example that says how.
const INTENTS: [(&str, &str); 16] = [
    ("run a backup", "steno sync"),
    ("back up the config only", "steno sync --config-only"),
    ("check", "steno status"),
    ("list all kept sessions", "steno restore --list"),
    ("list the latest kept sessions", "steno restore --last 5"),
    ("find kept sessions by project", "steno restore --project api"),
    ("find kept sessions by the day", "steno restore --date 2026-03-01"),
    ("preview a session", "steno peek 1c9e"),
    ("restore a session", "steno restore 1c9e"),
    ("restore a session over", "steno restore 1c9e --force"),
    ("move a session", "steno restore 1c9e --cwd ~/work/api"),
    ("export the config", "steno export-config"),
    ("import a config", "steno import-config config.tar.gz"),
    ("check every byte of the backup", "steno verify"),
    ("list all sessions", "steno list"),
    ("read the latest session", "steno show last"),
];

#[test]
fn the_page_is_fresh() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let fresh = steno_cli::manual();
    if std::env::var_os("STENO_WRITE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(committed == fresh, "docs/cli.md is stale; `cargo xtask docs` writes it anew");
}

#[test]
fn the_page_leads_to_schemas_that_are_there() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    // No program can pick.
    for command in describe().commands.into_iter().filter(|command| command.name != "pick") {
        assert!(!command.schemas.is_empty(), "{} has no schema", command.name);
        for schema in command.schemas {
            assert!(root.join(&schema).is_file(), "{schema} is not there");
        }
    }
}

#[test]
fn help_fits_a_screen() {
    let app = app();
    for name in names() {
        let long = stdout(&app, &[&name, "--help"]);
        assert_eq!(long, stdout(&app, &[&name, "-h"]), "{name} has two helps");
        fits(&name, &long, SCREEN);
    }
    for command in steno_cli::tree().get_subcommands() {
        let below = command.get_after_help().unwrap().to_string();
        assert!(below.lines().all(|line| line.chars().count() <= 100), "this would be wrapped:\n{below}");
    }
    fits("steno", &stdout(&app, &["--help"]), TALL_SCREEN);
    fits("steno", &stdout(&app, &["-h"]), TALL_SCREEN);
}

fn fits(name: &str, help: &str, lines: usize) {
    let count = help.lines().count();
    assert!(count <= lines, "the help of {name} has {count} lines\n{help}");
    for line in help.lines() {
        assert!(line.chars().count() <= 100, "a line in the help of {name} is too long: {line}");
    }
}

#[test]
fn help_is_the_same_wherever_it_is_asked_for() {
    for program in [env!("CARGO_BIN_EXE_steno"), env!("CARGO_BIN_EXE_claude-backup")] {
        let app = App::new(program);
        assert_eq!(stdout(&app, &["help"]), stdout(&app, &["--help"]));
        for name in names() {
            assert_eq!(stdout(&app, &["help", &name]), stdout(&app, &[&name, "--help"]), "{name}");
            let asked = app.json(&format!("help {name} --json"));
            assert_eq!(asked, app.json(&format!("{name} --help --json")), "{name}");
            assert_eq!(asked["commands"].as_array().unwrap().len(), 1, "{name}");
            assert_eq!(asked["commands"][0]["name"], *name);
        }
        let mut whole = app.json("--json --help");
        assert_eq!(whole.as_object_mut().unwrap().remove("help").unwrap(), stdout(&app, &["help"]).as_str());
        assert_eq!(app.json("help --json"), whole, "the text for people would only make it longer");
    }
}

#[test]
fn a_program_is_told_of_every_command_and_flag() {
    let told = app().json("help --json");
    let tree = steno_cli::tree();
    for command in tree.get_subcommands() {
        let described = of_name(&told["commands"], "name", command.get_name());
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            match argument.get_long() {
                Some(long) => drop(of_name(&described["flags"], "long", &format!("--{long}"))),
                None => drop(of_name(&described["arguments"], "name", &value_name(argument))),
            }
        }
    }
    let global = of_name(&told["globalFlags"], "long", "--color");
    assert_eq!(global["values"], serde_json::json!(["auto", "always", "never"]));
    assert_eq!(global["default"], "auto");
    let vault = of_name(&told["globalFlags"], "long", "--vault");
    assert_eq!(
        (&vault["value"], &vault["default"]),
        (&"DIR".into(), &"$STENO_VAULT or ~/.claude-backup".into())
    );
    let restore = of_name(&told["commands"], "name", "restore");
    let all = of_name(&restore["flags"], "long", "--all");
    assert_eq!(all["conflicts"], serde_json::json!(["ID", "--list", "--cwd", "--generation"]));
    assert_eq!(of_name(&told["errorKinds"], "kind", "no-vault")["code"], 1);
    let codes: Vec<u64> =
        told["exitCodes"].as_array().unwrap().iter().map(|code| code["code"].as_u64().unwrap()).collect();
    assert_eq!(codes, [0, 1, 2, 3, 130]);
}

/// An agent reads it whole.
#[test]
fn what_a_program_is_told_is_short() {
    let app = app();
    let told = stdout(&app, &["help", "--json"]);
    assert!(told.len() < 33_000, "{} bytes", told.len());
    let told: Value = serde_json::from_str(&told).unwrap();
    for command in told["commands"].as_array().unwrap() {
        let lists =
            ["flags", "arguments"].into_iter().filter_map(|key| command.get(key)?.as_array()).flatten();
        for object in lists.chain([command]).map(|object| object.as_object().unwrap()) {
            let says_nothing =
                |value: &Value| *value == Value::Null || *value == false || *value == serde_json::json!([]);
            assert!(!object.values().any(says_nothing), "{object:?}");
        }
    }
    let one = app.json("help restore --json");
    assert!(one["help"].is_string() && one["commands"][0]["examples"].is_array(), "{one}");
}

#[test]
fn a_program_is_told_what_a_flag_needs() {
    let needs = |command: &str, flag: &str| {
        let told = app().json(&format!("help {command} --json"));
        of_name(&told["commands"][0]["flags"], "long", flag)["requires"].clone()
    };
    for flag in ["--force", "--to", "--rewrite", "--original-times", "--dry-run"] {
        assert_eq!(needs("restore", flag), serde_json::json!(["ID", "--all"]), "{flag}");
    }
    for flag in ["--cwd", "--generation"] {
        assert_eq!(needs("restore", flag), serde_json::json!(["ID"]), "{flag}");
    }
    assert_eq!(needs("man", "--dry-run"), serde_json::json!(["--dir"]));
    assert_eq!(needs("uninstall", "--delete-vault"), serde_json::json!(["--yes", "--dry-run"]));
    assert_eq!(needs("peek", "--generation"), Value::Null, "it needs its ID in any case");
}

/// A line that is too long goes on below where it began.
#[test]
fn help_keeps_its_columns_on_a_narrow_terminal() {
    for (name, width) in names().into_iter().flat_map(|name| [(name.clone(), 80), (name, 60)]) {
        let app = app().variable("COLUMNS", &width.to_string());
        let help = stdout(&app, &[&name, "--help"]);
        let (_, below) = help.split_once("\nExamples:\n").unwrap();
        let rows = below.split("\n\n").next().unwrap().lines();
        for row in rows.filter(|row| !row.trim_start().starts_with("steno")) {
            let is_command = row.contains("steno") && row.starts_with("  ") && !row.starts_with("    ");
            assert!(is_command || row.starts_with("      "), "{name} at {width}: '{row}'\n{help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= width), "{name} at {width}\n{help}");
    }
    for width in [80, 60] {
        let app = app().variable("COLUMNS", &width.to_string());
        let help = stdout(&app, &["--help"]);
        assert!(help.lines().all(|line| line.chars().count() <= width), "at {width}\n{help}");
        assert_eq!(help, stdout(&app, &["help"]), "at {width}");
    }
}

#[test]
fn a_command_that_is_none_is_not_explained() {
    let output = app().output(&["help", "restor", "--json"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["kind"], "usage");
    assert!(error["hints"][0].as_str().unwrap().contains("'restore'"), "{error}");
    let told = app().run("help restor");
    assert!(
        told.starts_with("exit: 1\n") && told.contains("hint: a similar value exists: 'restore'"),
        "{told}"
    );
}

#[test]
fn every_example_is_a_command_line() {
    for Command { name, examples, .. } in describe().commands {
        assert!(examples.len() >= 2, "{name} has {} examples", examples.len());
        for example in examples {
            assert!(!example.does.is_empty(), "what is `{}` for?", example.command);
            let line = called(&example.command);
            assert!(line.starts_with(&format!("steno {name}")), "{}", example.command);
            let parsed = steno_cli::tree().try_get_matches_from(line.split_whitespace());
            assert!(parsed.is_ok(), "`{}` does not work: {}", example.command, parsed.unwrap_err());
        }
    }
}

/// Our part of a line for a shell.
fn called(line: &str) -> &str {
    let line = &line[line.find("steno").unwrap()..];
    line.split([')', '|']).next().unwrap()
}

#[test]
fn there_is_an_example_for_every_intent() {
    let examples: Vec<_> = describe().commands.into_iter().flat_map(|command| command.examples).collect();
    for (intent, line) in INTENTS {
        let example = examples.iter().find(|example| example.command == line);
        let example = example.unwrap_or_else(|| panic!("there is no example `{line}`"));
        assert!(example.does.starts_with(intent), "`{line}` is for: {}", example.does);
    }
}

/// What has one name and two meanings, for the sake of those who knew it.
const AMBIGUOUS: &[&str] = &["--agents", "--all", "--at", "--encrypt", "--force", "--limit", "--yes"];

/// One may say more than another, after the same words.
#[test]
fn a_flag_has_the_same_words_in_every_command() {
    let mut said: BTreeMap<String, BTreeSet<(String, Option<String>)>> = BTreeMap::new();
    for flag in describe().commands.into_iter().flat_map(|command| command.flags) {
        said.entry(flag.long.unwrap()).or_default().insert((flag.help, flag.value));
    }
    for (flag, said) in said.into_iter().filter(|(flag, _)| !AMBIGUOUS.contains(&flag.as_str())) {
        let (shortest, value) = said.iter().min_by_key(|(help, _)| help.len()).unwrap();
        for (help, its_value) in &said {
            assert!(help.starts_with(shortest), "{flag}: '{help}' or '{shortest}'?");
            assert_eq!(value, its_value, "{flag}");
        }
    }
}

#[test]
fn texts_are_of_one_style() {
    let program = describe();
    let flags = program.commands.iter().flat_map(|command| &command.flags).chain(&program.global_flags);
    let abouts = program.commands.iter().map(|command| &command.about);
    for text in flags.map(|flag| &flag.help).chain(abouts) {
        let starts_well = text.starts_with(|letter: char| letter.is_uppercase() || letter == '`');
        assert!(starts_well && !text.ends_with('.'), "'{text}'");
    }
}

fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno"))
}

/// What stands for it in the usage.
fn value_name(argument: &clap::Arg) -> String {
    let named = argument.get_value_names().and_then(|names| names.first());
    named.map_or_else(|| argument.get_id().to_string().to_uppercase(), ToString::to_string)
}

fn names() -> Vec<String> {
    steno_cli::tree().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

fn stdout(app: &App, arguments: &[&str]) -> String {
    let output = app.output(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn of_name<'a>(list: &'a Value, key: &str, name: &str) -> &'a Value {
    let found = list.as_array().unwrap().iter().find(|item| item[key] == name);
    found.unwrap_or_else(|| panic!("{name} is not told of"))
}
