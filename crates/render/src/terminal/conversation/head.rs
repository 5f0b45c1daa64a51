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
    let whole = profile.path.as_deref().and_then(stem);
    let whole = whole.filter(|stem| *stem != profile.id.as_str()).map(|stem| format!("part of {stem}"));
    let origin = profile.cloned_from.as_ref().map(|from| format!("clone of {from}"));
    let parts =
        [Some(profile.id.to_string()), whole, origin, profile.cwd.clone(), profile.git_branch.clone()];
    let parts = parts.into_iter().flatten().chain(profile.models.iter().cloned());
    let version = profile.versions.last().map(|version| format!("client {version}"));
    parts.chain(version).map(|part| clean_line(&part).into_owned()).collect()
}

/// Behind the ending of a transcript the vault has names of its own.
fn stem(path: &str) -> Option<&str> {
    let path = Path::new(path);
    let name = path.file_name()?.to_str()?;
    name.split_once(".jsonl").map(|(stem, _)| stem).or_else(|| path.file_stem()?.to_str())
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

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn a_transcript_in_the_vault_has_the_name_of_its_session() {
        assert_eq!(stem("/vault/projects/-p/cafe0001.jsonl.g1.000001.zst"), Some("cafe0001"));
        assert_eq!(stem("/vault/projects/-p/cafe0001.jsonl.g2.000017.zst.age"), Some("cafe0001"));
        assert_eq!(stem("projects/-p/cafe0001.jsonl"), Some("cafe0001"));
        assert_eq!(stem("notes.txt"), Some("notes"));
    }
}
