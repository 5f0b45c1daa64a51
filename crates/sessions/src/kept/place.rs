//! A path as a header has it → what lies there, if files of sessions do.
//!
//! A vault may come from anywhere. A header that names settings, hooks or a place outside the Claude directory would
//! have a restore write them.

use std::path::PathBuf;

use steno_vault::path_of;

const TREES: [&str; 5] = ["projects", "file-history", "plans", "tasks", "todos"];
const HISTORY: &str = "history.jsonl";

#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    Transcript {
        project: String,
        id: String,
    },
    Plan,
    /// Below one of the directories that sessions use, or the list of prompts.
    Other,
    /// Nowhere that a session's file has business to be.
    Strange,
}

pub fn place_of(text: &str) -> Place {
    let parts: Vec<&str> = text.split('/').collect();
    match parts.as_slice() {
        ["projects", project, name] => match name.strip_suffix(".jsonl") {
            Some(stem) if !stem.is_empty() && !name.starts_with("agent-") => {
                Place::Transcript { project: decoded(project), id: decoded(stem) }
            }
            _ => Place::Other,
        },
        ["plans", name] if name.ends_with(".md") => Place::Plan,
        [HISTORY] => Place::Other,
        [tree, _, ..] if TREES.contains(tree) => Place::Other,
        _ => Place::Strange,
    }
}

/// Where to write, below a Claude directory; nothing for a path that is refused.
pub fn target_of(text: &str) -> Option<PathBuf> {
    (place_of(text) != Place::Strange).then(|| path_of(text)).flatten()
}

/// A name as people see it.
fn decoded(part: &str) -> String {
    if !part.contains('%') {
        return part.to_owned();
    }
    path_of(part).map_or_else(|| part.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_of_sessions_are_written_to() {
        for path in
            ["projects/-a/s.jsonl", "projects/-a/memory/m.md", "todos/s.json", "history.jsonl", "plans/a.md"]
        {
            assert_eq!(target_of(path), Some(path.into()));
        }
        for path in [
            "settings.json",
            "hooks/run.sh",
            ".credentials.json",
            "projects",
            "plans",
            "Projects/-a/s.jsonl",
            "",
            "/etc/passwd",
            "projects/../settings.json",
            "projects/-a/../../x",
            "projects//x",
            "../projects/-a/s.jsonl",
            "projects/-a/%2E%2E/x",
            "projects/-a%2F..%2F..%2Fx/s.jsonl",
            "projects/-a/%00",
        ] {
            assert_eq!(target_of(path), None, "{path}");
        }
    }

    #[test]
    fn a_transcript_is_known_by_its_place() {
        let transcript =
            |project: &str, id: &str| Place::Transcript { project: project.into(), id: id.into() };
        assert_eq!(place_of("projects/-a/s 1.jsonl"), transcript("-a", "s 1"));
        assert_eq!(place_of("projects/-a/100%25.jsonl"), transcript("-a", "100%"));
        for path in
            ["projects/-a/agent-1.jsonl", "projects/-a/.jsonl", "projects/-a/s/x.jsonl", "projects/s.jsonl"]
        {
            assert_eq!(place_of(path), Place::Other, "{path}");
        }
    }
}
