//! A conversation → the document in the format that was asked for.

use serde::Serialize;
use steno_conversation::Conversation;
use steno_render::portable::{self, Block};
use steno_render::{Detail, html, markdown, text};

use super::Format;
use super::outside::Results;
use crate::error::{Error, ErrorKind};
use crate::reader::Gathered;

/// What a document is made of.
pub(super) struct Draft<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) gathered: Option<Gathered>,
    pub(super) results: Results,
    pub(super) detail: &'a Detail,
}

pub(super) struct Written {
    pub(super) text: String,
    /// The portable conversation that the text is.
    pub(super) conversation: Option<portable::Conversation>,
}

impl Draft<'_> {
    pub(super) fn write(self, format: Format) -> Result<Written, Error> {
        let plain = |text| Ok(Written { text, conversation: None });
        match format {
            Format::Markdown => plain(markdown(self.conversation, self.detail)),
            Format::Text => plain(text(self.conversation, self.detail)),
            Format::Html => plain(html::page(self.conversation, self.detail)),
            Format::Jsonl => {
                let messages = self.portable().messages;
                plain(messages.iter().map(|message| line(message, false)).collect::<Result<String, Error>>()?)
            }
            Format::Json => {
                let portable = self.portable();
                Ok(Written { text: line(&portable, true)?, conversation: Some(portable) })
            }
        }
    }

    fn portable(self) -> portable::Conversation {
        let (records, agents) = self.gathered.unwrap_or_default();
        let mut portable = records.finish(agents, self.conversation, self.detail);
        complete(&mut portable, &self.results);
        portable
    }
}

/// Puts results that lie in files into the blocks that only begin with them.
fn complete(portable: &mut portable::Conversation, results: &Results) {
    let mut agents: Vec<&mut portable::Agent> = portable.extensions.agents.iter_mut().collect();
    let mut messages: Vec<&mut portable::Message> = portable.messages.iter_mut().collect();
    while let Some(agent) = agents.pop() {
        messages.extend(&mut agent.messages);
        agents.extend(&mut agent.agents);
    }
    for block in messages.into_iter().flat_map(|message| &mut message.content) {
        if let Block::ToolResult { tool_use_id, output, .. } = block
            && let Some(whole) = results.get(tool_use_id)
        {
            output.clone_from(whole);
        }
    }
}

fn line(value: &impl Serialize, is_pretty: bool) -> Result<String, Error> {
    let written = if is_pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    let written =
        written.map_err(|error| Error::new(ErrorKind::Io, format!("cannot be written: {error}")))?;
    Ok(written + "\n")
}
