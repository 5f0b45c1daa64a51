//! The fields that the client repeats on every line of a session → one comparison of bytes.
//!
//! A third of the fields of a record (where, which session, which version, which branch) stand in one row and are
//! the same as in the record before. The row is read once and then known when it comes again.

use std::ops::Range;

use crate::text::Text;
use crate::wire::{Envelope, Flag};

use super::scan::{self, Value};

/// A row of fields as it stood in some record; at first, none.
#[derive(Debug, Default)]
pub(crate) struct Habit {
    row: String,
    is_sidechain: Option<bool>,
    cwd: Option<Range<usize>>,
    session_id: Option<Range<usize>>,
    version: Option<Range<usize>>,
    git_branch: Option<Range<usize>>,
    slug: Option<Range<usize>>,
}

/// Fewer fields are read as quickly as they are compared.
const WORTH_WHILE: usize = 3;

impl Habit {
    /// Of a row of fields that [`Row`] has found; none where one of them is not as the client writes it.
    pub(crate) fn of(row: &[u8]) -> Self {
        Self::read(row).unwrap_or_default()
    }

    fn read(row: &[u8]) -> Option<Self> {
        let mut habit = Self { row: std::str::from_utf8(row).ok()?.to_owned(), ..Self::default() };
        let mut rest = row;
        loop {
            let (key, after) = scan::key(rest)?;
            let (value, after) = scan::value(after)?;
            habit.put(key, value, row.len() - after.len())?;
            match after.split_first() {
                Some((b',', more)) => rest = more,
                Some(_) => return None,
                None => return Some(habit),
            }
        }
    }

    /// Notes a value that ends at `end` in the row.
    fn put(&mut self, key: &[u8], value: Value<'_>, end: usize) -> Option<()> {
        if let (b"isSidechain", Value::Flag(flag)) = (key, &value) {
            return self.is_sidechain.replace(*flag).is_none().then_some(());
        }
        let text = value.plain()?;
        let slot = match key {
            b"cwd" => &mut self.cwd,
            b"sessionId" => &mut self.session_id,
            b"version" => &mut self.version,
            b"gitBranch" => &mut self.git_branch,
            b"slug" => &mut self.slug,
            b"userType" | b"entrypoint" => return Some(()),
            _ => return None,
        };
        let end = end - 1;
        slot.replace(end - text.len()..end).is_none().then_some(())
    }

    /// What follows the row, if it stands here. Nearly always the first bytes tell that it does not.
    pub(super) fn skip<'j>(&self, json: &'j [u8]) -> Option<&'j [u8]> {
        let row = self.row.as_bytes();
        let is_maybe = row.first_chunk::<4>()? == json.first_chunk()?;
        if is_maybe { json.strip_prefix(row) } else { None }
    }

    /// Fills in what the row says; nothing where some of it was said before.
    pub(super) fn fill<'a>(&'a self, envelope: &mut Envelope<'a>) -> Option<()> {
        if let Some(flag) = self.is_sidechain {
            if envelope.is_sidechain.0 {
                return None;
            }
            envelope.is_sidechain = Flag::from(flag);
        }
        self.fill_text(&self.cwd, &mut envelope.cwd)?;
        self.fill_text(&self.session_id, &mut envelope.session_id)?;
        self.fill_text(&self.version, &mut envelope.version)?;
        self.fill_text(&self.git_branch, &mut envelope.git_branch)?;
        self.fill_text(&self.slug, &mut envelope.slug)
    }

    fn fill_text<'a>(&'a self, range: &Option<Range<usize>>, slot: &mut Option<Text<'a>>) -> Option<()> {
        if let Some(range) = range {
            let text = Text::from(self.row.get(range.clone())?);
            return slot.replace(text).is_none().then_some(());
        }
        Some(())
    }
}

