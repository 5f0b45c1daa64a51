//! Which files are in question: those of the projects and sessions that were asked for.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::query::ParsedQuery;
use super::session_of;
use crate::cache::{Cache, Profiles};
use crate::file::SessionFile;
use crate::nearest;
use crate::sessions::ListedFile;

/// Where the directories of all projects lie.
const PROJECTS: &str = "projects";

/// What a project is known by.
#[derive(Debug, Clone, Default)]
struct Project {
    /// Where the session worked.
    directory: Option<String>,
    /// The name of its transcript's directory.
    name: Option<String>,
}

impl Project {
    fn contains(&self, part: &str) -> bool {
        let part = part.to_lowercase();
        let texts = [&self.directory, &self.name].into_iter().flatten();
        texts.into_iter().any(|text| text.to_lowercase().contains(&part))
    }
}

/// The places of the items that are in question; nothing where all are.
pub(super) fn scope(
    cache: &mut Cache,
    items: &[ListedFile<'_>],
    parsed: &ParsedQuery,
) -> Option<HashSet<usize>> {
    if parsed.projects.is_empty() && parsed.sessions.is_empty() {
        return None;
    }
    let projects = if parsed.projects.is_empty() { HashMap::new() } else { projects(cache, items) };
    let is_wanted = |item: &ListedFile<'_>| {
        let session = session_of(item);
        let project = projects.get(session.as_ref());
        parsed.sessions.hold(|name| nearest::begins(&session, name))
            && parsed.projects.hold(|part| project.is_some_and(|project| project.contains(part)))
    };
    let wanted = items.iter().enumerate().filter(|(_, item)| is_wanted(item));
    Some(wanted.map(|(place, _)| place).collect())
}

/// The names of projects that are almost the one that was asked for.
pub(super) fn nearest(cache: &mut Cache, items: &[ListedFile<'_>], part: &str) -> Vec<String> {
    let projects = projects(cache, items);
    let known =
        projects.values().filter_map(|project| project.directory.as_deref().or(project.name.as_deref()));
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    nearest::projects(part, known)
}

/// By session. A subagent belongs to the project of its session; where that has no transcript, to its own.
fn projects(cache: &mut Cache, items: &[ListedFile<'_>]) -> HashMap<String, Project> {
    let transcripts = || items.iter().filter(|item| item.is_transcript());
    let own: HashSet<&str> =
        transcripts().filter(|item| !item.is_agent).filter_map(|item| item.session.as_deref()).collect();
    let is_alone =
        |item: &&ListedFile<'_>| item.session.as_deref().is_none_or(|session| !own.contains(session));
    let own: Vec<ListedFile<'_>> =
        transcripts().filter(|item| !item.is_agent || is_alone(item)).cloned().collect();
    let learnt = cache.learn::<Profiles>(&own);
    let mut projects: HashMap<String, Project> = HashMap::new();
    for (item, learnt) in own.iter().zip(learnt) {
        let directory = learnt.ok().and_then(|learnt| learnt.value.profile.cwd);
        // Of two files of one session, the first is the one that is shown.
        projects
            .entry(session_of(item).into_owned())
            .or_insert(Project { directory, name: directory_of(item) });
    }
    projects
}

fn directory_of(item: &ListedFile<'_>) -> Option<String> {
    match item.file {
        SessionFile::Live { path, .. } => {
            let is_project = |path: &&Path| path.parent().is_some_and(|above| above.ends_with(PROJECTS));
            let project = path.ancestors().skip(1).find(is_project)?;
            Some(project.file_name()?.to_string_lossy().into_owned())
        }
        SessionFile::Kept(kept) => {
            let mut parts = kept.stream.path.split('/').skip_while(|part| *part != PROJECTS);
            parts.nth(1).map(str::to_owned)
        }
    }
}

/// The first session id in a file.
pub(super) fn named_session(item: &ListedFile<'_>) -> Option<String> {
    item.first_session().ok().flatten().map(|id| id.to_string())
}
