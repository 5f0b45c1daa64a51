//! A session's id and the slugs of its plans → what belongs to it elsewhere in the Claude directory.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use steno_transcript::SessionId;

use crate::error::Error;

/// Files and whole directories that exist, in the order of their paths. Ids and slugs come out of files: one that
/// is more than a plain name belongs to nothing.
pub fn belongings(claude_dir: &Path, session: &SessionId, slugs: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    if let Some(id) = plain_name(session.as_str()) {
        found.push(claude_dir.join("file-history").join(id));
        found.push(claude_dir.join("tasks").join(id));
        found.extend(todos(&claude_dir.join("todos"), id)?);
    }
    let plans = claude_dir.join("plans");
    found.extend(
        slugs.iter().filter_map(|slug| plain_name(slug)).map(|slug| plans.join(format!("{slug}.md"))),
    );
    found.retain(|path| path.exists());
    found.sort();
    found.dedup();
    Ok(found)
}

/// The session's own list and those of its agents, `<id>.json` and `<id>-agent-<id>.json`.
fn todos(directory: &Path, id: &str) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => {
            return Err(Error::Unreadable { path: directory.to_owned(), source });
        }
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let own = names.filter(|name| {
        let stem = name.strip_suffix(".json").and_then(|stem| stem.strip_prefix(id));
        stem.is_some_and(|rest| rest.is_empty() || rest.starts_with("-agent-"))
    });
    Ok(own.map(|name| directory.join(name)).collect())
}

fn plain_name(name: &str) -> Option<&str> {
    let mut components = Path::new(name).components();
    let first = components.next();
    let plain = first == Some(Component::Normal(name.as_ref())) && components.next().is_none();
    plain.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(files: &[&str]) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for file in files {
            let path = home.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        home
    }

    fn of(home: &tempfile::TempDir, session: &str, slugs: &[&str]) -> Vec<String> {
        let slugs: Vec<String> = slugs.iter().map(|slug| (*slug).to_owned()).collect();
        let found = belongings(home.path(), &session.into(), &slugs).unwrap();
        let relative = found.iter().map(|path| path.strip_prefix(home.path()).unwrap());
        relative.map(|path| path.to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/")).collect()
    }

    #[test]
    fn everything_of_a_session_and_nothing_of_another_is_found() {
        let home = home(&[
            "file-history/s1/1@v1",
            "file-history/s10/1@v1",
            "tasks/s1/1.json",
            "todos/s1.json",
            "todos/s1-agent-s1.json",
            "todos/s1-agent-a2.json",
            "todos/s10-agent-s10.json",
            "todos/s1-other.json",
            "plans/calm-tea.md",
            "plans/loud-tea.md",
        ]);
        assert_eq!(
            of(&home, "s1", &["calm-tea", "calm-tea", "gone"]),
            [
                "file-history/s1",
                "plans/calm-tea.md",
                "tasks/s1",
                "todos/s1-agent-a2.json",
                "todos/s1-agent-s1.json",
                "todos/s1.json",
            ]
        );
    }

    #[test]
    fn a_session_without_belongings_has_none() {
        assert!(of(&home(&[]), "s1", &["calm-tea"]).is_empty());
    }

    #[test]
    fn names_that_lead_elsewhere_belong_to_nothing() {
        let home = home(&["settings.md", "todos/.json", "plans/a/b.md"]);
        for name in ["..", ".", "", "/", "../settings", "a/b", "a/"] {
            assert!(of(&home, name, &[name]).is_empty(), "{name:?}");
        }
    }

    #[test]
    fn a_file_in_place_of_the_lists_is_an_error() {
        let home = home(&["todos"]);
        assert!(matches!(belongings(home.path(), &"s1".into(), &[]), Err(Error::Unreadable { .. })));
    }
}
