//! A conversation, chunk by chunk.

use std::fmt::Write;

use anstyle::Style;
use steno_conversation::Conversation;
use steno_conversation::model::{
    Agent, AiChunk, Chunk, ChunkBody, Plan, Profile, Step, ToolOutcome, ToolStep, UserChunk, Verdict,
};

use super::style::{AGENT, BAD, GOOD, NOTICE, STRONG, TOOL, USER, WEAK, paint};
use super::{Page, clean, sessions::cut, summary};
use crate::words;

/// How much is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Detail {
    /// Thinking in full, not as a mark.
    pub thinking: bool,
    /// Tool results in full, not their first lines.
    pub full_results: bool,
    /// Only from this chunk on.
    pub from_chunk: usize,
}

/// Lines of a result that are shown.
const RESULT_LINES: usize = 4;
/// Characters of a prompt to a subagent that are shown.
const RESULT_WIDTH: usize = 2000;

pub fn conversation(conversation: &Conversation, detail: Detail, page: &Page) -> String {
    let mut writer = Writer { text: String::new(), conversation, detail, page };
    writer.head();
    for chunk in conversation.chunks.iter().skip(detail.from_chunk) {
        writer.chunk(chunk, 0);
    }
    writer.foot();
    writer.text
}

struct Writer<'a> {
    text: String,
    conversation: &'a Conversation,
    detail: Detail,
    page: &'a Page,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    fn head(&mut self) {
        let profile = &self.conversation.profile;
        let title = summary::one_line(profile.title.as_deref().unwrap_or("(no title)"));
        self.line(&paint(STRONG, &title));
        self.line(&paint(WEAK, &self.place(profile)));
        self.line(&paint(WEAK, &self.figures(profile)));
        if self.detail.from_chunk > 0 {
            self.line(&paint(WEAK, &format!("… {} chunks before", self.detail.from_chunk)));
        }
    }

    fn place(&self, profile: &Profile) -> String {
        let parts = [Some(profile.id.to_string()), profile.cwd.clone(), profile.git_branch.clone()];
        let parts = parts.into_iter().flatten().chain(profile.models.iter().cloned());
        let version = profile.versions.last().map(|version| format!("client {version}"));
        clean(&parts.chain(version).collect::<Vec<_>>().join(" · ")).into_owned()
    }

    fn figures(&self, profile: &Profile) -> String {
        let tokens = &profile.tokens;
        let read = tokens.context().saturating_sub(tokens.output);
        let time = |time: jiff::Timestamp| time.to_zoned(self.page.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        let span = profile.started_at.zip(profile.ended_at).map(|(from, to)| format!("{} – {}", time(from), time(to)));
        let agents = count_agents(&self.conversation.agents);
        let parts = [
            span,
            Some(many(profile.turns, "turn")),
            Some(many(profile.messages, "message")),
            Some(many(profile.tool_calls, "tool call")),
            (agents > 0).then(|| many(agents, "agent")),
            Some(format!("{} tokens read", words::count(read))),
            Some(format!("{} written", words::tokens(tokens.output, tokens.without_final_usage > 0))),
            profile.ongoing.then(|| "running".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    fn chunk(&mut self, chunk: &Chunk, depth: usize) {
        match &chunk.body {
            ChunkBody::User(user) => self.user(user, depth),
            ChunkBody::Ai(ai) => self.ai(ai, depth),
            ChunkBody::System(system) => {
                self.line("");
                self.block(depth, &paint(NOTICE, "!"), &system.text, WEAK);
            }
            ChunkBody::Compact(compact) => {
                let tokens = |count: Option<u64>| count.map_or_else(|| "?".to_owned(), words::count);
                let (before, after) = (tokens(compact.pre_tokens), tokens(compact.post_tokens));
                let trigger = compact.trigger.as_deref().unwrap_or("unknown");
                self.line("");
                self.line(&paint(NOTICE, &format!("── compacted ({trigger}, {before} → {after} tokens) ──")));
                self.block(depth, " ", &self.shortened(&compact.summary), WEAK);
            }
        }
    }

    fn user(&mut self, user: &UserChunk, depth: usize) {
        self.line("");
        if let Some(plan) = user.plan.and_then(|plan| self.conversation.plans.get(plan)) {
            return self.plan(plan, depth);
        }
        let mut text = user.text.clone();
        if let Some(bash) = &user.bash {
            let output = [&bash.stdout, &bash.stderr].into_iter().flatten().map(|text| text.trim_end());
            text = format!("{text}\n{}", output.collect::<Vec<_>>().join("\n"));
        }
        let from = user.from_team.as_ref().and_then(|from| from.member.as_deref());
        let queued = if user.queued { "queued" } else { "" };
        let mark = [Some("❯"), from, Some(queued)].into_iter().flatten().filter(|part| !part.is_empty());
        let mark = paint(USER, &mark.collect::<Vec<_>>().join(" "));
        self.block(depth, &mark, text.trim_end(), USER);
        for image in &user.images {
            let kind = image.media_type.as_deref().unwrap_or("image");
            self.block(depth, " ", &format!("[{kind}, {}]", words::bytes(image.encoded_bytes)), WEAK);
        }
    }

    fn ai(&mut self, ai: &AiChunk, depth: usize) {
        for step in &ai.steps {
            match step {
                Step::Text { text, .. } => {
                    self.line("");
                    self.block(depth, "●", text.trim(), Style::new());
                }
                Step::Thinking { text, redacted, .. } => self.thinking(text, *redacted, depth),
                Step::Tool(tool) => self.tool(tool, depth),
                Step::Agent(step) => {
                    let agent = step.agent.as_ref().and_then(|id| find_agent(&self.conversation.agents, id));
                    self.agent(&step.tool, agent, depth);
                }
                Step::Plan(step) => match self.conversation.plans.get(step.plan) {
                    Some(plan) => self.plan(plan, depth),
                    None => self.tool(&step.tool, depth),
                },
                Step::Notification(note) => {
                    let status = note.status.as_deref().unwrap_or("reported");
                    self.block(depth, &paint(AGENT, &format!("◂ background task {status}")), "", WEAK);
                    self.block(depth + 1, " ", &self.shortened(&note.text), WEAK);
                }
                Step::Interruption { text, .. } => self.block(depth, &paint(BAD, "■"), text, BAD),
                Step::Unknown { block_type, .. } => {
                    self.block(depth, &paint(NOTICE, "?"), &format!("unknown block '{block_type}'"), WEAK);
                }
            }
        }
    }

    fn thinking(&mut self, text: &str, redacted: bool, depth: usize) {
        if redacted || text.trim().is_empty() {
            return;
        }
        if self.detail.thinking {
            self.line("");
            return self.block(depth, &paint(WEAK, "✻"), text.trim(), WEAK);
        }
        let words = text.split_whitespace().count() as u64;
        self.block(depth, &paint(WEAK, "✻"), &format!("thought ({})", many(words, "word")), WEAK);
    }

    fn tool(&mut self, tool: &ToolStep, depth: usize) {
        self.call(tool, TOOL, depth);
        match &tool.result {
            Some(result) => self.result(result, depth),
            None => self.block(depth, &paint(NOTICE, "  └"), "no result", WEAK),
        }
    }

    fn call(&mut self, tool: &ToolStep, style: Style, depth: usize) {
        let time = tool.duration_ms.filter(|time| *time >= 1000).map(words::duration);
        let time = time.map(|time| format!(" ({time})")).unwrap_or_default();
        let about = summary::call(&tool.name, &tool.input);
        let room = self.page.width.saturating_sub(2 * depth + tool.name.len() + time.len() + 5).max(20);
        let name = paint(style, &clean(&tool.name));
        let line = format!("{}⚙ {name} {}{}", "  ".repeat(depth), cut(&about, room), paint(WEAK, &time));
        self.line(&line);
    }

    fn result(&mut self, result: &ToolOutcome, depth: usize) {
        let mark = if result.is_error { paint(BAD, "  └ ✗") } else { paint(WEAK, "  └") };
        let text = result.text.trim_end();
        if text.is_empty() && result.images.is_empty() {
            return;
        }
        let shown = if self.detail.full_results { text.to_owned() } else { self.shortened(text) };
        self.block(depth, &mark, &shown, WEAK);
        for image in &result.images {
            let kind = image.media_type.as_deref().unwrap_or("image");
            self.block(depth, "   ", &format!("[{kind}, {}]", words::bytes(image.encoded_bytes)), WEAK);
        }
    }

    fn agent(&mut self, tool: &ToolStep, agent: Option<&Agent>, depth: usize) {
        self.call(tool, AGENT, depth);
        let Some(agent) = agent else {
            return match &tool.result {
                Some(result) => self.result(result, depth),
                None => self.block(depth, &paint(NOTICE, "  └"), "no result", WEAK),
            };
        };
        let tokens = words::tokens(agent.tokens.context(), agent.tokens.without_final_usage > 0);
        let kind = agent.kind.as_deref().unwrap_or("agent");
        let figures = [
            format!("{kind} {}", agent.id),
            many(agent.messages, "message"),
            many(agent.tool_calls, "tool call"),
            format!("{tokens} tokens"),
        ];
        self.block(depth + 1, &paint(AGENT, "┌"), &figures.join(" · "), WEAK);
        // Its first prompt is the input of the call, which the reader has just seen.
        let first_prompt = agent.chunks.iter().position(|chunk| matches!(chunk.body, ChunkBody::User(_)));
        for (place, chunk) in agent.chunks.iter().enumerate().filter(|(place, _)| Some(*place) != first_prompt) {
            let _ = place;
            self.chunk(chunk, depth + 2);
        }
        self.block(depth + 1, &paint(AGENT, "└"), "", WEAK);
    }

    fn plan(&mut self, plan: &Plan, depth: usize) {
        let (word, style) = match plan.verdict {
            Verdict::Approved => ("approved", GOOD),
            Verdict::Rejected => ("rejected", BAD),
            Verdict::Pending => ("pending", NOTICE),
        };
        let cleared = if plan.cleared_context { ", with a cleared context" } else { "" };
        self.line("");
        self.block(depth, &paint(style, &format!("◆ plan {word}{cleared}")), "", style);
        self.block(depth + 1, "│", plan.text.trim(), Style::new());
        if let Some(feedback) = &plan.feedback {
            self.block(depth + 1, &paint(BAD, "└ feedback:"), feedback, BAD);
        }
        if let Some(session) = &plan.implemented_in {
            self.block(depth + 1, "└", &format!("implemented in {session}"), WEAK);
        }
    }

    fn foot(&mut self) {
        let abandoned = self.conversation.branches.iter().filter(|branch| !branch.active).count() as u64;
        if abandoned > 0 {
            let branches = if abandoned == 1 { "1 branch".to_owned() } else { format!("{abandoned} branches") };
            self.line("");
            self.line(&paint(WEAK, &format!("{branches} left behind by rewinding (--json has them)")));
        }
    }

    /// The first lines, and how many more there are.
    fn shortened(&self, text: &str) -> String {
        let text = text.trim();
        let lines = text.lines().count();
        let first: Vec<String> = text.lines().take(RESULT_LINES).map(|line| cut(line, RESULT_WIDTH.min(self.page.width))).collect();
        let more = lines.saturating_sub(RESULT_LINES);
        if more == 0 { first.join("\n") } else { format!("{}\n… {}", first.join("\n"), many(more as u64, "more line")) }
    }

    /// Text behind a mark, wrapped and indented.
    fn block(&mut self, depth: usize, mark: &str, text: &str, style: Style) {
        let text = clean(text);
        let indent = "  ".repeat(depth);
        let inside = format!("{indent}  ");
        let width = self.page.width.max(40);
        let mut is_first = true;
        for line in text.lines().chain(text.is_empty().then_some("")) {
            for part in wrapped(line, width.saturating_sub(inside.len())) {
                let part = if part.is_empty() { part } else { paint(style, &part) };
                let line = if is_first { format!("{indent}{mark} {part}") } else { format!("{inside}{part}") };
                is_first = false;
                self.line(&line);
            }
        }
    }
}

/// A line in pieces that fit; what is indented stays indented.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let content = line.trim_start();
    let indent = line.get(..line.len() - content.len()).unwrap_or_default();
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent);
    if content.is_empty() { vec![String::new()] } else { textwrap::wrap(content, options).into_iter().map(|part| part.into_owned()).collect() }
}

fn find_agent<'a>(agents: &'a [Agent], id: &steno_transcript::AgentId) -> Option<&'a Agent> {
    agents.iter().find_map(|agent| if agent.id == *id { Some(agent) } else { find_agent(&agent.agents, id) })
}

fn count_agents(agents: &[Agent]) -> u64 {
    agents.iter().map(|agent| 1 + count_agents(&agent.agents)).sum()
}

fn many(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
