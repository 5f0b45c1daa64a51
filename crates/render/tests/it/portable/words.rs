//! Messages in a few words.

use steno_render::portable::{Block, Message};

/// One line for each message.
pub(crate) fn outline(messages: &[Message]) -> Vec<String> {
    let line = |message: &Message| {
        let role = serde_json::to_value(message.role).unwrap();
        let blocks: Vec<String> = message.content.iter().map(words).collect();
        format!("{}: {}", role.as_str().unwrap(), blocks.join(", "))
    };
    messages.iter().map(line).collect()
}

fn words(block: &Block) -> String {
    match block {
        Block::Text { text, .. } => text.clone(),
        Block::Thinking { text, .. } => format!("thinking {text}"),
        Block::ToolUse { name, .. } => format!("call {name}"),
        Block::ToolResult { output, is_error: false, images, .. } => {
            format!("result {output}{}", " [image]".repeat(images.len()))
        }
        Block::ToolResult { output, .. } => format!("failure {output}"),
        Block::Image(_) => "image".to_owned(),
        Block::Document(_) => "document".to_owned(),
        Block::Unknown { block_type } => format!("unknown {block_type}"),
    }
}
