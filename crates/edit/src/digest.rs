//! A conversation → a summary that needs no model: what was asked, what came of it, which files were touched, which plan
//! was approved, which tasks are still open.
//!
//! Nothing is made up: everything in it was said or done. It is for the model that goes on, so it is bounded, and says
//! more of what was said last.

mod page;
mod shorten;
mod tasks;

use serde_json::Value;
use steno_conversation::Conversation;
use steno_conversation::model::{Chunk, ChunkBody, Plan, Step, ToolStep, UserChunk, Verdict};

use tasks::Tasks;

/// More than this of one text is never told.
const LONG: usize = 4000;
/// Of a command that the user gave.
const ORDER: usize = 200;
/// Of a command that the agent ran.
const COMMAND: usize = 160;

/// The summary, as markdown.
pub fn digest(conversation: &Conversation) -> String {
    let mut digest = Digest::default();
    for chunk in &conversation.chunks {
        digest.chunk(chunk, &conversation.plans);
    }
    page::write(&digest)
}

/// What is worth telling of a conversation.
#[derive(Debug, Default)]
struct Digest {
    /// What the last compaction says.
    earlier: String,
    turns: Vec<Turn>,
    /// The plan that was approved last.
    plan: Option<String>,
    written: Vec<String>,
    read: Vec<String>,
    ran: Vec<String>,
    tasks: Tasks,
}

#[derive(Debug, Default)]
struct Turn {
    asked: String,
    said: String,
    is_interrupted: bool,
}

impl Digest {
    fn chunk(&mut self, chunk: &Chunk, plans: &[Plan]) {
        match &chunk.body {
            ChunkBody::User(user) => self.user(user, plans),
            ChunkBody::Ai(ai) => ai.steps.iter().for_each(|step| self.step(step, plans)),
            ChunkBody::Compact(compact) => self.earlier = summary(&compact.summary),
            ChunkBody::System(_) => {}
        }
    }

    fn user(&mut self, user: &UserChunk, plans: &[Plan]) {
        let plan = user.plan.and_then(|place| plans.get(place));
        if user.command.is_some() || user.bash.is_some() {
            self.tell(|turn| {
                if turn.said.is_empty() {
                    turn.said = shorten::line(&user.text, ORDER);
                }
            });
        } else if user.from_team.is_none() {
            let text = if user.text.is_empty() { "(an image)" } else { &user.text };
            let text = if plan.is_some() { "Implement the plan." } else { text };
            self.turns.push(Turn { asked: shorten::line(text, LONG), ..Turn::default() });
        }
        self.approve(plan);
    }

    fn step(&mut self, step: &Step, plans: &[Plan]) {
        match step {
            Step::Text { text, .. } => self.tell(|turn| turn.said = shorten::line(text, LONG)),
            Step::Interruption { .. } => self.tell(|turn| turn.is_interrupted = true),
            Step::Plan(step) => {
                let plan = plans.get(step.plan);
                self.approve(plan.filter(|plan| plan.verdict == Verdict::Approved));
            }
            _ => step.tool().into_iter().for_each(|tool| self.call(tool)),
        }
    }

    /// The turn that is going on; before the first prompt there is one as well.
    fn tell(&mut self, change: impl FnMut(&mut Turn)) {
        if self.turns.is_empty() {
            self.turns.push(Turn::default());
        }
        self.turns.last_mut().into_iter().for_each(change);
    }

    fn approve(&mut self, plan: Option<&Plan>) {
        self.plan = plan.map(|plan| shorten::cut(&plan.text, LONG)).or(self.plan.take());
    }

    fn call(&mut self, tool: &ToolStep) {
        let text = |key: &str| tool.input.get(key).and_then(Value::as_str).map(str::to_owned);
        if self.tasks.follow(tool) {
            return;
        }
        if tool.name == "Bash" || tool.name == "PowerShell" {
            return self.ran.extend(text("command").map(|command| shorten::line(&command, COMMAND)));
        }
        let file = text("file_path").or_else(|| text("notebook_path"));
        match writes(&tool.name) {
            true => self.written.extend(file.or_else(|| text("path"))),
            false => self.read.extend(file),
        }
    }
}

/// The client has the model think first, and some versions keep that.
fn summary(text: &str) -> String {
    let start = text.find("\nSummary:\n").filter(|_| text.contains("\nAnalysis:\n"));
    shorten::cut(text.get(start.unwrap_or(0)..).unwrap_or(text).trim(), 2 * LONG)
}

/// Tools that others bring along say in their names what they do.
fn writes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["write", "edit", "create_file", "move_file"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests;
