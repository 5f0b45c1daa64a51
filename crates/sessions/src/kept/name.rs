//! What a user calls a session → the transcript that is meant, among all that are kept.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use steno_conversation::Warning;

use super::index::{Index, KeptSession, recency};
use super::{KeptSessions, Sketch, sketches, tombstone_of};
use crate::error::{Error, ErrorKind};
use crate::machine::{machines, root_of};
use crate::nearest::Known;
use crate::sources::Sources;
use crate::vault::slug_of;
use crate::{names, nearest, warning};

/// Shorter prefixes are more likely typos than wishes.
pub(super) const SHORTEST_PREFIX: usize = 4;

#[derive(Debug, Clone, Copy)]
pub struct KeptQuery<'a> {
    /// An id, a prefix of one, `last`, or the path of a transcript.
    pub session: &'a str,
    pub machine: Option<&'a str>,
    /// A part of the name of the project's directory.
    pub project: Option<&'a str>,
}

#[derive(Debug)]
pub struct FoundSession<'a> {
    pub kept: KeptSession<'a>,
    pub warnings: Vec<Warning>,
}

pub fn find<'a>(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    index: &Index<'a>,
    query: KeptQuery<'_>,
) -> Result<FoundSession<'a>, Error> {
    known_machine(index, query.machine)?;
    let is_candidate = |kept: &&KeptSession<'a>| {
        query.machine.is_none_or(|machine| is_machine(kept.machine, machine))
            && query.project.is_none_or(|part| contains(&kept.project, part))
    };
    let candidates: Vec<&KeptSession<'a>> = index.sessions.iter().filter(is_candidate).collect();
    if query.session == "last" {
        return last(sources, kept_sessions, index, candidates);
    }
    let of_id = by_name(query.session, &candidates).map_err(|error| {
        if error.kind != ErrorKind::NotFound {
            return error;
        }
        if let Some(told) = elsewhere(index, query) {
            return nearest::offered(told, meant(kept_sessions, index, query, &candidates));
        }
        let hints = || nearest::offered(error, meant(kept_sessions, index, query, &candidates));
        let told = purged(sources, kept_sessions, query);
        told.map_or_else(hints, |told| nearest::settled(&not_found(query.session), &told))
    })?;
    let ids: BTreeSet<&str> = of_id.iter().map(|kept| kept.id.as_str()).collect();
    if ids.len() > 1 {
        let sketch = |kept: &[&KeptSession<'a>]| sketches(sources, kept_sessions, index, kept);
        return Err(ambiguous(query.session, &ids, &of_id, sketch));
    }
    let of_machine = on_one_machine(sources, kept_sessions, of_id, query.machine)?;
    the_latest(of_machine).ok_or_else(|| not_found(query.session))
}

/// Whether a machine of the catalogue is the one a user names: by its name, the host's, or that of the whole machine
/// where several Claude directories of it are kept.
pub fn is_machine(machine: &str, named: &str) -> bool {
    let is = |named: &str| {
        machine == named || machine.strip_prefix(named).is_some_and(|rest| rest.starts_with("/homes/"))
    };
    is(named) || is(&slug_of(named))
}

pub fn known_machine(index: &Index<'_>, named: Option<&str>) -> Result<(), Error> {
    let Some(named) = named else { return Ok(()) };
    let machines: BTreeSet<&str> = index.sessions.iter().map(|kept| kept.machine).collect();
    if machines.iter().any(|machine| is_machine(machine, named)) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::NotFound, format!("the vault holds no session of a machine '{named}'"));
    let known: Vec<&str> = machines.into_iter().collect();
    Err(match known.is_empty() {
        true => error.hint("`steno sync` keeps those of this machine"),
        false => error.hint(format!("it holds those of {}", known.join(", "))),
    })
}

