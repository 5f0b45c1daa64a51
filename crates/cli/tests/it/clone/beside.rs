//! What lies beside a transcript comes along as far as the clone needs it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;
use steno_testkit::Session;

use crate::clone::desk::{Desk, NEW};

fn delegating() -> Session {
    Session::numbered(1)
        .user("Ask somebody")
        .agent(|agent| agent.id("a1b2c3d4").answer("Done."))
        .assistant(|message| message.text("It is done."))
        .user("Run it")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})).answered("files"))
        .assistant(|message| message.text("Here."))
}

fn desk() -> Desk {
    let desk = Desk::with(&[delegating()]);
    let id = delegating().id().to_string();
    for (path, bytes) in [
        (format!("projects/-home-dev-project/{id}/tool-results/lost.txt"), "long"),
        (format!("file-history/{id}/1@v1"), "before"),
        (format!("todos/{id}-agent-{id}.json"), "[]"),
        (format!("todos/{id}-agent-a1b2c3d4.json"), "[]"),
        (format!("tasks/{id}/1.json"), "{}"),
        (format!("tasks/{id}/.lock"), ""),
    ] {
        desk.app.home().file(&path, bytes);
    }
    desk
}

#[test]
fn a_whole_clone_has_everything() {
    let desk = desk();
    let before = desk.state();
    desk.run("clone last");
    let project = format!("projects/-home-dev-project/{NEW}");
    let expected = BTreeSet::from([
        format!("file-history/{NEW}/1@v1"),
        format!("{project}.jsonl"),
        format!("{project}/steno-lineage.json"),
        format!("{project}/subagents/agent-a1b2c3d4.jsonl"),
        format!("{project}/subagents/agent-a1b2c3d4.meta.json"),
        format!("{project}/tool-results/lost.txt"),
        format!("tasks/{NEW}/1.json"),
        format!("todos/{NEW}-agent-{NEW}.json"),
        format!("todos/{NEW}-agent-a1b2c3d4.json"),
    ]);
    assert_eq!(desk.new_files(&before).into_iter().collect::<BTreeSet<_>>(), expected);
    let agent = desk.live(&format!("projects/-home-dev-project/{NEW}/subagents/agent-a1b2c3d4.jsonl"));
    let agent = fs::read_to_string(agent).unwrap();
    assert!(agent.contains(NEW) && !agent.contains(delegating().id().as_str()), "{agent}");
    let shown = desk.json(&format!("show {NEW}"));
    assert_eq!(shown["agents"].as_array().unwrap().len(), 1);
}

#[test]
fn a_clone_without_tools_needs_none_of_their_files() {
    let desk = desk();
    let before = desk.state();
    desk.run("clone last --strip tools");
    let new = desk.new_files(&before).join("\n");
    assert!(
        !new.contains("subagents") && !new.contains("tool-results") && !new.contains("file-history"),
        "{new}"
    );
}

#[test]
fn the_agent_of_a_call_that_stays_stays() {
    let desk = desk();
    let before = desk.state();
    desk.run("clone last --turns 1");
    let new = desk.new_files(&before).join("\n");
    assert!(new.contains("agent-a1b2c3d4.jsonl") && !new.contains("lost.txt"), "{new}");
}

#[test]
fn a_long_result_is_read_from_the_clones_own_directory() {
    let id = Session::numbered(1).id().to_string();
    let session = |path: &str| {
        let text = format!(
            "<persisted-output>\nOutput too large. Full output saved to: {path}\n</persisted-output>"
        );
        let call = json!({"command": "cat"});
        Session::numbered(1)
            .user("Read")
            .assistant(|message| message.tool_use("Bash", call).answered(text))
            .assistant(|message| message.text("Read."))
    };
    let desk = Desk::with(&[]);
    let directory = desk.live(&format!("projects/-home-dev-project/{id}/tool-results"));
    desk.app.write(&session(&directory.join("toolu_1.txt").display().to_string()));
    desk.app.home().file(&format!("projects/-home-dev-project/{id}/tool-results/toolu_1.txt"), "all of it");
    desk.run("clone last --strip thinking");
    let new = desk.live(&format!("projects/-home-dev-project/{NEW}/tool-results/toolu_1.txt"));
    assert_eq!(fs::read_to_string(&new).unwrap(), "all of it");
    let text = desk.records().iter().map(ToString::to_string).collect::<String>();
    assert!(text.contains(&new.display().to_string()) && !text.contains(&id), "{text}");
}

