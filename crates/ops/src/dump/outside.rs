//! What a conversation holds that no record said → as the records are: masked, and with results that lie in files.

use std::fs;
use std::path::Path;

use steno_conversation::Conversation;
use steno_conversation::model::{Agent, Chunk, ChunkBody, Step, ToolOutcome};

use crate::lens::Lens;

/// Names and paths that come from the file system.
pub(super) fn mask(conversation: &mut Conversation, lens: &mut Lens) {
    let profile = &mut conversation.profile;
    let own = [&mut profile.title, &mut profile.cwd, &mut profile.project_hash, &mut profile.path];
    for text in own.into_iter().flatten() {
        *text = lens.text(std::mem::take(text));
    }
    each_agent(&mut conversation.agents, |agent| {
        for text in [&mut agent.description, &mut agent.kind, &mut agent.path].into_iter().flatten() {
            *text = lens.text(std::mem::take(text));
        }
    });
    for warning in &mut conversation.warnings {
        warning.file = lens.text(std::mem::take(&mut warning.file));
        warning.message = lens.text(std::mem::take(&mut warning.message));
    }
}

/// Results that the client put into files of their own, where a preview stands in the record.
pub(super) fn fetch_results(conversation: &mut Conversation, lens: &mut Lens) {
    fetch_of(&mut conversation.chunks, lens);
    each_agent(&mut conversation.agents, |agent| fetch_of(&mut agent.chunks, lens));
}

fn fetch_of(chunks: &mut [Chunk], lens: &mut Lens) {
    let steps = chunks.iter_mut().flat_map(|chunk| match &mut chunk.body {
        ChunkBody::Ai(ai) => ai.steps.as_mut_slice(),
        _ => &mut [],
    });
    for result in steps.filter_map(result_of) {
        let found = result.persisted.as_ref().and_then(|persisted| persisted.found.as_deref());
        let read = found.map(Path::new).and_then(|path| {
            let bytes = fs::read(path).ok()?;
            lens.turn_to(path);
            Some(lens.document(String::from_utf8_lossy(&bytes).into_owned()))
        });
        result.text = read.unwrap_or_else(|| std::mem::take(&mut result.text));
    }
}

fn result_of(step: &mut Step) -> Option<&mut ToolOutcome> {
    match step {
        Step::Tool(tool) => tool.result.as_mut(),
        Step::Agent(step) => step.tool.result.as_mut(),
        Step::Plan(step) => step.tool.result.as_mut(),
        _ => None,
    }
}

fn each_agent(agents: &mut [Agent], mut visit: impl FnMut(&mut Agent)) {
    let mut waiting: Vec<&mut Agent> = agents.iter_mut().collect();
    while let Some(agent) = waiting.pop() {
        visit(agent);
        waiting.extend(&mut agent.agents);
    }
}
