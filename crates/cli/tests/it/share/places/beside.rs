//! Files beside a transcript, of which there is one at most: the title, what is known of an agent, names.

use std::fs;
use std::path::Path;

use serde_json::json;
use steno_testkit::Session;

use super::Lay;

pub(crate) const BESIDE: &[(&str, Lay)] = &[
    ("title beside the transcript", |project, session, planted| {
        put(project, session, "custom-title.json", &json!({"customTitle": planted.text}).to_string());
    }),
    ("what is known of an agent", |project, session, planted| {
        let meta = json!({"agentType": planted.text, "description": planted.text, "toolUseId": planted.text});
        put(project, session, "subagents/agent-a5ec2e7.meta.json", &meta.to_string());
        put(project, session, "subagents/agent-a5ec2e7.jsonl", "{\"type\":\"user\"}\n");
    }),
    ("name of an agent's file", |project, session, planted| {
        let name = format!("subagents/agent-{}.jsonl", planted.text);
        put(
            project,
            session,
            &name,
            "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"Go\"}}\nnot json\n",
        );
    }),
    ("name of a long result", |project, session, planted| {
        put(project, session, &format!("tool-results/{}.txt", planted.text), "so it goes");
    }),
    ("name of any other file", |project, session, planted| {
        put(project, session, &format!("{}.json", planted.text), "{");
    }),
    ("torn line", |project, session, planted| {
        let path = project.join(format!("{}.jsonl", session.id()));
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice(
            format!("{{\"type\":\"user\",\"message\":{{\"content\":{}", json!(planted.text)).as_bytes(),
        );
        fs::write(path, bytes).unwrap();
    }),
];

/// Whether a file system takes it as a name.
pub(crate) fn is_name(text: &str) -> bool {
    let is_fit = |letter: char| letter.is_ascii_graphic() && !"/\\:*?\"<>|".contains(letter);
    text.len() < 200 && text.chars().all(is_fit)
}

fn put(project: &Path, session: &Session, name: &str, text: &str) {
    let path = project.join(session.id().as_str()).join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