/// Looks for the longest row of such fields in a record.
#[derive(Default)]
pub(super) struct Row<'a> {
    /// The fields so far of the row that goes on, and where it began.
    current: Option<(usize, &'a [u8])>,
    longest: Option<(usize, &'a [u8])>,
}

impl<'a> Row<'a> {
    /// Takes note of the next field, which ends where `after` begins.
    pub(super) fn note(&mut self, key: &[u8], field: &'a [u8], after: &[u8]) {
        let is_repeated = matches!(
            key,
            b"isSidechain"
                | b"userType"
                | b"entrypoint"
                | b"cwd"
                | b"sessionId"
                | b"version"
                | b"gitBranch"
                | b"slug"
        );
        if !is_repeated {
            self.current = None;
            return;
        }
        let (count, start) = self.current.unwrap_or((0, field));
        self.current = Some((count + 1, start));
        if count >= WORTH_WHILE - 1 && self.longest.is_none_or(|(longest, _)| count >= longest) {
            let row = start.get(..start.len() - after.len()).unwrap_or_default();
            self.longest = Some((count + 1, row));
        }
    }

    pub(super) fn longest(&self) -> Option<&'a [u8]> {
        self.longest.map(|(_, row)| row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skim::{self, Skimmer};
    use crate::trouble::Troubles;

    const RECORDS: [&str; 2] = [
        r#"{"parentUuid":null,"isSidechain":true,"userType":"external","cwd":"/a","sessionId":"s","version":"1","gitBranch":"m","type":"user","uuid":"u"}"#,
        r#"{"type":"system","isSidechain":false,"uuid":"u","userType":"external","entrypoint":"cli","cwd":"/é","sessionId":"s","version":"1","slug":"x"}"#,
    ];

    /// What is read of a line, and the row that makes a habit.
    fn skim(line: &[u8], row: &[u8]) -> Option<(String, Option<Vec<u8>>)> {
        let skimmer = Skimmer { habit: Habit::of(row), ..Skimmer::default() };
        let mut envelope = Envelope::default();
        let row =
            skim::fill(&mut envelope, line, &skimmer, &mut Troubles::default())?.row.map(<[u8]>::to_vec);
        Some((format!("{envelope:?}"), row))
    }

    #[test]
    fn the_longest_row_becomes_a_habit_and_is_not_found_anew() {
        let first = r#""isSidechain":true,"userType":"external","cwd":"/a","sessionId":"s","version":"1","gitBranch":"m""#;
        let second =
            r#""userType":"external","entrypoint":"cli","cwd":"/é","sessionId":"s","version":"1","slug":"x""#;
        for (record, expected) in RECORDS.iter().zip([first, second]) {
            let (read, row) = skim(record.as_bytes(), b"").unwrap();
            let row = row.unwrap();
            assert_eq!(std::str::from_utf8(&row), Ok(expected));
            assert_eq!(skim(record.as_bytes(), &row), Some((read, None)));
        }
    }

    #[test]
    fn a_habit_changes_nothing_in_what_is_read() {
        for record in RECORDS {
            let (_, row) = skim(record.as_bytes(), b"").unwrap();
            let row = row.unwrap();
            for place in 0..record.len() {
                for wrong in *b"\"\\{}:,x\x01\xff" {
                    let mut line = record.as_bytes().to_vec();
                    line[place] = wrong;
                    let read = |row: &[u8]| skim(&line, row).map(|(read, _)| read);
                    assert_eq!(read(&row), read(b""), "{}", line.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn a_field_that_stands_in_the_row_and_elsewhere_is_left_to_the_thorough_reader() {
        let (_, row) = skim(RECORDS[0].as_bytes(), b"").unwrap();
        let row = row.unwrap();
        for twice in [r#""cwd":"/b""#, r#""isSidechain":true"#] {
            let before = RECORDS[0].replacen('{', &format!("{{{twice},"), 1);
            let behind = RECORDS[0].replace('}', &format!(",{twice}}}"));
            assert_eq!(skim(before.as_bytes(), &row), None);
            assert_eq!(skim(behind.as_bytes(), &row), None);
        }
    }

    #[test]
    fn a_row_that_is_not_as_the_client_writes_it_is_no_habit() {
        for row in [r#""cwd":"a\\b""#, r#""cwd":null"#, r#""cwd":"a","cwd":"b""#, r#""uuid":"u""#] {
            assert!(Habit::of(row.as_bytes()).row.is_empty(), "{row}");
        }
    }
}
