//! A conversation, chunk by chunk.

use std::fmt::Write;
use std::path::Path;

use anstyle::Style;
use jiff::Timestamp;
use steno_conversation::Conversation;
use steno_conversation::model::{
    Agent, AiChunk, Chunk, ChunkBody, Media, Plan, Profile, Step, ToolOutcome, ToolStep, UserChunk, Verdict,
};
use unicode_width::UnicodeWidthStr;

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

    /// An empty line, never two.
    fn gap(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn head(&mut self) {
        let profile = &self.conversation.profile;
        let title = summary::one_line(profile.title.as_deref().unwrap_or("(no title)"));
        self.line(&paint(STRONG, &title));
        for line in [self.place(profile), self.figures(profile)] {
            for part in wrapped(&line, self.page.width.max(40)) {
                self.line(&paint(WEAK, &part));
            }
        }
        if self.detail.from_chunk > 0 {
            self.line(&paint(WEAK, &format!("… {} before", many(self.detail.from_chunk as u64, "chunk"))));
        }
    }

    fn place(&self, profile: &Profile) -> String {
        let stem = profile
            .path
            .as_deref()
            .and_then(|path| Path::new(path).file_stem())
            .and_then(|stem| stem.to_str());
        let whole = stem.filter(|stem| *stem != profile.id.as_str()).map(|stem| format!("part of {stem}"));
        let parts = [Some(profile.id.to_string()), whole, profile.cwd.clone(), profile.git_branch.clone()];
        let parts = parts.into_iter().flatten().chain(profile.models.iter().cloned());
        let version = profile.versions.last().map(|version| format!("client {version}"));
        clean(&parts.chain(version).collect::<Vec<_>>().join(" · ")).into_owned()
    }

    fn figures(&self, profile: &Profile) -> String {
        let tokens = &profile.tokens;
        let read = tokens.context().saturating_sub(tokens.output);
        let span = profile.started_at.zip(profile.ended_at).map(|(from, to)| self.span(from, to));
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

    /// From when to when, the day once where it is the same.
    fn span(&self, from: Timestamp, to: Timestamp) -> String {
        let local = |time: Timestamp| time.to_zoned(self.page.zone.clone());
        let (from, to) = (local(from), local(to));
        let end = if from.date() == to.date() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
        format!("{} – {}", from.strftime("%Y-%m-%d %H:%M"), to.strftime(end))
    }

    fn chunk(&mut self, chunk: &Chunk, depth: usize) {
        match &chunk.body {
            ChunkBody::User(user) => self.user(user, depth),
            ChunkBody::Ai(ai) => self.ai(ai, depth),
            ChunkBody::System(system) => {
                self.gap();
                self.block(depth, &Mark::new(NOTICE, "!"), &system.text, WEAK);
            }
            ChunkBody::Compact(compact) => {
                let tokens = |count: Option<u64>| count.map_or_else(|| "?".to_owned(), words::count);
                let (before, after) = (tokens(compact.pre_tokens), tokens(compact.post_tokens));
                let trigger = compact.trigger.as_deref().unwrap_or("unknown");
                self.gap();
                self.line(&paint(NOTICE, &format!("── compacted ({trigger}, {before} → {after} tokens) ──")));
                self.excerpt(depth, &Mark::new(WEAK, " "), &compact.summary);
            }
        }
    }

    fn user(&mut self, user: &UserChunk, depth: usize) {
        self.gap();
        match user.plan.and_then(|plan| self.conversation.plans.get(plan)) {
            Some(plan) if plan.tool_id.is_none() => return self.plan(plan, depth),
            // Its card stands where it was proposed.
            Some(_) => return self.block(depth, &Mark::new(USER, "❯"), "(carry out the plan above)", USER),
            None => {}
        }
        let mut text = user.text.clone();
        if let Some(bash) = &user.bash {
            let output = [&bash.stdout, &bash.stderr].into_iter().flatten().map(|text| text.trim_end());
            text = format!("{text}\n{}", output.collect::<Vec<_>>().join("\n"));
        }
        let from = user.from_team.as_ref().and_then(|from| from.member.as_deref());
        let queued = if user.queued { "queued" } else { "" };
        let note = [from.unwrap_or_default(), queued].join(" ");
        if !note.trim().is_empty() {
            text = format!("({}) {text}", note.trim());
        }
        self.block(depth, &Mark::new(USER, "❯"), text.trim_end(), USER);
        self.images(depth, " ", &user.images);
    }

    fn ai(&mut self, ai: &AiChunk, depth: usize) {
        if depth == 0 {
            self.gap();
        }
        for (place, step) in ai.steps.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| ai.steps.get(before));
            match step {
                Step::Text { text, .. } => {
                    self.gap();
                    self.block(depth, &Mark::new(STRONG, "●"), text.trim(), Style::new());
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
                    self.block(depth, &Mark::new(AGENT, "◂"), &format!("background task {status}"), AGENT);
                    self.excerpt(depth, &Mark::new(WEAK, "  └"), &note.text);
                }
                // Every plan that is not approved on the spot interrupts the agent; its card says so.
                Step::Interruption { .. } if matches!(before, Some(Step::Plan(_))) => {}
                Step::Interruption { text, .. } => self.block(depth, &Mark::new(BAD, "■"), text, BAD),
                Step::Unknown { block_type, .. } => {
                    self.block(
                        depth,
                        &Mark::new(NOTICE, "?"),
                        &format!("unknown block '{block_type}'"),
                        WEAK,
                    );
                }
            }
        }
    }

    fn thinking(&mut self, text: &str, redacted: bool, depth: usize) {
        if redacted || text.trim().is_empty() {
            return;
        }
        if self.detail.thinking {
            self.gap();
            return self.block(depth, &Mark::new(WEAK, "✻"), text.trim(), WEAK);
        }
        let words = text.split_whitespace().count() as u64;
        self.block(depth, &Mark::new(WEAK, "✻"), &format!("thought ({})", many(words, "word")), WEAK);
    }

    fn tool(&mut self, tool: &ToolStep, depth: usize) {
        self.call(tool, TOOL, depth);
        match &tool.result {
            Some(result) => self.result(result, depth),
            None => self.block(depth, &Mark::new(NOTICE, "  └"), "no result", WEAK),
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
        let mark = if result.is_error { Mark::new(BAD, "  └ ✗") } else { Mark::new(WEAK, "  └") };
        let text = result.text.trim_end();
        if text.is_empty() && result.images.is_empty() {
            return;
        }
        if self.detail.full_results {
            self.block(depth, &mark, text, WEAK);
        } else if !text.is_empty() {
            self.excerpt(depth, &mark, text);
        }
        self.images(depth, "   ", &result.images);
    }

    fn agent(&mut self, tool: &ToolStep, agent: Option<&Agent>, depth: usize) {
        self.call(tool, AGENT, depth);
        let Some(agent) = agent else {
            return match &tool.result {
                Some(result) => self.result(result, depth),
                None => self.block(depth, &Mark::new(NOTICE, "  └"), "no result", WEAK),
            };
        };
        let tokens = words::tokens(agent.tokens.context(), agent.tokens.without_final_usage > 0);
        let kind = agent.kind.as_deref().unwrap_or("agent");
        let member = agent.team.as_ref().and_then(|team| team.member.as_ref());
        let figures = [
            Some(format!("{kind} {}", agent.id)),
            member.map(|member| format!("team member {member}")),
            agent.background.then(|| "in the background".to_owned()),
            Some(many(agent.messages, "message")),
            Some(many(agent.tool_calls, "tool call")),
            Some(format!("{tokens} tokens")),
            agent.ongoing.then(|| "running".to_owned()),
        ];
        let figures: Vec<String> = figures.into_iter().flatten().collect();
        self.block(depth + 1, &Mark::new(AGENT, "┌"), &figures.join(" · "), WEAK);
        // Its first prompt is the input of the call, which the reader has just seen.
        let first_prompt = agent.chunks.iter().position(|chunk| matches!(chunk.body, ChunkBody::User(_)));
        for (_, chunk) in agent.chunks.iter().enumerate().filter(|(place, _)| Some(*place) != first_prompt) {
            self.chunk(chunk, depth + 2);
        }
        self.block(depth + 1, &Mark::new(AGENT, "└"), "", WEAK);
    }

    fn plan(&mut self, plan: &Plan, depth: usize) {
        let (word, style) = match plan.verdict {
            Verdict::Approved => ("approved", GOOD),
            Verdict::Rejected => ("rejected", BAD),
            Verdict::Pending => ("pending", NOTICE),
        };
        let cleared = if plan.cleared_context { ", with a cleared context" } else { "" };
        self.gap();
        self.block(depth, &Mark::new(style, "◆"), &format!("plan {word}{cleared}"), style);
        self.block(depth, &Mark::rule(style, "│"), plan.text.trim(), Style::new());
        if let Some(feedback) = &plan.feedback {
            self.block(depth, &Mark::new(style, "└"), &format!("feedback: {feedback}"), BAD);
        }
        if let Some(session) = &plan.implemented_in {
            self.block(depth, &Mark::new(style, "└"), &format!("implemented in {session}"), WEAK);
        }
    }

    fn foot(&mut self) {
        let abandoned = self.conversation.branches.iter().filter(|branch| !branch.active).count() as u64;
        if abandoned > 0 {
            let branches =
                if abandoned == 1 { "1 branch".to_owned() } else { format!("{abandoned} branches") };
            self.gap();
            self.line(&paint(WEAK, &format!("{branches} left behind by rewinding; see --json")));
        }
    }

    /// The first lines, each cut to the page, and how many more there are.
    fn excerpt(&mut self, depth: usize, mark: &Mark<'_>, text: &str) {
        // Numbered lines stay aligned: all lose the same indentation.
        let text = textwrap::dedent(&clean(text.trim_end().trim_start_matches('\n')));
        let room = self.page.width.max(40).saturating_sub(2 * depth + mark.text.width() + 1);
        let mut lines: Vec<String> = text.lines().take(RESULT_LINES).map(|line| cut(line, room)).collect();
        let more = text.lines().count().saturating_sub(RESULT_LINES);
        if more > 0 {
            lines.push(format!("… {}", many(more as u64, "more line")));
        }
        self.block(depth, mark, &lines.join("\n"), WEAK);
    }

    fn images(&mut self, depth: usize, mark: &str, images: &[Media]) {
        for image in images {
            let kind = image.media_type.as_deref().unwrap_or("image");
            let text = format!("[{kind}, {}]", words::bytes(image.encoded_bytes));
            self.block(depth, &Mark::new(WEAK, mark), &text, WEAK);
        }
    }

    /// Text behind a mark, wrapped and indented so that it stays behind it.
    fn block(&mut self, depth: usize, mark: &Mark<'_>, text: &str, style: Style) {
        let text = clean(text);
        let indent = "  ".repeat(depth);
        let room = self.page.width.max(40).saturating_sub(indent.len() + mark.text.width() + 1);
        let rest = if mark.is_rule { mark.text.to_owned() } else { " ".repeat(mark.text.width()) };
        let mut lead = mark.text;
        for line in text.lines().chain(text.is_empty().then_some("")) {
            for part in wrapped(line, room) {
                let part = if part.is_empty() { part } else { paint(style, &part) };
                // Spaces between escapes would stay at the end of an empty line.
                let lead_text =
                    if lead.trim().is_empty() { lead.to_owned() } else { paint(mark.style, lead) };
                self.line(&format!("{indent}{lead_text} {part}"));
                lead = &rest;
            }
        }
    }
}

/// What stands before a text.
struct Mark<'a> {
    text: &'a str,
    style: Style,
    /// It stands before every line, not only the first.
    is_rule: bool,
}

impl<'a> Mark<'a> {
    fn new(style: Style, text: &'a str) -> Self {
        Self { text, style, is_rule: false }
    }

    fn rule(style: Style, text: &'a str) -> Self {
        Self { text, style, is_rule: true }
    }
}

/// A line in pieces that fit; what is indented stays indented.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let content = line.trim_start();
    let indent = line.get(..line.len() - content.len()).unwrap_or_default();
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent);
    if content.is_empty() {
        vec![String::new()]
    } else {
        textwrap::wrap(content, options).into_iter().map(|part| part.into_owned()).collect()
    }
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
