//! A session's name → all the ids inside it, in the shapes of the client.
//!
//! Every id carries the session's *stamp*, twelve hexadecimal digits of a fixed place and width: ids are unique
//! across sessions, readable in a snapshot, and a whole session is given fresh ids by replacing one string.

use steno_transcript::{AgentId, MessageId, RecordId, ToolId};

use crate::Era;

/// The ids that a builder made, in the order of making.
#[derive(Debug, Clone, Default)]
pub struct Made {
    pub records: Vec<RecordId>,
    /// The records that start a turn: typed prompts, slash commands, `!` commands and queued prompts.
    pub prompts: Vec<RecordId>,
    pub messages: Vec<MessageId>,
    pub tools: Vec<ToolId>,
    pub agents: Vec<AgentId>,
}

impl Made {
    pub fn last_record(&self) -> &RecordId {
        self.records.last().expect("a record was made")
    }

    pub fn last_tool(&self) -> &ToolId {
        self.tools.last().expect("a tool call was made")
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Ids {
    stamp: String,
    counter: u32,
}

impl Ids {
    pub(crate) fn new(name: &str) -> Self {
        Self { stamp: format!("{:012x}", hash(name.as_bytes()) & 0xFFFF_FFFF_FFFF), counter: 0 }
    }

    pub(crate) fn stamp(&self) -> &str {
        &self.stamp
    }

    pub(crate) fn record(&mut self) -> RecordId {
        RecordId::new(self.uuid(0))
    }

    /// The id that the next call of [`Ids::record`] after `skip` others will give.
    pub(crate) fn peek_record(&self, skip: u32) -> RecordId {
        RecordId::new(uuid(self.counter + 1 + skip, 0, &self.stamp))
    }

    /// A UUID that names no record: prompts, requests, hooks.
    pub(crate) fn other(&mut self) -> String {
        self.uuid(1)
    }

    pub(crate) fn message(&mut self) -> MessageId {
        MessageId::new(self.counted("msg_01"))
    }

    pub(crate) fn tool(&mut self) -> ToolId {
        ToolId::new(self.counted("toolu_01"))
    }

    pub(crate) fn request(&mut self) -> String {
        self.counted("req_011")
    }

    pub(crate) fn agent(&mut self, era: Era) -> AgentId {
        let count = self.count();
        match era {
            Era::V1_0 | Era::V2_0_42 => {
                let short = hash(format!("{}{count}", self.stamp).as_bytes()) as u32;
                AgentId::new(format!("{short:08x}"))
            }
            Era::V2_1_56 | Era::V2_1_325 => AgentId::new(format!("a{}{count:04x}", self.stamp)),
        }
    }

    /// The stem of a file below `tool-results/`.
    pub(crate) fn tool_result_file(&mut self) -> String {
        self.counted("b")
    }

    pub(crate) fn digest(&mut self) -> String {
        let count = u64::from(self.count());
        format!("{}{:020x}", self.stamp, hash(&count.to_le_bytes()))
    }

    fn uuid(&mut self, kind: u32) -> String {
        let count = self.count();
        uuid(count, kind, &self.stamp)
    }

    fn counted(&mut self, prefix: &str) -> String {
        let count = self.count();
        format!("{prefix}{}{count:06x}", self.stamp)
    }

    fn count(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }
}

fn uuid(count: u32, kind: u32, stamp: &str) -> String {
    format!("{count:08x}-{kind:04x}-4000-8000-{stamp}")
}

/// FNV-1a, then mixed, so that near names do not give near stamps.
fn hash(bytes: &[u8]) -> u64 {
    let sum = bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3));
    crate::Rng::new(sum).next()
}