/// When a session was purged that is looked for, and by whom; what cannot be read tells nothing.
pub fn purged(sources: &dyn Sources, kept_sessions: &KeptSessions, query: KeptQuery<'_>) -> Option<String> {
    let named = machines(&kept_sessions.vault.store).ok()?;
    let is_meant = |machine: &&str| query.machine.is_none_or(|named| is_machine(machine, named));
    let (own, others): (Vec<&str>, Vec<&str>) = named
        .iter()
        .map(String::as_str)
        .filter(is_meant)
        .partition(|machine| kept_sessions.vault.is_own(machine));
    let machines = own.into_iter().chain(others);
    let tombstone = tombstone_of(kept_sessions.cached.store(), machines, &wanted(query.session)).ok()??;
    let day = tombstone.purged.to_zoned(sources.zone().clone()).strftime("%Y-%m-%d").to_string();
    let machine =
        Some(root_of(&tombstone.machine)).filter(|_| !kept_sessions.vault.is_own(&tombstone.machine));
    let by = machine.map(|machine| format!(" by {machine}")).unwrap_or_default();
    let id = Some(tombstone.session.as_str()).filter(|id| *id != query.session);
    Some(format!("{} was purged on {day}{by}", id.unwrap_or("it")))
}

/// What was perhaps meant: another project where that is what nothing is found in, else another session.
fn meant<'a>(
    kept_sessions: &KeptSessions,
    index: &Index<'a>,
    query: KeptQuery<'_>,
    candidates: &[&KeptSession<'a>],
) -> Vec<String> {
    match query.project.filter(|_| candidates.is_empty()) {
        Some(part) => nearest::projects(part, index.sessions.iter().map(|kept| kept.project.as_str())),
        None => {
            nearest::sessions(query.session, &names::known(kept_sessions, index, candidates, query.session))
        }
    }
}

/// The id, or the beginning of one, in what a user calls a session.
fn wanted(name: &str) -> String {
    let path = Path::new(name);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let is_path = path.extension().is_some_and(|extension| extension == "jsonl");
    stem.filter(|_| is_path).unwrap_or_else(|| name.to_owned())
}

/// All transcripts of the ids that a name means.
fn by_name<'k, 'a>(
    name: &str,
    candidates: &[&'k KeptSession<'a>],
) -> Result<Vec<&'k KeptSession<'a>>, Error> {
    let wanted = wanted(name);
    let is_id = candidates.iter().any(|kept| kept.id == wanted);
    if !is_id && wanted.chars().count() < SHORTEST_PREFIX {
        return Err(Error::new(ErrorKind::Invalid, format!("'{name}' is too short for a session"))
            .hint(format!("give at least {SHORTEST_PREFIX} characters of its id, or `last`")));
    }
    let found = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&'k KeptSession<'a>> {
        candidates.iter().filter(|kept| is_meant(&kept.id)).copied().collect()
    };
    let exact = found(&|id| if is_id { id == wanted } else { id.starts_with(&wanted) });
    let found = if exact.is_empty() { found(&|id| nearest::begins(id, &wanted)) } else { exact };
    if found.is_empty() { Err(not_found(name)) } else { Ok(found) }
}

