//! Chunks → turns: each begins where the user spoke.

use steno_conversation::Conversation;
use steno_conversation::model::{Chunk, ChunkBody, UserChunk};

use crate::Detail;
use crate::roster;
use crate::words::first_line;

pub(super) struct Turn<'a> {
    pub(super) chunks: Vec<&'a Chunk>,
}

/// What is shown of a conversation. What precedes the first prompt is a turn as well.
pub(super) fn turns<'a>(conversation: &'a Conversation, detail: &Detail) -> Vec<Turn<'a>> {
    let mut turns: Vec<Turn<'a>> = Vec::new();
    for chunk in conversation.chunks.iter().filter(|chunk| !roster::is_before(chunk, detail.from_record)) {
        match turns.last_mut().filter(|_| !begins_turn(chunk)) {
            Some(turn) => turn.chunks.push(chunk),
            None => turns.push(Turn { chunks: vec![chunk] }),
        }
    }
    turns
}

/// Members of a team speak in the user's place, but are none.
fn begins_turn(chunk: &Chunk) -> bool {
    matches!(&chunk.body, ChunkBody::User(user) if user.from_team.is_none())
}

/// What a prompt is called in a list of all.
pub(super) fn label(user: &UserChunk) -> String {
    if user.plan.is_some() {
        return "Carry out the plan".to_owned();
    }
    // The marks of markdown say nothing in a list.
    let line = first_line(&user.text).replace("**", "").replace('`', "");
    let line = line.trim_start_matches(['#', '>', '*', '-', ' ']);
    match user.images.len() {
        _ if !line.is_empty() => line.to_owned(),
        0 => "(empty)".to_owned(),
        _ => "(image)".to_owned(),
    }
}
