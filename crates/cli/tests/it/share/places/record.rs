//! What the client notes: attachments, snapshots, request logs, progress, events, titles, and what nobody knows yet.

use serde_json::{Value, json};
use steno_testkit::Session;

use super::{Put, note};

pub(super) const PLACES: &[(&str, Put)] = &[
    ("attached file", |session, planted| {
        let file = json!({"filePath": "/home/dev/project/a.yml", "content": note(planted)});
        session.attachment("file", json!({"filename": "a.yml", "content": {"type": "text", "file": file}}))
    }),
    ("attached selection", |session, planted| {
        session.attachment("opened_file_in_ide", json!({"filename": planted.text, "content": note(planted)}))
    }),
    ("attached words of a hook", |session, planted| {
        let fields = json!({"content": [note(planted)], "stdout": planted.text, "command": planted.text});
        session.attachment("hook_additional_context", fields)
    }),
    ("attached environment", |session, planted| {
        session.attachment("environment", json!({"snapshot": {"variables": {"X": planted.text}}}))
    }),
    ("unknown attachment", |session, planted| {
        session.attachment("hologram", json!({"shown": {planted.text.clone(): [note(planted)]}}))
    }),
    ("path of a snapshot", |session, planted| {
        let backups = json!({planted.text.clone(): {"backupFileName": planted.text, "version": 1}});
        session.record(&snapshot(backups))
    }),
    ("content of a snapshot", |session, planted| {
        session.record(&snapshot(json!({"a.yml": {"content": note(planted), "version": 1}})))
    }),
    ("path of a file's history", |session, planted| session.file_history_delta(&planted.text)),
    ("request", |session, planted| {
        session.note(
            "api-request",
            json!({"params": {"system": note(planted), "metadata": {"x": planted.text}}}),
        )
    }),
    ("message of a request", |session, planted| {
        session.api_request_blob("user", json!([{"type": "text", "text": note(planted)}]))
    }),
    ("shape of a request", |session, planted| {
        session.note("api-request-shape", json!({"shape": {"tools": [{"description": note(planted)}]}}))
    }),
    ("progress of a shell", |session, planted| session.bash_progress(3, &note(planted))),
    ("progress of a hook", |session, planted| {
        session.progress(json!({"type": "hook_progress", "hookEvent": "PreToolUse", "command": planted.text}))
    }),
    ("progress of an agent", |session, planted| {
        session.agent_progress("a1", &note(planted), json!({"role": "user", "content": note(planted)}))
    }),
    ("queue", |session, planted| session.queue_operation("enqueue", Some(&note(planted)))),
    ("event", |session, planted| {
        session.system_with("informational", json!({"content": note(planted), "level": "info"}))
    }),
    ("event of a hook", |session, planted| {
        let hooks = json!([{"command": planted.text}]);
        session.system_with("stop_hook_summary", json!({"hookInfos": hooks, "hookErrors": [note(planted)]}))
    }),
    ("failed connection", |session, planted| {
        session
            .system_with("api_error", json!({"error": {"headers": {"x": planted.text}}, "retryAttempt": 1}))
    }),
    ("unknown event", |session, planted| {
        session.system_with(&planted.text, json!({"content": note(planted)}))
    }),
    ("notice", |session, planted| session.notice(&note(planted))),
    ("summary", |session, planted| session.summary(&note(planted))),
    ("title", |session, planted| session.custom_title(&planted.text)),
    ("title of the model's", |session, planted| session.ai_title(&planted.text)),
    ("tag", |session, planted| session.tag(&planted.text).agent_name(&planted.text)),
    ("last prompt", |session, planted| session.note("last-prompt", json!({"lastPrompt": note(planted)}))),
    ("link", |session, planted| {
        session.note("pr-link", json!({"prUrl": planted.text, "prRepository": planted.text, "prNumber": 1}))
    }),
    ("work tree", |session, planted| session.worktree_state(Some(&planted.text))),
    ("unknown record", |session, planted| {
        session.note("hologram", json!({"shown": {planted.text.clone(): [note(planted)]}}))
    }),
    ("unknown type", |session, planted| session.note(&planted.text, json!({"shown": true}))),
    ("unknown link of the chain", |session, planted| {
        session.linked(json!({"type": "hologram", "shown": note(planted), "uuid": null, "timestamp": null}))
    }),
    ("unknown field", |session, planted| {
        let message = json!({"role": "user", "content": "Go on", "mood": planted.text});
        session.linked(json!({
            "type": "user", "message": message, planted.text.clone(): 1, "shown": note(planted), "uuid": null,
            "timestamp": null,
        }))
    }),
    ("directory", |session, planted| envelope(session, "cwd", format!("/home/dev/{}", planted.text))),
    ("branch", |session, planted| envelope(session, "gitBranch", planted.text.clone())),
    ("slug", |session, planted| envelope(session, "slug", planted.text.clone())),
    ("version", |session, planted| envelope(session, "version", planted.text.clone())),
    ("model", |session, planted| {
        session.assistant(|message| message.text("Well.").model(planted.text.clone()))
    }),
    ("glued record", |session, planted| session.note("tag", json!({"tag": "a"})).glue().tag(&planted.text)),
    ("broken line", |session, planted| {
        session.raw(format!("{{\"type\":\"user\",\"text\":{}\n", json!(planted.text)))
    }),
    ("line without quotes", |session, planted| session.raw(format!("{}\n", planted.text.replace('\n', " ")))),
    ("line that is no object", |session, planted| session.raw(format!("[{}]\n", json!(planted.text)))),
    ("line of bad letters", |session, planted| {
        let line = format!(
            "{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":{}",
            json!(note(planted))
        );
        session.raw(line).raw(b",\"mood\":\"\xff\xfe\"}}\n")
    }),
];

fn snapshot(backups: Value) -> Value {
    json!({
        "type": "file-history-snapshot", "messageId": "m1", "isSnapshotUpdate": false,
        "snapshot": {"messageId": "m1", "trackedFileBackups": backups, "timestamp": "2026-11-15T10:00:00.000Z"},
    })
}

/// A field that stands at the top of every record, on one.
fn envelope(session: Session, field: &str, text: String) -> Session {
    let number = session.bytes().len();
    let mut record = json!({
        "parentUuid": session.made().records.last(), "isSidechain": false, "userType": "external",
        "cwd": "/home/dev/project", "sessionId": session.id(), "version": "2.1.325", "type": "user",
        "message": {"role": "user", "content": "Go on"}, "uuid": format!("e0e10be0-0000-4000-8000-{number:012}"),
        "timestamp": "2026-11-15T10:00:00.000Z",
    });
    record[field] = json!(text);
    session.record(&record)
}
