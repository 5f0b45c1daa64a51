//! Pair: tool calls and their results, across records; either may be missing.

use std::collections::HashMap;

use serde_json::value::RawValue;
use steno_transcript::ToolId;
use steno_transcript::wire::StructuredResult;

use crate::block::{self, Block};
use crate::context::Context;
use crate::entry::Entry;
use crate::model::{Media, Persisted, RecordRef, Thread, Tool, ToolOutcome};
use crate::prompt;
use crate::time;
use crate::verdict;
use crate::warning::Warnings;

/// The tool calls of a transcript, in the order in which they were made.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) tools: Vec<Tool>,
    by_id: HashMap<ToolId, usize>,
    outcomes: HashMap<ToolId, Outcome>,
}

/// A result, moved out of its entry.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The entry that held it.
    pub(crate) entry: usize,
    pub(crate) text: String,
    pub(crate) is_error: bool,
    /// The structured result that the client keeps beside it, raw.
    pub(crate) structured: Option<Box<RawValue>>,
    images: Vec<Media>,
    persisted: Option<Persisted>,
    record: RecordRef,
}

impl Pairs {
    pub(crate) fn tool(&self, id: &ToolId) -> Option<&Tool> {
        self.by_id.get(id).and_then(|place| self.tools.get(*place))
    }

    pub(crate) fn outcome(&self, id: &ToolId) -> Option<&Outcome> {
        self.outcomes.get(id)
    }

    pub(crate) fn structured(&self, id: &ToolId) -> Option<&RawValue> {
        self.outcome(id).and_then(|outcome| outcome.structured.as_deref())
    }

    /// The structured results of all calls.
    pub(crate) fn all_structured(&self) -> impl Iterator<Item = &RawValue> {
        self.outcomes.values().filter_map(|outcome| outcome.structured.as_deref())
    }

    /// Whether a record holds the result that counts.
    pub(crate) fn is_outcome(&self, id: &ToolId, entry: &Entry) -> bool {
        let result = self.tool(id).and_then(|tool| tool.result.as_ref());
        result.is_some_and(|result| result.index == entry.at.index)
    }

    /// Takes the outcome for the one step that shows it.
    pub(crate) fn take_outcome(&mut self, id: &ToolId) -> Option<ToolOutcome> {
        let outcome = self.outcomes.remove(id)?;
        Some(ToolOutcome {
            is_error: outcome.is_error,
            text: outcome.text,
            structured: outcome.structured.map(|raw| block::value(&raw)),
            persisted: outcome.persisted,
            images: outcome.images,
            record: outcome.record,
        })
    }
}

/// Of a call and of a result that stand on several lines, those of the line that is shown count.
pub(crate) fn pair(
    entries: &mut [Entry],
    threads: &[Thread],
    context: &Context,
    warnings: &mut Warnings,
) -> Pairs {
    let mut pairs = Pairs::default();
    let mut called: HashMap<ToolId, usize> = HashMap::new();
    let is_shown = |index: &usize| threads.get(*index) == Some(&Thread::Active);
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_message()) {
        for block in &entry.blocks {
            let Block::ToolUse { id, name, .. } = block else { continue };
            if called.get(id).is_none_or(|first| is_shown(&index) && !is_shown(first)) {
                called.insert(id.clone(), index);
                pairs.called(id, name, entry);
            }
        }
    }
    let files = files_by_name(context);
    let (shown, others): (Vec<usize>, Vec<usize>) = (0..entries.len()).partition(is_shown);
    for index in shown.into_iter().chain(others) {
        if let Some(entry) = entries.get_mut(index).filter(|entry| entry.is_message()) {
            pairs.results(index, entry, &files);
        }
    }
    pairs.time(entries, &called);
    pairs.report_orphans(warnings);
    pairs
}

fn orphan(id: &ToolId, name: &str) -> Tool {
    Tool {
        id: id.clone(),
        name: name.to_owned(),
        call: None,
        result: None,
        is_error: false,
        duration_ms: None,
    }
}

impl Pairs {
    fn push(&mut self, tool: Tool) {
        self.by_id.insert(tool.id.clone(), self.tools.len());
        self.tools.push(tool);
    }

