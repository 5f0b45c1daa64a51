//! Files beside transcripts: looked through without the index, and shown with the record that it belongs to.

use std::ops::ControlFlow;

use jiff::Timestamp;
use steno_conversation::model::RecordRef;
use steno_conversation::{Role, time_of};
use steno_index::snippet;
use steno_transcript::{RecordId, Shape, Troubles, split};

use super::present::{Presenter, WIDTH, agent_of};
use super::report::Hit;
use super::scan::{Latest, Read, Scan};
use super::{Find, is_late};
use crate::error::Error;
use crate::piece::Pieces;
use crate::reading::Stretch;
use crate::reference::{Spot, passage, references, refers_to};
use crate::sessions::{Form, ListedFile, title_of, title_passage};

/// Opens a session at its beginning.
const BEGINNING: &str = "1";

impl Scan<'_> {
    /// Counts stretches of a result.
    pub(super) fn pieces(&self, item: &ListedFile<'_>, latest: &mut Latest) -> Result<(), Error> {
        item.read_bytes(0, |bytes| {
            let mut pieces = Pieces::new(bytes, 0);
            while let Some(piece) = pieces.next_piece()? {
                if is_late(self.search.request.deadline) {
                    latest.is_late = true;
                    break;
                }
                if self.pattern.is_match(&piece.text) {
                    latest.take(found(piece.offset, Role::Result));
                }
            }
            Ok(())
        })
    }

    pub(super) fn title(&self, item: &ListedFile<'_>, latest: &mut Latest) -> Result<(), Error> {
        if title_of(item)?.is_some_and(|title| self.pattern.is_match(&title)) {
            latest.take(found(0, Role::Title));
        }
        Ok(())
    }

    /// Looks for the records of what was found, and drops what the filters do not let pass: they are about the record,
    /// so all of a file passes or nothing.
    pub(super) fn refer(&self, read: &mut [Read]) {
        let items = self.search.items;
        let is_found = |read: &&mut Read| read.found.count > 0;
        let item_of = |read: &Read| items.get(read.found.item).filter(|item| !item.is_transcript());
        let wanted: Vec<&ListedFile<'_>> =
            read.iter().filter(|read| read.found.count > 0).filter_map(item_of).collect();
        let references = references(items, &wanted).found;
        for read in read.iter_mut().filter(is_found) {
            let Some(item) = item_of(read) else { continue };
            let reference = references.get(item.key().as_ref());
            let stub = if item.form == Form::Title { title_passage("") } else { passage(reference, 0, "") };
            if !self.search.parsed.admits(&stub) {
                (read.found.count, read.found.best) = (0, Vec::new());
            }
            read.found.best.reverse();
            for find in &mut read.found.best {
                (find.line, find.time) = (stub.place.line, stub.time);
                find.tool = stub.tools.first().map(|tool| tool.as_ref().into());
                find.score = self.score(stub.time);
                find.spot = reference.map(|reference| reference.spot.clone());
            }
        }
    }
}

fn found(offset: u64, role: Role) -> Find {
    Find { line: 0, offset, role: Some(role), time: None, tool: None, score: 0.0, spot: None }
}

/// A record, and the transcript that has it.
struct Owner<'a> {
    item: &'a ListedFile<'a>,
    record: RecordRef,
    time: Option<Timestamp>,
}

impl Presenter<'_> {
    /// A place in a file beside a transcript; without a record, the session is all that is known of it.
    pub(super) fn beside(&self, session: &str, item: &ListedFile<'_>, find: &Find) -> Hit {
        let text = text_at(item, find.offset);
        let shown = snippet(&text, &self.places(&text), WIDTH);
        let owner = self.owner(item, find);
        let agent = owner.as_ref().filter(|owner| owner.item.is_agent).map(|owner| agent_of(owner.item));
        let at = owner.as_ref().map_or_else(
            || BEGINNING.to_owned(),
            |owner| self.at(session, owner.item, agent.as_deref(), &owner.record),
        );
        let time = owner.as_ref().and_then(|owner| owner.time);
        let nowhere = RecordRef { uuid: None, line: 0, index: 0 };
        Hit {
            session: session.to_owned(),
            agent,
            record: owner.map_or(nowhere, |owner| owner.record),
            at,
            timestamp: time.or(find.time),
            role: find.role.unwrap_or(Role::Record),
            tool: find.tool.as_deref().map(str::to_owned),
            snippet: shown.text,
            highlights: shown.highlights.into_iter().map(|place| (place.start, place.end)).collect(),
            score: find.score,
        }
    }

    /// Where the record stood when the file was indexed, if it still does.
    fn owner(&self, item: &ListedFile<'_>, find: &Find) -> Option<Owner<'_>> {
        if item.form != Form::Persisted {
            return None;
        }
        let known = find.spot.as_ref().and_then(|spot| self.owner_at(item, spot));
        known.or_else(|| {
            let found = references(self.items, &[item]).found;
            self.owner_at(item, &found.get(item.key().as_ref())?.spot)
        })
    }

    fn owner_at(&self, item: &ListedFile<'_>, spot: &Spot) -> Option<Owner<'_>> {
        let is_own = |other: &&ListedFile<'_>| {
            other.is_transcript() && other.session == item.session && other.name() == spot.name
        };
        let name = item.name();
        self.items.iter().filter(is_own).find_map(|item| owner_in(item, spot, &name))
    }
}

fn owner_in<'a>(item: &'a ListedFile<'a>, spot: &Spot, name: &str) -> Option<Owner<'a>> {
    let mut owner = None;
    let stretch = Stretch { from: spot.offset, lines: spot.line.saturating_sub(1), to: u64::MAX };
    let _ = item.read(stretch, |lines| {
        let Some(line) = lines.next_line()? else { return Ok(()) };
        let _ = split(line, &mut |piece| {
            let Shape::Record(record) = &piece.shape else { return ControlFlow::Continue(()) };
            if !refers_to(record, name) {
                return ControlFlow::Continue(());
            }
            let uuid = record.envelope.uuid.as_deref().map(RecordId::from);
            let record_ref = RecordRef { uuid, line: spot.line, index: 0 };
            let time = time_of(&record.envelope, &mut Troubles::default());
            owner = Some(Owner { item, record: record_ref, time });
            ControlFlow::Break(())
        });
        Ok(())
    });
    owner
}

/// The stretch that begins there, or the title.
fn text_at(item: &ListedFile<'_>, offset: u64) -> String {
    if item.form == Form::Title {
        return title_of(item).ok().flatten().unwrap_or_default();
    }
    let mut text = String::new();
    let _ = item.read_bytes(offset, |bytes| {
        let mut pieces = Pieces::new(bytes, offset);
        text = pieces.next_piece()?.map(|piece| piece.text.into_owned()).unwrap_or_default();
        Ok(())
    });
    text
}

/// Whether both show what one record gave.
pub(super) fn is_of_one_result(one: &Hit, two: &Hit) -> bool {
    let place = |hit: &Hit| (hit.agent.clone(), hit.record.uuid.clone(), hit.record.line);
    let is_result = |hit: &Hit| hit.role == Role::Result && hit.record.line > 0;
    is_result(one) && is_result(two) && place(one) == place(two)
}
