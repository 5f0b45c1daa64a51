//! As 2.1.56 does it.

use steno_transcript::Kind;

use super::{NO_RESPONSE, is_all_unanswered, unanswered, without_lone_thinking};
use crate::predict::block;
use crate::predict::message::Message;
use crate::predict::said::ChainRecord;

/// What the user is made to say where a turn was broken off.
const CONTINUE: &str = "Continue from where you left off.";

pub(super) fn prepare(mut said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let unanswered = unanswered(&said);
    said.retain(|said| !is_all_unanswered(said, &unanswered));
    let mut said = without_blank(without_lone_thinking(said, true));
    let Some(last) = said.iter().rposition(|said| said.kind != Kind::System) else { return said };
    let Some(end) = said.get(last) else { return said };
    let is_user = end.is_user();
    if is_broken_off(end) {
        said.push(ChainRecord { is_meta: true, ..ChainRecord::user(vec![block::text(CONTINUE)]) });
        said.push(ChainRecord::synthetic(NO_RESPONSE));
    } else if is_user {
        said.insert(last + 1, ChainRecord::synthetic(NO_RESPONSE));
    }
    said
}

fn is_broken_off(end: &ChainRecord) -> bool {
    let is_result = end.starts_with_result() || end.has_structured_result;
    end.kind == Kind::Attachment || end.is_user() && !end.is_meta && !end.is_compact_summary && is_result
}

/// Without answers of nothing but white space; where one went, the users around it become one.
fn without_blank(said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let is_blank = |said: &ChainRecord| {
        said.is_answer() && !said.content.is_empty() && said.content.iter().all(block::is_blank)
    };
    if !said.iter().any(is_blank) {
        return said;
    }
    let mut kept: Vec<ChainRecord> = Vec::new();
    for said in said.into_iter().filter(|said| !is_blank(said)) {
        match kept.last_mut() {
            Some(last) if last.is_user() && said.is_user() => {
                let mut joined = Message::user(std::mem::take(&mut last.content));
                joined.join(said.content);
                last.content = joined.content;
            }
            _ => kept.push(said),
        }
    }
    kept
}

/// Pictures and documents of the user that the model has answered already are not sent again.
pub(super) fn without_seen_pictures(mut said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let answered = said.iter().rposition(ChainRecord::is_assistant).unwrap_or(0);
    let users = said.iter_mut().take(answered).filter(|said| said.is_user());
    for block in users.flat_map(|said| &mut said.content) {
        if let kind @ ("image" | "document") = block::kind(block) {
            *block = block::text(format!("[{kind}]"));
        }
    }
    said
}
