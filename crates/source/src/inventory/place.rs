//! A path relative to the Claude directory → whether the file there is kept, and by which rules.

use std::ffi::OsStr;
use std::path::{Component, Path};

use super::never::{is_clutter, is_temporary};
use crate::layout::{Role, is_uuid, role_of};

const SESSION_TREES: [&str; 5] = ["projects", "file-history", "plans", "tasks", "todos"];
const CONFIG_TREES: [&str; 6] = ["agents", "commands", "hooks", "output-styles", "rules", "skills"];
const CONFIG_FILES: [&str; 4] = ["CLAUDE.md", "keybindings.json", "settings.json", "settings.local.json"];
pub(super) const HISTORY: &str = "history.jsonl";
const PLUGINS: &str = "plugins";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A directory with entries to keep.
    Directory,
    /// A file, and nothing else.
    File,
    /// Anything, to any depth.
    Any,
    /// Never kept.
    Nowhere,
}

/// A part of the Claude directory with rules of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Top,
    Sessions,
    Config,
    Plugins,
    Elsewhere,
}

impl Region {
    /// The region of the entries of a directory. Determined once for all of them, because there are many.
    pub(super) fn of(directory: &Path) -> Self {
        let mut parts = directory.components().map(Component::as_os_str);
        match (parts.next(), parts.next()) {
            (None, _) => Self::Top,
            (Some(top), _) if is_one_of(top, &SESSION_TREES) => Self::Sessions,
            (Some(top), _) if is_one_of(top, &CONFIG_TREES) => Self::Config,
            (Some(top), None) if top == PLUGINS => Self::Plugins,
            _ => Self::Elsewhere,
        }
    }

    pub(super) fn place(self, name: &OsStr) -> Place {
        match self {
            _ if is_temporary(name) => Place::Nowhere,
            Self::Top => place_at_top(name),
            Self::Sessions => Place::Any,
            Self::Config if is_clutter(name) => Place::Nowhere,
            Self::Config => Place::Any,
            // The lists of installed plugins; the plugins themselves can be fetched again.
            Self::Plugins if Path::new(name).extension() == Some(OsStr::new("json")) => Place::File,
            Self::Plugins | Self::Elsewhere => Place::Nowhere,
        }
    }
}

fn place_at_top(name: &OsStr) -> Place {
    if name == PLUGINS || is_one_of(name, &SESSION_TREES) || is_one_of(name, &CONFIG_TREES) {
        Place::Directory
    } else if name == HISTORY || is_one_of(name, &CONFIG_FILES) {
        Place::File
    } else {
        Place::Nowhere
    }
}

/// What may be at this path.
pub(super) fn place_of(path: &Path) -> Place {
    match (path.parent(), path.file_name()) {
        (Some(directory), Some(name)) => Region::of(directory).place(name),
        _ => Place::Directory,
    }
}

pub(super) fn is_config(path: &Path) -> bool {
    let top = path.components().next().map(Component::as_os_str).unwrap_or_default();
    top != HISTORY && !is_one_of(top, &SESSION_TREES)
}

/// Whether a second path to the same file would list the same session twice: a project's directory, a transcript or a
/// session's directory. Deeper down, a shared memory belongs to each project.
pub(super) fn is_of_sessions(path: &Path) -> bool {
    let mut parts = path.components().map(Component::as_os_str);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(top), Some(_), None, None) => top == "projects",
        (Some(top), Some(_), Some(name), None) => {
            top == "projects" && (role_of(name) != Role::Other || is_uuid(name))
        }
        _ => false,
    }
}

fn is_one_of(name: &OsStr, names: &[&str]) -> bool {
    names.iter().any(|one| name == *one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_places(place: Place, paths: &[&str]) {
        for path in paths {
            assert_eq!(place_of(Path::new(path)), place, "{path}");
        }
    }

    #[test]
    fn places_follow_from_the_path() {
        assert_places(Place::Directory, &["", "projects", "todos", "skills", "plugins"]);
        assert_places(Place::File, &["CLAUDE.md", "history.jsonl", "settings.json", "plugins/a.json"]);
        assert_places(
            Place::Any,
            &["projects/a", "projects/a/.git/b", "plans/a.md", "skills/a", "skills/a/cache/b"],
        );
    }

    #[test]
    fn the_rest_of_the_directory_is_not_ours() {
        assert_places(
            Place::Nowhere,
            &[
                ".credentials.json",
                ".claude.json",
                "sessions",
                "sessions/1.json",
                "statsig",
                "shell-snapshots",
                "cache",
                "plugins/cache",
                "plugins/a.txt",
                "plugins/a.json/b",
                "settings.json/b",
                "skills/a/.git",
                "hooks/node_modules",
                "projects/a/.steno-1.tmp",
                ".steno-settings.json",
            ],
        );
    }

    #[test]
    fn only_what_makes_a_session_is_looked_for_twice() {
        for path in ["projects/a", "projects/a/s1.jsonl", "projects/a/agent-1.jsonl"] {
            assert!(is_of_sessions(Path::new(path)), "{path}");
        }
        for path in ["projects", "projects/a/memory", "projects/a/s1/b.jsonl", "plans/a", "skills/a/b.jsonl"]
        {
            assert!(!is_of_sessions(Path::new(path)), "{path}");
        }
    }
}
