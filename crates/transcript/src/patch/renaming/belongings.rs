//! A text as it is spelled → the same with paths into the session's own directory that lead to the new one's.
//!
//! Such a path has the name of the session, and below it `tool-results` or `subagents`. Names are plain characters,
//! which nobody escapes: so texts are searched as they stand, and most of them have nothing to find.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem::find_iter;

/// What a session's directory holds that records point to.
const HOLDS: [&str; 2] = ["tool-results", "subagents"];

/// The names of a session's directory, and of the project's that it stands in.
#[derive(Debug, Clone)]
pub(super) struct Belongings {
    from: HashSet<String>,
    to: String,
    project: Option<(String, String)>,
}

impl Belongings {
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
        // By what they hold: of that there are two, of names there may be many.
        let held = HOLDS.iter().flat_map(|held| {
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

    /// The name of the session, where it stands directly above a place in a path, and below something else.
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

/// However it is escaped, and however often.
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
        Belongings::new(&["old".to_owned(), "alias".to_owned()], "new").renamed(raw)
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
        let renamed = Belongings::new(&names, "new").renamed(&all).unwrap();
        assert_eq!(renamed, "/p/new/tool-results ".repeat(names.len()));
    }

    #[test]
    fn what_it_holds_may_have_its_name() {
        let both = Belongings::new(&["old".to_owned(), "subagents".to_owned()], "new").in_project("old", "b");
        assert_eq!(both.renamed("/old/subagents/tool-results").as_deref(), Some("/b/new/tool-results"));
    }

    #[test]
    fn the_project_moves_with_it() {
        let moved = Belongings::new(&["old".to_owned()], "new").in_project("-a", "-b");
        let renamed = |raw: &str| moved.renamed(raw);
        assert_eq!(renamed("/x/-a/old/subagents/-a/old").as_deref(), Some("/x/-b/new/subagents/-a/old"));
        assert_eq!(renamed("/x/c-a/old/subagents").as_deref(), Some("/x/c-a/new/subagents"));
    }
}
