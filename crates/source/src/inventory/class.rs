//! A kept file's path → what it is, and the session it belongs to.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

use steno_transcript::SessionId;

use super::place::{HISTORY, is_config};
use super::{Class, KeptFile};
use crate::contents::{SUBAGENTS, TOOL_RESULTS};
use crate::layout::{Role, is_uuid, role_of};

const CUSTOM_TITLE: &str = "custom-title.json";

/// As far as the path alone tells; directories of sessions that are not named by a UUID are left to [`adopt`].
pub(super) fn class_of(path: &Path) -> Class {
    let mut parts = path.components().map(Component::as_os_str);
    let (Some(top), second, third) = (parts.next(), parts.next(), parts.next()) else {
        return Class::Config;
    };
    if top == HISTORY {
        return Class::History;
    } else if is_config(path) {
        return Class::Config;
    }
    match (top.to_str(), second, third) {
        (Some("projects"), Some(_), Some(name)) => in_project(name, parts.next().is_some()),
        (Some("file-history" | "tasks"), Some(id), Some(_)) => Class::Part(session(id)),
        (Some("todos"), Some(name), None) => todo_of(name).map_or(Class::Project, Class::Part),
        (Some("plans"), Some(name), None) => plan(name),
        _ => Class::Project,
    }
}

fn in_project(name: &OsStr, is_below: bool) -> Class {
    match role_of(name) {
        _ if is_below && is_uuid(name) => Class::Part(session(name)),
        Role::Transcript if !is_below => {
            Class::Transcript(session(Path::new(name).file_stem().unwrap_or_default()))
        }
        Role::Agent if !is_below => Class::OldAgent,
        _ => Class::Project,
    }
}

/// `<id>.json` and `<id>-agent-<id>.json`.
fn todo_of(name: &OsStr) -> Option<SessionId> {
    let name = name.to_string_lossy();
    let stem = name.strip_suffix(".json")?;
    let id = stem.split_once("-agent-").map_or(stem, |(id, _)| id);
    (!id.is_empty()).then(|| SessionId::new(id))
}

fn plan(name: &OsStr) -> Class {
    match name.to_string_lossy().strip_suffix(".md") {
        Some(slug) if !slug.is_empty() => Class::Plan { slug: slug.to_owned() },
        _ => Class::Project,
    }
}

fn session(name: &OsStr) -> SessionId {
    SessionId::new(name.to_string_lossy())
}

/// Gives directories to sessions whose ids are no UUIDs: known by a transcript of that name in any project, since
/// transcripts move and leave their directories behind, or by holding what only sessions have.
pub(super) fn adopt(files: &mut [KeptFile]) {
    let sessions: HashSet<OsString> = files.iter().filter_map(odd_session).map(OsStr::to_owned).collect();
    if sessions.is_empty() {
        return;
    }
    for file in files.iter_mut().filter(|file| file.class == Class::Project) {
        let owner = directory_and_entry(&file.path).filter(|(name, _)| sessions.contains(*name));
        if let Some(class) = owner.map(|(name, _)| Class::Part(session(name))) {
            file.class = class;
        }
    }
}

fn odd_session(file: &KeptFile) -> Option<&OsStr> {
    match &file.class {
        Class::Transcript(id) if is_uuid(OsStr::new(id.as_str())) => None,
        Class::Transcript(_) => file.path.file_stem(),
        Class::Project => {
            let (name, entry) = directory_and_entry(&file.path)?;
            [SUBAGENTS, TOOL_RESULTS, CUSTOM_TITLE].iter().any(|sign| entry == *sign).then_some(name)
        }
        _ => None,
    }
}

/// The directory in its project's that a file lies in or below, and the entry of it.
fn directory_and_entry(path: &Path) -> Option<(&OsStr, &OsStr)> {
    let mut parts = path.components().map(Component::as_os_str);
    let is_in_projects = parts.next()? == "projects";
    let (name, entry) = (parts.nth(1)?, parts.next()?);
    is_in_projects.then_some((name, entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0b5f8a52-1c1e-4a6e-9a52-0123456789ab";

    fn assert_classes(class: &Class, paths: &[&str]) {
        for path in paths {
            assert_eq!(class_of(&Path::new(path).iter().collect::<std::path::PathBuf>()), *class, "{path}");
        }
    }

    #[test]
    fn what_belongs_to_a_session() {
        assert_classes(&Class::Transcript("s1".into()), &["projects/-a/s1.jsonl"]);
        assert_classes(
            &Class::Part(ID.into()),
            &[
                &format!("projects/-a/{ID}/custom-title.json"),
                &format!("projects/-a/{ID}/subagents/agent-1.jsonl"),
                &format!("file-history/{ID}/1@v1"),
                &format!("tasks/{ID}/.lock"),
                &format!("todos/{ID}.json"),
                &format!("todos/{ID}-agent-{ID}.json"),
            ],
        );
        assert_classes(&Class::OldAgent, &["projects/-a/agent-1.jsonl"]);
        assert_classes(&Class::Plan { slug: "calm-tea".into() }, &["plans/calm-tea.md"]);
    }

    #[test]
    fn what_belongs_to_none() {
        assert_classes(
            &Class::Project,
            &[
                "projects/.DS_Store",
                "projects/s1.jsonl",
                "projects/-a/.session-aliases",
                "projects/-a/memory/MEMORY.md",
                "projects/-a/memory/notes.jsonl",
                "projects/-a/agent-1.jsonl/file",
                "file-history/file",
                "tasks/file",
                "todos/.json",
                "todos/notes.txt",
                "plans/.md",
                "plans/old/calm-tea.md",
            ],
        );
        assert_classes(&Class::History, &["history.jsonl"]);
        assert_classes(&Class::Config, &["settings.json", "skills/a/SKILL.md", "plugins/config.json"]);
    }
}
