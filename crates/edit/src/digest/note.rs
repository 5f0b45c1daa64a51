//! One record → what is worth telling of it.

use std::borrow::Cow;

use steno_conversation::{Spoken, classify, is_plan_tool, queued_command};
use steno_transcript::content::{self, Block, ToolResult, ToolUse};
use steno_transcript::wire::Fields;
use steno_transcript::{Kind, Record, Troubles, understood};

use super::shorten;
use super::tasks::{self, Tasks};

/// More than this of one text is never told.
const LONG: usize = 4000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Note {
    /// What was asked; a turn starts.
    Asked(String),
    /// A command of the client's, or a shell command that the user gave; part of a turn.
    Ordered(String),
    /// The user stopped it.
    Interrupted,
    /// What was said in reply.
    Said(String),
    /// What an earlier compaction says.
    Summary(String),
    Written(String),
    Read(String),
    Ran(String),
    Tasks(Tasks),
    Planned {
        tool: String,
        plan: String,
    },
    /// The plan of that call, or one that is given, was accepted.
    Approved {
        tool: String,
    },
    Implements(String),
}

pub(super) fn of(record: &Record<'_>, is_prompt: bool, troubles: &mut Troubles) -> Vec<Note> {
    match record.kind() {
        Kind::User if record.envelope.is_compact_summary.0 => {
            vec![Note::Summary(summary(&text(&record.blocks(troubles))))]
        }
        Kind::User => of_user(&record.blocks(troubles), is_prompt, record.envelope.is_meta.0, troubles),
        Kind::Attachment => {
            let queued = queued_command(&record.envelope, troubles).filter(|_| is_prompt);
            queued.map(|queued| asked(&text(&queued.blocks))).into_iter().collect()
        }
        Kind::Assistant if !record.envelope.is_api_error.0 => {
            record.blocks(troubles).iter().flat_map(of_answer).collect()
        }
        _ => Vec::new(),
    }
}

/// The client has the model think first, and some versions keep that.
fn summary(text: &str) -> String {
    let start = text.find("\nSummary:\n").filter(|_| text.contains("\nAnalysis:\n"));
    shorten::cut(text.get(start.unwrap_or(0)..).unwrap_or(text).trim(), 2 * LONG)
}

fn asked(text: &str) -> Note {
    Note::Asked(shorten::line(if text.is_empty() { "(an image)" } else { text }, LONG))
}

fn text(blocks: &[Block<'_>]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        Block::Text(words) => Some(words.get()),
        _ => None,
    });
    texts.collect::<Vec<Cow<'_, str>>>().join("\n")
}

fn of_user(blocks: &[Block<'_>], is_prompt: bool, is_meta: bool, troubles: &mut Troubles) -> Vec<Note> {
    let results = blocks.iter().filter_map(|block| match block {
        Block::ToolResult(result) => of_result(result, troubles),
        _ => None,
    });
    let mut notes: Vec<Note> = results.collect();
    let said = text(blocks);
    notes.extend(match classify(&said) {
        Spoken::ImplementPlan(plan) => Some(Note::Implements(shorten::cut(plan, LONG))),
        _ if is_meta => None,
        Spoken::SlashCommand { name, args } => {
            Some(Note::Ordered(shorten::line(&format!("{name} {args}"), 200)))
        }
        Spoken::BashInput(command) => Some(Note::Ordered(shorten::line(&format!("! {command}"), 200))),
        Spoken::Interruption(_) => Some(Note::Interrupted),
        Spoken::Prompt(text) if is_prompt => Some(asked(text)),
        _ => None,
    });
    if is_prompt && !notes.iter().any(|note| matches!(note, Note::Asked(_))) {
        let ordered = notes.iter().position(|note| matches!(note, Note::Ordered(_)));
        let note = match ordered.map(|place| notes.remove(place)) {
            Some(Note::Ordered(text)) => Note::Asked(text),
            _ => asked(classified(&said)),
        };
        notes.push(note);
    }
    notes
}

/// A prompt that is more than its text: a plan to implement is told apart.
fn classified(said: &str) -> &str {
    match classify(said) {
        Spoken::ImplementPlan(_) => "Implement the plan.",
        Spoken::TaskNotification(text) | Spoken::TeamMessage(text) | Spoken::Prompt(text) => text,
        _ => "",
    }
}

fn of_result(result: &ToolResult<'_>, troubles: &mut Troubles) -> Option<Note> {
    let is_short = result.content.is_none_or(|content| content.get().len() < 64 * 1024);
    if result.is_error || !is_short {
        return None;
    }
    let said = text(&content::blocks(result.content, troubles));
    let is_approval = said.get(..said.len().min(200)).unwrap_or(&said).to_ascii_lowercase();
    let tool = result.tool_use_id.clone().into_owned();
    is_approval.contains("approved your plan").then_some(Note::Approved { tool })
}

fn of_answer(block: &Block<'_>) -> Vec<Note> {
    match block {
        Block::Text(words) if !words.is_blank() => vec![Note::Said(shorten::line(&words.get(), LONG))],
        Block::ToolUse(call) => of_call(call),
        _ => Vec::new(),
    }
}

fn of_call(call: &ToolUse<'_>) -> Vec<Note> {
    let Some(input) = call.input.and_then(|raw| serde_json::from_str::<Fields<'_>>(raw.get()).ok()) else {
        return Vec::new();
    };
    let raw = |key: &str| input.iter().filter(|(name, _)| *name == key).last().map(|(_, value)| value);
    let string = |key: &str| raw(key).and_then(understood::<String>);
    if is_plan_tool(&call.name) {
        let tool = call.id.clone().into_owned();
        let plan = string("plan").map(|plan| shorten::cut(&plan, LONG));
        return plan.map(|plan| Note::Planned { tool, plan }).into_iter().collect();
    }
    if let Some(tasks) = tasks::of_call(&call.name, &raw) {
        return vec![Note::Tasks(tasks)];
    }
    if call.name == "Bash" || call.name == "PowerShell" {
        return string("command")
            .map(|command| Note::Ran(shorten::line(&command, 160)))
            .into_iter()
            .collect();
    }
    let file = string("file_path").or_else(|| string("notebook_path"));
    match (writes(&call.name), file) {
        (true, file) => file.or_else(|| string("path")).map(Note::Written).into_iter().collect(),
        (false, Some(file)) => vec![Note::Read(file)],
        (false, None) => Vec::new(),
    }
}

/// Tools that others bring along say in their names what they do.
fn writes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["write", "edit", "create_file", "move_file"].iter().any(|word| name.contains(word))
}
