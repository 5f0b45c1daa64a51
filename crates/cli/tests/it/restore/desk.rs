//! A home, its vault, and what can happen to either.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use steno_testkit::{App, Session};

/// What a session may own, and the client may delete.
const PLACES: [&str; 5] = ["projects", "file-history", "plans", "tasks", "todos"];

pub(crate) struct Desk {
    pub(crate) app: App,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { app: App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk") }
    }

    pub(crate) fn with(sessions: &[Session]) -> Self {
        let desk = Self::new();
        sessions.iter().for_each(|session| desk.app.write(session));
        desk
    }

    /// Into the vault with everything.
    pub(crate) fn keep(self) -> Self {
        self.sync();
        self
    }

    pub(crate) fn sync(&self) {
        let command = if self.vault().exists() { "sync" } else { "init --local --no-schedule" };
        let shown = self.app.run(command);
        assert!(shown.starts_with("exit: 0"), "{shown}");
    }

    /// Away with what the client has.
    pub(crate) fn lose(self) -> Self {
        for place in PLACES {
            let _ = fs::remove_dir_all(self.live(place));
        }
        let _ = fs::remove_file(self.live("history.jsonl"));
        self
    }

    pub(crate) fn run(&self, arguments: &str) -> String {
        self.app.run(arguments)
    }

    pub(crate) fn json(&self, arguments: &str) -> Value {
        self.app.json(&format!("{arguments} --json"))
    }

    pub(crate) fn live(&self, path: &str) -> PathBuf {
        self.app.home().path().join(path)
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.app.home().root().join(".claude-backup")
    }

    /// Every file of sessions, by its path in the Claude directory.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files_below(&self.app.home().path())
    }

    /// The segments of a kept file.
    pub(crate) fn segments(&self, machine: &str, path: &str) -> Vec<PathBuf> {
        let start = self.vault().join("machines").join(machine).join(path);
        let name = format!("{}.g", start.file_name().unwrap().to_str().unwrap());
        let listed = fs::read_dir(start.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<PathBuf> =
            listed.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(&name)).collect();
        found.sort();
        found
    }

    pub(crate) fn drop_cache(&self) {
        fs::remove_dir_all(self.vault().join(".cache")).unwrap();
    }

    /// What this machine kept, another one did.
    pub(crate) fn give_to(&self, machine: &str) {
        steno_testkit::rename_machine(&self.vault(), "desk", machine);
    }
}

pub(crate) fn files_below(claude_dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for place in PLACES.iter().chain(&["history.jsonl"]) {
        walk(&claude_dir.join(place), claude_dir, &mut found);
    }
    found
}

fn walk(path: &Path, root: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    if path.is_file() {
        found.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(path).unwrap());
    }
    for entry in fs::read_dir(path).into_iter().flatten() {
        walk(&entry.unwrap().path(), root, found);
    }
}

/// A session that ends with an answer.
pub(crate) fn session(number: u32) -> Session {
    Session::numbered(number).user("go").assistant(|message| message.text("done"))
}

/// Writes a segment's header anew, as somebody else could.
pub(crate) fn forge(segment: &Path, change: impl FnOnce(&mut Value)) {
    let bytes = fs::read(segment).unwrap();
    let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    change(&mut header);
    header.as_object_mut().unwrap().remove("check");
    let mut header = header.to_string();
    header.pop();
    let check = blake3::hash(header.as_bytes()).to_hex();
    header.push_str(&format!(",\"check\":\"{}\"}}", &check[..16]));
    let mut forged = bytes[..4].to_vec();
    forged.extend_from_slice(&u32::try_from(header.len()).unwrap().to_le_bytes());
    forged.extend_from_slice(header.as_bytes());
    forged.extend_from_slice(&bytes[8 + length..]);
    fs::write(segment, forged).unwrap();
}

/// Changes one byte, near the end of what is packed.
pub(crate) fn flip(segment: &Path) {
    let mut bytes = fs::read(segment).unwrap();
    let place = bytes.len() - 12;
    bytes[place] ^= 0x40;
    fs::write(segment, bytes).unwrap();
}
