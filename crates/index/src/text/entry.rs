//! A passage → a document of the engine's, which says when it is done with.

use std::slice;

use tantivy::Document;
use tantivy::schema::{Field, OwnedValue};

use super::budget::{Budget, Permit};
use super::schema::Fields;
use crate::file::FileId;
use crate::passage::Passage;

/// One passage on its way.
#[derive(Debug)]
pub(super) struct Entry {
    values: Vec<(Field, OwnedValue)>,
    _permit: Permit,
}

impl Entry {
    /// Waits until there is room for it.
    pub(super) fn new(file: FileId, passage: Passage<'_>, fields: &Fields, budget: &Budget) -> Self {
        let permit = budget.lend(passage.text.len());
        let mut values = vec![
            (fields.file, OwnedValue::U64(file.0)),
            (fields.line, OwnedValue::U64(passage.place.line)),
            (fields.offset, OwnedValue::U64(passage.place.offset)),
            (fields.role, OwnedValue::U64(passage.role as u64)),
        ];
        values.extend(passage.time.map(|time| (fields.second, OwnedValue::I64(time.as_second()))));
        values.extend(passage.tools.first().map(|tool| (fields.tool, OwnedValue::Str(tool.to_string()))));
        for tool in &passage.tools {
            values.extend(names(tool).into_iter().map(|name| (fields.tools, OwnedValue::Str(name))));
        }
        let mut say = |field, text: String| values.push((field, OwnedValue::Str(text)));
        passage.model.into_iter().for_each(|model| say(fields.model, model.into_owned()));
        passage.branch.into_iter().for_each(|branch| say(fields.branch, branch.into_owned()));
        passage.files.into_iter().for_each(|file| say(fields.files, file.into_owned()));
        say(fields.words, passage.text.into_owned());
        Self { values, _permit: permit }
    }
}

/// What a tool is found by: its name, and of a server's tool the server and the name there.
fn names(tool: &str) -> Vec<String> {
    let whole = tool.to_lowercase();
    let parts = whole.split("__").filter(|part| !part.is_empty() && *part != whole);
    let mut names: Vec<String> = parts.map(str::to_owned).collect();
    names.push(whole);
    names
}

impl Document for Entry {
    type Value<'a> = &'a OwnedValue;
    type FieldsValuesIter<'a> = Values<'a>;

    fn iter_fields_and_values(&self) -> Values<'_> {
        Values(self.values.iter())
    }
}

pub(super) struct Values<'a>(slice::Iter<'a, (Field, OwnedValue)>);

impl<'a> Iterator for Values<'a> {
    type Item = (Field, &'a OwnedValue);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(field, value)| (*field, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_servers_are_found_by_their_parts() {
        assert_eq!(names("Bash"), ["bash"]);
        assert_eq!(
            names("mcp__GitHub__create_issue"),
            ["mcp", "github", "create_issue", "mcp__github__create_issue"]
        );
    }
}
