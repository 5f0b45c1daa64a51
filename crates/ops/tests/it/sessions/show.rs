//! Show: one session with everything around it.

use serde_json::json;
use steno_ops::model::{ChunkBody, Step, Verdict};
use steno_ops::show::{self, Request};
use steno_ops::{Conversation, Error};
use steno_testkit::{Home, Session, ToolResult};

use crate::sessions::claude_dirs::{shown, workspace};

fn conversation(session: &Session) -> Conversation {
    let home = Home::new();
    home.write(session);
    shown(&home, session.id().as_str()).conversation
}

fn at(session: &Session, at: &str) -> Result<Option<usize>, Error> {
    let home = Home::new();
    home.write(session);
    let request = Request { session: session.id().to_string(), at: Some(at.to_owned()) };
    show::run(&workspace(&home), &request).map(|report| report.at)
}

#[test]
fn a_plan_accepted_in_a_new_file_is_approved_there() {
    let home = Home::new();
    let planned = Session::numbered(1).user("plan").plan("# P\n\n1. do").reject_plan("").interrupt_tool();
    home.write(&planned);
    home.write(&Session::numbered(2).wait(60_000).user("hello").implement("# P\n\n1. do"));
    home.write(&Session::numbered(3).user("Implement the following plan:\n\n# Q"));
    let plan = shown(&home, planned.id().as_str()).conversation.plans.remove(0);
    assert_eq!(plan.verdict, Verdict::Approved);
    assert_eq!(plan.implemented_in.as_ref(), Some(Session::numbered(2).id()));
    assert!(plan.cleared_context);
}

#[test]
fn a_plan_accepted_in_a_new_file_is_found_behind_a_command() {
    let home = Home::new();
    let planned = Session::numbered(1).user("plan").plan("# P\n\n1. do").reject_plan("").interrupt_tool();
    home.write(&planned);
    let cleared =
        Session::numbered(2).wait(60_000).caveat().slash_command("clear", "").local_command_stdout("");
    home.write(&cleared.implement("# P\n\n1. do"));
    let plan = shown(&home, planned.id().as_str()).conversation.plans.remove(0);
    assert_eq!(plan.verdict, Verdict::Approved);
    assert_eq!(plan.implemented_in.as_ref(), Some(Session::numbered(2).id()));
}

#[cfg(unix)]
#[test]
fn a_session_that_may_tell_of_a_plan_and_cannot_be_read_is_a_warning() {
    let home = Home::new();
    let planned = Session::numbered(1).user("plan").plan("# P").reject_plan("");
    home.write(&planned);
    let other = home.write(&Session::numbered(2).implement("# P"));
    if !crate::sessions::claude_dirs::forbid(&other) {
        return;
    }
    let warnings = shown(&home, planned.id().as_str()).conversation.warnings;
    assert!(warnings.iter().any(|warning| warning.file == other.display().to_string()), "{warnings:?}");
}

#[test]
fn long_output_is_found_in_the_sessions_own_directory() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
        .answer_with(ToolResult::persisted("long output"));
    let home = Home::new();
    home.write(&session);
    let chunks = shown(&home, "last").conversation.chunks;
    let ChunkBody::Ai(ai) = &chunks[1].body else { panic!() };
    let Step::Tool(tool) = &ai.steps[0] else { panic!() };
    let persisted = tool.result.clone().unwrap().persisted.unwrap();
    assert_eq!(std::fs::read_to_string(persisted.found.unwrap()).unwrap(), "long output");
}

#[cfg(unix)]
#[test]
fn an_agent_that_cannot_be_read_is_a_warning() {
    let home = Home::new();
    let session = Session::numbered(1).user("go").agent(|agent| agent);
    let transcript = home.write(&session);
    let agent = &session.build().agents[0].id;
    let file = transcript.with_extension("").join(format!("subagents/agent-{agent}.jsonl"));
    if !crate::sessions::claude_dirs::forbid(&file) {
        return;
    }
    let conversation = shown(&home, "last").conversation;
    assert_eq!(conversation.chunks.len(), 2);
    assert!(conversation.warnings.iter().any(|warning| warning.kind == "unreadable"));
}

#[test]
fn a_record_is_named_by_its_line_or_its_uuid() {
    let session = Session::numbered(1)
        .user("one")
        .assistant(|message| message.text("1"))
        .user("two")
        .mode("normal")
        .user("three");
    let uuid = session.made().records[2].as_str();
    assert_eq!(at(&session, "3").unwrap(), Some(2));
    assert_eq!(at(&session, uuid).unwrap(), Some(2));
    assert_eq!(at(&session, &uuid[..18]).unwrap(), Some(2));
    assert_eq!(at(&session, "4").unwrap(), Some(3), "a hidden record opens at what follows it");
    for nowhere in ["99", "zzzz", ""] {
        let error = at(&session, nowhere).unwrap_err();
        assert_eq!(error.kind.name(), "not-found", "{nowhere}");
    }
}

#[test]
fn a_line_opens_at_its_own_chunk_though_an_earlier_one_reaches_further() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
        .attachment("queued_command", json!({"prompt": "and hurry", "commandMode": "prompt"}))
        .answer("src");
    assert_eq!(at(&session, "3").unwrap(), Some(2));
    assert_eq!(at(&session, "4").unwrap(), Some(1), "the result belongs to its call");
}

#[test]
fn digits_beyond_the_file_are_the_beginning_of_a_uuid() {
    let record =
        json!({"type": "user", "uuid": "12345678-aaaa", "message": {"role": "user", "content": "two"}});
    let session = Session::numbered(1).user("one").record(&record);
    assert_eq!(at(&session, "12345678").unwrap(), Some(1));
}

#[test]
fn a_record_on_an_abandoned_branch_opens_where_the_conversation_went_on() {
    let session = Session::numbered(1).user("one").user("two").rewind_to(1).user("instead");
    assert_eq!(at(&session, session.made().records[1].as_str()).unwrap(), Some(1));
}

#[test]
fn an_empty_session_is_shown_as_one() {
    let shown = conversation(&Session::numbered(1));
    assert!(shown.chunks.is_empty());
    assert_eq!((shown.profile.size_bytes, shown.profile.live, shown.profile.kept), (0, true, false));
}

#[test]
fn the_profile_knows_where_its_file_lies() {
    let home = Home::new();
    let path = home.write(&Session::numbered(1).user("one"));
    let profile = shown(&home, "last").conversation.profile;
    assert_eq!(profile.path, Some(path.display().to_string()));
    assert_eq!(profile.project_hash.as_deref(), Some("-home-dev-project"));
    assert_eq!(profile.size_bytes, path.metadata().unwrap().len());
}
