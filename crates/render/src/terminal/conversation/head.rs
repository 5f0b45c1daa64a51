//! The first lines of a conversation: what it is called, where it took place, how much there was of it.

use std::path::Path;

use jiff::Timestamp;
use steno_conversation::model::Profile;

use crate::facts;
use crate::terminal::sheet::{SEPARATOR, TextWriter};
use crate::terminal::style::{STRONG, WEAK};
use crate::terminal::{Page, clean_line};
use crate::words::one_line;

/// `agents` is how many there are, with all those below others.
pub(super) fn head(sheet: &mut TextWriter, profile: &Profile, agents: usize, page: &Page) {
    let title = one_line(profile.title.as_deref().unwrap_or("(no title)"));
    sheet.facts(&[title], STRONG);
    sheet.facts(&place(profile), WEAK);
    sheet.facts(&figures(profile, agents, page), WEAK);
}

fn place(profile: &Profile) -> Vec<String> {
    let stem = profile.path.as_deref().and_then(|path| Path::new(path).file_stem());
    let stem = stem.and_then(|stem| stem.to_str());
    let whole = stem.filter(|stem| *stem != profile.id.as_str()).map(|stem| format!("part of {stem}"));
    let origin = profile.cloned_from.as_ref().map(|from| format!("clone of {from}"));
    let parts =
        [Some(profile.id.to_string()), whole, origin, profile.cwd.clone(), profile.git_branch.clone()];
    let parts = parts.into_iter().flatten().chain(profile.models.iter().cloned());
    let version = profile.versions.last().map(|version| format!("client {version}"));
    parts.chain(version).map(|part| clean_line(&part).into_owned()).collect()
}

fn figures(profile: &Profile, agents: usize, page: &Page) -> Vec<String> {
    let span = profile.started_at.zip(profile.ended_at).map(|(from, to)| span(from, to, page));
    let figures = facts::figures(profile, profile.messages, (agents, "agent"));
    let running = profile.ongoing.then(|| "running".to_owned());
    span.into_iter()
        .chain(figures)
        .chain([facts::spent(&profile.tokens).join(SEPARATOR)])
        .chain(running)
        .collect()
}

/// From when to when, the day once where it is the same.
fn span(from: Timestamp, to: Timestamp, page: &Page) -> String {
    let local = |time: Timestamp| time.to_zoned(page.zone.clone());
    let (from, to) = (local(from), local(to));
    let end = if from.date() == to.date() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    format!("{} – {}", from.strftime("%Y-%m-%d %H:%M"), to.strftime(end))
}
