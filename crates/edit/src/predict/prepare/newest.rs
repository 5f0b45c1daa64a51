//! As 2.1.325 does it.

use std::collections::HashSet;

use serde_json::json;
use steno_transcript::Kind;

use super::{NO_CONTENT, NO_RESPONSE, is_all_unanswered, unanswered, without_lone_thinking};
use crate::predict::block;
use crate::predict::said::{ChainRecord, SYNTHETIC};

/// What replaces the result of a call that the end of the session cut off.
const CUT_OFF: &str = concat!(
    "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. ",
    "Check whether it took effect before relying on it or running it again.]",
);
/// Attachments that this client no longer knows.
const RETIRED: [&str; 11] = [
    "compaction_reminder",
    "companion_intro",
    "echo_activities",
    "pen_mode_enter",
    "pen_mode_exit",
    "verify_plan_reminder",
    "fold_nudge",
    "context_tip",
    "audio_transcript",
    "new_file",
    "new_directory",
];

pub(super) fn prepare(mut said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    said.retain(|said| {
        let kind = said.attachment.as_ref().map(|attachment| attachment.kind.as_str());
        said.kind != Kind::Attachment || kind.is_some_and(|kind| !RETIRED.contains(&kind))
    });
    let mut unanswered = unanswered(&said);
    for call in cut_off(&said, &unanswered) {
        unanswered.remove(&call);
        let result =
            json!({ "type": "tool_result", "content": CUT_OFF, "is_error": true, "tool_use_id": call });
        said.push(ChainRecord::user(vec![result]));
    }
    said.retain(|said| !is_all_unanswered(said, &unanswered));
    let mut said = without_blank(said);
    let last = said.iter().rposition(|said| said.kind != Kind::System);
    if let Some(last) = last
        .filter(|last| said.get(*last).is_some_and(ChainRecord::is_user) && !ends_in_command(&said, *last))
    {
        said.insert(last + 1, ChainRecord::synthetic(NO_RESPONSE));
    }
    said
}

/// Calls of the last turn without a result, where the conversation ends among calls.
fn cut_off(said: &[ChainRecord], unanswered: &HashSet<String>) -> Vec<String> {
    let is_prompt = |said: &ChainRecord| said.is_user() && !said.is_meta && !said.has_result();
    let turn = said.iter().rposition(is_prompt).unwrap_or(0);
    let last = said.iter().rfind(|said| said.is_user() || said.is_assistant());
    if !last.is_some_and(|last| last.has_result() || last.is_assistant() && last.calls().next().is_some()) {
        return Vec::new();
    }
    let calls = said.iter().skip(turn).filter(|said| said.is_answer()).flat_map(ChainRecord::calls);
    calls.filter(|call| unanswered.contains(*call)).map(str::to_owned).collect()
}

/// Without lone thinking and answers that say nothing, for as long as there are any.
fn without_blank(mut said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    loop {
        let before = said.len();
        said = without_lone_thinking(said, false);
        let speaks = |said: &ChainRecord| said.is_answer() && said.content.iter().any(is_real);
        let spoken: HashSet<Option<String>> =
            said.iter().filter(|said| speaks(said)).map(|said| said.id.clone()).collect();
        said.retain(|said| {
            let has_text = said.is_answer() && said.content.iter().any(block::is_text);
            !has_text || speaks(said) || spoken.contains(&said.id)
        });
        if said.len() == before {
            return said;
        }
    }
}

fn is_real(block: &serde_json::Value) -> bool {
    let is_nothing = || matches!(block::words(block).trim(), "" | NO_CONTENT);
    !(block::is_thinking(block) || block::is_text(block) && is_nothing())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Local {
    Caveat,
    Command,
    Output,
}

/// A record of a command that the user ran himself.
fn local(said: &ChainRecord) -> Option<Local> {
    let [only] = said.content.as_slice() else { return None };
    let text = Some(block::words(only)).filter(|_| said.is_user() && block::is_text(only))?.trim_start();
    let starts = |marks: &[&str]| marks.iter().any(|mark| text.starts_with(mark));
    if starts(&["<local-command-caveat>"]) {
        Some(Local::Caveat)
    } else if starts(&["<command-name>", "<command-message>", "<bash-input>"]) {
        Some(Local::Command)
    } else {
        let outputs = ["<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>"];
        starts(&outputs).then_some(Local::Output)
    }
}

/// Whether the conversation ends in a command that the user ran himself: then the new prompt follows at once.
fn ends_in_command(said: &[ChainRecord], last: usize) -> bool {
    if said.get(last).and_then(local).is_none() {
        return false;
    }
    let mut is_meta = true;
    let mut is_over = false;
    for said in said.iter().take(last + 1).rev().filter(|said| said.is_user() || said.is_assistant()) {
        match local(said) {
            Some(Local::Caveat) => return true,
            Some(kind) if !is_over => {
                is_over = kind == Local::Command;
                is_meta = is_meta && said.is_meta;
            }
            _ => break,
        }
    }
    is_meta
}

/// Thinking that another model signed is not sent. The session goes on with the model that spoke last.
pub(super) fn without_foreign_thinking(mut said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let model = model(&said).map(str::to_owned);
    let is_own = |said: &ChainRecord| {
        said.model.as_deref() == Some(SYNTHETIC) || said.model.is_some() && said.model == model
    };
    said.retain_mut(|said| {
        if !said.is_answer() || is_own(said) || said.content.is_empty() {
            return true;
        }
        let before = said.content.len();
        said.content.retain(|block| !is_signed_thinking(block));
        said.content.len() == before || !said.content.is_empty()
    });
    said
}

fn is_signed_thinking(block: &serde_json::Value) -> bool {
    let is_signed =
        || block.get("signature").and_then(|seal| seal.as_str()).is_some_and(|seal| !seal.is_empty());
    block::kind(block) == "redacted_thinking" || block::kind(block) == "thinking" && is_signed()
}

/// The model that spoke last.
pub(in crate::predict) fn model(said: &[ChainRecord]) -> Option<&str> {
    let models =
        said.iter().rev().filter(|said| said.is_assistant()).filter_map(|said| said.model.as_deref());
    models.into_iter().find(|model| *model != SYNTHETIC)
}
