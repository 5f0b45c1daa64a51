//! Machines, what they have, and the places that their vaults are sent to.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use steno_testkit::s3::Server;
use steno_testkit::{App, Home, Session};

/// What a session may own.
const PLACES: [&str; 6] = ["projects", "file-history", "plans", "tasks", "todos", "history.jsonl"];

/// Where a vault is sent to.
pub(crate) enum Remote {
    Git(Home),
    S3(Server),
}

impl Remote {
    pub(crate) fn git() -> Self {
        let home = Home::new();
        git(home.root(), &["init", "--bare", "--quiet", "--initial-branch=main", "remote.git"]);
        Self::Git(home)
    }

    pub(crate) fn s3() -> Self {
        Self::S3(Server::start())
    }

    pub(crate) fn both() -> [Self; 2] {
        [Self::git(), Self::s3()]
    }

    /// As it is named on a command line, with what it takes to reach it.
    pub(crate) fn named(&self) -> String {
        match self {
            Self::Git(home) => home.root().join("remote.git").display().to_string(),
            Self::S3(server) => format!("s3://bucket/sessions --endpoint {}", server.endpoint()),
        }
    }

    pub(crate) fn server(&self) -> &Server {
        match self {
            Self::S3(server) => server,
            Self::Git(_) => panic!("it is no object store"),
        }
    }

    /// Everything that is there, by name: of git everything that its history remembers, too.
    pub(crate) fn objects(&self) -> Vec<(String, Vec<u8>)> {
        match self {
            Self::S3(server) => server.objects().into_iter().collect(),
            Self::Git(home) => history(&home.root().join("remote.git")),
        }
    }

    /// What is there now, by name.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        match self {
            Self::S3(server) => {
                let named = server.objects().into_iter();
                named.map(|(key, bytes)| (key.trim_start_matches("sessions/").to_owned(), bytes)).collect()
            }
            Self::Git(home) => {
                let clone = Home::new();
                let bare = home.root().join("remote.git");
                git(clone.root(), &["clone", "--quiet", bare.to_str().unwrap(), "clone"]);
                let root = clone.root().join("clone");
                let files = below(&root, &root).into_iter();
                let named = files.map(|(path, bytes)| (path.to_str().unwrap().to_owned(), bytes));
                named.filter(|(name, _)| !name.starts_with(".git/")).collect()
            }
        }
    }

    /// As somebody could who may write there.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        match self {
            Self::S3(server) => server.put(&format!("sessions/{name}"), bytes),
            Self::Git(home) => commit(home, |root| {
                fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
                fs::write(root.join(name), bytes).unwrap();
            }),
        }
    }

    /// The same.
    pub(crate) fn remove(&self, name: &str) {
        match self {
            Self::S3(server) => server.remove(&format!("sessions/{name}")),
            Self::Git(home) => commit(home, |root| fs::remove_file(root.join(name)).unwrap()),
        }
    }
}

/// Changes a clone of the repository, and pushes that.
fn commit(home: &Home, change: impl FnOnce(&Path)) {
    let clone = Home::new();
    let bare = home.root().join("remote.git");
    git(clone.root(), &["clone", "--quiet", bare.to_str().unwrap(), "clone"]);
    let root = clone.root().join("clone");
    change(&root);
    git(&root, &["add", "--force", "--all"]);
    let who = ["-c", "user.name=x", "-c", "user.email=x@x"];
    git(&root, &[&who[..], &["commit", "--quiet", "--message=x"]].concat());
    git(&root, &["push", "--quiet", "origin", "HEAD:main"]);
}

/// Each object of a repository with its name, and what commits say.
fn history(bare: &Path) -> Vec<(String, Vec<u8>)> {
    let listed = git(bare, &["cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"]);
    let names = String::from_utf8(listed).unwrap();
    let objects = names.lines().map(|line| {
        let (name, kind) = line.split_once(' ').unwrap();
        let shown = if kind == "tree" { vec!["cat-file", "-p", name] } else { vec!["cat-file", kind, name] };
        (line.to_owned(), git(bare, &shown))
    });
    objects.collect()
}

