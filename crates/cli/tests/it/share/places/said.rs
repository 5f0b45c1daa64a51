//! What was said: prompts, answers, thinking, plans, summaries, and what subagents were told and told.

use serde_json::json;
use steno_testkit::secrets::Planted;
use steno_testkit::{Agent, Session};

use super::{Put, note};

pub(super) const PLACES: &[(&str, Put)] = &[
    ("prompt", |session, planted| session.user(note(planted))),
    ("prompt of blocks", |session, planted| {
        session.user_blocks(vec![json!({"type": "text", "text": note(planted)})])
    }),
    ("document", |session, planted| {
        let source = json!({"type": "text", "media_type": "text/plain", "data": note(planted)});
        let block =
            json!({"type": "document", "title": planted.text, "context": planted.text, "source": source});
        session.user_blocks(vec![block])
    }),
    ("unknown block of a prompt", |session, planted| {
        session.user_blocks(vec![json!({"type": "hologram", "shown": {"text": note(planted)}})])
    }),
    ("queued prompt", |session, planted| session.queued_prompt(note(planted))),
    ("command", |session, planted| session.slash_command("deploy", &planted.text)),
    ("output of a command", |session, planted| session.local_command_stdout(&note(planted))),
    ("error of a command", |session, planted| session.local_command_stderr(&note(planted))),
    ("shell", |session, planted| session.bash_command(&planted.text, &note(planted), &planted.text)),
    ("reminder", |session, planted| session.system_reminder(&note(planted))),
    ("teammate", |session, planted| session.teammate_message("ann", "blue", &note(planted))),
    ("answer", |session, planted| session.assistant(|message| message.text(note(planted)))),
    ("answer as code", |session, planted| {
        session.assistant(|message| message.text(format!("So:\n\n```yaml\n{}\n```\n", planted.text)))
    }),
    ("thinking", |session, planted| session.assistant(|message| message.thinking(note(planted)))),
    ("unknown block", |session, planted| {
        session.assistant(|message| message.block(json!({"type": "hologram", "of": [note(planted)]})))
    }),
    ("failed request", |session, planted| session.api_error(note(planted))),
    ("plan", |session, planted| session.plan(note(planted)).approve_plan()),
    ("feedback to a plan", |session, planted| session.plan("# Go").reject_plan(&note(planted))),
    ("plan to implement", |session, planted| session.implement(&note(planted))),
    ("summary of a compaction", |session, planted| session.compact("auto", 150_000, 9_000, &note(planted))),
    ("abandoned branch", abandoned),
    ("inline sidechain", sidechain),
    ("prompt of an agent", |session, planted| agent(session, |agent| agent.prompt(note(planted)))),
    ("description of an agent", |session, planted| {
        agent(session, |agent| agent.description(planted.text.clone()))
    }),
    ("kind of an agent", |session, planted| agent(session, |agent| agent.kind(planted.text.clone()))),
    ("answer of an agent", |session, planted| agent(session, |agent| agent.answer(note(planted)))),
    ("agent's result", |session, planted| {
        agent(session, |agent| agent.steps(|steps| looked(steps, &note(planted))))
    }),
    ("agent's agent", |session, planted| {
        agent(session, |agent| agent.steps(|steps| steps.agent(|inner| inner.prompt(note(planted)))))
    }),
    ("notification", |session, planted| session.task_notification("a1", "toolu_1", &note(planted))),
];

fn agent(session: Session, describe: impl FnOnce(Agent) -> Agent) -> Session {
    session.agent(describe)
}

fn looked(session: Session, result: &str) -> Session {
    session.assistant(|message| {
        message.tool_use("Bash", json!({"command": "cat notes"})).answered(result.to_owned())
    })
}

/// A prompt that was taken back, with its answer.
fn abandoned(session: Session, planted: &Planted) -> Session {
    let before = session.made().prompts.len();
    let session = session.user(format!("Or this: {}", note(planted)));
    let session = session.assistant(|message| message.text(note(planted)));
    session.rewind_to(before).user("No, the other way")
}

/// As 1.0.x wrote agents: among the session's own records.
fn sidechain(session: Session, planted: &Planted) -> Session {
    let number = session.bytes().len();
    let id = format!("5ec2e75a-0000-4000-8000-{number:012}");
    session.record(&json!({
        "parentUuid": null, "isSidechain": true, "userType": "external", "cwd": "/home/dev/project",
        "sessionId": "00000001-5e55-4000-8000-000000000001", "version": "1.0.60", "type": "user",
        "message": {"role": "user", "content": note(planted)}, "uuid": id, "timestamp": "2026-11-15T10:00:00.000Z",
    }))
}
