//! What every format says of a session, a plan, a compaction or a refusal, in the same words.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steno_conversation::Conversation;
use steno_conversation::model::{CompactChunk, Profile, Step, Tokens, ToolOutcome, Verdict};

use crate::Detail;
use crate::words::{self, many, one_line};

pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Approved => "approved",
        Verdict::Rejected => "rejected",
        Verdict::Pending => "pending",
    }
}

/// Why, and from how many tokens to how many; leaves out the unknown.
pub(crate) fn compaction(compact: &CompactChunk) -> Vec<String> {
    let tokens = match (compact.pre_tokens.map(words::count), compact.post_tokens.map(words::count)) {
        (Some(before), Some(after)) => Some(format!("{before} → {after} tokens")),
        (Some(before), None) => Some(format!("{before} tokens before")),
        (None, Some(after)) => Some(format!("{after} tokens after")),
        (None, None) => None,
    };
    let trigger = compact.trigger.as_deref().map(one_line).filter(|trigger| !trigger.is_empty());
    trigger.into_iter().chain(tokens).collect()
}

/// From when to when: the day once where it is the same, and the minute as well.
pub(crate) fn span(from: Timestamp, to: Timestamp, zone: &TimeZone) -> String {
    let (from, to) = (from.to_zoned(zone.clone()), to.to_zoned(zone.clone()));
    let minute = "%Y-%m-%d %H:%M";
    let start = from.strftime(minute).to_string();
    match to.strftime(minute).to_string() {
        end if end == start => start,
        _ if from.date() == to.date() => format!("{start} – {}", to.strftime("%H:%M")),
        end => format!("{start} – {end}"),
    }
}

/// How much there was of it. Formats count messages and subagents in their own way, and have their own word for these.
pub(crate) fn figures(profile: &Profile, messages: u64, (agents, name): (usize, &str)) -> Vec<String> {
    let agents = agents as u64;
    let parts = [
        Some(many(profile.turns, "turn")),
        Some(many(messages, "message")),
        Some(many(profile.tool_calls, "tool call")),
        (agents > 0).then(|| many(agents, name)),
    ];
    parts.into_iter().flatten().collect()
}

/// The messages of the conversation as it is shown: those that only carry results are not counted, so that what is
/// shown and what is left out add up.
pub(crate) fn messages(conversation: &Conversation) -> u64 {
    messages_in(conversation, &Detail::default())
}

/// The same in a document that leaves out some.
pub(crate) fn messages_in(conversation: &Conversation, detail: &Detail) -> u64 {
    match conversation.messages_before(usize::MAX, detail.without_compact_summaries) {
        0 => conversation.profile.messages,
        number => number,
    }
}

/// What went through the model.
pub(crate) fn spent(tokens: &Tokens) -> [String; 2] {
    let read = tokens.context().saturating_sub(tokens.output);
    let written = words::tokens(tokens.output, tokens.without_final_usage > 0);
    [format!("{} tokens read", words::count(read)), format!("{written} written")]
}

/// How often the agent thought, and how many words in all: a mark for each thought would come between nearly all calls.
pub(crate) fn thoughts<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Option<(u64, String)> {
    let words: Vec<u64> = steps.into_iter().map(thought_words).filter(|words| *words > 0).collect();
    let said = match words.iter().sum() {
        0 => return None,
        1 => "1 word".to_owned(),
        whole => format!("{} words", words::count(whole)),
    };
    Some((words.len() as u64, said))
}

/// How many words a step thinks that can be read.
pub(crate) fn thought_words(step: &Step) -> u64 {
    match step {
        Step::Thinking { text, redacted: false, .. } => text.split_whitespace().count() as u64,
        _ => 0,
    }
}

/// The user did not let a tool run, or not to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal<'a> {
    /// `refused by the user`.
    pub(crate) words: &'static str,
    /// What the user said instead.
    pub(crate) feedback: Option<&'a str>,
}

/// How the client begins, and what that means.
const REFUSALS: [(&str, &str); 3] = [
    ("The user doesn't want to proceed with this tool use", "refused by the user"),
    ("The user doesn't want to take this action", "refused by the user"),
    ("[Request interrupted by user", "stopped by the user"),
];
const SAID: &str = "the user said:";

/// Whether a result is the client's word for a refusal, and nothing that a tool gave back.
pub(crate) fn refusal(result: &ToolOutcome) -> Option<Refusal<'_>> {
    let text = result.text.trim_start();
    let (_, words) = REFUSALS.iter().find(|(start, _)| result.is_error && text.starts_with(start))?;
    let said = text.split_once(SAID).map(|(_, said)| said.trim());
    Some(Refusal { words, feedback: said.filter(|said| !said.is_empty()) })
}

#[cfg(test)]
mod tests;
