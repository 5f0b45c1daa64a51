//! The files of a Claude directory → what the vault is asked to keep.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use steno_conversation::Warning;
use steno_source::{Class, KeptFile};
use steno_vault::{Candidate, Outcome, Role, text_of};

use super::Sessions;

#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) files: Vec<Candidate>,
    pub(super) config: Vec<KeptFile>,
}

impl Candidates {
    pub(super) fn of(files: Vec<KeptFile>, warnings: &mut Vec<Warning>) -> Self {
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

    pub(super) fn forget(&mut self, purged: &HashSet<String>) {
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

/// Only what lies beside the transcript moves with it.
fn part(path: &str, session: &str) -> Role {
    let inside =
        path.strip_prefix("projects/").and_then(|rest| rest.split_once('/')).map(|(_, inside)| inside);
    let rest = inside.and_then(|inside| inside.strip_prefix(session)?.strip_prefix('/'));
    rest.map_or(Role::Other, |rest| Role::Part { rest: rest.to_owned() })
}

/// Every session with a live transcript.
pub(super) fn sessions(files: &[Candidate]) -> BTreeSet<String> {
    let transcripts = files.iter().filter(|file| file.role == Role::Transcript);
    transcripts.filter_map(|file| file.session.clone()).collect()
}

/// A session is added when its transcript is new, and updated when any of its files has new bytes.
pub(super) fn count(files: &[Candidate], outcomes: &[Outcome], sessions: &mut Sessions) {
    let mut seen: BTreeMap<&str, bool> = BTreeMap::new();
    for (file, outcome) in files.iter().zip(outcomes) {
        let is_new = matches!(outcome, Outcome::Added { .. });
        let has_bytes = matches!(outcome, Outcome::Grown { .. } | Outcome::Rewritten { .. });
        let Some(session) = file.session.as_deref().filter(|_| is_new || has_bytes) else { continue };
        *seen.entry(session).or_default() |= is_new && file.role == Role::Transcript;
    }
    let added = seen.values().filter(|added| **added).count() as u64;
    sessions.added += added;
    sessions.updated += seen.len() as u64 - added;
}
