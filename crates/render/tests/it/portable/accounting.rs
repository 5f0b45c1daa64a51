//! A document that leaves nothing out → how many records it accounts for.

use steno_render::Detail;
use steno_render::portable::{Agent, Conversation, Extensions, Message};

pub(crate) fn everything() -> Detail {
    Detail { thinking: true, agents: true, all: true, ..Detail::default() }
}

/// How many records a document accounts for: those of messages and extensions, and those that it leaves out.
pub(crate) fn accounted(document: &Conversation) -> u64 {
    of_file(&document.messages, &document.extensions) + inline(&document.extensions)
}

fn of_file(messages: &[Message], extensions: &Extensions) -> u64 {
    let raw = [
        &extensions.system_events,
        &extensions.unknown_records,
        &extensions.attachments,
        &extensions.permission_modes,
        &extensions.agent_names,
        &extensions.titles,
        &extensions.other_records,
    ];
    let raw: usize = raw.iter().map(|records| records.len()).sum();
    let left = extensions
        .left_out
        .iter()
        .filter(|(reason, _)| !matches!(reason.as_str(), "thinking" | "broken" | "agents"));
    records(messages)
        + records(&extensions.abandoned)
        + raw as u64
        + left.map(|(_, count)| count).sum::<u64>()
}

/// Agents in the session's own file are called by their first record.
fn inline(extensions: &Extensions) -> u64 {
    let is_inline = |agent: &&Agent| {
        let first = agent.messages.iter().chain(&agent.extensions.abandoned);
        first.filter_map(|message| message.extensions.uuid.as_deref()).any(|uuid| uuid == agent.id.as_str())
    };
    let mut agents: Vec<&Agent> = extensions.agents.iter().collect();
    let mut place = 0;
    while let Some(agent) = agents.get(place) {
        agents.extend(&agent.agents);
        place += 1;
    }
    agents.into_iter().filter(is_inline).map(|agent| of_file(&agent.messages, &agent.extensions)).sum()
}

fn records(messages: &[Message]) -> u64 {
    messages.iter().map(|message| 1 + message.extensions.continued.len() as u64).sum()
}
