//! The name of another program → where it is, looked for when it is needed.
//!
//! A search path may be long, and lie on slow disks: WSL's has that of Windows in it. Most commands need no other program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// An executable that may be on this machine; the default one is nowhere.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Of its file.
    name: String,
    places: Arc<[PathBuf]>,
    found: OnceLock<Option<PathBuf>>,
}

impl Program {
    /// By the name of its file, in the first of these directories that has it.
    pub fn named(name: String, places: Arc<[PathBuf]>) -> Self {
        Self { name, places, found: OnceLock::new() }
    }

    /// Where it is, if it is anywhere.
    pub(crate) fn path(&self) -> Option<&PathBuf> {
        self.found.get_or_init(|| self.find()).as_ref()
    }

    fn find(&self) -> Option<PathBuf> {
        self.places.iter().map(|place| place.join(&self.name)).find(|candidate| is_executable(candidate))
    }
}

impl From<PathBuf> for Program {
    fn from(path: PathBuf) -> Self {
        Self { found: OnceLock::from(Some(path)), ..Self::default() }
    }
}

/// The schedulers of this system, as far as they are there, and what they should run.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    pub program: PathBuf,
    /// Where git and gh are found: a scheduler's own `PATH` is a short one.
    pub search_path: Option<String>,
    pub systemctl: Program,
    pub crontab: Program,
    pub launchctl: Program,
    pub schtasks: Program,
    /// Where systemd looks for the user's units: `~/.config/systemd/user`.
    pub units_directory: PathBuf,
    /// Where launchd looks for the user's agents: `~/Library/LaunchAgents`.
    pub agents_directory: PathBuf,
    /// Where the definition that Windows was given stays.
    pub tasks_directory: PathBuf,
    /// Whose agents are meant, for launchd.
    pub user_id: u32,
    /// Any number that differs between machines: not all of them shall call a host in the same minute.
    pub spread: u64,
}

fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exe"));
    metadata.is_file() && may_run
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_first_that_can_be_run_is_found_when_it_is_asked_for() {
        let place = steno_testkit::Home::new();
        let directories = ["a", "b", "c"].map(|name| place.root().join(name));
        let places: Arc<[PathBuf]> = directories.clone().into();
        let program = Program::named("tool".to_owned(), Arc::clone(&places));
        for directory in &directories {
            fs::create_dir_all(directory).unwrap();
            fs::write(directory.join("tool"), "").unwrap();
        }
        // The directories were not searched yet.
        for directory in &directories[1..] {
            fs::set_permissions(directory.join("tool"), fs::Permissions::from_mode(0o755)).unwrap();
        }
        assert_eq!(program.path(), Some(&directories[1].join("tool")));
        assert_eq!(Program::named("other".to_owned(), places).path(), None);
        assert_eq!(Program::default().path(), None);
        assert_eq!(Program::from(directories[0].clone()).path(), Some(&directories[0]));
    }
}
