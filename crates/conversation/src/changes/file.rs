//! The edits of one file, one after the other → what changed in it.

use super::call::{Edit, Kind, Recorded, Replacement};
use super::hunk::{self, Hunk};

/// What a session changed in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// As the client recorded it.
    pub path: String,
    /// In order. More than one only where not all of the file's content is known.
    pub parts: Vec<Part>,
    /// How many calls changed the file.
    pub edits: u64,
    pub notes: Vec<Note>,
}

/// A change, as exactly as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The whole file before and after; none where there was no file.
    Whole { before: Option<String>, after: Option<String> },
    /// Changed lines with their numbers; the rest of the file is not recorded.
    Hunks(Vec<Hunk>),
    /// Replaced text; where in the file is not recorded.
    Fragment { old: String, new: String },
}

/// What cannot be known of a change, or should be known with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// Between two edits something else changed the file: a command, a person, another session.
    ChangedBetween,
    /// The file was overwritten as a whole, and its content before is not recorded.
    UnknownBefore,
    /// Only the replaced text is recorded, not where it is in the file.
    Fragment,
    /// A person changed the proposed edit before accepting it.
    UserModified,
}

/// A file while its edits are applied.
#[derive(Debug)]
pub(super) struct Progress {
    change: FileChange,
    current: Recorded,
}

impl Progress {
    pub(super) fn new(path: &str, original: Option<&Option<String>>) -> Self {
        let current = match original {
            None => Recorded::Unknown,
            Some(None) => Recorded::Absent,
            Some(Some(text)) => Recorded::Text(text.clone()),
        };
        let change = FileChange { path: path.to_owned(), parts: Vec::new(), edits: 0, notes: Vec::new() };
        Self { change, current }
    }

    pub(super) fn apply(&mut self, edit: Edit) {
        self.change.edits += 1;
        self.note(Note::UserModified, edit.is_user_modified);
        let before = self.before(edit.before);
        match edit.kind {
            Kind::Write(content) => {
                self.note(Note::UnknownBefore, before == Recorded::Unknown);
                self.push_whole(before, content);
            }
            Kind::Replace { replacements, hunks } => {
                let after = match &before {
                    Recorded::Text(text) => applied(text, &replacements, &hunks, edit.is_user_modified),
                    Recorded::Absent => applied("", &replacements, &hunks, edit.is_user_modified),
                    Recorded::Unknown => None,
                };
                match after {
                    Some(after) => self.push_whole(before, after),
                    None => self.push_pieces(replacements, hunks),
                }
            }
        }
    }

    /// None where nothing is different in the end.
    pub(super) fn finish(mut self) -> Option<FileChange> {
        self.change.parts.retain(
            |part| !matches!(part, Part::Whole { before: Some(before), after: Some(after) } if before == after),
        );
        self.change.notes.sort_unstable();
        (!self.change.parts.is_empty()).then_some(self.change)
    }

    /// The content before an edit: what its result records, else what the edits so far led to.
    fn before(&mut self, recorded: Recorded) -> Recorded {
        let current = std::mem::replace(&mut self.current, Recorded::Unknown);
        if recorded == Recorded::Unknown {
            return current;
        }
        let is_foreign = current != Recorded::Unknown && current != recorded;
        self.note(Note::ChangedBetween, is_foreign && !self.change.parts.is_empty());
        recorded
    }

    fn push_whole(&mut self, before: Recorded, after: String) {
        let next = Some(after.clone());
        match self.change.parts.last_mut() {
            // Also where something else changed the file in between: only one difference can be shown.
            Some(Part::Whole { after, .. }) => *after = next,
            _ => {
                let before = match before {
                    Recorded::Text(text) => Some(text),
                    Recorded::Absent | Recorded::Unknown => None,
                };
                self.change.parts.push(Part::Whole { before, after: next });
            }
        }
        self.current = Recorded::Text(after);
    }

    fn push_pieces(&mut self, replacements: Vec<Replacement>, hunks: Vec<Hunk>) {
        if !hunks.is_empty() {
            return self.change.parts.push(Part::Hunks(hunks));
        }
        self.note(Note::Fragment, true);
        let fragment = |Replacement { old, new, .. }| Part::Fragment { old, new };
        self.change.parts.extend(replacements.into_iter().map(fragment));
    }

    fn note(&mut self, note: Note, holds: bool) {
        if holds && !self.change.notes.contains(&note) {
            self.change.notes.push(note);
        }
    }
}

/// None where the replaced text is not in the file, so that the content recorded is not what was edited.
fn applied(
    text: &str,
    replacements: &[Replacement],
    hunks: &[Hunk],
    is_user_modified: bool,
) -> Option<String> {
    // Recorded hunks are what the client did. It writes tabs as spaces in them, so that files with tabs are edited by
    // the replaced text instead, but where a person changed the edit: then only the hunks have that person's version.
    let has_tabs = text.contains('\t') || replacements.iter().any(|one| one.new.contains('\t'));
    if (is_user_modified || !has_tabs)
        && let Some(after) = hunk::done(text, hunks)
    {
        return Some(after);
    }
    replacements.iter().try_fold(text.to_owned(), |text, replacement| replacement.applied(&text))
}

impl Replacement {
    fn applied(&self, text: &str) -> Option<String> {
        if self.old.is_empty() {
            return text.is_empty().then(|| self.new.clone());
        }
        // The client removes a whole line with its newline.
        let line = format!("{}\n", self.old);
        let is_line = self.new.is_empty() && !self.old.ends_with('\n') && text.contains(&line);
        let old = if is_line { &line } else { &self.old };
        let times = if self.all { usize::MAX } else { 1 };
        text.contains(old.as_str()).then(|| text.replacen(old, &self.new, times))
    }
}