pub(crate) fn git(directory: &Path, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new("git");
    command.current_dir(directory).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// One machine with a home of its own.
pub(crate) struct Machine {
    pub(crate) app: App,
}

impl Machine {
    pub(crate) fn new(name: &str) -> Self {
        let app = App::new(env!("CARGO_BIN_EXE_steno"));
        let app = app.variable("STENO_MACHINE", name).variable("STENO_MANAGED_SETTINGS", "");
        let app = app.variable("AWS_ACCESS_KEY_ID", "AKIATESTKIT");
        Self { app: app.variable("AWS_SECRET_ACCESS_KEY", "secret of the testkit") }
    }

    /// One that knows the passphrase of its key.
    pub(crate) fn knowing(self, passphrase: &str) -> Self {
        Self { app: self.app.variable("STENO_PASSPHRASE", passphrase) }
    }

    /// With one short session.
    pub(crate) fn with(name: &str, number: u32) -> Self {
        let machine = Self::new(name);
        machine.app.write(&session(number));
        machine
    }

    pub(crate) fn run(&self, arguments: &str) -> String {
        self.app.run(arguments)
    }

    /// The answer of a command that must have one.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        self.app.json(&format!("{arguments} --json"))
    }

    /// The answer of a command that must do all that it was asked for.
    pub(crate) fn done(&self, arguments: &str) -> Value {
        let answer = self.json(arguments);
        assert_eq!(answer["ok"], true, "`{arguments}`: {answer:#}");
        answer
    }

    /// The error of a command that must fail, and its exit code.
    pub(crate) fn refused(&self, arguments: &str) -> Value {
        let mut words: Vec<&str> = arguments.split_whitespace().collect();
        words.push("--json");
        let output = self.app.output(&words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.stdout.is_empty(), "`{arguments}`: {}", String::from_utf8_lossy(&output.stdout));
        let error: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("`{arguments}`: {said}"));
        assert_eq!(error["code"], json!(output.status.code()), "{error}");
        error
    }

    /// What the error is called.
    pub(crate) fn refusal(&self, arguments: &str) -> String {
        self.refused(arguments)["kind"].as_str().unwrap().to_owned()
    }

    /// Sets up, and sends.
    pub(crate) fn join(&self, remote: &Remote, flags: &str) -> Value {
        let answer = self.done(&format!("init --no-schedule --remote {} {flags}", remote.named()));
        assert_eq!(answer["sync"]["pushed"], true, "{answer:#}");
        answer
    }

    /// Keeps and sends.
    pub(crate) fn sync(&self) -> Value {
        let answer = self.done("sync");
        assert_eq!(answer["pushed"], true, "{answer:#}");
        answer
    }

    pub(crate) fn spawn(&self, arguments: &str) -> std::process::Child {
        let mut command = self.app.command();
        command.args(arguments.split_whitespace()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub(crate) fn root(&self) -> &Path {
        self.app.home().root()
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.root().join(".claude-backup")
    }

    pub(crate) fn key(&self) -> PathBuf {
        self.root().join(".config/steno/identity.txt")
    }

    /// Takes the key of another machine.
    pub(crate) fn take_key(&self, other: &Self) -> &Self {
        fs::create_dir_all(self.key().parent().unwrap()).unwrap();
        fs::copy(other.key(), self.key()).unwrap();
        self
    }

    /// Every file of the vault that is sent, by its name on the disk.
    pub(crate) fn kept(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        below(&self.vault().join("machines"), &self.vault())
    }

    /// Every file of sessions, by its path in the Claude directory.
    pub(crate) fn live(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let claude = self.app.home().path();
        PLACES.iter().flat_map(|place| below(&claude.join(place), &claude)).collect()
    }

    /// What is kept is all there and can be read, and comes back as it is in another place.
    pub(crate) fn assert_whole(&self) {
        let report = self.done("verify");
        assert_eq!((&report["damaged"], &report["missing"]), (&json!([]), &json!([])));
        assert!(report.get("locked").is_none(), "{report}");
        let to = Home::new();
        let report = self.done(&format!("restore --all --to {}", to.path().display()));
        assert!(!report["restored"].as_array().unwrap().is_empty(), "{report}");
        let back: BTreeMap<_, _> =
            PLACES.iter().flat_map(|place| below(&to.path().join(place), &to.path())).collect();
        for (path, bytes) in self.live() {
            assert!(back.get(&path) == Some(&bytes), "{} came back otherwise", path.display());
        }
    }
}

/// Everything below a place, by its path below a root.
pub(crate) fn below(place: &Path, root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut places = vec![place.to_owned()];
    while let Some(place) = places.pop() {
        if place.is_dir() {
            places.extend(fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()));
        } else if place.is_file() {
            found.insert(place.strip_prefix(root).unwrap().to_owned(), fs::read(&place).unwrap());
        }
    }
    found
}

pub(crate) fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

pub(crate) fn session(number: u32) -> Session {
    Session::numbered(number).user(format!("Question {number}")).assistant(|message| message.text("done"))
}

/// One session with everything that a session can have.
pub(crate) fn furnish(app: &App, number: u32, word: &str) {
    let full = Session::numbered(number)
        .slug(format!("{word}-plan"))
        .cwd(format!("/home/dev/{word}-project"))
        .git_branch(format!("{word}-branch"))
        .user(format!("Tell me of the {word}"))
        .assistant(|message| message.text(format!("The {word} is found")))
        .agent(|agent| agent.prompt(format!("find the {word}")).answer(word))
        .custom_title(&format!("{word} title"));
    app.write(&full);
    let (home, id) = (app.home(), id(number));
    let project = home.project_path(full.project()).strip_prefix(home.path()).unwrap().to_owned();
    let project = project.to_str().unwrap();
    home.file(&format!("{project}/{id}/tool-results/{word}.txt"), format!("{word}\r\n"));
    home.file(&format!("{project}/notes-{word}.txt"), "no newline at the end");
    home.file(&format!("{project}/odd é %{number}.jsonl"), b"\xff\xfe\x00");
    home.file(&format!("file-history/{id}/0a1b@v1"), word);
    home.file(&format!("todos/{id}-agent-{id}.json"), word);
    home.file(&format!("tasks/{id}/1.json"), word);
    home.file(&format!("plans/{word}-plan.md"), word);
    home.history(&full, word, "2026-11-01T00:00:00.000Z");
}

/// A configuration with a hook that runs.
pub(crate) fn configure(app: &App, word: &str) {
    let home = app.home();
    home.settings(&json!({"env": {"PLACE": word}}));
    home.file("CLAUDE.md", format!("Always think of the {word}.\n"));
    home.file(&format!("agents/{word}.md"), word);
    let hook = home.file(&format!("hooks/{word}.sh"), format!("#!/bin/sh\necho {word}\n"));
    fs::set_permissions(hook, fs::Permissions::from_mode(0o755)).unwrap();
}

/// How a child ended, with all that it said.
pub(crate) fn ended(child: std::process::Child) -> Output {
    child.wait_with_output().unwrap()
}
