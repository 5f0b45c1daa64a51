//! The kept files of the vault → those that are read in addition to the live ones.

use std::collections::{BTreeMap, HashSet};

use steno_vault::Stream;

use super::{Copies, Form, ListedFile};
use crate::file::{SessionFile, file_name};
use crate::kept::{Index, KeptSession, KeptSessions, recency};
use crate::kept::{homes, is_agent, is_listed, once_each};
use crate::sources::Sources;

pub(super) fn items<'a>(
    sources: &dyn Sources,
    kept_sessions: &'a KeptSessions,
    index: &Index<'a>,
    live: &[ListedFile<'_>],
    copies: Copies,
) -> Vec<ListedFile<'a>> {
    let known = Known::of(live);
    let mut items = agents(sources, kept_sessions, index, &known);
    let item = |kept: &KeptSession<'a>| ListedFile::of_kept(kept_sessions, kept);
    match copies {
        Copies::All => items.extend(transcripts(sources, kept_sessions, index, &known).map(item)),
        Copies::Best => {
            let gone = once_each(sources, kept_sessions, index).into_iter();
            let gone = gone.filter(|kept| !known.sessions.contains(kept.id.as_str()));
            // Another file of the same session is read beside it where both are live, too.
            items.extend(gone.flat_map(|kept| std::iter::once(kept).chain(index.twins(kept))).map(item));
        }
    }
    items
}

/// The names of live files.
#[derive(Default)]
struct Known<'a> {
    sessions: HashSet<&'a str>,
    /// Sessions and names of subagents' files.
    agents: HashSet<(&'a str, String)>,
    /// Subagents whose session is not known.
    orphans: HashSet<String>,
}

impl<'a> Known<'a> {
    fn of(live: &'a [ListedFile<'_>]) -> Self {
        let mut known = Self::default();
        for item in live {
            match item.session.as_deref() {
                Some(session) if item.is_agent => drop(known.agents.insert((session, item.name()))),
                Some(session) => drop(known.sessions.insert(session)),
                None => drop(known.orphans.insert(item.name())),
            }
        }
        known
    }

    /// By its name alone, if its session is not known.
    fn has_agent(&self, session: Option<&str>, name: &str) -> bool {
        let is_called = |agent: &(&str, String)| agent.1 == name;
        self.orphans.contains(name)
            || match session {
                Some(session) => self.agents.contains(&(session, name.to_owned())),
                None => self.agents.iter().any(is_called),
            }
    }
}

/// Transcripts that are gone here, and every one of another machine: a session may have gone on there.
fn transcripts<'k, 'a>(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    index: &'k Index<'a>,
    known: &Known<'_>,
) -> impl Iterator<Item = &'k KeptSession<'a>> {
    let homes = homes(sources, kept_sessions);
    index.sessions.iter().filter(move |kept| {
        let is_live = homes.contains(kept.machine) && known.sessions.contains(kept.id.as_str());
        !is_live && is_listed(kept_sessions, &homes, kept.machine)
    })
}

/// A machine, and a file as it keeps it.
pub(super) type Copy<'a> = (&'a str, &'a Stream);

/// Subagents whose files are gone, each as this machine keeps it, else as another one does; all files of it there, as
/// they are read where they are live.
fn agents<'a>(
    sources: &dyn Sources,
    kept_sessions: &'a KeptSessions,
    index: &Index<'a>,
    known: &Known<'_>,
) -> Vec<ListedFile<'a>> {
    let homes = homes(sources, kept_sessions);
    let mut copies: BTreeMap<(Option<&str>, &str), Vec<Copy<'_>>> = BTreeMap::new();
    for (machine, session, stream) in index.others() {
        let name = file_name(&stream.path);
        let is_gone = is_agent(&stream.path) && !known.has_agent(session, name);
        if is_gone && is_listed(kept_sessions, &homes, machine) {
            copies.entry((session, name)).or_default().push((machine, stream));
        }
    }
    let mut items = Vec::new();
    for ((session, _), mut copies) in copies {
        let rank = |(machine, stream): &Copy<'_>| (homes.contains(machine), recency(stream));
        copies.sort_by(|one, two| (rank(one), one.0, &one.1.path).cmp(&(rank(two), two.0, &two.1.path)));
        let best = copies.last().map(|(machine, _)| *machine);
        copies.retain(|(machine, _)| Some(*machine) == best);
        items.extend(copies.into_iter().map(|(machine, stream)| ListedFile {
            session: session.map(|session| session.to_owned().into()),
            is_agent: true,
            form: Form::Records,
            file: SessionFile::kept(kept_sessions, machine, stream),
        }));
    }
    items
}
