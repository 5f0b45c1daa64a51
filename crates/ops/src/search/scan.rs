//! A literal or an expression → places, by a look at every file, on all cores.
//!
//! Without filters, lines are counted as they are found. With some, a file in which anything is found is read from its
//! beginning, because a passage may be told by what stood before it, such as the tool that was called.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;

use jiff::Timestamp;
use rayon::prelude::*;
use steno_conversation::time_of;
use steno_index::Extractor;
use steno_transcript::{Shape, Troubles, split};

use super::pattern::Pattern;
use super::{FileFinds, Find, Matches, Search, is_late};
use crate::file::Lines;
use crate::reading::{HEAD_STEP, Stretch};
use crate::sessions::{Form, ListedFile};

/// A smaller collection is searched before a user can read a bar.
const LONG_WORK: u64 = 512 * 1024 * 1024;
/// A hit so many days old is half as good as a new one.
const DAYS: f32 = 30.0;

pub(super) fn find(search: &Search<'_>, pattern: &Pattern) -> Matches {
    let items = search.items.iter().enumerate();
    let files: Vec<(usize, &ListedFile<'_>)> = items.filter(|(place, _)| search.has(*place)).collect();
    let bytes: u64 = files.iter().map(|(_, item)| item.size()).sum();
    let progress = Some(&search.workspace.progress).filter(|_| bytes > LONG_WORK);
    if let Some(progress) = progress {
        progress.begin("searching", bytes);
    }
    let scan = Scan { search, pattern };
    let look = |(place, item): &(usize, &ListedFile<'_>)| {
        let read = scan.file(*place, item);
        if let Some(progress) = progress {
            progress.advance(item.size());
        }
        read
    };
    let mut read: Vec<Read> = files.par_iter().with_max_len(1).map(look).collect();
    if let Some(progress) = progress {
        progress.end();
    }
    let is_partial = read.iter().any(|read| read.is_partial);
    scan.refer(&mut read);
    let unread = read.iter().filter(|read| read.is_unread).count() as u64;
    let note =
        (unread > 0).then(|| format!("{unread} of the files could not be read; `steno doctor` names them"));
    Matches { files: read.into_iter().map(|read| read.found).collect(), is_partial, note }
}

pub(super) struct Scan<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) pattern: &'a Pattern,
}

/// What one file gave.
pub(super) struct Read {
    pub(super) found: FileFinds,
    is_partial: bool,
    is_unread: bool,
}

impl Scan<'_> {
    fn file(&self, place: usize, item: &ListedFile<'_>) -> Read {
        let mut latest = Latest { limit: self.search.request.each.max(1), ..Latest::default() };
        let outcome = match item.form {
            Form::Records if self.search.parsed.has_filters() => self.passages(item, &mut latest),
            Form::Records => item.read(Stretch::WHOLE, |lines| self.lines(lines, &mut latest)),
            Form::Persisted => self.pieces(item, &mut latest),
            Form::Title => self.title(item, &mut latest),
        };
        let mut found = FileFinds { item: place, count: latest.count, best: latest.finds.into() };
        if item.is_transcript() {
            self.date(item, &mut found);
        }
        Read { found, is_partial: latest.is_late, is_unread: outcome.is_err() }
    }

    /// Counts lines.
    fn lines(&self, lines: &mut Lines<'_>, latest: &mut Latest) -> io::Result<()> {
        while let Some(line) = self.next(lines, latest)? {
            let (line, offset) = line;
            latest.take(Find { line, offset, role: None, time: None, tool: None, score: 0.0, spot: None });
        }
        Ok(())
    }

    /// The number and the place of the next line that has it.
    fn next(&self, lines: &mut Lines<'_>, latest: &mut Latest) -> io::Result<Option<(u64, u64)>> {
        let deadline = self.search.request.deadline;
        let late = Cell::new(false);
        let sift = |bytes: &[u8]| {
            if is_late(deadline) {
                late.set(true);
                return Some(0);
            }
            self.pattern.sift(bytes)
        };
        while let Some(line) = lines.next_with(sift)? {
            if late.get() {
                break;
            }
            if self.pattern.is_in(line.bytes) {
                return Ok(Some((line.number, line.offset)));
            }
        }
        latest.is_late |= late.get();
        Ok(None)
    }

    /// Counts passages that pass the filters.
    fn passages(&self, item: &ListedFile<'_>, latest: &mut Latest) -> Result<(), crate::error::Error> {
        let mut has_any = false;
        let mut probe = Latest { limit: 1, ..Latest::default() };
        item.read(Stretch::WHOLE, |lines| {
            has_any = self.next(lines, &mut probe)?.is_some();
            Ok(())
        })?;
        latest.is_late |= probe.is_late;
        if !has_any {
            return Ok(());
        }
        item.read(Stretch::WHOLE, |lines| self.heard(lines, latest))
    }

    fn heard(&self, lines: &mut Lines<'_>, latest: &mut Latest) -> io::Result<()> {
        let mut extractor = Extractor::default();
        while let Some(line) = lines.next_line()? {
            if is_late(self.search.request.deadline) {
                latest.is_late = true;
                break;
            }
            if !Extractor::may_speak(line.bytes) {
                continue;
            }
            let _ = split(line, &mut |piece| {
                extractor.observe(&piece, |passage| {
                    if self.search.parsed.admits(&passage) && self.pattern.is_match(&passage.text) {
                        latest.take(Find {
                            line: passage.place.line,
                            offset: passage.place.offset,
                            role: Some(passage.role),
                            time: passage.time,
                            tool: passage.tools.first().map(|tool| tool.as_ref().into()),
                            score: 0.0,
                            spot: None,
                        });
                    }
                });
                ControlFlow::Continue(())
            });
        }
        Ok(())
    }

    /// The later something was said, the better: nothing else tells literals apart. Of many in a file, only the last
    /// is read for its time.
    fn date(&self, item: &ListedFile<'_>, found: &mut FileFinds) {
        found.best.reverse();
        let Some(last) = found.best.first_mut() else { return };
        if last.time.is_none() {
            last.time = time_at(item, last);
        }
        let of_last = self.score(last.time);
        for find in &mut found.best {
            find.score = find.time.map_or(of_last, |time| self.score(Some(time)));
        }
    }

    pub(super) fn score(&self, time: Option<Timestamp>) -> f32 {
        let hours = time.map(|time| self.search.workspace.dirs.now.duration_since(time).as_hours().max(0));
        hours.map_or(0.0, |hours| DAYS / (DAYS + hours as f32 / 24.0))
    }
}

fn time_at(item: &ListedFile<'_>, find: &Find) -> Option<Timestamp> {
    let mut time = None;
    let read =
        item.read(Stretch { from: find.offset, lines: find.line.saturating_sub(1), to: u64::MAX }, |lines| {
            lines.step_by(HEAD_STEP);
            if let Some(line) = lines.next_line()? {
                let _ = split(line, &mut |piece| {
                    if let Shape::Record(record) = &piece.shape {
                        time = time_of(&record.envelope, &mut Troubles::default());
                    }
                    if time.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            }
            Ok(())
        });
    read.ok().and(time)
}

/// All of them are counted, the last ones are kept.
#[derive(Default)]
pub(super) struct Latest {
    limit: usize,
    count: u64,
    finds: VecDeque<Find>,
    pub(super) is_late: bool,
}

impl Latest {
    pub(super) fn take(&mut self, find: Find) {
        self.count += 1;
        if self.finds.len() >= self.limit {
            self.finds.pop_front();
        }
        self.finds.push_back(find);
    }
}
