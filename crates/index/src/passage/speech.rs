//! A record → the texts said in it, by role.

use serde_json::value::RawValue;
use steno_conversation::{Spoken, classify, error_text, is_plan_tool, printed, queued_command};
use steno_transcript::content::{self, Block, ToolResult, ToolUse};
use steno_transcript::wire::{self, Envelope, Fields, PlanInput, StructuredResult};
use steno_transcript::{Kind, Record, Troubles, Words};

use super::calls::Call;
use super::strings::{Key, strings};
use super::{Extractor, Role};

/// The model of messages that the client wrote itself.
pub(super) const SYNTHETIC: &str = "<synthetic>";
/// How a message begins whose result is in a file.
const PERSISTED: &str = "<persisted-output>";
/// The most tools, and the most files, that a passage or a call names: more than one asks for on purpose.
const MOST_NAMES: usize = 64;

/// The texts of a record, each role once, and what they are about.
#[derive(Debug, Default)]
pub(super) struct Speech {
    /// In the order of the roles.
    pub(super) texts: Vec<(Role, String)>,
    pub(super) tools: Vec<String>,
    pub(super) files: Vec<String>,
}

impl Speech {
    /// Texts of the same role are joined by a blank line.
    fn say(&mut self, role: Role, text: String) {
        if text.trim().is_empty() {
            return;
        }
        match self.texts.binary_search_by_key(&role, |(role, _)| *role) {
            Ok(place) => {
                if let Some((_, said)) = self.texts.get_mut(place) {
                    said.push_str("\n\n");
                    said.push_str(&text);
                }
            }
            Err(place) => self.texts.insert(place, (role, text)),
        }
    }

    fn name(&mut self, tool: &str, files: &[String]) {
        if !tool.is_empty() {
            note(&mut self.tools, tool);
        }
        files.iter().for_each(|file| note(&mut self.files, file));
    }
}

