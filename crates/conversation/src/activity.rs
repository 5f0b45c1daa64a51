//! Was the agent at work when the file ended?
//!
//! Work is thinking, a tool call, a tool result; an end is text that ends a turn, an interruption, a plan put
//! before the user, a shutdown. What came last decides. Stop reasons alone cannot: whole client versions write
//! none.

use steno_transcript::content::Block;

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Activity {
    is_working: bool,
}

impl Activity {
    pub(crate) fn work(&mut self) {
        self.is_working = true;
    }

    pub(crate) fn end(&mut self) {
        self.is_working = false;
    }

    pub(crate) fn assistant(&mut self, blocks: &[Block<'_>], stop_reason: Option<&str>) {
        for block in blocks {
            match block {
                Block::Text(text) => {
                    let ends = stop_reason.is_none_or(|reason| reason != "tool_use") && !text.trim().is_empty();
                    self.is_working = !ends;
                }
                Block::ToolUse(call) => self.is_working = !ends_turn(&call.name, call.input.map(|raw| raw.get())),
                Block::Thinking(_) | Block::RedactedThinking => self.is_working = true,
                _ => {}
            }
        }
    }

    pub(crate) fn is_unfinished(self) -> bool {
        self.is_working
    }
}

fn ends_turn(tool: &str, input: Option<&str>) -> bool {
    is_plan_tool(tool) || input.is_some_and(|input| input.contains("\"shutdown_response\""))
}

/// The tool that puts a plan before the user, under both of its names.
pub(crate) fn is_plan_tool(name: &str) -> bool {
    matches!(name, "ExitPlanMode" | "exit_plan_mode")
}

/// The tools that start a subagent, under both of their names.
pub(crate) fn is_agent_tool(name: &str) -> bool {
    matches!(name, "Task" | "Agent")
}