    fn called(&mut self, id: &ToolId, name: &str, entry: &Entry) {
        if !self.by_id.contains_key(id) {
            self.push(orphan(id, name));
        }
        let place = self.by_id.get(id).copied();
        if let Some(tool) = place.and_then(|place| self.tools.get_mut(place)) {
            tool.call = Some(entry.at.clone());
        }
    }

    /// Moves the results of a record to their calls; of several for one call, the first.
    fn results(&mut self, index: usize, entry: &mut Entry, files: &HashMap<&str, &String>) {
        let results = entry.blocks.iter().filter(|block| matches!(block, Block::ToolResult { .. })).count();
        // Several results in one record share one structured result, which then means none of them.
        let mut structured = entry.tool_use_result.take_if(|_| results == 1);
        for block in &mut entry.blocks {
            let Block::ToolResult { id, text, is_error, images } = block else { continue };
            if self.outcomes.contains_key(id) {
                continue;
            }
            if !self.by_id.contains_key(id) {
                self.push(orphan(id, ""));
            }
            let place = self.by_id.get(id).copied();
            if let Some(tool) = place.and_then(|place| self.tools.get_mut(place)) {
                (tool.result, tool.is_error) = (Some(entry.at.clone()), *is_error);
            }
            let structured = structured.take();
            let outcome = Outcome {
                entry: index,
                persisted: persisted(text, structured.as_deref(), files),
                text: std::mem::take(text),
                is_error: *is_error,
                structured,
                images: std::mem::take(images),
                record: entry.at.clone(),
            };
            self.outcomes.insert(id.clone(), outcome);
        }
    }

    /// How long each call took: as its result says, else the time between the two records.
    fn time(&mut self, entries: &[Entry], called: &HashMap<ToolId, usize>) {
        for tool in &mut self.tools {
            let outcome = self.outcomes.get(&tool.id);
            let said = outcome.and_then(|outcome| said_duration(outcome.structured.as_deref()?));
            let at = |index: Option<usize>| {
                index.and_then(|index| entries.get(index)).and_then(|entry| entry.timestamp)
            };
            let (call, result) = (called.get(&tool.id).copied(), outcome.map(|outcome| outcome.entry));
            tool.duration_ms = said.or_else(|| time::milliseconds(at(call), at(result)));
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
    }
}

fn said_duration(raw: &RawValue) -> Option<u64> {
    raw.get().contains("urationMs\"").then_some(())?;
    let said = verdict::structured(raw);
    said.duration_ms.or(said.total_duration_ms).map(|duration| duration.0)
}

fn files_by_name(context: &Context) -> HashMap<&str, &String> {
    context.tool_results.iter().map(|path| (file_name(path), path)).collect()
}

/// The last part of a path of whatever system.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The name of the file with the whole result, as the record of the result gives it.
pub fn persisted_name(text: &str, structured: Option<&RawValue>) -> Option<String> {
    said_path(pointing(structured).as_ref(), text).map(|path| file_name(&path).to_owned())
}

/// The file with the whole output. Its path may be another machine's, so the file is found by its name in the session's
/// own directory.
fn persisted(text: &str, structured: Option<&RawValue>, files: &HashMap<&str, &String>) -> Option<Persisted> {
    let said = pointing(structured);
    let path = said_path(said.as_ref(), text)?;
    let found = files.get(file_name(&path)).map(|path| (*path).clone());
    let size_bytes = said.and_then(|said| said.persisted_output_size).map(|size| size.0);
    Some(Persisted { found, size_bytes, path })
}

fn pointing(structured: Option<&RawValue>) -> Option<StructuredResult<'_>> {
    structured.filter(|raw| raw.get().contains("persistedOutputPath")).map(verdict::structured)
}

/// The path of the file: from the structured result, or from the text, where the oldest clients put it.
fn said_path(said: Option<&StructuredResult<'_>>, text: &str) -> Option<String> {
    let told = || {
        let is_told = text.trim_start().starts_with("<persisted-output>");
        let inside = is_told.then(|| prompt::tag(text, "persisted-output"))??;
        let path = inside.split("saved to: ").nth(1)?.lines().next()?.trim();
        Some(path.to_owned())
    };
    said.and_then(|said| said.persisted_output_path.as_deref()).map(str::to_owned).or_else(told)
}
