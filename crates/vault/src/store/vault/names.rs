//! Which object has which plain name ↔ lines of a file that is only ever appended to.
//!
//! It can be deleted at any time. A line is believed if the key of the names says so: it cannot be wrong, only missing,
//! because a name belongs to one object for ever.

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::encryption::{Encryption, Envelope};
use crate::header::{Header, short_hash};
use crate::private;

/// The file is written anew when it has so many lines more than those that count.
const TOO_MANY: usize = 1024;

/// The facts of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownObject {
    pub object: String,
    pub name: String,
    /// Of the plain bytes.
    pub length: u64,
    /// The length of the object. One of another length was replaced since.
    #[serde(rename = "sealed")]
    pub encrypted: u64,
    /// Of the whole object, where it was read: sixteen digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    /// The header of a segment: without a key, a sync can tell whether a live file is still the one that was kept, and
    /// continues it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
    /// The text of a document about a machine that was encrypted here: a sync needs it, also without a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Documents that every sync reads.
const READ_OFTEN: [&str; 2] = ["manifest.json", "executable.json"];
const LONGEST_TEXT: usize = 64 << 10;

fn text_of(name: &str, bytes: &[u8]) -> Option<String> {
    let below = name.strip_prefix("machines/").filter(|_| bytes.len() <= LONGEST_TEXT)?;
    let is_config = below.split('/').any(|part| part == "config");
    let is_wanted = !is_config && READ_OFTEN.contains(&below.rsplit('/').next().unwrap_or_default());
    String::from_utf8(bytes.to_vec()).ok().filter(|_| is_wanted)
}

impl KnownObject {
    pub(super) fn new(object: String, name: &str, bytes: &[u8], encrypted: &[u8]) -> Self {
        Self {
            object,
            name: name.to_owned(),
            length: bytes.len() as u64,
            encrypted: encrypted.len() as u64,
            blake3: Some(short_hash(encrypted)),
            header: Header::of(bytes).filter(|_| name.ends_with(".zst")),
            text: text_of(name, bytes),
        }
    }

    /// By the envelope and the header of an object that was opened.
    pub(super) fn seen(object: &super::Entry, envelope: Envelope, header: Option<Header>) -> Self {
        Self {
            object: object.name.clone(),
            name: envelope.name,
            length: envelope.length,
            encrypted: object.len,
            header,
            ..Self::default()
        }
    }

    /// Whether these bytes are the object. Needs no key; `None` where it was never read whole, or was replaced since.
    pub fn is_same(&self, object: &[u8]) -> Option<bool> {
        let known = self.blake3.as_ref().filter(|_| object.len() as u64 == self.encrypted)?;
        Some(*known == short_hash(object))
    }
}

#[derive(Debug)]
pub(super) struct ObjectNames {
    file: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    is_loaded: bool,
    objects: HashMap<String, KnownObject>,
    /// Segments that were encrypted anew, as they were before: one that was lost, and kept anew, may come back.
    former: HashMap<String, KnownObject>,
    /// Objects that no key opens.
    waiting: HashSet<String>,
}

impl ObjectNames {
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        Self { file, state: Mutex::default() }
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loaded(&self, encryption: &Encryption) -> MutexGuard<'_, State> {
        let mut state = self.state();
        if !state.is_loaded {
            state.is_loaded = true;
            if let Some(file) = &self.file {
                state.load(file, encryption);
            }
        }
        state
    }

    /// The last one is the latest.
    pub(super) fn versions(&self, object: &str, encryption: &Encryption) -> Vec<KnownObject> {
        let state = self.loaded(encryption);
        state.former.get(object).into_iter().chain(state.objects.get(object)).cloned().collect()
    }

    /// Of those that are as long as they were, the plain name and length.
    pub(super) fn known(
        &self,
        objects: &[super::Entry],
        encryption: &Encryption,
    ) -> Vec<Option<(String, u64)>> {
        let state = self.loaded(encryption);
        let known = |entry: &super::Entry| {
            let versions = [&state.objects, &state.former].into_iter().filter_map(|all| all.get(&entry.name));
            let known = versions.into_iter().find(|known| known.encrypted == entry.len)?;
            Some((known.name.clone(), known.length))
        };
        objects.iter().map(known).collect()
    }

    /// Failure to write the file is ignored: the names are learned again.
    pub(super) fn learn(&self, learned: Vec<KnownObject>) {
        if learned.is_empty() {
            return;
        }
        if let Some(file) = &self.file {
            let _ = append(file, &learned);
        }
        let mut state = self.state();
        for one in learned {
            state.waiting.remove(&one.object);
            state.enter(one);
        }
    }

    /// Drops objects that are gone, also from the file.
    pub(super) fn retain(&self, encryption: &Encryption, is_there: impl Fn(&str) -> bool) {
        let mut state = self.loaded(encryption);
        state.objects.retain(|object, _| is_there(object));
        state.former.clear();
        if let Some(file) = &self.file {
            let _ = private::replace_cache(file, &lines_of(state.all()));
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    /// All that wait in a place, as it was just seen.
    pub(super) fn wait(&self, place: &str, objects: Vec<String>) {
        let mut state = self.state();
        state.waiting.retain(|object| !super::listing::is_below(object, place));
        state.waiting.extend(objects);
    }
}

impl State {
    fn load(&mut self, file: &Path, encryption: &Encryption) {
        let Ok(bytes) = fs::read(file) else { return };
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mut count = 0_usize;
        for line in lines {
            count += 1;
            let Ok(one) = serde_json::from_slice::<KnownObject>(line) else { continue };
            if encryption.is_named(&one.object, &one.name) {
                self.enter(one);
            }
        }
        if count > 2 * self.objects.len() + TOO_MANY {
            let _ = private::replace_cache(file, &lines_of(self.all()));
        }
    }

    fn enter(&mut self, one: KnownObject) {
        let (object, encrypted) = (one.object.clone(), one.encrypted);
        let before = self.objects.insert(object.clone(), one);
        if let Some(before) = before.filter(|before| before.header.is_some() && before.encrypted != encrypted)
        {
            self.former.insert(object, before);
        }
    }

    fn all(&self) -> impl Iterator<Item = &KnownObject> {
        self.former.values().chain(self.objects.values())
    }
}

fn lines_of<'a>(all: impl IntoIterator<Item = &'a KnownObject>) -> Vec<u8> {
    let mut lines = Vec::new();
    for one in all {
        // A line may have been torn off before this one.
        lines.push(b'\n');
        lines.extend(serde_json::to_vec(one).unwrap_or_default());
    }
    lines.push(b'\n');
    lines
}

fn append(file: &Path, learned: &[KnownObject]) -> std::io::Result<()> {
    if let Some(directory) = file.parent() {
        private::create_dir_all(directory)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    crate::fault::point();
    options.open(file)?.write_all(&lines_of(learned))
}
