//! Files beside transcripts → passages, and for each file the record that refers to it.
//!
//! The client writes a file before the record that refers to it. So a file that none refers to is looked at again
//! whenever its session has grown; and so is one whose record may stand elsewhere by now.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io::Read;

use serde::{Deserialize, Serialize};
use steno_index::{Feeder, FileId};
use steno_source::Change;

use super::feed::{Asked, Progressed};
use crate::piece::Pieces;
use crate::reference::{Reference, References, Spot, passage, references};
use crate::sessions::{Form, ListedFile, title_of, title_passage};

/// Which record a file belongs to.
#[derive(Debug, Serialize, Deserialize)]
enum Standing {
    Referred(Spot),
    /// None, when the transcripts of its session had so many bytes.
    Alone(u64),
    /// It needs none.
    Plain,
}

/// References and sizes for reading files beside transcripts.
#[derive(Debug)]
pub(super) struct Beside {
    references: References,
    sizes: Sizes,
}

/// So much of a file is indexed: what a command printed beyond that is seldom looked for by a word, and costs as much as a
/// hundred sessions.
pub const MOST_INDEXED: u64 = 16 * 1024 * 1024;

/// How many bytes the transcripts of a session have.
type Sizes = HashMap<String, u64>;

impl Beside {
    /// For those of these files that are none of records.
    pub(super) fn of<'w>(items: &[ListedFile<'_>], wanted: impl Iterator<Item = &'w ListedFile<'w>>) -> Self {
        let wanted: Vec<&ListedFile<'_>> = wanted.filter(|item| item.form == Form::Persisted).collect();
        if wanted.is_empty() {
            return Self { references: References::default(), sizes: Sizes::new() };
        }
        // Sizes first: the next run sees text written meanwhile.
        let sizes = sizes(items);
        Self { references: references(items, &wanted), sizes }
    }

    /// What is to be remembered of the file; nothing where it could not be read to its end.
    pub(super) fn feed(
        &self,
        item: &ListedFile<'_>,
        file: FileId,
        feeder: &Feeder,
    ) -> Result<Option<Vec<u8>>, steno_index::Error> {
        let (is_read, standing) = match item.form {
            Form::Persisted => {
                let reference = self.references.found.get(item.key().as_ref());
                let is_read = feed_pieces(item, file, reference, feeder)?;
                (is_read && (reference.is_some() || !self.is_unread(item)), self.standing(item, reference))
            }
            Form::Records | Form::Title => {
                let title = title_of(item);
                if let Ok(Some(title)) = &title {
                    feeder.add(file, title_passage(title))?;
                }
                (title.is_ok(), Standing::Plain)
            }
        };
        Ok(postcard::to_stdvec(&standing).ok().filter(|_| is_read))
    }

    /// Whether its session, which may refer to it, is unread.
    fn is_unread(&self, item: &ListedFile<'_>) -> bool {
        item.session.as_deref().is_some_and(|session| self.references.unread.contains(session))
    }

    fn standing(&self, item: &ListedFile<'_>, reference: Option<&Reference>) -> Standing {
        match reference {
            Some(reference) => Standing::Referred(reference.spot.clone()),
            None => Standing::Alone(size(&self.sizes, item)),
        }
    }
}

/// Whether all of it could be read.
fn feed_pieces(
    item: &ListedFile<'_>,
    file: FileId,
    reference: Option<&Reference>,
    feeder: &Feeder,
) -> Result<bool, steno_index::Error> {
    let mut outcome = Ok(());
    let read = item.read_bytes(0, |bytes| {
        let mut pieces = Pieces::new(bytes.take(MOST_INDEXED), 0);
        while let Some(piece) = pieces.next_piece()? {
            outcome = feeder.add(file, passage(reference, piece.offset, &piece.text));
            if outcome.is_err() {
                break;
            }
        }
        Ok(())
    });
    outcome.map(|()| read.is_ok())
}

/// The places of files that did not change, but whose reference may be stale: no record referred to the file and
/// its session has grown since, or the transcript that had the record was rewritten or is gone.
pub(super) fn stale(asked: &[Asked<'_>], changes: &[Change], gone: &[String]) -> Vec<usize> {
    let items = || asked.iter().zip(changes).map(|((item, known), change)| (*item, *known, *change));
    let rewritten = items().filter(|(_, known, change)| known.is_some() && *change == Change::Rewritten);
    let doubtful = rewritten.filter(|(item, ..)| item.is_transcript()).map(|(item, ..)| item.name());
    let doubtful: HashSet<String> = doubtful.chain(gone.iter().map(|key| name_in(key))).collect();
    let known_sizes = OnceCell::new();
    let is_stale = |item: &ListedFile<'_>, known: &Progressed| match postcard::from_bytes(&known.body) {
        Ok(Standing::Referred(spot)) => doubtful.contains(&spot.name),
        Ok(Standing::Alone(before)) => {
            let sizes = known_sizes.get_or_init(|| sizes(asked.iter().map(|(item, _)| *item)));
            !doubtful.is_empty() || size(sizes, item) != before
        }
        _ => false,
    };
    let unchanged = items().enumerate().filter(|(_, (_, _, change))| *change == Change::Unchanged);
    let stale = unchanged.filter(|(_, (item, known, _))| {
        item.form == Form::Persisted && known.is_some_and(|known| is_stale(item, known))
    });
    stale.map(|(place, _)| place).collect()
}

/// The last part of a path, live or kept.
fn name_in(key: &str) -> String {
    key.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(key).to_owned()
}

/// What was remembered of a file.
pub(super) fn spot(body: &[u8]) -> Option<Spot> {
    match postcard::from_bytes(body) {
        Ok(Standing::Referred(spot)) => Some(spot),
        _ => None,
    }
}

fn sizes<'i>(items: impl IntoIterator<Item = &'i ListedFile<'i>>) -> Sizes {
    let mut sizes = Sizes::new();
    for item in items.into_iter().filter(|item| item.is_transcript()) {
        if let Some(session) = item.session.as_deref() {
            *sizes.entry(session.to_owned()).or_default() += item.size();
        }
    }
    sizes
}

fn size(sizes: &Sizes, item: &ListedFile<'_>) -> u64 {
    item.session.as_deref().and_then(|session| sizes.get(session)).copied().unwrap_or_default()
}
