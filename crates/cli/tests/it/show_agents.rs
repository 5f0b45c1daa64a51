//! `steno show`: subagents inside their calls, those without one, and what still runs.

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{Agent, App, Session, Team};

fn app_of(session: &Session) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(session);
    app
}

fn done(session: Session) -> Session {
    session.assistant(|message| message.text("Done."))
}

#[test]
fn a_subagent_inside_its_call() {
    let session = Session::numbered(3).user("Look around").agent(|agent| {
        agent
            .prompt("Look at src")
            .description("Look at src")
            .kind("explorer")
            .answer("Nothing unusual.")
            .foreground()
    });
    assert_snapshot!(app_of(&done(session)).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Look around
    00000003-5e55-4000-8000-000000000003 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 4 messages · 1 tool call · 1 agent
    2.2K tokens read · 400 written

    ❯ Look around

    ⚙ Agent Look at src (5.0s)
      ┌ explorer ac78bfb0d402b0004 · 4 messages · 1 tool call · 2.6K tokens
        ✻ thought (4 words)
        ⚙ Bash ls (1.0s)
          └ src

        ● Nothing unusual.
      └

    ● Done.

    ----- stderr -----
    ");
}

#[test]
fn agents_in_the_background_and_in_a_team() {
    let team = Team { name: "crew".into(), member: "scout".into(), color: "green".into() };
    let session = Session::numbered(4)
        .user("Look around")
        .agent(|agent| agent.description("In the background").answer("Found it."))
        .agent(|agent| agent.description("In a team").team(team));
    assert_snapshot!(app_of(&done(session)).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Look around
    00000004-5e55-4000-8000-000000000004 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 7 messages · 2 tool calls · 2 agents
    3.3K tokens read · 600 written

    ❯ Look around

    ⚙ Agent In the background (1.0s)
      ┌ general-purpose ad2a22e5e73bd0004 · in the background · 4 messages · 1 tool call · 2.6K tokens
        ✻ thought (4 words)
        ⚙ Bash ls (1.0s)
          └ src

        ● Found it.
      └
    ◂ background task completed: In the background
      └ Found it.
    ⚙ Agent In a team (6.0s)
      ┌ general-purpose ad2a22e5e73bd0017 · team member scout · 4 messages · 1 tool call · 2.6K tokens
        ✻ thought (4 words)
        ⚙ Bash ls (1.0s)
          └ src

        ● Nothing unusual.
      └

    ● Done.

    ----- stderr -----
    ");
}

/// The file of an agent that nobody called: a prompt and an answer.
fn agent_lines(name: &str, parent: Option<&str>) -> String {
    let record = |kind: &str, uuid: &str, parent: Option<&str>, content: serde_json::Value| {
        json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": true,
            "timestamp": "2026-11-15T11:00:00.000Z", "message": {"role": kind, "content": content},
        })
    };
    let (first, second) = (format!("{name}-1"), format!("{name}-2"));
    let prompt = record("user", &first, parent, json!(format!("Go, {name}")));
    let answer = record(
        "assistant",
        &second,
        Some(&first),
        json!([{"type": "text", "text": format!("I am {name}.")}]),
    );
    format!("{prompt}\n{answer}\n")
}

#[test]
fn agents_that_no_call_shows_stand_at_the_end() {
    let session = Session::numbered(14).user("Look around").agent(|agent| agent.id("a1").foreground());
    let last = session.build().agents[0].made.last_record().to_string();
    let session = session
        .agent_file("a2", agent_lines("second", Some(&last)))
        .agent_file("a3", agent_lines("third", Some("second-2")))
        .agent_file("stray", agent_lines("stray", None));
    assert_snapshot!(app_of(&done(session)).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Look around
    0000000e-5e55-4000-8000-00000000000e · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 4 messages · 1 tool call · 4 agents
    2.2K tokens read · 400 written

    ❯ Look around

    ⚙ Agent Look around (5.0s)
      ┌ general-purpose a1 · 4 messages · 1 tool call · 2.6K tokens
        ✻ thought (4 words)
        ⚙ Bash ls (1.0s)
          └ src

        ● Nothing unusual.
      └

    ● Done.

    ── agents without a call above ──
      ┌ general-purpose a2 · Look around · continues a1 · 2 messages · 0 tool calls · ≥0 tokens

        ❯ Go, second

        ● I am second.
      └
      ┌ general-purpose a3 · Look around · continues a2 · 2 messages · 0 tool calls · ≥0 tokens

        ❯ Go, third

        ● I am third.
      └
      ┌ agent stray · 2 messages · 0 tool calls · ≥0 tokens

        ❯ Go, stray

        ● I am stray.
      └

    ----- stderr -----
    ");
}

#[test]
fn agents_inside_agents_have_an_end() {
    fn nested(agent: Agent, depth: usize) -> Agent {
        let agent = agent.description(format!("level {depth}")).foreground();
        if depth == 70 {
            agent
        } else {
            agent.steps(|session| session.agent(|inner| nested(inner, depth + 1)))
        }
    }
    let session = Session::numbered(15).user("Dig").agent(|agent| nested(agent, 1));
    let text = app_of(&done(session)).run("show last");
    let indent = |words: &str| {
        let line =
            text.lines().find(|line| line.ends_with(words)).unwrap_or_else(|| panic!("{words}: {text}"));
        line.len() - line.trim_start().len()
    };
    let levels = ["level 1 (4.0s)", "level 2 (4.0s)", "level 9 (4.0s)", "level 10 (4.0s)", "level 65 (4.0s)"];
    assert_eq!(levels.map(indent), [0, 4, 32, 32, 32]);
    assert_eq!(indent("… 6 agents below"), 34);
    assert!(!text.contains("level 66"));
}

#[test]
fn what_still_runs() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let session = Session::numbered(16).user("Build it").assistant(|message| {
        message
            .tool_use("Bash", json!({"command": "lost"}))
            .tool_use("Bash", json!({"command": "ls"}))
            .answered("src")
    });
    let session = session
        .user("And now?")
        .agent(|agent| agent.description("In the background").running())
        .assistant(|message| message.tool_use("Bash", json!({"command": "make"})));
    app.write(&session);
    app.home().registry(&session, std::process::id(), "busy");
    assert_snapshot!(app.run("show last"), @r"
    exit: 0
    ----- stdout -----
    Build it
    00000010-5e55-4000-8000-000000000010 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 2 turns · 7 messages · 4 tool calls · 1 agent
    3.3K tokens read · 600 written · running

    ❯ Build it

    ⚙ Bash lost
      └ no result
    ⚙ Bash ls (1.0s)
      └ src

    ❯ And now?

    ⚙ Agent In the background (1.0s)
      ┌ general-purpose a8266bef6cca7000d · in the background · 3 messages · 1 tool call · 1.3K tokens
        ✻ thought (4 words)
        ⚙ Bash ls (1.0s)
          └ src
      └
    ⚙ Bash make
      └ running

    ----- stderr -----
    2 warnings; --json has them
    ");
}
