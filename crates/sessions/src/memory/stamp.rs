//! A file → what tells whether it is still the one that was read.

use std::fs::File;

use serde::{Deserialize, Serialize};
use steno_source::{Change, Checkpoint, Opening, Witness};
use steno_vault::Stream;

use crate::error::Error;
use crate::reading::Stretch;
use crate::stock::{Item, Source};

/// Which content of a file something was learnt from.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Stamp {
    Live(Checkpoint),
    Kept { generation: u32, len: u64, taken: Option<String> },
}

/// How much of a file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    None,
    /// It grew, and was read up to there.
    Since(u64),
    All,
}

/// What is about to be read.
#[derive(Debug)]
pub(super) struct Glance {
    pub(super) to: u64,
    /// Open already.
    pub(super) file: Option<File>,
    recognition: Recognition,
}

/// How it is recognised later.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) stamp: Vec<u8>,
    /// Nothing is half written: later it can be read on from here.
    pub(super) is_whole: bool,
}

#[derive(Debug)]
enum Recognition {
    Known(Mark),
    /// By what is read.
    Watched(Box<Witness>),
}

/// Who will read, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All of it, from its beginning.
    All,
    Part,
}

impl Glance {
    /// Who has to see what is read, if anybody.
    pub(super) fn witness(&mut self) -> Option<&mut Witness> {
        match &mut self.recognition {
            Recognition::Known(_) => None,
            Recognition::Watched(witness) => Some(witness),
        }
    }

    /// Nothing where it was not read to the end that it had: nobody knows what that was.
    pub(super) fn mark(self) -> Option<Mark> {
        match self.recognition {
            Recognition::Known(mark) => Some(mark),
            Recognition::Watched(witness) => {
                witness.checkpoint().map(|(checkpoint, can_go_on)| Mark::of(checkpoint, can_go_on))
            }
        }
    }
}

impl Mark {
    fn of(checkpoint: Checkpoint, is_whole: bool) -> Self {
        Self { stamp: encoded(&Stamp::Live(checkpoint)), is_whole }
    }
}

/// What is new since a stamp was taken.
pub(super) fn news(item: &Item<'_>, stamp: &[u8]) -> News {
    Stamp::of(stamp).map_or(News::All, |stamp| stamp.news(item))
}

/// The same of many items and their stamps, and whether all look as they did: only those that do not are looked at, on
/// all cores.
pub(super) fn news_of_all<'i>(
    asked: impl IntoIterator<Item = (&'i Item<'i>, Option<&'i Stamp>)>,
) -> (Vec<News>, bool) {
    let mut doubtful = Vec::new();
    let mut news: Vec<News> = Vec::new();
    for (place, (item, stamp)) in asked.into_iter().enumerate() {
        let Some(stamp) = stamp else {
            news.push(News::All);
            continue;
        };
        if !stamp.is_as_found(item) {
            doubtful.push((place, item, stamp));
        }
        news.push(News::None);
    }
    let closer = steno_cores::map(&doubtful, |_| 0, |(_, item, stamp)| stamp.news(item));
    for ((place, ..), closer) in doubtful.iter().zip(closer) {
        news.get_mut(*place).into_iter().for_each(|news| *news = closer);
    }
    let are_as_found = doubtful.is_empty() && !news.contains(&News::All);
    (news, are_as_found)
}

impl Stamp {
    /// Nothing where it is not understood.
    pub(super) fn of(stamp: &[u8]) -> Option<Self> {
        postcard::from_bytes(stamp).ok()
    }

    /// Whether nothing is new, as far as can be told without looking at the file again.
    fn is_as_found(&self, item: &Item<'_>) -> bool {
        match (self, &item.source) {
            (Self::Live(known), Source::Live { len, modified, .. }) => known.is_as_found(*len, *modified),
            (known @ Self::Kept { .. }, Source::Kept { stream, .. }) => *known == kept(stream),
            _ => false,
        }
    }

    fn news(&self, item: &Item<'_>) -> News {
        match (self, &item.source) {
            _ if self.is_as_found(item) => News::None,
            (Self::Live(known), Source::Live { path, .. }) => {
                match steno_source::observe(path, Some(known)) {
                    Ok(Change::Unchanged) => News::None,
                    Ok(Change::Grown { from, .. }) => News::Since(from),
                    _ => News::All,
                }
            }
            _ => News::All,
        }
    }
}

/// Taken before the file is read, or meanwhile: whatever happens to it later is news.
pub(super) fn glance(item: &Item<'_>, reach: Reach) -> Result<Glance, Error> {
    match item.source {
        Source::Live { path, .. } if reach == Reach::All => {
            let (file, witness) = Witness::open(path)?;
            let to = witness.len();
            Ok(Glance { to, file: Some(file), recognition: Recognition::Watched(Box::new(witness)) })
        }
        Source::Live { path, .. } => {
            let Opening { checkpoint, ends_line, file } = Checkpoint::before_reading(path)?;
            let to = checkpoint.len;
            Ok(Glance {
                to,
                file: Some(file),
                recognition: Recognition::Known(Mark::of(checkpoint, ends_line)),
            })
        }
        Source::Kept { stream, .. } => {
            let mark = Mark { stamp: of_kept(stream), is_whole: false };
            Ok(Glance { to: Stretch::WHOLE.to, file: None, recognition: Recognition::Known(mark) })
        }
    }
}

/// Of what is kept of a file.
pub(super) fn of_kept(stream: &Stream) -> Vec<u8> {
    encoded(&kept(stream))
}

fn kept(stream: &Stream) -> Stamp {
    let latest = stream.latest();
    Stamp::Kept {
        generation: latest.map_or(0, |latest| latest.number),
        len: latest.map_or(0, steno_vault::Generation::len),
        taken: latest.and_then(|latest| latest.taken()).map(|taken| taken.to_string()),
    }
}

fn encoded(stamp: &Stamp) -> Vec<u8> {
    postcard::to_stdvec(stamp).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;
    use crate::stock::Form;

    #[test]
    fn a_file_that_was_only_touched_has_no_news_but_does_not_look_as_it_did() {
        let home = steno_testkit::Home::new();
        let path = home.root().join("session.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let stamp = Stamp::Live(Checkpoint::take(&path, 3).unwrap());
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let of = |len: u64, modified: SystemTime| {
            let source = Source::Live { path: &path, len, modified };
            let item = Item { session: None, is_agent: false, form: Form::Records, source };
            news_of_all([(&item, Some(&stamp))])
        };
        assert_eq!(of(3, modified), (vec![News::None], true));
        // Somebody swapped it for another one, and back again before it was looked at.
        assert_eq!(of(99, modified), (vec![News::None], false));
        assert_eq!(of(3, SystemTime::UNIX_EPOCH), (vec![News::None], false));
        assert_eq!(news_of_all([]), (vec![], true));
    }
}
