//! What is wished of a clone, and what contradicts itself.

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::Session;

use crate::clone::desk::{Desk, session};

fn kinds(records: &[Value]) -> Vec<String> {
    let blocks = records.iter().filter_map(|record| record["message"]["content"].as_array()).flatten();
    blocks.filter_map(|block| block["type"].as_str().map(str::to_owned)).collect()
}

fn cloned(flags: &str) -> Vec<Value> {
    let desk = Desk::with(&[session()]);
    let report = desk.json(&format!("clone last {flags}"));
    assert_eq!(report["ok"], true);
    let check = desk.json(&format!("check {}", crate::clone::desk::NEW));
    let found = check["findings"].as_array().unwrap();
    assert!(found.iter().all(|finding| finding["severity"] == "info"), "{flags}: {found:?}");
    desk.records()
}

fn prompts(records: &[Value]) -> usize {
    let is_prompt = |record: &&Value| {
        let content = &record["message"]["content"];
        record["type"] == "user" && (content.is_string() || content[0]["type"] != "tool_result")
    };
    records.iter().filter(is_prompt).count()
}

#[test]
fn tools_go_in_pairs() {
    let kinds = kinds(&cloned("--strip tools"));
    assert!(!kinds.iter().any(|kind| kind.starts_with("tool_")), "{kinds:?}");
    assert!(kinds.contains(&"image".to_owned()));
}

#[test]
fn recent_turns_keep_their_tools() {
    let kinds = kinds(&cloned("--strip tools --keep-recent 1"));
    assert_eq!(kinds.iter().filter(|kind| *kind == "tool_use").count(), 2);
    assert_eq!(kinds.iter().filter(|kind| *kind == "tool_result").count(), 2);
}

#[test]
fn thinking_and_images_go_by_a_list() {
    let kinds = kinds(&cloned("--strip thinking,images"));
    assert!(!kinds.contains(&"thinking".to_owned()) && !kinds.contains(&"image".to_owned()), "{kinds:?}");
}

#[test]
fn results_are_shortened_and_calls_stay() {
    let records = cloned("--truncate 1");
    let text = records.iter().map(ToString::to_string).collect::<String>();
    assert!(text.contains("a.txt") && !text.contains("c.txt"), "{text}");
    assert_eq!(kinds(&records).iter().filter(|kind| *kind == "tool_use").count(), 3);
}

#[test]
fn presets_take_out_thinking_and_tools() {
    for preset in ["default", "aggressive", "heavy", "extreme"] {
        let kinds = kinds(&cloned(&format!("--preset {preset}")));
        assert!(!kinds.contains(&"thinking".to_owned()), "{preset}");
        assert_eq!(kinds.contains(&"tool_use".to_owned()), preset != "extreme", "{preset}");
    }
}

#[test]
fn it_ends_after_turns_or_begins_before_them() {
    assert_eq!(prompts(&cloned("--turns 2")), 2);
    let last = cloned("--turns -2");
    assert_eq!(prompts(&last), 2);
    assert!(last[0]["parentUuid"].is_null());
}

#[test]
fn it_ends_with_a_record_and_what_belongs_to_it() {
    let values = session().build().values();
    let call = values.iter().find(|value| value["message"]["content"][0]["type"] == "tool_use").unwrap();
    let uuid = call["uuid"].as_str().unwrap();
    let records = cloned(&format!("--at {uuid}"));
    assert_eq!(kinds(&records).iter().filter(|kind| *kind == "tool_result").count(), 1);
    assert_eq!(prompts(&records), 1);
}

#[test]
fn a_dry_run_shows_the_plan_and_writes_nothing() {
    let desk = Desk::with(&[session()]);
    let before = desk.state();
    assert_snapshot!(desk.run("clone last --preset extreme --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would clone 00000001 as 0c10ed00-0000-4000-8000-000000000001
      to      $HOME/.claude/projects/-home-dev-project/0c10ed00-0000-4000-8000-000000000001.jsonl (2 files)
      turns   5 of 5
      records 11 kept, 8 dropped, 4 changed
      tokens  about 1.7K → 1.6K (thinking 5 → 0, tool calls 35 → 0, tool results 10 → 0)
      write   $HOME/.claude/projects/-home-dev-project/0c10ed00-0000-4000-8000-000000000001.jsonl (9.7K)
      write   $HOME/.claude/projects/-home-dev-project/0c10ed00-0000-4000-8000-000000000001/steno-lineage.json (117B)
    Resume with: cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 0c10ed00-0000-4000-8000-000000000001

    ----- stderr -----
    the original is left as it is: 3 findings, see `steno check`
    warning: /home/dev/project: this directory does not exist: --cwd PATH makes a clone that works in another one
    next: steno clone last --preset extreme --claude-dir $HOME/.claude
    ");
    assert_eq!(desk.new_files(&before), [""; 0]);
}

/// The clone has no log of requests any more, but its original tells what the client says around the report of a task.
#[test]
fn the_frame_of_a_notification_is_known_to_the_plan() {
    let told = Session::numbered(1).user("Go").assistant(|message| message.text("Started."));
    let told = told.task_notification("a1", "t1", "Done.").assistant(|message| message.text("Noted."));
    let values = told.build().values();
    let is_report = |value: &&Value| value["origin"]["kind"] == "task-notification";
    let report = values.iter().find(is_report).unwrap()["message"]["content"].as_str().unwrap();
    let framed =
        format!("<system-reminder>\n[SYSTEM NOTIFICATION]\nBy itself.\n\n{report}\n</system-reminder>");
    let logged = told.clone().api_request_blob("user", json!([{ "type": "text", "text": framed }]));
    for (session, expected, unsure) in [(logged, framed.as_str(), 0), (told, report, 1)] {
        let desk = Desk::with(&[session]);
        let report = desk.json("clone last --strip thinking --messages --dry-run");
        assert_eq!(report["messages"][2]["content"][0]["text"], expected);
        let warnings = report["warnings"].as_array().unwrap().iter();
        assert_eq!(warnings.filter(|warning| warning["kind"] == "worded-by-client").count(), unsure);
    }
}

#[test]
fn messages_are_those_of_the_clone() {
    let desk = Desk::with(&[session()]);
    let report = desk.json("clone last --turns 1 --strip tools --messages --dry-run");
    let messages = report["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "user");
    assert_eq!(messages.last().unwrap()["role"], "assistant");
    assert!(!report["messages"].to_string().contains("tool_use"), "{messages:?}");
}

#[test]
fn what_contradicts_itself_is_an_error() {
    let desk = Desk::with(&[session()]);
    let before = desk.state();
    for flags in [
        "--preset heavy --strip tools",
        "--preset heavy --keep-recent 2",
        "--keep-recent 2",
        "--keep-recent 2 --strip thinking",
        "--truncate 0",
        "--turns 0",
        "--turns 2 --at abcd",
        "--compress-before 0",
        "--compress-before 9",
        "--summary notes.md",
        "--summarize cat",
        "--compress-before 1 --summary notes.md --summarize cat",
        "--compress-before 1 --summary missing.md",
        "--at ffff-ffff",
        "--strip everything",
        "--preset mild",
        "--rewrite nonsense",
    ] {
        let arguments: Vec<&str> = ["clone", "last", "--json"].into_iter().chain(flags.split(' ')).collect();
        let output = desk.app.output(&arguments);
        let error: Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{flags}: {error}");
        assert!(!error["hints"].as_array().unwrap().is_empty(), "{flags}: {error}");
    }
    assert_eq!(desk.new_files(&before), [""; 0]);
}
