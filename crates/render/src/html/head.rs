//! The beginning of a page: what the conversation is called, where it took place, how much there was of it.

use jiff::Timestamp;
use maud::{Markup, html};
use steno_conversation::Conversation;
use steno_conversation::model::Profile;

use super::text::Name;
use crate::words::{self, many, one_line, project_name};

pub(super) fn title(conversation: &Conversation) -> String {
    one_line(conversation.profile.title.as_deref().unwrap_or("(no title)"))
}

pub(super) fn head(conversation: &Conversation, agents: usize) -> Markup {
    let profile = &conversation.profile;
    html! {
        header.head {
            h1 { (Name(&title(conversation))) }
            ul.facts {
                @for fact in place(profile) { li { (Name(&fact)) } }
            }
            ul.facts {
                @for fact in figures(profile, agents as u64) { li { (fact) } }
            }
        }
    }
}

/// Where and when. The path of the project tells about the machine, its name about the work.
fn place(profile: &Profile) -> Vec<String> {
    let project = project_name(profile.cwd.as_deref(), profile.project_hash.as_deref());
    let span = profile.started_at.zip(profile.ended_at).map(|(from, to)| span(from, to));
    let parts = [Some(project), profile.git_branch.clone(), span];
    parts
        .into_iter()
        .flatten()
        .chain(profile.models.iter().cloned())
        .filter(|part| !part.is_empty())
        .collect()
}

fn figures(profile: &Profile, agents: u64) -> Vec<String> {
    let tokens = &profile.tokens;
    let read = tokens.context().saturating_sub(tokens.output);
    let written = words::tokens(tokens.output, tokens.without_final_usage > 0);
    let parts = [
        Some(many(profile.turns, "turn")),
        Some(many(profile.messages, "message")),
        Some(many(profile.tool_calls, "tool call")),
        (agents > 0).then(|| many(agents, "agent")),
        Some(format!("{} tokens read", words::count(read))),
        Some(format!("{written} written")),
        profile.ongoing.then(|| "running".to_owned()),
    ];
    parts.into_iter().flatten().collect()
}

fn day(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

/// From when to when, the day once where it is the same; the minute as well.
fn span(from: Timestamp, to: Timestamp) -> String {
    let minute = "%Y-%m-%d %H:%M";
    let (start, end) = (from.strftime(minute).to_string(), to.strftime(minute).to_string());
    match end.strip_prefix(&day(from)) {
        _ if start == end => start,
        Some(time) => format!("{start} –{time}"),
        None => format!("{start} – {end}"),
    }
}

pub(super) fn is_of_one_day(profile: &Profile) -> bool {
    profile.started_at.map(day) == profile.ended_at.map(day)
}
