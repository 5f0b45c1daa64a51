//! Blocks and attachments → roughly how many tokens they are.

use serde_json::value::RawValue;
use steno_transcript::Troubles;
use steno_transcript::content::{self, Block};

use crate::estimate;

pub(super) fn of_block(block: &Block<'_>, troubles: &mut Troubles) -> u32 {
    held(match block {
        Block::RedactedThinking { data } => data.map_or(0, |data| estimate::of_text(data.get())),
        Block::ToolUse(call) => {
            estimate::of_text(&call.name) + call.input.map_or(0, |input| estimate::of_text(input.get()))
        }
        // Whatever a result may hold, it holds no results that hold results.
        Block::ToolResult(result) => content::blocks(result.content, troubles).iter().map(of_part).sum(),
        other => of_part(other),
    })
}

/// Of what may be in a result as well.
fn of_part(block: &Block<'_>) -> u64 {
    match block {
        Block::Text(words) | Block::Thinking(words) => estimate::of_text(&words.get()),
        Block::Image(media) | Block::Document(media) => {
            estimate::of_media(media.media_type.as_deref().unwrap_or_default(), &media.data)
        }
        Block::ToolReference(name) => estimate::of_text(name),
        Block::Unknown { raw, .. } => estimate::of_text(raw.get()),
        _ => 0,
    }
}

/// What an attachment says: what a newer client wrote down as it was sent, else all of it.
pub(super) fn of_attachment(attachment: Option<&RawValue>, rendered: Option<&RawValue>) -> u32 {
    held(rendered.or(attachment).map_or(0, |said| estimate::of_text(said.get())))
}

fn held(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
