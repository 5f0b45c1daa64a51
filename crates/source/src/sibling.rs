//! A transcript → the other transcripts beside it: a session may go on in another file of its project.

use std::path::{Path, PathBuf};

use steno_transcript::SessionId;

use crate::directory::{Kind, list};
use crate::layout::{Role, role_of};
use crate::locate::folder_of;
use crate::warning::{Warning, WarningKind};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Siblings {
    /// In the order of their names.
    pub transcripts: Vec<Sibling>,
    /// Only what could not be looked at; whatever else is strange in the folder is for discovery to say.
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sibling {
    pub id: SessionId,
    pub path: PathBuf,
}

pub fn siblings(transcript: &Path) -> Siblings {
    let Some(folder) = folder_of(transcript) else {
        return Siblings::default();
    };
    let mut warnings = Vec::new();
    let entries = list(folder, &mut warnings).into_iter().filter(|entry| {
        entry.kind == Kind::File
            && role_of(entry.name()) == Role::Transcript
            && transcript.file_name() != Some(entry.name())
    });
    let transcripts = entries.map(|entry| Sibling {
        id: SessionId::new(entry.path.file_stem().unwrap_or_default().to_string_lossy()),
        path: entry.path,
    });
    let transcripts = transcripts.collect();
    warnings.retain(|warning| warning.kind == WarningKind::Unreadable);
    Siblings { transcripts, warnings }
}
