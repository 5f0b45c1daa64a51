//! What a user calls a session → its files: an id, a prefix of one, `last`, an id inside a file, or a path.

use std::fmt::Display;
use std::path::Path;

use steno_conversation::Warning;
use steno_source::SessionFiles;
use steno_transcript::SessionId;

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::{list, strange};

/// Shorter prefixes are more likely typos than wishes.
const SHORTEST_PREFIX: usize = 4;
/// How many candidates an error names.
const NAMED: usize = 8;

/// A session that was found.
pub(crate) struct Found {
    pub(crate) files: SessionFiles,
    /// The id inside the file that was asked for: only its part is meant.
    pub(crate) part: Option<SessionId>,
    /// What was strange about its files.
    pub(crate) warnings: Vec<Warning>,
}

impl Found {
    fn whole(files: SessionFiles) -> Self {
        Self { files, part: None, warnings: Vec::new() }
    }

    fn at(path: &Path) -> Result<Self, Error> {
        let located = steno_source::locate(path)?;
        Ok(Self {
            warnings: located.warnings.iter().map(strange::on_disk).collect(),
            ..Self::whole(located.session)
        })
    }
}

pub(crate) fn resolve(library: &Library, name: &str) -> Result<Found, Error> {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "jsonl")
        || name.contains(std::path::is_separator)
    {
        return Found::at(path);
    }
    if name == "last" {
        return last(library);
    }
    let (mut sessions, _) = library.sessions()?;
    if let Some(place) = sessions.iter().position(|session| session.id.as_str() == name) {
        return Ok(Found::whole(sessions.swap_remove(place)));
    }
    if name.chars().count() < SHORTEST_PREFIX {
        let message = format!("'{name}' is too short for a session");
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint(format!("give at least {SHORTEST_PREFIX} characters of its id, `last`, or a path")));
    }
    let mut ids: Vec<&SessionId> =
        sessions.iter().map(|session| &session.id).filter(|id| id.as_str().starts_with(name)).collect();
    ids.sort();
    ids.dedup();
    match ids.as_slice() {
        [only] => {
            let only = (*only).clone();
            let files = sessions.into_iter().find(|session| session.id == only);
            files.map(Found::whole).ok_or_else(|| not_found(name))
        }
        [] => by_alias(library, name, sessions),
        several => Err(ambiguous(name, several)),
    }
}

fn last(library: &Library) -> Result<Found, Error> {
    let report = list::run(library, &list::Request { limit: Some(1), ..list::Request::default() })?;
    let newest = report.sessions.into_iter().next().and_then(|session| session.profile.path);
    let Some(path) = newest else {
        return Err(Error::new(ErrorKind::NotFound, "there is no session yet")
            .hint("is this the right directory? see --claude-dir"));
    };
    Found::at(Path::new(&path))
}

/// An id that stands inside a file of another name means its part of that file.
fn by_alias(library: &Library, name: &str, sessions: Vec<SessionFiles>) -> Result<Found, Error> {
    let (rows, ..) = list::everything(library)?;
    let mut found: Vec<(SessionId, SessionId)> = Vec::new();
    for row in rows {
        let aliases = row.profile.aliases.into_iter().filter(|alias| alias.as_str().starts_with(name));
        found.extend(aliases.map(|alias| (alias, row.profile.id.clone())));
    }
    found.sort();
    if found.iter().any(|(alias, _)| alias.as_str() == name) {
        found.retain(|(alias, _)| alias.as_str() == name);
    }
    match found.as_slice() {
        [] => Err(not_found(name)),
        [(alias, id)] => {
            let files =
                sessions.into_iter().find(|session| session.id == *id).ok_or_else(|| not_found(name))?;
            Ok(Found { part: Some(alias.clone()), ..Found::whole(files) })
        }
        several => {
            let parts: Vec<String> =
                several.iter().map(|(alias, id)| format!("{alias}, a part of {id}")).collect();
            Err(ambiguous(name, &parts))
        }
    }
}

fn not_found(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("no session '{name}'"))
        .hint("`steno list` shows all sessions; a session can also be given by the path of its file")
}

fn ambiguous(name: &str, candidates: &[impl Display]) -> Error {
    let error = Error::new(ErrorKind::Ambiguous, format!("'{name}' means {} sessions", candidates.len()));
    let named = candidates.iter().take(NAMED).map(|candidate| format!("could be {candidate}"));
    let more = candidates.len().saturating_sub(NAMED);
    let rest = (more > 0).then(|| format!("and {more} more"));
    named.chain(rest).fold(error, Error::hint)
}
