//! Who a new session is → the names that everything in it has.

use std::borrow::Cow;
use std::collections::HashSet;

use steno_transcript::patch::{Name, Renaming, Role};

use crate::outline::is_uuid;

/// Who the new session is.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The session that is cloned, and any other name that its records call it by.
    from: HashSet<String>,
    pub to: String,
    pub(super) renaming: Renaming,
}

impl Identity {
    pub fn new(from: Vec<String>, to: impl Into<String>) -> Self {
        let to = to.into();
        let renaming = Renaming::new(&from, &to);
        Self { from: from.into_iter().collect(), to, renaming }
    }

    /// The new session is in another project's directory: paths that point to what it keeps beside its transcript say
    /// so. Both are the names alone.
    #[must_use]
    pub fn in_project(self, from: impl Into<String>, to: impl Into<String>) -> Self {
        Self { renaming: self.renaming.in_project(&from.into(), &to.into()), ..self }
    }

    /// The new uuid of a record: the same for the same old one, in whatever file it is. One that is called as the
    /// session is stays so.
    pub fn uuid(&self, old: &str) -> String {
        if self.from.contains(old) {
            return self.to.clone();
        }
        let hash = blake3::hash(format!("{}\0{old}", self.to).as_bytes());
        let mut bytes = [0_u8; 16];
        bytes.iter_mut().zip(hash.as_bytes()).for_each(|(byte, hashed)| *byte = *hashed);
        // A random one, as the client's are.
        let number = u128::from_be_bytes(bytes) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
        let part = |from: u32, bits: u32| (number >> from) as u64 & (u64::MAX >> (64 - bits));
        let (first, second, third) = (part(96, 32), part(80, 16), part(64, 16));
        format!("{first:08x}-{second:04x}-{third:04x}-{:04x}-{:012x}", part(48, 16), part(0, 48))
    }

    /// A line of another JSONL file of the session, such as a subagent's: the names in it are new, everything else
    /// stays. `is_first` is whether it is the first one of its file.
    pub fn relabel<'a>(&self, line: &'a [u8], is_first: bool) -> Cow<'a, [u8]> {
        self.renaming.line(line, is_first, &mut |name| self.renamed(name, |_| false))
    }

    /// The same for a file that is one JSON value, however it is laid out. What is none stays as it is.
    pub fn relabel_document<'a>(&self, json: &'a [u8]) -> Cow<'a, [u8]> {
        self.renaming.document(json, &mut |name| self.renamed(name, |_| false))
    }

    /// What a name becomes, if it changes. Where not all records of the file are known, they are told by their shape.
    pub(super) fn renamed(&self, name: Name<'_>, is_known: impl Fn(&str) -> bool) -> Option<String> {
        let Name { text, role } = name;
        match role {
            Role::Session => Some(self.to.clone()),
            Role::Prompt => Some(self.uuid(text)),
            Role::Record if is_uuid(text) || text == summary_of(self) => Some(self.uuid(text)),
            // A record may be called by a word that is elsewhere, and means something else there.
            Role::Record | Role::Unknown => {
                let is_record = (role == Role::Record || is_uuid(text)) && is_known(text);
                (self.from.contains(text) || is_record).then(|| self.uuid(text))
            }
        }
    }
}

/// What the summary of a compaction would be called in the old session: no file can have foreseen it.
pub(super) fn summary_of(identity: &Identity) -> String {
    format!("summary for {}", identity.to)
}
