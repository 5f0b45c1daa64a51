//! The files of a Claude directory → what the vault is asked to keep.

use std::collections::{BTreeSet, HashSet};

use steno_conversation::Warning;
use steno_source::{Class, KeptFile};
use steno_vault::{Candidate, Role, text_of};

use crate::kept::{Place, place_of};

#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) files: Vec<Candidate>,
    pub(crate) config: Vec<KeptFile>,
}

impl Candidates {
    pub(crate) fn of(files: Vec<KeptFile>, warnings: &mut Vec<Warning>) -> Self {
        let mut candidates = Self::default();
        for file in files {
            if file.class == Class::Config {
                candidates.config.push(file);
                continue;
            }
            match text_of(&file.path) {
                Some(path) => candidates.files.push(candidate(file, path)),
                None => {
                    let message = "its path cannot be kept".to_owned();
                    warnings.push(crate::warning::at(&file.absolute, "odd-path", message));
                }
            }
        }
        candidates
    }

    pub(crate) fn forget(&mut self, purged: &HashSet<String>) {
        self.files.retain(|file| file.session.as_ref().is_none_or(|session| !purged.contains(session)));
    }
}

fn candidate(file: KeptFile, path: String) -> Candidate {
    let role = match &file.class {
        Class::Transcript(_) => Role::Transcript,
        Class::Part(session) => part(&path, session.as_str()),
        Class::OldAgent => Role::Inside,
        Class::Plan { .. } | Class::History | Class::Project | Class::Config => Role::Other,
    };
    let session = file.session().map(ToString::to_string);
    Candidate {
        path,
        absolute: file.absolute,
        len: file.len,
        modified: file.modified,
        inode: file.inode,
        session,
        role,
    }
}

/// Only files beside the transcript move with it.
fn part(path: &str, session: &str) -> Role {
    let inside =
        path.strip_prefix("projects/").and_then(|rest| rest.split_once('/')).map(|(_, inside)| inside);
    let rest = inside.and_then(|inside| inside.strip_prefix(session)?.strip_prefix('/'));
    rest.map_or(Role::Other, |rest| Role::Part { rest: rest.to_owned() })
}

/// Every session with a live transcript.
pub(crate) fn sessions(files: &[Candidate]) -> BTreeSet<String> {
    let transcripts = files.iter().filter(|file| file.role == Role::Transcript);
    transcripts.filter_map(|file| file.session.clone()).collect()
}

/// The project and the session of a transcript's path, as the disk has them and not as the path writes them.
pub(crate) fn transcript(path: &str) -> Option<(String, String)> {
    match place_of(path) {
        Place::Transcript { project, id } => Some((project, id)),
        _ => None,
    }
}
