//! The sessions of a vault → rows beside those of the live files, and the mark of what is kept.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use steno_conversation::model::{Session, TitleSource};
use steno_conversation::{Profiler, Warnings, observe};
use steno_transcript::{LineReader, SessionId, skim_lines};

use crate::custody::Custody;
use crate::error::Error;
use crate::parallel;
use crate::shelf::{Index, Kept, Shelf, custom_title, recency};

/// Gives the number of warnings. Of what this machine keeps, only what is of the directories that are listed belongs to
/// them; a vault that cannot be read takes nothing from the live sessions.
pub(super) fn join(custody: &Custody, sessions: &mut Vec<Session>) -> usize {
    match custody.look() {
        Ok(None) => 0,
        Ok(Some(_)) => try_join(custody, sessions).unwrap_or(1),
        Err(_) => 1,
    }
}

fn try_join(custody: &Custody, sessions: &mut Vec<Session>) -> Result<usize, Error> {
    let shelf = Shelf::open(custody)?;
    let index = shelf.index();
    let held: HashSet<&str> = index.sessions.iter().map(|kept| kept.id.as_str()).collect();
    for session in sessions.iter_mut() {
        session.profile.kept = held.contains(session.profile.id.as_str());
    }
    let live: HashSet<&str> = sessions.iter().map(|session| session.profile.id.as_str()).collect();
    let gone: Vec<&Kept<'_>> = once_each(custody, &shelf, &index)
        .into_iter()
        .filter(|kept| !live.contains(kept.id.as_str()))
        .collect();
    let len = |kept: &&Kept<'_>| kept.stream.latest().map_or(0, steno_vault::Generation::len);
    let rows = parallel::map(&gone, len, |kept| row(&shelf, &index, kept));
    let unread = rows.iter().filter(|row| row.is_none()).count();
    sessions.extend(rows.into_iter().flatten());
    Ok(unread)
}

/// Each session as this machine keeps it, else as another one does; of several, the one that was written to last.
fn once_each<'k, 'a>(custody: &Custody, shelf: &Shelf, index: &'k Index<'a>) -> Vec<&'k Kept<'a>> {
    let homes = homes(custody, shelf);
    let rank = |kept: &Kept<'_>| (homes.contains(kept.machine), recency(kept.stream));
    let mut kept: BTreeMap<&str, &Kept<'_>> = BTreeMap::new();
    for one in index.sessions.iter().filter(|kept| is_listed(shelf, &homes, kept.machine)) {
        let known = kept.entry(&one.id).or_insert(one);
        if rank(known) < rank(one) {
            *known = one;
        }
    }
    kept.into_values().collect()
}

/// The names under which the directories that are listed are kept.
pub(crate) fn homes<'s>(custody: &Custody, shelf: &'s Shelf) -> HashSet<&'s str> {
    let homes = custody.library.claude_dirs.iter().filter_map(|directory| shelf.opened.home(directory));
    homes.map(|home| home.slug.as_str()).collect()
}

/// Other directories of this machine are nobody's business here; other machines are.
pub(crate) fn is_listed(shelf: &Shelf, homes: &HashSet<&str>, machine: &str) -> bool {
    homes.contains(machine) || !shelf.opened.is_own(machine)
}

fn row(shelf: &Shelf, index: &Index<'_>, kept: &Kept<'_>) -> Option<Session> {
    let volume = shelf.latest(kept.machine, kept.stream)?;
    let mut profiler = Profiler::default();
    let mut warnings = Warnings::new(&kept.stream.path);
    let mut lines = LineReader::new(volume.reader());
    let visited = skim_lines(&mut lines, |piece| {
        observe(&piece, &mut profiler, &mut warnings);
        ControlFlow::Continue(())
    });
    visited.ok()?;
    let gathered = profiler.finish(SessionId::new(kept.id.clone()));
    let mut profile = gathered.profile;
    profile.project_hash = Some(kept.project.clone());
    profile.path = Some(shelf.first_file(volume.generation).display().to_string());
    profile.size_bytes = volume.generation.len();
    profile.kept = true;
    if profile.title_source != Some(TitleSource::Custom)
        && let Some(title) = custom_title(shelf, index, kept)
    {
        profile.title = Some(title);
        profile.title_source = Some(TitleSource::Custom);
    }
    let agents = index.parts(kept).iter().filter(|part| is_agent(&part.path)).count() as u64;
    let machine = (!shelf.opened.is_own(kept.machine)).then(|| kept.machine.to_owned());
    Some(Session { profile, agents: gathered.inline_agents + agents, machine })
}

pub(crate) fn is_agent(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("agent-") && name.ends_with(".jsonl")
}
