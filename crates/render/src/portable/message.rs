//! Records of a message → the message, as the merge pass found them to belong together.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;
use steno_conversation::model::{Hidden, Placing, Thread};

use super::block::WithoutThinking;
use super::extension::extensions;
use super::gather::{GatheredRecord, MessageRecord};
use super::thinking::ThinkingFilter;
use super::{Block, Message, MessageExtensions, Object, Role};

/// A message while its records come together.
pub(super) struct MessageBuilder {
    pub(super) thread: Thread,
    pub(super) hidden: Option<Hidden>,
    pub(super) is_compact_summary: bool,
    pub(super) records: u64,
    /// Blocks of thinking that are not wanted.
    thinking: u64,
    is_queued: bool,
    role: Role,
    timestamp: Option<Timestamp>,
    content: Vec<Block>,
    /// What the first record says.
    fields: Object,
    /// What is gathered from all of them.
    gathered: MessageExtensions,
}

/// What is the same for all messages, and what is wanted of them.
pub(super) struct MessageOptions {
    /// Fields that need not be repeated in every message.
    pub(super) shared: Object,
    pub(super) filter: ThinkingFilter,
}

/// Puts the messages together whose records `placing` names, and takes them out of `records`.
pub(super) fn assemble(
    records: &mut [GatheredRecord],
    placing: &[Placing],
    options: &MessageOptions,
) -> Vec<MessageBuilder> {
    let mut messages: Vec<MessageBuilder> = Vec::new();
    let mut places: HashMap<(usize, Thread), usize> = HashMap::new();
    for placing in placing {
        let Some(first) = placing.message else { continue };
        let Some(kept) = records.get_mut(placing.index) else { continue };
        let Some(mut said) = kept.said.take() else { continue };
        let is_told = |name: &str| name == "timestamp" && placing.timestamp.is_some();
        said.fields.retain(|name, value| options.shared.get(name) != Some(value) && !is_told(name));
        let key = (first, placing.thread);
        match places.get(&key).and_then(|place| messages.get_mut(*place)) {
            Some(open) => open.go_on(said, placing, options),
            None => {
                places.insert(key, messages.len());
                messages.push(MessageBuilder::new(said, placing, options));
            }
        }
    }
    messages
}

impl MessageBuilder {
    fn new(mut said: MessageRecord, placing: &Placing, options: &MessageOptions) -> Self {
        let mut open = Self {
            thread: placing.thread,
            hidden: placing.hidden,
            is_compact_summary: said.is_compact_summary,
            records: 0,
            thinking: 0,
            is_queued: said.is_queued,
            role: said.role,
            timestamp: placing.timestamp,
            content: Vec::new(),
            fields: std::mem::take(&mut said.fields),
            gathered: MessageExtensions::default(),
        };
        open.add(said, placing, options);
        open
    }

    fn go_on(&mut self, mut said: MessageRecord, placing: &Placing, options: &MessageOptions) {
        let mut otherwise = std::mem::take(&mut said.fields);
        otherwise.retain(|name, value| self.fields.get(name) != Some(value));
        if let Some(time) = placing.timestamp {
            otherwise.insert("timestamp".to_owned(), Value::String(time.to_string()));
        }
        self.gathered.continued.push(otherwise);
        self.add(said, placing, options);
    }

    fn add(&mut self, said: MessageRecord, placing: &Placing, options: &MessageOptions) {
        self.records += 1;
        let gathered = &mut self.gathered;
        gathered.message_id = gathered.message_id.take().or(said.id);
        gathered.model = gathered.model.take().or(said.model);
        gathered.stop_reason = said.stop_reason.or(gathered.stop_reason.take());
        if output(said.usage.as_ref()) >= output(gathered.usage.as_ref()) {
            gathered.usage = said.usage.or(gathered.usage.take());
        }
        for (place, read) in said.blocks.into_iter().enumerate() {
            if placing.fuller.contains(&place) {
                fill(&mut self.content, read.block);
            } else if !placing.repeated.contains(&place) {
                gathered.original_content.extend(read.original);
                self.thinking +=
                    add_block(&mut self.content, read.block, read.without_thinking, options.filter);
            }
        }
    }

    /// Takes thinking that is not wanted out of raw values.
    fn drop_thinking(&mut self, filter: ThinkingFilter) {
        let mut count = filter.filter_object(&mut self.fields);
        for continued in &mut self.gathered.continued {
            count += filter.filter_object(continued);
        }
        for original in &mut self.gathered.original_content {
            count += filter.filter_value(original);
        }
        for other in self.content.iter_mut().filter_map(other) {
            count += filter.filter_object(other);
        }
        self.thinking += count;
    }

    /// The message, and how many blocks of thinking it lacks.
    pub(super) fn into_message(mut self, options: &MessageOptions) -> (Message, u64) {
        self.drop_thinking(options.filter);
        let gathered = self.gathered;
        let extensions = MessageExtensions {
            message_id: gathered.message_id,
            model: gathered.model,
            stop_reason: gathered.stop_reason,
            usage: gathered.usage,
            queued: self.is_queued,
            hidden: self.hidden.map(|hidden| hidden.name().to_owned()),
            original_content: gathered.original_content,
            continued: gathered.continued,
            ..extensions(self.fields)
        };
        let Self { role, timestamp, content, thinking, .. } = self;
        (Message { role, timestamp, content, extensions }, thinking)
    }
}

/// Adds a block as far as it is wanted; gives how many blocks of thinking are not.
fn add_block(
    content: &mut Vec<Block>,
    block: Option<Block>,
    without_thinking: Option<WithoutThinking>,
    filter: ThinkingFilter,
) -> u64 {
    match (block, without_thinking.filter(|_| !filter.keeps_thinking)) {
        (Some(Block::Thinking { .. }), _) if !filter.keeps_thinking => 1,
        (_, Some(without_thinking)) => {
            content.push(without_thinking.block);
            without_thinking.thinking
        }
        (block, None) => {
            content.extend(block);
            0
        }
    }
}

/// Puts a call in the place of the one that was not yet whole.
fn fill(content: &mut [Block], fuller: Option<Block>) {
    let Some(Block::ToolUse { id: wanted, .. }) = &fuller else { return };
    let is_same = |block: &&mut Block| matches!(block, Block::ToolUse { id, .. } if id == wanted);
    if let Some((place, fuller)) = content.iter_mut().find(is_same).zip(fuller) {
        *place = fuller;
    }
}

fn other(block: &mut Block) -> Option<&mut Object> {
    match block {
        Block::Text { other, .. }
        | Block::Thinking { other, .. }
        | Block::ToolUse { other, .. }
        | Block::ToolResult { other, .. } => Some(other),
        Block::Image(media) | Block::Document(media) => Some(&mut media.other),
        Block::Unknown { .. } => None,
    }
}

fn output(usage: Option<&Value>) -> u64 {
    usage.and_then(|usage| usage.get("output_tokens")).and_then(Value::as_u64).unwrap_or(0)
}
