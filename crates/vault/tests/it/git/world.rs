//! Machines with vaults and a remote between them, all in one temporary directory, without the user's git settings.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use jiff::Timestamp;
use steno_vault::git::{Git, Repository, Request};
use steno_vault::remote::{Outcome, Synced};
use tempfile::TempDir;

#[derive(Debug)]
pub(crate) struct World {
    directory: TempDir,
}

pub(crate) struct Machine {
    pub(crate) repository: Repository,
    pub(crate) slug: String,
    pub(crate) root: PathBuf,
}

pub(crate) const REQUEST: Request<'static> =
    Request { now: Timestamp::UNIX_EPOCH, objection: &|_| None, encryption: None };

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { directory: tempfile::tempdir().unwrap() };
        fs::write(world.path("gitconfig"), "").unwrap();
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn git(&self) -> Git {
        let mut git = Git::new("git");
        git.environment = vec![
            ("GIT_CONFIG_GLOBAL".into(), self.path("gitconfig").into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
            ("HOME".into(), self.directory.path().into()),
            ("NO_PROXY".into(), "*".into()),
            // Tests lose no power.
            ("GIT_TEST_FSYNC".into(), "0".into()),
        ];
        git
    }

    pub(crate) fn bare(&self) -> PathBuf {
        let path = self.path("remote.git");
        self.plain(
            self.directory.path(),
            &["init", "--quiet", "--bare", "-b", "main", path.to_str().unwrap()],
        );
        path
    }

    /// With no remote.
    pub(crate) fn machine(&self, slug: &str) -> Machine {
        Machine::new(self, slug, slug)
    }

    pub(crate) fn machine_at(&self, slug: &str, remote: &Path) -> Machine {
        let machine = self.machine(slug);
        machine.repository.set_remote(remote.to_str().unwrap()).unwrap();
        machine
    }

    /// git as a person would run it.
    pub(crate) fn plain(&self, directory: &Path, arguments: &[&str]) -> String {
        let output = self.try_plain(directory, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    pub(crate) fn try_plain(&self, directory: &Path, arguments: &[&str]) -> std::process::Output {
        let mut command = Command::new("git");
        command.envs(self.git().environment).current_dir(directory);
        command.args(["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]).args(arguments);
        command.output().unwrap()
    }
}

impl Machine {
    /// A machine whose vault is in that directory.
    pub(crate) fn new(world: &World, directory: &str, slug: &str) -> Self {
        let root = world.path(directory);
        fs::create_dir_all(&root).unwrap();
        let repository = Repository::open_or_init(&world.git(), &root, slug).unwrap();
        Self { repository, slug: slug.to_owned(), root }
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Below this machine's own directory.
    pub(crate) fn keep(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.write(&format!("machines/{}/{name}", self.slug), bytes);
    }

    pub(crate) fn record(&self) -> bool {
        self.record_as("a sync")
    }

    pub(crate) fn record_as(&self, message: &str) -> bool {
        let own = format!("machines/{}", self.slug);
        self.repository.record(&[own.as_str(), "vault.json"], message, Timestamp::UNIX_EPOCH).unwrap()
    }

    pub(crate) fn sync(&self) -> Synced {
        self.repository.sync(REQUEST).unwrap()
    }

    pub(crate) fn send(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.keep(name, bytes);
        assert!(self.record());
        assert!(matches!(self.sync().outcome, Outcome::Pushed));
    }

    pub(crate) fn reopen(&self, world: &World) -> Self {
        world.machine(&self.slug)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Every file below `machines/`, by its path.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.root.join("machines")];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned();
                    files.insert(name, fs::read(&path).unwrap());
                }
            }
        }
        files
    }
}

/// Ended when dropped.
pub(crate) struct Daemon {
    child: Child,
    pub(crate) url: String,
}

impl Daemon {
    /// `git daemon` itself, as `git` would only start it as a child of its own.
    pub(crate) fn serve(world: &World, directory: &Path) -> Self {
        let programs = PathBuf::from(world.plain(directory, &["--exec-path"]));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(programs.join("git-daemon"));
        command.envs(world.git().environment).stderr(Stdio::null());
        command.args(["--listen=127.0.0.1", "--reuseaddr", "--export-all", "--enable=receive-pack"]);
        command.arg(format!("--port={port}")).arg(format!("--base-path={}", directory.display()));
        let child = command.spawn().unwrap();
        let daemon = Self { child, url: format!("git://127.0.0.1:{port}/remote.git") };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(10));
        }
        daemon
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
