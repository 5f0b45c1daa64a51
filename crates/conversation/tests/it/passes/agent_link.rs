//! Agent: by what evidence a subagent finds the call that started it.

use serde_json::json;
use steno_conversation::Conversation;
use steno_conversation::model::{Agent, LinkedBy};
use steno_testkit::{Era, Session, Team, ToolResult};
use steno_transcript::ToolId;

use crate::passes::explaining::explain;

fn agent<'a>(conversation: &'a Conversation, id: &str) -> &'a Agent {
    let found = conversation.agents.iter().find(|agent| agent.id.as_str() == id);
    found.unwrap_or_else(|| panic!("{id} among {:?}", conversation.agents))
}

fn spawn(session: Session, description: &str, prompt: &str) -> Session {
    let input = json!({"description": description, "prompt": prompt, "subagent_type": "general-purpose"});
    session.assistant(|message| message.tool_use("Agent", input))
}

/// An agent's file: a first user text, and an answer.
fn file(first: &str, time: &str, uuid: &str, parent: Option<&str>) -> String {
    let user = json!({
        "type": "user", "uuid": format!("{uuid}-1"), "parentUuid": parent, "isSidechain": true, "timestamp": time,
        "message": {"role": "user", "content": first},
    });
    let answer = json!({
        "type": "assistant", "uuid": format!("{uuid}-2"), "parentUuid": format!("{uuid}-1"), "isSidechain": true,
        "timestamp": time, "message": {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
    });
    format!("{user}\n{answer}\n")
}

const LATER: &str = "2026-11-15T10:05:00.000Z";

#[test]
fn its_own_meta_file_is_the_best_evidence() {
    let shown = explain(&Session::numbered(1).user("go").agent(|agent| agent.id("a1")));
    assert_eq!(agent(&shown, "a1").linked_by, Some(LinkedBy::Meta));
}

#[test]
fn the_result_of_the_call_names_it() {
    for era in [Era::V2_0_42, Era::V2_1_56, Era::V2_1_325] {
        let session = Session::numbered(1).era(era).user("go").agent(|agent| agent.id("a1").without_meta());
        let shown = explain(&session);
        assert_eq!(agent(&shown, "a1").linked_by, Some(LinkedBy::Result), "{era:?}");
        assert_eq!(agent(&shown, "a1").tool_id.as_ref(), Some(&session.made().tools[0]), "{era:?}");
    }
}

#[test]
fn a_team_member_is_known_by_the_summary_of_its_first_message() {
    let message = r#"<teammate-message teammate_id="team-lead" color="red" summary="Check the docs">go</teammate-message>"#;
    let session = spawn(Session::numbered(1).user("go"), "Check the code", "x");
    let session = spawn(session, "Check the docs", "y").agent_file("member", file(message, LATER, "m", None));
    let shown = explain(&session);
    assert_eq!(agent(&shown, "member").linked_by, Some(LinkedBy::Team));
    assert_eq!(agent(&shown, "member").tool_id.as_ref(), Some(&session.made().tools[1]));
}

#[test]
fn a_spawned_member_has_its_place_in_the_team() {
    let team = Team { name: "crew".into(), member: "scout".into(), color: "green".into() };
    let session = Session::numbered(1).user("go").agent(|agent| agent.id("a1").team(team).without_meta());
    let shown = explain(&session);
    assert_eq!(agent(&shown, "a1").linked_by, Some(LinkedBy::Position), "same prompt, no id in the result");
    assert_eq!(agent(&shown, "a1").team.clone().unwrap().member.as_deref(), Some("scout"));
}

#[test]
fn without_other_evidence_the_same_prompt_then_the_order_in_time_decides() {
    let session = spawn(spawn(Session::numbered(1).user("go"), "First", "one"), "Second", "two");
    let session = session
        .agent_file("second", file("two", LATER, "s", None))
        .agent_file("unlike", file("changed on the way", LATER, "u", None));
    let shown = explain(&session);
    let tools = &session.made().tools;
    assert_eq!(agent(&shown, "second").tool_id.as_ref(), Some(&tools[1]));
    assert_eq!(agent(&shown, "unlike").tool_id.as_ref(), Some(&tools[0]));
    assert_eq!(agent(&shown, "unlike").linked_by, Some(LinkedBy::Position));
}

#[test]
fn an_agent_from_before_the_call_was_not_started_by_it() {
    let session = spawn(Session::numbered(1).user("go"), "First", "one")
        .agent_file("early", file("something", "2026-11-15T09:00:00.000Z", "e", None));
    let shown = explain(&session);
    assert_eq!((agent(&shown, "early").tool_id.clone(), agent(&shown, "early").linked_by), (None, None));
}

#[test]
fn a_call_whose_result_names_another_agent_is_not_free() {
    let session = spawn(Session::numbered(1).user("go"), "First", "one")
        .answer_with(ToolResult::text("ok").structured(json!({"agentId": "lost", "status": "completed"})))
        .agent_file("stray", file("something", LATER, "s", None));
    assert_eq!(agent(&explain(&session), "stray").tool_id, None);
}

#[test]
fn a_file_that_goes_on_from_another_inherits_its_call() {
    let session = Session::numbered(1).user("go").agent(|agent| agent.id("a1"));
    let first = session.build().agents[0].clone();
    let last = first.made.last_record().to_string();
    let session = session
        .agent_file("a2", file("wake up", LATER, "x", Some(&last)))
        .agent_file("a3", file("once more", LATER, "y", Some("x-2")));
    let shown = explain(&session);
    for (id, before) in [("a2", "a1"), ("a3", "a2")] {
        let agent = agent(&shown, id);
        assert_eq!(agent.continues.as_ref().map(|id| id.as_str()), Some(before));
        assert_eq!(agent.tool_id.as_ref(), Some(&session.made().tools[0]));
        assert_eq!(agent.linked_by, Some(LinkedBy::Meta));
    }
    let step = crate::passes::words::outline(&shown.chunks)[1].clone();
    assert!(step.starts_with("ai: agent a1"), "the call points at the first file: {step}");
}

#[test]
fn agents_that_claim_each_other_are_all_kept() {
    let call = |id: &str, agent: &str| {
        let call = json!({
            "type": "assistant", "uuid": format!("c-{id}"), "isSidechain": true,
            "message": {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "Agent", "input": {"prompt": "p"}}]},
        });
        let result = json!({
            "type": "user", "uuid": format!("r-{id}"), "isSidechain": true, "toolUseResult": {"agentId": agent},
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]},
        });
        let start = json!({"type": "user", "uuid": format!("s-{id}"), "isSidechain": true, "message": {"role": "user", "content": "go"}});
        format!("{start}\n{call}\n{result}\n")
    };
    let session = Session::numbered(1)
        .user("go")
        .agent_file("one", call("t1", "two"))
        .agent_file("two", call("t2", "one"))
        .agent_file("self", call("t3", "self"));
    let shown = explain(&session);
    let count = |agents: &[Agent]| -> usize {
        fn all(agents: &[Agent]) -> usize {
            agents.iter().map(|agent| 1 + all(&agent.agents)).sum()
        }
        all(agents)
    };
    assert_eq!(count(&shown.agents), 3);
}

#[test]
fn a_call_of_another_tool_that_names_an_agent_started_it() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Skill", json!({"skill": "review"})))
        .answer_with(ToolResult::text("ok").structured(json!({"agentId": "forked", "status": "forked"})))
        .agent_file("forked", file("review this", LATER, "f", None));
    let shown = explain(&session);
    assert_eq!(agent(&shown, "forked").tool_id, Some(ToolId::new(session.made().last_tool().as_str())));
}
