//! Was the agent at work when the file ended?
//!
//! The last event decides. Thinking, a tool call and a tool result mean work; text that ends a turn, an interruption, a
//! proposed plan and a shutdown mean an end. Stop reasons alone cannot tell: whole client versions write none.

use serde::{Deserialize, Serialize};
use steno_transcript::content::Block;

#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Activity {
    is_working: bool,
    /// The last call shut the agent down; its result is no new work.
    is_leaving: bool,
}

impl Activity {
    /// A tool gave its result, perhaps because it was interrupted.
    pub(crate) fn result(&mut self, is_interrupted: bool) {
        self.is_working = !self.is_leaving && !is_interrupted;
    }

    pub(crate) fn end(&mut self) {
        self.is_working = false;
    }

    pub(crate) fn assistant(&mut self, blocks: &[Block<'_>], stop_reason: Option<&str>) {
        for block in blocks {
            match block {
                Block::Text(text) => {
                    let ends = stop_reason.is_none_or(|reason| reason != "tool_use") && !text.is_blank();
                    self.is_working = !ends;
                }
                Block::ToolUse(call) => {
                    self.is_leaving =
                        call.input.is_some_and(|input| input.get().contains("\"shutdown_response\""));
                    self.is_working = !self.is_leaving && !is_plan_tool(&call.name);
                }
                Block::Thinking(_) | Block::RedactedThinking { .. } => self.is_working = true,
                _ => {}
            }
        }
    }

    pub(crate) fn is_unfinished(self) -> bool {
        self.is_working
    }
}

/// The tool that proposes a plan to the user, under both of its names.
pub fn is_plan_tool(name: &str) -> bool {
    matches!(name, "ExitPlanMode" | "exit_plan_mode")
}

/// The tools that start a subagent, under both of their names.
pub(crate) fn is_agent_tool(name: &str) -> bool {
    matches!(name, "Task" | "Agent")
}
