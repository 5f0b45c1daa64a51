//! Files beside transcripts that hold text: results in files of their own, and titles.
//!
//! Apart from the transcripts, because only a search asks for it: it costs a look at every such file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;
use std::time::SystemTime;

use rayon::prelude::*;
use steno_index::{Passage, Role};
use steno_source::SessionFiles;
use steno_transcript::Place;

use super::kept::Copy;
use super::{Form, ListedFile};
use crate::error::Error;
use crate::file::{SessionFile, file_name};
use crate::kept::{Index, KeptSessions, recency};
use crate::kept::{homes, is_listed};
use crate::sources::Sources;

const TOOL_RESULTS: &str = "tool-results";
const TITLE: &str = "custom-title.json";

/// Of live sessions. Leaves out files deleted since they were found.
pub(super) fn live(sessions: &[SessionFiles]) -> Vec<ListedFile<'_>> {
    let found: Vec<(&SessionFiles, &Path, Form)> = sessions.iter().flat_map(of_session).collect();
    found.into_par_iter().filter_map(item_of).collect()
}

fn item_of<'a>((session, path, form): (&'a SessionFiles, &'a Path, Form)) -> Option<ListedFile<'a>> {
    let metadata = std::fs::metadata(path).ok()?;
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let file = SessionFile::Live { path, len: metadata.len(), modified };
    Some(ListedFile { form, ..ListedFile::live(Some(session.id.as_str()), false, file) })
}

fn of_session(session: &SessionFiles) -> impl Iterator<Item = (&SessionFiles, &Path, Form)> {
    let results = session.tool_results.iter().map(move |path| (session, path.as_path(), Form::Persisted));
    let is_title = |path: &&std::path::PathBuf| path.file_name() == Some(OsStr::new(TITLE));
    let title = session.sidecars.iter().filter(|_| session.custom_title.is_some()).find(is_title);
    results.chain(title.map(move |path| (session, path.as_path(), Form::Title)))
}

/// Files gone from the live directories, of sessions that are among the items: of a live session, its results; of one
/// that only the vault has, its title, too.
pub(super) fn kept<'a>(
    sources: &dyn Sources,
    kept_sessions: &'a KeptSessions,
    index: &Index<'a>,
    items: &[ListedFile<'_>],
    live: &[ListedFile<'_>],
) -> Vec<ListedFile<'a>> {
    let homes = homes(sources, kept_sessions);
    let machines = machines(items);
    let live: HashSet<(&str, String)> =
        live.iter().filter_map(|item| Some((item.session.as_deref()?, item.name()))).collect();
    let mut copies: BTreeMap<(&str, &str), (Form, Copy<'_>)> = BTreeMap::new();
    for (machine, session, stream) in index.others() {
        let (Some(form), Some(session)) = (form_of(&stream.path), session) else { continue };
        let Some(own) = machines.get(session).filter(|_| is_listed(kept_sessions, &homes, machine)) else {
            continue;
        };
        let name = file_name(&stream.path);
        let is_title_of_live = form == Form::Title && own.is_none();
        if is_title_of_live || live.contains(&(session, name.to_owned())) {
            continue;
        }
        // As the machine keeps it that has the transcript, else as this one does, else as any.
        let rank = |(machine, stream): &Copy<'_>| {
            (*own == Some(*machine), homes.contains(machine), recency(stream), stream.path.clone())
        };
        let known = copies.entry((session, name)).or_insert((form, (machine, stream)));
        if rank(&known.1) < rank(&(machine, stream)) {
            *known = (form, (machine, stream));
        }
    }
    let item = |((session, _), (form, (machine, stream))): ((&str, _), (Form, Copy<'a>))| {
        let file = SessionFile::kept(kept_sessions, machine, stream);
        ListedFile { session: Some(session.to_owned().into()), is_agent: false, form, file }
    };
    copies.into_iter().map(item).collect()
}

/// Every session that has a transcript, with the machine that keeps it where it is not live.
fn machines<'i>(items: &'i [ListedFile<'_>]) -> HashMap<&'i str, Option<&'i str>> {
    let transcripts = items.iter().filter(|item| !item.is_agent);
    let machine = |item: &'i ListedFile<'_>| match item.file {
        SessionFile::Kept(kept) => Some(kept.machine),
        SessionFile::Live { .. } => None,
    };
    transcripts.filter_map(|item| Some((item.session.as_deref()?, machine(item)))).collect()
}

/// What the file says that a session is called.
pub fn title_of(item: &ListedFile<'_>) -> Result<Option<String>, Error> {
    Ok(item.field("customTitle")?.filter(|title| !title.trim().is_empty()))
}

/// As a record would say it.
pub fn title_passage(title: &str) -> Passage<'_> {
    Passage {
        place: Place { line: 0, offset: 0 },
        role: Role::Title,
        time: None,
        tools: Vec::new(),
        model: None,
        branch: None,
        files: Vec::new(),
        text: title.into(),
    }
}

/// `projects/<project>/<session>/…`.
fn form_of(path: &str) -> Option<Form> {
    let inside = path.strip_prefix("projects/")?.split('/').nth(2)?;
    match inside {
        TOOL_RESULTS => Some(Form::Persisted),
        TITLE => Some(Form::Title),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_what_lies_there() {
        assert_eq!(form_of("projects/-a/s1/tool-results/b1.txt"), Some(Form::Persisted));
        assert_eq!(form_of("projects/-a/s1/custom-title.json"), Some(Form::Title));
        for other in [
            "projects/-a/s1.jsonl",
            "projects/-a/tool-results/x.txt",
            "projects/-a/s1/subagents/tool-results",
            "tasks/a/s1/tool-results/b1.txt",
        ] {
            assert_eq!(form_of(other), None, "{other}");
        }
    }
}
