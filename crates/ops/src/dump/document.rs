//! A conversation → the document in the format that was asked for.

use steno_conversation::Conversation;
use steno_render::{Detail, html, markdown, portable, text};

use super::Format;
use crate::reader::Gathered;

pub(super) struct Written {
    pub(super) text: String,
    /// The portable conversation that the text is.
    pub(super) conversation: Option<portable::Conversation>,
}

pub(super) fn write(
    format: Format,
    conversation: &Conversation,
    gathered: Option<Gathered>,
    detail: &Detail,
) -> Written {
    let plain = |text| Written { text, conversation: None };
    match format {
        Format::Markdown => plain(markdown(conversation, detail)),
        Format::Text => plain(text(conversation, detail)),
        Format::Html => plain(html::page(conversation, detail)),
        Format::Json | Format::Jsonl => {
            let (records, agents) = gathered.unwrap_or_default();
            let portable = records.finish(agents, conversation, detail);
            if format == Format::Jsonl {
                return plain(portable.messages.iter().map(line).collect());
            }
            let text = serde_json::to_string_pretty(&portable).unwrap_or_default();
            Written { text: format!("{text}\n"), conversation: Some(portable) }
        }
    }
}

fn line(message: &portable::Message) -> String {
    format!("{}\n", serde_json::to_string(message).unwrap_or_default())
}
