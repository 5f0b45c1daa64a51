//! A conversation in a few words.

use steno_conversation::Conversation;
use steno_conversation::model::{Chunk, ChunkBody, Step, ToolStep};

/// One line for each chunk.
pub(crate) fn outline(chunks: &[Chunk]) -> Vec<String> {
    chunks.iter().map(chunk_words).collect()
}

fn chunk_words(chunk: &Chunk) -> String {
    match &chunk.body {
        ChunkBody::User(user) => {
            let queued = if user.queued { " (queued)" } else { "" };
            let plan = user.plan.map(|plan| format!(" (plan {plan})")).unwrap_or_default();
            let images = " [image]".repeat(user.images.len());
            format!("user{queued}{plan}: {}{images}", user.text)
        }
        ChunkBody::Ai(ai) => {
            format!("ai: {}", ai.steps.iter().map(step_words).collect::<Vec<_>>().join(", "))
        }
        ChunkBody::System(system) => format!("system {}: {}", system.subtype, system.text),
        ChunkBody::Compact(compact) => {
            let trigger = compact.trigger.as_deref().unwrap_or("-");
            format!("compact {trigger} {:?} {:?}", compact.pre_tokens, compact.post_tokens)
        }
    }
}

fn step_words(step: &Step) -> String {
    match step {
        Step::Thinking { redacted: true, .. } => "redacted".to_owned(),
        Step::Thinking { text, .. } => format!("thinking {text}"),
        Step::Text { text, .. } => format!("text {text}"),
        Step::Tool(tool) => tool_words(tool),
        Step::Agent(step) => format!("agent {}", step.agent.as_ref().map_or("?", |id| id.as_str())),
        Step::Plan(step) => format!("plan {}", step.plan),
        Step::Notification(note) => format!("notification {}", note.text),
        Step::Interruption { text, .. } => text.clone(),
        Step::Media { .. } => "[image]".to_owned(),
        Step::Unknown { block_type, .. } => format!("unknown {block_type}"),
    }
}

fn tool_words(tool: &ToolStep) -> String {
    match &tool.result {
        Some(result) if result.is_error => format!("{} failed: {}", tool.name, result.text),
        Some(result) => format!("{} → {}", tool.name, result.text),
        None => format!("{} …", tool.name),
    }
}

/// The kinds of warnings, in their order.
pub(crate) fn warned(conversation: &Conversation) -> Vec<&str> {
    conversation.warnings.iter().map(|warning| warning.kind.as_str()).collect()
}