/// Each of the first ones by what its latest transcript tells.
fn ambiguous<'a>(
    name: &str,
    ids: &BTreeSet<&str>,
    found: &[&KeptSession<'a>],
    sketch: impl FnOnce(&[&KeptSession<'a>]) -> Vec<Sketch>,
) -> Error {
    let latest = |id: &str| {
        let same = found.iter().filter(|kept| kept.id == id);
        same.max_by_key(|kept| recency(kept.stream)).copied()
    };
    let named: Vec<&KeptSession<'a>> = ids.iter().take(nearest::NAMED).filter_map(|id| latest(id)).collect();
    let sketches = sketch(&named);
    let known = named.iter().zip(sketches).map(|(kept, Sketch { title, ended_at, .. })| Known {
        id: kept.id.clone(),
        title,
        active: ended_at,
    });
    nearest::ambiguous(name, ids.len(), &known.collect::<Vec<_>>())
}

/// The one of exactly this name, else this machine, and of it the Claude directory that is meant.
fn on_one_machine<'k, 'a>(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    found: Vec<&'k KeptSession<'a>>,
    named: Option<&str>,
) -> Result<Vec<&'k KeptSession<'a>>, Error> {
    let home = sources.dirs().claude_dir().ok().and_then(|directory| kept_sessions.vault.home(directory));
    let home = home.map_or_else(|| kept_sessions.vault.slug(), |home| home.slug.as_str());
    let narrowed = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<&'k KeptSession<'a>> {
        found.iter().filter(|kept| is_wanted(kept.machine)).copied().collect()
    };
    let own = [
        narrowed(&|machine| Some(machine) == named),
        narrowed(&|machine| machine == home),
        narrowed(&|machine| kept_sessions.vault.is_own(machine)),
    ];
    if let Some(own) = own.into_iter().find(|own| !own.is_empty()) {
        return Ok(own);
    }
    let machines: BTreeSet<&str> = found.iter().map(|kept| kept.machine).collect();
    match (machines.len(), found.first()) {
        (2.., Some(first)) => {
            let message = format!("session {} is kept from {} machines", first.id, machines.len());
            let hints = machines.iter().map(|machine| format!("say which one: --machine {machine}"));
            Err(hints.fold(Error::new(ErrorKind::Ambiguous, message), Error::hint))
        }
        _ => Ok(found),
    }
}

/// Of several transcripts of one session, the one that was written to last.
fn the_latest<'a>(mut found: Vec<&KeptSession<'a>>) -> Option<FoundSession<'a>> {
    found.sort_by_key(|kept| Reverse(recency(kept.stream)));
    let mut found = found.into_iter();
    let kept = found.next()?.clone();
    let warnings = found.map(duplicate).collect();
    Some(FoundSession { kept, warnings })
}

/// About a transcript that another one of the same session was preferred to.
fn duplicate(kept: &KeptSession<'_>) -> Warning {
    let message = format!(
        "session {} is also kept from here, where it was written to earlier: --project={} names this one",
        kept.id, kept.project
    );
    warning::at(Path::new(&kept.stream.path), "duplicate-session", message)
}

/// The first of a list of this machine's sessions, else of all.
fn last<'a>(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    index: &Index<'a>,
    candidates: Vec<&KeptSession<'a>>,
) -> Result<FoundSession<'a>, Error> {
    let own: Vec<&KeptSession<'a>> =
        candidates.iter().filter(|kept| kept_sessions.vault.is_own(kept.machine)).copied().collect();
    let candidates = if own.is_empty() { candidates } else { own };
    let sketches = sketches(sources, kept_sessions, index, &candidates);
    let activity = |sketch: &Sketch, kept: &KeptSession<'_>| sketch.ended_at.or(recency(kept.stream).0);
    let dated = candidates.iter().zip(&sketches);
    let latest = dated.min_by_key(|(kept, sketch)| (Reverse(activity(sketch, kept)), kept.id.clone()));
    let none =
        || Error::new(ErrorKind::NotFound, "the vault holds no session yet").hint("`steno sync` keeps them");
    let (latest, _) = latest.ok_or_else(none)?;
    let same = candidates.iter().filter(|kept| (kept.machine, &kept.id) == (latest.machine, &latest.id));
    the_latest(same.copied().collect()).ok_or_else(none)
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// The session is kept, though not from where it was looked for.
fn elsewhere(index: &Index<'_>, query: KeptQuery<'_>) -> Option<Error> {
    let all: Vec<&KeptSession<'_>> = index.sessions.iter().collect();
    let found = by_name(query.session, &all).ok()?;
    let wanted = query.project.map_or_else(String::new, |part| format!(" of a project '{part}'"));
    let from = query.machine.map_or_else(String::new, |machine| format!(" from machine {machine}"));
    let message = format!("the vault holds no session '{}'{wanted}{from}", query.session);
    let places: BTreeSet<String> = found
        .iter()
        .map(|kept| format!("{} is kept from machine {}, project {}", kept.id, kept.machine, kept.project))
        .collect();
    Some(places.into_iter().take(3).fold(Error::new(ErrorKind::NotFound, message), Error::hint))
}

fn not_found(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("the vault holds no session '{name}'"))
        .hint("`steno restore --list` shows all that it holds")
}
