//! The beginning of a page: what the conversation is called, where it took place, how much there was of it.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use steno_conversation::Conversation;
use steno_conversation::model::Profile;

use super::text::Name;
use crate::facts;
use crate::words::{one_line, project_name};

/// What a heading has room for, on a phone as well.
const LONGEST_HEADING: usize = 100;

pub(super) fn title(conversation: &Conversation) -> String {
    one_line(conversation.profile.title.as_deref().unwrap_or("(no title)"))
}

pub(super) fn head(conversation: &Conversation, agents: usize) -> Markup {
    let profile = &conversation.profile;
    let title = title(conversation);
    let heading = heading(&title);
    html! {
        header.head {
            h1 title=[(heading != title).then_some(Name(&title))] { (Name(&heading)) }
            ul.facts {
                @for fact in place(profile) { li { (Name(&fact)) } }
            }
            ul.facts {
                @for fact in figures(conversation, agents) { li { (fact) } }
            }
        }
    }
}

/// A prompt that serves as title may be a page of its own.
fn heading(title: &str) -> String {
    let Some((end, _)) = title.char_indices().nth(LONGEST_HEADING) else { return title.to_owned() };
    let kept = title.get(..end).unwrap_or(title);
    let word = kept.rfind(' ').filter(|place| *place > end / 2);
    format!("{}…", word.and_then(|place| kept.get(..place)).unwrap_or(kept))
}

/// Where and when. The path of the project tells about the machine, its name about the work.
fn place(profile: &Profile) -> Vec<String> {
    let project = project_name(profile.cwd.as_deref(), profile.project_hash.as_deref());
    let span = profile.started_at.zip(profile.ended_at);
    let span = span.map(|(from, to)| format!("{} UTC", facts::span(from, to, &TimeZone::UTC)));
    let parts = [Some(project), profile.git_branch.clone(), span];
    parts
        .into_iter()
        .flatten()
        .chain(profile.models.iter().cloned())
        .filter(|part| !part.is_empty())
        .collect()
}

fn figures(conversation: &Conversation, agents: usize) -> Vec<String> {
    let profile = &conversation.profile;
    let spent = Some(facts::spent(&profile.tokens)).filter(|_| profile.tokens.context() > 0);
    facts::figures(profile, facts::messages(conversation), (agents, "subagent"))
        .into_iter()
        .chain(spent.into_iter().flatten())
        .chain(profile.ongoing.then(|| "running".to_owned()))
        .collect()
}

fn day(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

pub(super) fn is_of_one_day(profile: &Profile) -> bool {
    profile.started_at.map(day) == profile.ended_at.map(day)
}
