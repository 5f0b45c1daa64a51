//! A home with a session that has everything, and what stands in it before and after.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};
use steno_testkit::{App, Session};

/// What clones are called here.
pub(crate) const NEW: &str = "0c10ed00-0000-4000-8000-000000000001";

pub(crate) struct Desk {
    pub(crate) app: App,
}

/// Five turns: with thinking, a tool, an image, parallel calls, and plain talk.
pub(crate) fn session() -> Session {
    let bash = |command: &str| json!({ "command": command });
    Session::numbered(1)
        .user("List the files")
        .assistant(|message| {
            message
                .thinking("Which files?")
                .tool_use("Bash", bash("ls"))
                .answered("a.txt\nb.txt\nc.txt\nd.txt")
        })
        .assistant(|message| message.text("Four files."))
        .image("What is this?", "aGVsbG8=")
        .assistant(|message| message.text("A picture."))
        .user("Read two of them")
        .assistant(|message| {
            let message = message
                .text("Both at once.")
                .tool_use("Read", json!({"file_path": "/home/dev/project/a.txt"}));
            let message = message.answered("alpha");
            message.tool_use("Read", json!({"file_path": "/home/dev/project/b.txt"})).answered("beta")
        })
        .assistant(|message| message.text("Alpha and beta."))
        .user("Thank you")
        .assistant(|message| message.text("You are welcome."))
        .user("Anything else?")
        .assistant(|message| message.thinking("No.").text("No."))
}

impl Desk {
    pub(crate) fn with(sessions: &[Session]) -> Self {
        let app = App::new(env!("CARGO_BIN_EXE_steno"));
        let app = app.variable("STENO_MACHINE", "desk").variable("STENO_NEW_ID", NEW);
        sessions.iter().for_each(|session| app.write(session));
        Self { app }
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

    /// The records of the clone.
    pub(crate) fn records(&self) -> Vec<Value> {
        let path = self.live(&format!("projects/-home-dev-project/{NEW}.jsonl"));
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Everything in the home, with its time.
    pub(crate) fn state(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        collect(self.app.home().root(), &mut found);
        found
    }

    /// What is there now and was not, below the Claude directory.
    pub(crate) fn new_files(&self, before: &BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) -> Vec<String> {
        let root = self.app.home().path();
        let new = self.state().into_keys().filter(|path| !before.contains_key(path));
        new.filter_map(|path| Some(path.strip_prefix(&root).ok()?.display().to_string())).collect()
    }

    /// Nothing that was there is gone or changed.
    pub(crate) fn assert_untouched(&self, before: &BTreeMap<PathBuf, (Vec<u8>, SystemTime)>, after: &str) {
        let now = self.state();
        for (path, state) in before {
            assert!(now.get(path) == Some(state), "{after}: {} is not as it was", path.display());
        }
    }
}

fn collect(directory: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        // What can be made again is nobody's file.
        if path.ends_with(".cache") {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            found.insert(path.clone(), (fs::read(&path).unwrap(), modified));
        }
    }
}
