//! Tool calls and results of a file → calls without result, results without call.

use std::collections::HashSet;

use steno_transcript::Record;
use steno_transcript::content::Block;

use super::{Fault, fault, has_result, number, short};

#[derive(Debug, Default)]
pub(super) struct Tools {
    calls: Vec<Call>,
    results: Vec<(u64, u32)>,
    /// The last messages, in each stretch between two compactions.
    stretches: Vec<[Last; 2]>,
    /// Whether there was an answer of the agent yet.
    has_answer: bool,
}

#[derive(Debug, Clone, Copy)]
struct Call {
    id: u64,
    line: u32,
    stretch: u32,
    message: u64,
    is_sidechain: bool,
}

/// The last answer and the last prompt, of the main conversation or of the sidechains.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    message: u64,
    prompt: u32,
}

impl Tools {
    /// A summary takes the place of all calls before it, open ones too.
    pub(super) fn start_over(&mut self) {
        self.stretches.push(<[Last; 2]>::default());
    }

    pub(super) fn add(&mut self, record: &Record<'_>, is_answer: bool, blocks: &[Block<'_>]) {
        if self.stretches.is_empty() {
            self.start_over();
        }
        let line = short(record.place.line);
        let is_sidechain = record.envelope.is_sidechain.0;
        let id = record.message().and_then(|message| message.id.as_deref());
        // A record without a message id is a message of its own.
        let message = id.map_or(u64::from(line) << 1, number);
        let stretch = short(self.stretches.len() as u64);
        for block in blocks {
            match block {
                Block::ToolUse(call) => {
                    self.calls.push(Call { id: number(&call.id), line, stretch, message, is_sidechain });
                }
                // Results before the first answer belong to calls in the file that this one continues.
                Block::ToolResult(result) if self.has_answer || is_answer => {
                    self.results.push((number(&result.tool_use_id), line));
                }
                _ => {}
            }
        }
        self.has_answer |= is_answer;
        let is_prompt = !is_answer && !record.envelope.is_meta.0 && !has_result(blocks);
        let Some([own, side]) = self.stretches.last_mut() else { return };
        let last = if is_sidechain { side } else { own };
        if is_answer {
            last.message = message;
        } else if is_prompt {
            last.prompt = line;
        }
    }

    /// A call at the end may be running, or was when the client ended.
    fn went_on(&self, call: &Call) -> bool {
        let stretch = self.stretches.get((call.stretch as usize).saturating_sub(1));
        let last = stretch.map(|[own, side]| if call.is_sidechain { side } else { own });
        last.is_some_and(|last| last.message != call.message || last.prompt > call.line)
    }

    pub(super) fn finish(self) -> impl Iterator<Item = Fault> {
        let called: HashSet<u64> = self.calls.iter().map(|call| call.id).collect();
        let answered: HashSet<u64> = self.results.iter().map(|(id, _)| *id).collect();
        let open = self.calls.iter().filter(|call| !answered.contains(&call.id) && self.went_on(call));
        let message = "a tool was called and has no result, but the conversation went on".to_owned();
        let open = fault("tool-without-result", message, open.map(|call| call.line));
        let lost = self.results.iter().filter(|(id, _)| !called.contains(id));
        let message = "a tool's result is there, but its call is not in the file".to_owned();
        let lost = fault("result-without-tool", message, lost.map(|(_, line)| *line));
        [open, lost].into_iter().flatten()
    }
}
