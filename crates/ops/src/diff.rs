//! What a session changed, as one patch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_conversation::changes::{self, Changes, FileChange, Part};
use steno_render::{FileKind, patch};

use crate::error::{Error, ErrorKind};
use crate::reader::Reader;
use crate::session::{self, OnlyKept};
use crate::workspace::Workspace;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or a path.
    pub session: String,
    /// Only these files, or those below these directories.
    pub paths: Vec<String>,
    /// The patch that takes the changes back.
    pub reverse: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The session.
    pub id: String,
    pub title: Option<String>,
    /// The directory that paths are relative to.
    pub cwd: Option<String>,
    /// In the order in which they were first changed.
    pub files: Vec<File>,
    pub additions: u64,
    pub deletions: u64,
    /// Shell commands that ran: what they changed is not recorded.
    pub commands: u64,
    /// Edits without a recorded result: whether they were made is not known, and they are left out.
    pub unanswered: u64,
    /// The patch takes the changes back.
    pub reversed: bool,
    pub warnings: Vec<Warning>,
    /// Of a session that only the vault still has.
    #[serde(skip)]
    pub only_kept: Option<OnlyKept>,
}

/// What the session changed in a file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct File {
    pub path: String,
    pub kind: Kind,
    pub additions: u64,
    pub deletions: u64,
    /// How many calls changed it.
    pub edits: u64,
    /// Whether the content before and after is known as a whole.
    pub exact: bool,
    pub notes: Vec<Note>,
    /// As git prints it.
    pub patch: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Added,
    Modified,
    Deleted,
}

/// What cannot be known of a change, or should be known with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// Between two edits something else changed the file; the patch includes that.
    ChangedBetween,
    /// The file was overwritten as a whole, and its content before is not recorded.
    UnknownBefore,
    /// Only the replaced text is recorded, not where it is in the file.
    Fragment,
    /// A person changed a proposed edit before accepting it.
    UserModified,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut reader = Reader { takes_originals: true, ..Reader::default() };
    let session::LoadedSession { conversation, only_kept, .. } =
        session::open(workspace, &request.session, &mut reader)?;
    let cwd = conversation.profile.cwd.clone();
    let Changes { files, commands, unanswered } = changes::changes(&conversation, &reader.originals);
    let files: Vec<File> = files.iter().map(|file| File::of(file, cwd.as_deref(), request.reverse)).collect();
    let files = chosen(files, request, cwd.as_deref())?;
    Ok(Report {
        id: conversation.profile.id.to_string(),
        title: conversation.profile.title,
        cwd,
        additions: files.iter().map(|file| file.additions).sum(),
        deletions: files.iter().map(|file| file.deletions).sum(),
        files,
        commands,
        unanswered,
        reversed: request.reverse,
        warnings: conversation.warnings,
        only_kept,
    })
}

impl File {
    fn of(change: &FileChange, root: Option<&str>, is_reversed: bool) -> Self {
        let patch = patch(change, root, is_reversed);
        Self {
            path: patch.path,
            kind: match patch.kind {
                FileKind::Added => Kind::Added,
                FileKind::Modified => Kind::Modified,
                FileKind::Deleted => Kind::Deleted,
            },
            additions: patch.additions as u64,
            deletions: patch.deletions as u64,
            edits: change.edits,
            exact: change.parts.iter().all(|part| matches!(part, Part::Whole { .. }))
                && !change.notes.contains(&changes::Note::UnknownBefore),
            notes: change.notes.iter().map(|note| Note::of(*note)).collect(),
            patch: patch.text,
        }
    }
}

impl Note {
    fn of(note: changes::Note) -> Self {
        match note {
            changes::Note::ChangedBetween => Self::ChangedBetween,
            changes::Note::UnknownBefore => Self::UnknownBefore,
            changes::Note::Fragment => Self::Fragment,
            changes::Note::UserModified => Self::UserModified,
        }
    }
}

/// The files that a request names, all without one; a name that no file has is an error.
fn chosen(files: Vec<File>, request: &Request, cwd: Option<&str>) -> Result<Vec<File>, Error> {
    let below = |path: &str, name: &str| {
        let name = name.trim_end_matches('/');
        path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
    };
    let is_named = |file: &File, name: &String| {
        let absolute = cwd.map(|cwd| format!("{cwd}/{}", file.path));
        below(&file.path, name.trim_start_matches("./")) || absolute.is_some_and(|path| below(&path, name))
    };
    if let Some(name) = request.paths.iter().find(|name| !files.iter().any(|file| is_named(file, name))) {
        let error = Error::new(ErrorKind::NotFound, format!("the session changed nothing at {name}"));
        return Err(error.hint("--stat lists the files that it changed"));
    }
    let is_chosen =
        |file: &File| request.paths.is_empty() || request.paths.iter().any(|name| is_named(file, name));
    Ok(files.into_iter().filter(is_chosen).collect())
}
