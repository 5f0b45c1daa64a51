//! What the user answered to the questions of a call.
//!
//! Clients keep the answers beside the result, by the text of the question; older ones say them only in its words.

use serde_json::Value;
use steno_conversation::model::{ToolOutcome, ToolStep};

use crate::call::Question;

/// What was answered to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// For each choice, whether it was taken.
    pub(crate) taken: Vec<bool>,
    /// What the user wrote beside the choices.
    pub(crate) words: Option<String>,
}

/// An answer for each question; none where the user gave none.
pub(crate) fn answers(tool: &ToolStep, questions: &[Question<'_>]) -> Vec<Option<Answer>> {
    let said = |question| tool.result.as_ref().and_then(|result| said(result, question));
    questions.iter().map(|question| said(question).map(|said| understand(question, &said))).collect()
}

/// Whether the result says more than the answers: notes that the user wrote to what was shown.
pub(crate) fn has_notes(tool: &ToolStep) -> bool {
    let structured = tool.result.as_ref().and_then(|result| result.structured.as_ref());
    let notes = structured.and_then(|structured| structured.get("annotations")).and_then(Value::as_object);
    notes.is_some_and(|notes| !notes.is_empty())
}

fn said(result: &ToolOutcome, question: &Question<'_>) -> Option<String> {
    let kept = result.structured.as_ref().and_then(|structured| structured.get("answers"));
    match kept.and_then(|answers| answers.get(question.text)) {
        Some(Value::String(said)) => Some(said.clone()),
        Some(Value::Array(said)) => {
            Some(said.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
        }
        _ => in_words(&result.text, question.text).map(str::to_owned),
    }
}

/// `… "question"="answer", "question"="answer". …`
fn in_words<'t>(text: &'t str, question: &str) -> Option<&'t str> {
    let (_, said) = text.split_once(&format!("\"{question}\"=\""))?;
    let end = ["\", \"", "\". "].into_iter().filter_map(|end| said.find(end)).min();
    Some(end.and_then(|end| said.get(..end)).unwrap_or_else(|| said.trim_end_matches(['.', '"'])))
}

/// Several choices are joined by commas, which may be in their labels too; the user's own words come last.
fn understand(question: &Question<'_>, said: &str) -> Answer {
    let mut taken = vec![false; question.choices.len()];
    let mut rest = said.trim();
    // The longest label, where one begins like another.
    while let Some((place, after)) = begun(question, rest).min_by_key(|(_, after)| after.len()) {
        taken.iter_mut().skip(place).take(1).for_each(|taken| *taken = true);
        rest = after;
    }
    Answer { taken, words: Some(rest.to_owned()).filter(|words| !words.is_empty()) }
}

/// The choices that a text begins with, and what follows each.
fn begun<'t>(question: &Question<'_>, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let labels = question.choices.iter().map(|choice| choice.label).enumerate();
    labels.filter(|(_, label)| !label.is_empty()).filter_map(move |(place, label)| {
        let after = text.strip_prefix(label)?;
        Some((place, if after.is_empty() { after } else { after.strip_prefix(", ")? }))
    })
}

#[cfg(test)]
mod tests;
