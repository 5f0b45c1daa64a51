//! A text as it is spelled → the same with paths into the session's own directory changed to the new directory.
//!
//! Such a path has the id of the session, and below it `tool-results` or `subagents`. JSON never escapes the characters of
//! these names, so texts are searched without decoding them. Most texts have no such path.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem::find_iter;

/// The directories of a session that records point into.
const OWN: [&str; 2] = ["tool-results", "subagents"];

/// The names that the session's directory may have, its new one, and both names of the project.
#[derive(Debug, Clone)]
pub(super) struct OwnPaths {
    from: HashSet<String>,
    to: String,
    project: Option<(String, String)>,
}

impl OwnPaths {
    pub(super) fn new(from: &[String], to: &str) -> Self {
        let names = from.iter().filter(|name| !name.is_empty() && **name != *to);
        Self { from: names.cloned().collect(), to: to.to_owned(), project: None }
    }

    pub(super) fn in_project(self, from: &str, to: &str) -> Self {
        let project = (!from.is_empty()).then(|| (from.to_owned(), to.to_owned()));
        Self { project, ..self }
    }

    /// The text with its paths, if there is any to change.
    pub(super) fn renamed(&self, raw: &str) -> Option<String> {
        let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
        // There are two such directories, but there may be many names of the session.
        let held = OWN.iter().flat_map(|held| {
            let ends = |start: &usize| raw.get(start + held.len()..).is_some_and(ends_name);
            find_iter(raw.as_bytes(), held).filter(ends)
        });
        for name in held.filter_map(|start| self.name_before(raw, start)) {
            edits.extend(self.project_before(raw, name.start));
            edits.push((name, &self.to));
        }
        edits.sort_by_key(|(range, _)| range.start);
        (!edits.is_empty()).then(|| spliced(raw, &edits))
    }

    /// The name of the session, if it is the directory above `start` in a path, and not the first one.
    fn name_before(&self, raw: &str, start: usize) -> Option<Range<usize>> {
        let below = raw.get(..start).filter(|above| above.ends_with(is_separator))?;
        let above = below.trim_end_matches(is_separator);
        let name = above.rfind(is_separator)? + 1..above.len();
        raw.get(name.clone()).filter(|name| self.from.contains(*name)).map(|_| name)
    }

    /// The directory of the project, where the path names it before the session's.
    fn project_before(&self, raw: &str, start: usize) -> Option<(Range<usize>, &str)> {
        let (from, to) = self.project.as_ref()?;
        let above = raw.get(..start)?.trim_end_matches(is_separator);
        let outside = above.strip_suffix(from.as_str())?;
        outside.ends_with(is_separator).then_some((outside.len()..above.len(), to))
    }
}

fn ends_name(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '-' | '_'))
}

/// Also the backslashes that escape a separator, however many.
fn is_separator(character: char) -> bool {
    matches!(character, '/' | '\\')
}

fn spliced(raw: &str, edits: &[(Range<usize>, &str)]) -> String {
    let (mut new, mut copied) = (String::with_capacity(raw.len() + 64), 0);
    for (range, text) in edits {
        if range.start < copied {
            continue;
        }
        new.push_str(raw.get(copied..range.start).unwrap_or_default());
        new.push_str(text);
        copied = range.end;
    }
    new.push_str(raw.get(copied..).unwrap_or_default());
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(raw: &str) -> Option<String> {
        OwnPaths::new(&["old".to_owned(), "alias".to_owned()], "new").renamed(raw)
    }

    #[test]
    fn only_what_the_directory_holds_is_found_under_its_new_name() {
        for (raw, expected) in [
            ("/p/old/tool-results/a.txt", "/p/new/tool-results/a.txt"),
            (r"C:\\p\\old\\subagents\\a", r"C:\\p\\new\\subagents\\a"),
            (r"\/p\/old\/subagents", r"\/p\/new\/subagents"),
            ("see /p/alias/tool-results, /p/old/subagents.", "see /p/new/tool-results, /p/new/subagents."),
        ] {
            assert_eq!(renamed(raw).as_deref(), Some(expected));
        }
        for raw in [
            "/p/old",
            "/p/old/x",
            "old/tool-results",
            "/old-tool-results",
            "/p/old/tool-results2",
            "/pold/subagents/",
        ] {
            assert_eq!(renamed(raw), None, "{raw}");
        }
    }

    #[test]
    fn a_session_may_have_had_many_names() {
        let names: Vec<String> = (0..40_000).map(|number| format!("old-{number}")).collect();
        let all: String = names.iter().map(|name| format!("/p/{name}/tool-results ")).collect();
        let renamed = OwnPaths::new(&names, "new").renamed(&all).unwrap();
        assert_eq!(renamed, "/p/new/tool-results ".repeat(names.len()));
    }

    #[test]
    fn what_it_holds_may_have_its_name() {
        let both = OwnPaths::new(&["old".to_owned(), "subagents".to_owned()], "new").in_project("old", "b");
        assert_eq!(both.renamed("/old/subagents/tool-results").as_deref(), Some("/b/new/tool-results"));
    }

    #[test]
    fn the_project_moves_with_it() {
        let moved = OwnPaths::new(&["old".to_owned()], "new").in_project("-a", "-b");
        let renamed = |raw: &str| moved.renamed(raw);
        assert_eq!(renamed("/x/-a/old/subagents/-a/old").as_deref(), Some("/x/-b/new/subagents/-a/old"));
        assert_eq!(renamed("/x/c-a/old/subagents").as_deref(), Some("/x/c-a/new/subagents"));
    }
}
