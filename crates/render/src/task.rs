//! The report of a background task → what the task is called: it names only the call, or the agent, behind it.

use std::collections::HashMap;

use steno_conversation::Conversation;
use steno_conversation::model::{Agent, Chunk, Notification, Step, ToolStep};
use steno_transcript::ToolId;

use crate::call;
use crate::words::one_line;

/// All that can run in the background.
#[derive(Debug)]
pub(crate) struct Tasks<'a> {
    calls: HashMap<&'a ToolId, &'a ToolStep>,
    agents: HashMap<&'a str, &'a str>,
}

impl<'a> Tasks<'a> {
    pub(crate) fn new(conversation: &'a Conversation) -> Self {
        let mut tasks = Self { calls: HashMap::new(), agents: HashMap::new() };
        tasks.add(&conversation.chunks);
        let mut waiting: Vec<&Agent> = conversation.agents.iter().collect();
        while let Some(agent) = waiting.pop() {
            tasks.add(&agent.chunks);
            if let Some(description) = &agent.description {
                tasks.agents.insert(agent.id.as_str(), description);
            }
            waiting.extend(&agent.agents);
        }
        tasks
    }

    fn add(&mut self, chunks: &'a [Chunk]) {
        let steps = chunks.iter().flat_map(|chunk| chunk.body.steps());
        let tools = steps.filter(|step| !matches!(step, Step::Plan(_))).filter_map(Step::tool);
        self.calls.extend(tools.map(|tool| (&tool.id, tool)));
    }

    /// Nothing where all that is known is that it reports.
    pub(crate) fn name(&self, note: &Notification) -> Option<String> {
        let called = note.tool_id.as_ref().and_then(|id| self.calls.get(id));
        let called = called.map(|tool| call::summary(&tool.name, &tool.input));
        let agent = || note.task.as_deref().and_then(|id| self.agents.get(id)).map(|name| one_line(name));
        let id = || note.task.as_deref().map(one_line);
        let is_said = |name: &String| !name.is_empty();
        called.filter(is_said).or_else(|| agent().filter(is_said)).or_else(|| id().filter(is_said))
    }
}
