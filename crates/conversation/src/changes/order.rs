//! The tool calls of a session and of all its subagents, in the order in which they were answered.

use jiff::Timestamp;

use super::call::Call;
use crate::Conversation;
use crate::model::{Agent, Chunk, ChunkBody, Placing, Step, ToolStep};

pub(super) fn calls(conversation: &Conversation) -> Vec<Call> {
    let mut timed = Vec::new();
    collect(&conversation.chunks, &conversation.placing, &mut timed);
    let mut waiting: Vec<&Agent> = conversation.agents.iter().rev().collect();
    while let Some(agent) = waiting.pop() {
        collect(&agent.chunks, &agent.placing, &mut timed);
        waiting.extend(agent.agents.iter().rev());
    }
    // Stable: calls of one moment, and those without a time, keep the order of their file.
    timed.sort_by_key(|(at, _)| *at);
    timed.into_iter().map(|(_, call)| call).collect()
}

fn collect(chunks: &[Chunk], placing: &[Placing], timed: &mut Vec<(Option<Timestamp>, Call)>) {
    let mut latest = None;
    for chunk in chunks {
        let ChunkBody::Ai(ai) = &chunk.body else { continue };
        latest = latest.max(chunk.started_at);
        for tool in ai.steps.iter().filter_map(tool_of) {
            let answered = tool.result.as_ref().and_then(|result| placing.get(result.record.index));
            // Clocks may go backwards; the order of the file holds within it.
            latest = latest.max(answered.and_then(|placing| placing.timestamp));
            timed.extend(Call::of(tool).map(|call| (latest, call)));
        }
    }
}

fn tool_of(step: &Step) -> Option<&ToolStep> {
    match step {
        Step::Tool(tool) => Some(tool),
        _ => None,
    }
}