/// Adds a name that is not there yet, while there is room.
fn note(names: &mut Vec<String>, name: &str) {
    if names.len() < MOST_NAMES && !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

impl Extractor {
    pub(super) fn listen(&mut self, record: &Record<'_>, speech: &mut Speech) {
        let envelope = &record.envelope;
        let troubles = &mut Troubles::default();
        match record.kind() {
            Kind::User => self.user(record, speech),
            Kind::Assistant => self.assistant(record, speech),
            Kind::System => system(envelope, speech),
            Kind::Attachment => {
                for block in queued_command(envelope, troubles).into_iter().flat_map(|queued| queued.blocks) {
                    if let Block::Text(text) = block {
                        spoken(&text.get(), speech);
                    }
                }
            }
            Kind::Summary => speech.say(Role::Summary, owned(&envelope.summary)),
            Kind::CustomTitle => title(&mut self.custom_title, owned(&envelope.custom_title), speech),
            Kind::AiTitle => title(&mut self.ai_title, owned(&envelope.ai_title), speech),
            _ => {}
        }
    }

    fn user(&mut self, record: &Record<'_>, speech: &mut Speech) {
        let envelope = &record.envelope;
        for block in record.blocks(&mut Troubles::default()).iter() {
            match block {
                Block::Text(text) if envelope.is_compact_summary.0 => {
                    speech.say(Role::Summary, text.get().into_owned());
                }
                Block::Text(text) if envelope.is_meta.0 => speech.say(Role::System, text.get().into_owned()),
                Block::Text(text) => spoken(&text.get(), speech),
                Block::ToolResult(result) => self.result(result, envelope.tool_use_result, speech),
                _ => {}
            }
        }
        speech.say(Role::User, owned(&envelope.user_feedback));
    }

    fn assistant(&mut self, record: &Record<'_>, speech: &mut Speech) {
        let model = record.message().and_then(|message| message.model.as_deref());
        let is_clients_own = record.envelope.is_api_error.0 || model == Some(SYNTHETIC);
        for block in record.blocks(&mut Troubles::default()).iter() {
            match block {
                Block::Text(text) if is_clients_own => speech.say(Role::System, text.get().into_owned()),
                Block::Text(text) => speech.say(Role::Assistant, text.get().into_owned()),
                Block::Thinking(text) => speech.say(Role::Thinking, text.get().into_owned()),
                Block::ToolUse(call) => self.call(call, speech),
                Block::ToolResult(result) => self.result(result, None, speech),
                _ => {}
            }
        }
    }

    fn call(&mut self, call: &ToolUse<'_>, speech: &mut Speech) {
        let plan = if is_plan_tool(&call.name) { call.input.and_then(proposed) } else { None };
        let has_plan = plan.is_some();
        let mut files = Vec::new();
        match plan {
            Some(plan) => speech.say(Role::Plan, plan),
            None => speech.say(Role::Tool, input(call, &mut files)),
        }
        speech.name(&call.name, &files);
        self.calls.open(Call { id: call.id.to_string(), tool: call.name.to_string(), files, has_plan });
    }

    fn result(&mut self, result: &ToolResult<'_>, structured: Option<&RawValue>, speech: &mut Speech) {
        let call = self.calls.answer(&result.tool_use_id);
        let mut said = said(result.content);
        if said.trim().is_empty() || said.starts_with(PERSISTED) {
            said.push_str(&structured.map(printed_in).unwrap_or_default());
        }
        if call.as_ref().is_none_or(|call| is_plan_tool(&call.tool) && !call.has_plan)
            && let Some(plan) = structured.and_then(accepted)
        {
            speech.say(Role::Plan, plan);
        }
        speech.say(Role::Result, said);
        if let Some(call) = call {
            speech.name(&call.tool, &call.files);
        }
    }
}

/// A text that a user record holds, which the client may have written.
fn spoken(text: &str, speech: &mut Speech) {
    match classify(text) {
        Spoken::Noise | Spoken::Interruption(_) => {}
        Spoken::Prompt(text) | Spoken::BashInput(text) => speech.say(Role::User, text.to_owned()),
        Spoken::SlashCommand { name, args } => speech.say(Role::User, format!("{name} {args}")),
        Spoken::ImplementPlan(plan) => speech.say(Role::Plan, plan.to_owned()),
        Spoken::CommandOutput { stdout, stderr } | Spoken::BashOutput { stdout, stderr } => {
            speech.say(Role::System, printed(stdout, stderr).join("\n"));
        }
        // What a background agent answers.
        Spoken::TaskNotification(text) => speech.say(Role::Result, text.to_owned()),
        Spoken::TeamMessage(text) => speech.say(Role::System, text.to_owned()),
    }
}

fn system(envelope: &Envelope<'_>, speech: &mut Speech) {
    let troubles = &mut Troubles::default();
    let is_summary = envelope.subtype.as_deref() == Some("away_summary");
    for block in content::blocks(envelope.content, troubles) {
        match block {
            Block::Text(text) if is_summary => speech.say(Role::Summary, text.get().into_owned()),
            Block::Text(text) if text.get().starts_with('<') => spoken(&text.get(), speech),
            Block::Text(text) => speech.say(Role::System, text.get().into_owned()),
            _ => {}
        }
    }
    if envelope.content.is_none() {
        speech.say(Role::System, error_text(envelope, troubles).unwrap_or_default());
    }
}

fn title(last: &mut Option<String>, title: String, speech: &mut Speech) {
    if last.as_ref() != Some(&title) {
        speech.say(Role::Title, title.clone());
        *last = Some(title);
    }
}

/// All strings of a call's input; the first that name files are noted.
fn input(call: &ToolUse<'_>, files: &mut Vec<String>) -> String {
    let mut said = String::new();
    let Some(input) = call.input else { return said };
    strings(input, &mut |key, text| {
        push_line(&mut said, &text);
        if key == Key::Path {
            note(files, &text);
        }
    });
    said
}

/// The text of a result, media left out.
fn said(content: Option<&RawValue>) -> String {
    let mut said = String::new();
    for block in content::blocks(content, &mut Troubles::default()) {
        match block {
            Block::Text(text) if said.is_empty() => said = text.get().into_owned(),
            Block::Text(text) => push_line(&mut said, &text.get()),
            Block::ToolReference(name) => push_line(&mut said, &name),
            Block::Unknown { raw, .. } => strings(raw, &mut |key, text| {
                if key != Key::Sealed {
                    push_line(&mut said, &text);
                }
            }),
            _ => {}
        }
    }
    said
}

/// What a structured result says a command printed or a file holds.
fn printed_in(structured: &RawValue) -> String {
    let mut said = String::new();
    if structured.get().starts_with('"') {
        return Words::Escaped(structured).get().into_owned();
    }
    let Ok(fields) = serde_json::from_str::<Fields>(structured.get()) else { return said };
    for (_, raw) in fields.iter().filter(|(name, _)| matches!(*name, "stdout" | "stderr" | "content")) {
        push_line(&mut said, &self::said(Some(raw)));
    }
    said
}

/// The plan that a call puts forward, where the call says it.
fn proposed(input: &RawValue) -> Option<String> {
    let input = wire::read::<PlanInput>(input.get(), &mut Troubles::default())?;
    input.plan.map(|plan| plan.0.into_owned()).filter(|plan| !plan.trim().is_empty())
}

/// The plan that a result repeats.
fn accepted(structured: &RawValue) -> Option<String> {
    let has_plan = structured.get().contains("\"plan\"");
    let result =
        has_plan.then(|| wire::read::<StructuredResult>(structured.get(), &mut Troubles::default()))?;
    result?.plan.map(|plan| plan.0.into_owned())
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn owned(text: &Option<steno_transcript::Text<'_>>) -> String {
    text.as_deref().unwrap_or_default().to_owned()
}
