//! Pair: tool calls and their results, across records; either may be missing.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;
use steno_transcript::{ToolId, understood};

use crate::block::{self, Block};
use crate::context::Context;
use crate::entry::Entry;
use crate::model::{Persisted, Tool, ToolOutcome};
use crate::prompt;
use crate::time;
use crate::warning::Warnings;

/// The tool calls of a transcript, in the order in which they were made.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) tools: Vec<Tool>,
    by_id: HashMap<ToolId, usize>,
    outcomes: HashMap<ToolId, ToolOutcome>,
    /// What results say of themselves beside their text, as it stands.
    structured: HashMap<ToolId, Box<RawValue>>,
    /// For each call and each result, the entry that holds it.
    call_entries: HashMap<ToolId, usize>,
    result_entries: HashMap<ToolId, usize>,
}

impl Pairs {
    pub(crate) fn tool(&self, id: &ToolId) -> Option<&Tool> {
        self.by_id.get(id).and_then(|place| self.tools.get(*place))
    }

    pub(crate) fn outcome(&self, id: &ToolId) -> Option<&ToolOutcome> {
        self.outcomes.get(id)
    }

    /// Takes the outcome for the one step that shows it.
    pub(crate) fn take_outcome(&mut self, id: &ToolId) -> Option<ToolOutcome> {
        self.outcomes.remove(id)
    }

    pub(crate) fn structured(&self, id: &ToolId) -> Option<&RawValue> {
        self.structured.get(id).map(|raw| &**raw)
    }

    pub(crate) fn result_entry(&self, id: &ToolId) -> Option<usize> {
        self.result_entries.get(id).copied()
    }
}

pub(crate) fn pair(entries: &[Entry], context: &Context, warnings: &mut Warnings) -> Pairs {
    let mut pairs = Pairs::default();
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_message()) {
        for block in &entry.blocks {
            if let Block::ToolUse { id, name, .. } = block {
                pairs.call(id, name, index, entry);
            }
        }
    }
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_message()) {
        for block in &entry.blocks {
            if let Block::ToolResult { id, .. } = block {
                pairs.result(id, index, entry, block, context);
            }
        }
    }
    pairs.time(entries);
    pairs.report_orphans(warnings);
    pairs
}

impl Pairs {
    fn call(&mut self, id: &ToolId, name: &str, index: usize, entry: &Entry) {
        if !self.by_id.contains_key(id) {
            self.call_entries.insert(id.clone(), index);
            self.push(Tool {
                id: id.clone(),
                name: name.to_owned(),
                call: Some(entry.at.clone()),
                result: None,
                is_error: false,
                duration_ms: None,
            });
        }
    }

    fn push(&mut self, tool: Tool) {
        self.by_id.insert(tool.id.clone(), self.tools.len());
        self.tools.push(tool);
    }

    fn result(&mut self, id: &ToolId, index: usize, entry: &Entry, block: &Block, context: &Context) {
        let Block::ToolResult { text, is_error, images, .. } = block else { return };
        if self.outcomes.contains_key(id) {
            return;
        }
        let result = Some(entry.at.clone());
        match self.by_id.get(id).and_then(|place| self.tools.get_mut(*place)) {
            Some(tool) => (tool.result, tool.is_error) = (result, *is_error),
            None => self.push(Tool {
                id: id.clone(),
                name: String::new(),
                call: None,
                result,
                is_error: *is_error,
                duration_ms: None,
            }),
        }
        // Several results in one record share one structured result, which then means none of them.
        let is_alone =
            entry.blocks.iter().filter(|block| matches!(block, Block::ToolResult { .. })).count() == 1;
        let structured = entry.tool_use_result.as_deref().filter(|_| is_alone);
        self.outcomes.insert(
            id.clone(),
            ToolOutcome {
                is_error: *is_error,
                text: text.clone(),
                structured: structured.map(block::value),
                persisted: persisted(text, structured, context),
                images: images.clone(),
                record: entry.at.clone(),
            },
        );
        if let Some(raw) = structured {
            self.structured.insert(id.clone(), raw.to_owned());
        }
        self.result_entries.insert(id.clone(), index);
    }

    fn time(&mut self, entries: &[Entry]) {
        for tool in &mut self.tools {
            let said = self.structured.get(&tool.id).and_then(|raw| said_duration(raw));
            let at = |places: &HashMap<ToolId, usize>| {
                places.get(&tool.id).and_then(|index| entries.get(*index)).and_then(|entry| entry.timestamp)
            };
            let measured = || time::milliseconds(at(&self.call_entries), at(&self.result_entries));
            tool.duration_ms = said.or_else(measured);
        }
    }

    fn report_orphans(&self, warnings: &mut Warnings) {
        for tool in &self.tools {
            match (&tool.call, &tool.result) {
                (Some(call), None) => {
                    let message = format!("{} ({}) has no result", tool.name, tool.id);
                    warnings.add("tool-without-result", Some(call.line), message);
                }
                (None, Some(result)) => {
                    let message = format!("the call of this result ({}) is not in the file", tool.id);
                    warnings.add("result-without-tool", Some(result.line), message);
                }
                _ => {}
            }
        }
        debug_assert_eq!(
            self.tools.iter().map(|tool| &tool.id).collect::<HashSet<_>>().len(),
            self.tools.len()
        );
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Structured {
    duration_ms: Option<f64>,
    total_duration_ms: Option<f64>,
    persisted_output_path: Option<String>,
    persisted_output_size: Option<u64>,
}

fn said_duration(raw: &RawValue) -> Option<u64> {
    if !raw.get().contains("urationMs\"") {
        return None;
    }
    let said: Structured = understood(raw)?;
    said.duration_ms.or(said.total_duration_ms).map(|duration| duration as u64)
}

/// Where the whole output lies. The path may be another machine's: the file's name inside the session's own
/// directory is what counts.
fn persisted(text: &str, structured: Option<&RawValue>, context: &Context) -> Option<Persisted> {
    let said: Structured = structured
        .filter(|raw| raw.get().contains("persistedOutputPath"))
        .and_then(understood)
        .unwrap_or_default();
    let told = || {
        let inside = text
            .trim_start()
            .starts_with("<persisted-output>")
            .then(|| prompt::tag(text, "persisted-output"))??;
        let path = inside.split("saved to: ").nth(1)?.lines().next()?.trim();
        Some(path.to_owned())
    };
    let path = said.persisted_output_path.or_else(told)?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(&path);
    let found =
        context.tool_results.iter().find(|known| known.rsplit(['/', '\\']).next() == Some(name)).cloned();
    Some(Persisted { found, size_bytes: said.persisted_output_size, path })
}
