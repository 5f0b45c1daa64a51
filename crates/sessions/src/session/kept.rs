//! A session that only the vault still has: found among all that are kept, looked through for damage, and read from
//! its segments.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use steno_conversation::Warning;
use steno_source::{Contents, LONGEST_DOCUMENT, SessionFiles};
use steno_transcript::SessionId;
use steno_vault::{Hole, Stream, Volume};

use super::{Bytes, OnlyKept, OpenSession};
use crate::error::{Error, ErrorKind};
use crate::file::{KeptFile, SessionFile};
use crate::kept::{
    FoundSession, Index, KeptPart, KeptQuery, KeptSession, KeptSessions, Slugs, find, missing_bytes, recency,
    target_of, unwrapped,
};
use crate::nearest::begins;
use crate::sources::Sources;
use crate::warning;

/// Where the bytes of a kept session are.
#[derive(Debug)]
pub(super) struct OpenKept {
    kept_sessions: KeptSessions,
    machine: String,
    /// By path below the Claude directory.
    streams: BTreeMap<PathBuf, Known>,
    /// The file of the vault that the transcript begins with.
    pub(super) from: PathBuf,
    pub(super) losses: Vec<Warning>,
}

/// A kept file that was looked through.
#[derive(Debug)]
struct Known {
    stream: Stream,
    len: u64,
    is_damaged: bool,
}

/// Nothing where there is no vault, or nothing of that name in it.
pub(super) fn open(sources: &dyn Sources, name: &str) -> Result<Option<OpenSession>, Error> {
    if sources.look()?.is_none() {
        return Ok(None);
    }
    let kept_sessions = KeptSessions::open(sources)?;
    let index = kept_sessions.index();
    let find = |machine| {
        let query = KeptQuery { session: name, machine, project: None };
        let found = find(sources, &kept_sessions, &index, query)?;
        Looked::of(&kept_sessions, &index, found)
    };
    let looked = match find(None) {
        Err(error) if error.kind == ErrorKind::Ambiguous => match latest_machine(&index, name) {
            Some(machine) => find(Some(machine)),
            None => Err(error),
        },
        looked => looked,
    };
    drop(index);
    match looked {
        Ok(looked) => Ok(Some(looked.opened(kept_sessions))),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Several other machines may keep one session; to read it, nobody has to choose. As in a list, the copy that was
/// written to last counts.
fn latest_machine<'a>(index: &Index<'a>, name: &str) -> Option<&'a str> {
    let mut kept: Vec<&KeptSession<'_>> =
        index.sessions.iter().filter(|kept| begins(&kept.id, name)).collect();
    if kept.iter().any(|kept| kept.id == name) {
        kept.retain(|kept| kept.id == name);
    }
    let id = &kept.first()?.id;
    let is_one = kept.iter().all(|kept| kept.id == *id);
    let latest = kept.iter().max_by_key(|kept| recency(kept.stream))?;
    is_one.then_some(latest.machine)
}

/// The files of a session, each read once to know what is missing.
struct Looked {
    id: String,
    project: String,
    machine: String,
    from: PathBuf,
    transcript: PathBuf,
    streams: BTreeMap<PathBuf, Known>,
    warnings: Vec<Warning>,
    losses: Vec<Warning>,
}

impl Looked {
    fn of(kept_sessions: &KeptSessions, index: &Index<'_>, found: FoundSession<'_>) -> Result<Self, Error> {
        let kept = found.kept;
        let generation = kept_sessions.generation(&kept, None)?;
        let transcript = KeptPart::of(kept.stream);
        let mut looked = Self {
            id: kept.id.clone(),
            project: kept.project.clone(),
            machine: kept.machine.to_owned(),
            from: kept_sessions.first_file(generation),
            transcript: target_of(&transcript.path).unwrap_or_default(),
            streams: BTreeMap::new(),
            warnings: Vec::new(),
            losses: Vec::new(),
        };
        let mut slugs = Slugs::default();
        let damaged = |error| kept_sessions.damaged(&kept, generation.number, error);
        if !looked.take(kept_sessions, &transcript, &mut slugs.writing(io::sink())).map_err(damaged)? {
            let message = format!("nothing is kept of {}", transcript.path);
            return Err(
                Error::new(ErrorKind::Damaged, message).hint("`steno verify` tells what else is missing")
            );
        }
        for part in index.parts(&kept).iter().chain(&index.plans(kept.machine, &slugs.found())) {
            looked.take(kept_sessions, part, &mut io::sink()).map_err(damaged)?;
        }
        looked.losses.extend(kept_sessions.damaged_generations(&kept, generation.number));
        Ok(looked)
    }