/// A file that a newer session was continued in speaks of the directory of the older one.
#[test]
fn a_long_result_of_another_session_in_the_file_comes_along() {
    let other = "0a0a0a0a-0000-4000-8000-000000000007";
    let desk = Desk::with(&[]);
    let directory = format!("projects/-home-dev-project/{other}/tool-results");
    let path = desk.app.home().file(&format!("{directory}/b1.txt"), "all of it");
    desk.app.home().file(&format!("{directory}/b2.txt"), "nobody's");
    let text = format!("Full output saved to: {}", path.display());
    let mixed = Session::numbered(1)
        .as_session(other)
        .user("Read")
        .assistant(|message| message.tool_use("Bash", json!({"command": "cat"})).answered(text));
    desk.app.write(
        &mixed.as_session(Session::numbered(1).id().as_str()).assistant(|message| message.text("Read.")),
    );
    for flags in ["", " --strip thinking"] {
        let before = desk.state();
        desk.run(&format!("clone {}{flags}", Session::numbered(1).id()));
        let new = desk.live(&format!("projects/-home-dev-project/{NEW}/tool-results"));
        assert_eq!(fs::read_to_string(new.join("b1.txt")).unwrap(), "all of it");
        assert!(!new.join("b2.txt").exists());
        let records = desk.records().iter().map(ToString::to_string).collect::<String>();
        assert!(records.contains(&new.join("b1.txt").display().to_string()), "{records}");
        desk.new_files(&before).iter().for_each(|path| fs::remove_file(desk.live(path)).unwrap());
        fs::remove_dir_all(desk.live(&format!("projects/-home-dev-project/{NEW}"))).unwrap();
    }
}

#[test]
fn a_directory_that_cannot_be_listed_is_said() {
    let desk = Desk::with(&[delegating()]);
    let path = format!("tasks/{}", delegating().id());
    desk.app.home().file(&path, "no directory");
    let report = desk.json("clone last");
    let warnings = report["warnings"].as_array().unwrap();
    let is_said = |warning: &serde_json::Value| {
        warning["kind"] == "unreadable" && warning["file"].as_str().unwrap().ends_with(&path)
    };
    assert!(warnings.iter().any(is_said), "{warnings:?}");
}

/// What a session needs is on the disk before it is one.
#[cfg(target_os = "linux")]
#[test]
fn every_file_is_flushed_before_the_transcript_has_its_name() {
    let desk = desk();
    let model = desk.app.command();
    let mut command = std::process::Command::new("strace");
    command.args(["-f", "-y", "-e", "trace=fsync,link,linkat,rename,renameat,renameat2"]);
    command.arg(model.get_program()).args(["clone", "last"]);
    command.envs(model.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let Some(output) = command.output().ok().filter(|output| output.status.success()) else {
        eprintln!("skipped: nobody can be watched here");
        return;
    };
    let calls = String::from_utf8_lossy(&output.stderr);
    let (before, _) = calls.split_once(&format!("/{NEW}.jsonl\"")).unwrap();
    let flushed = |end: &str| before.lines().any(|line| line.contains("fsync(") && line.contains(end));
    for end in [
        "/transcript>",
        "/steno-lineage.json>",
        "/agent-a1b2c3d4.jsonl>",
        "/agent-a1b2c3d4.meta.json>",
        "/lost.txt>",
        "/1@v1>",
        "/1.json>",
        "/session>",
        "/subagents>",
        "/tool-results>",
        "/file-history>",
        "/tasks>",
        "/todos>",
        "/-home-dev-project>",
    ] {
        assert!(flushed(end), "{end}: {calls}");
    }
}