    /// Whether anything is left of a file. All of its bytes go by `watch`.
    fn take(
        &mut self,
        kept_sessions: &KeptSessions,
        part: &KeptPart<'_>,
        watch: &mut dyn Write,
    ) -> Result<bool, steno_vault::Error> {
        let Some(volume) = kept_sessions.latest(&self.machine, part.stream) else { return Ok(false) };
        let Some(path) = target_of(&part.path) else {
            let message = "it is no place for a file of a session, and is passed over".to_owned();
            self.warnings.push(warning::at(Path::new(&part.path), "strange-path", message));
            return Ok(false);
        };
        let (len, holes) = measure(&volume, watch)?;
        let missing = |hole: &Hole| missing_bytes(&part.stream.path, volume.generation.number, *hole);
        self.losses.extend(holes.iter().map(missing));
        let is_damaged = !holes.is_empty();
        if len == 0 && is_damaged {
            return Ok(false);
        }
        self.streams.insert(path, Known { stream: part.stream.clone(), len, is_damaged });
        Ok(true)
    }

    fn opened(self, kept_sessions: KeptSessions) -> OpenSession {
        let Self { id, project, machine, from, transcript, streams, mut warnings, losses } = self;
        let kept = OpenKept { kept_sessions, machine, streams, from, losses };
        let directory = transcript.with_extension("");
        let others = kept.streams.iter().filter(|(path, _)| **path != transcript);
        let others: Vec<_> =
            others.map(|(path, known)| (path.clone(), known.len, known.modified())).collect();
        let read = |path: &Path| {
            let bytes = kept.file(path).and_then(|file| file.beginning(LONGEST_DOCUMENT));
            bytes.unwrap_or_default()
        };
        let mut strange = Vec::new();
        let contents = Contents::of_paths(&directory, &others, &read, &mut strange);
        warnings.extend(strange.iter().map(warning::on_disk));
        let own = kept.streams.get(&transcript);
        let files = SessionFiles {
            id: SessionId::new(id),
            claude_dir: None,
            project_hash: Some(project),
            len: own.map_or(0, |known| known.len),
            modified: own.map_or(SystemTime::UNIX_EPOCH, Known::modified),
            transcript,
            directory: Some(directory),
            agents: contents.agents,
            tool_results: contents.tool_results,
            custom_title: contents.custom_title,
            cloned_from: contents.cloned_from,
            sidecars: contents.sidecars,
        };
        OpenSession { files, part: None, warnings, bytes: Bytes::Kept(Box::new(kept)) }
    }
}

/// How many bytes of a file are left, and which are not.
fn measure(volume: &Volume<'_>, watch: &mut dyn Write) -> Result<(u64, Vec<Hole>), steno_vault::Error> {
    match volume.copy(watch) {
        Ok(len) => Ok((len, Vec::new())),
        Err(steno_vault::Error::Damaged(_) | steno_vault::Error::Missing { .. }) => {
            let mut salvage = volume.salvage();
            let len = io::copy(&mut salvage, watch);
            let len = len.map_err(|error| unwrapped(error, &volume.stream.path))?;
            Ok((len, salvage.into_holes()))
        }
        Err(error) => Err(error),
    }
}

impl Known {
    fn modified(&self) -> SystemTime {
        let latest = self.stream.latest();
        let modified = latest.and_then(|latest| latest.modified().or(latest.taken()));
        modified.map_or(SystemTime::UNIX_EPOCH, SystemTime::from)
    }
}

impl OpenKept {
    pub(super) fn file(&self, path: &Path) -> Result<SessionFile<'_>, Error> {
        let known = self.streams.get(path).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("the vault does not have {}", path.display()))
        })?;
        let (kept_sessions, machine) = (&self.kept_sessions, self.machine.as_str());
        let Known { stream, is_damaged, .. } = known;
        Ok(SessionFile::Kept(KeptFile {
            kept_sessions,
            machine,
            stream,
            generation: stream.latest(),
            is_damaged: *is_damaged,
        }))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.streams.keys().map(PathBuf::as_path)
    }

    pub(super) fn only_kept(&self, sources: &dyn Sources) -> OnlyKept {
        let (vault, machine) = (&self.kept_sessions.vault, self.machine.as_str());
        OnlyKept {
            is_damaged: !self.losses.is_empty(),
            machine: (!vault.is_own(machine)).then(|| machine.to_owned()),
            claude_dir: vault.other_directory(machine, sources.dirs().claude_dir().ok()).map(Path::to_owned),
        }
    }

    /// Other transcripts of the same project and machine.
    pub(super) fn siblings(
        &self,
        own: &SessionFiles,
        visit: &mut impl FnMut(SessionId, &SessionFile<'_>) -> Result<(), Error>,
    ) {
        let is_sibling = |kept: &&KeptSession<'_>| {
            kept.machine == self.machine
                && own.project_hash.as_ref() == Some(&kept.project)
                && own.id.as_str() != kept.id
        };
        for kept in self.kept_sessions.index().sessions.iter().filter(is_sibling) {
            let file = SessionFile::kept(&self.kept_sessions, kept.machine, kept.stream);
            let _ = visit(SessionId::new(kept.id.clone()), &file);
        }
    }
}
