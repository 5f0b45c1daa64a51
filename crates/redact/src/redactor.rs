//! Strings → what to put in place of which stretches, so that a conversation can be shown to others.
//!
//! Beside the scanner because the demands are opposite: a guard that stops a push would rather miss a secret than name
//! an example; here a secret that is missed is out for ever, and an example that is masked harms nobody.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

mod around;
mod blob;
mod code;
mod command;
mod cookie;
mod cursor;
mod draft;
mod email;
mod find;
mod given;
mod home;
mod known;
mod ledger;
mod login;
mod mark;
mod masked;
mod name;
mod notation;
mod path;
mod pem;
mod person;
mod seeker;
mod services;
mod value;

pub use masked::{Masked, MaskedKind, MaskedPlace};

use cursor::Cursor;
use draft::Draft;
use find::{Find, Rank, settle};
use known::Known;
use ledger::Ledger;
use mark::touches_mark;
use name::Telling;
use person::People;
use seeker::SEEKER;

const LONGEST_NAME: usize = 100;
const MOST_KEYS: usize = 4096;
const ROUNDS: usize = 4;

/// Whose machine the text comes from: these never leave it.
#[derive(Clone, Default)]
pub struct Identity {
    /// `/home/alice`, `C:\Users\alice`
    pub homes: Vec<String>,
    pub users: Vec<String>,
}

/// One string, and what is known about where it stands.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    pub text: &'a str,
    /// The key it stands under, in JSON.
    pub key: Option<&'a str>,
    /// The caller's number of the file.
    pub file: u32,
    pub line: u64,
}

/// Masks, and remembers what: the same secret has the same mark in every string it is given.
pub struct Redactor {
    people: People,
    emails: bool,
    ledger: Ledger,
    known: Known,
    /// A name that tells, in an object `{"name":…,"value":…}` of this line.
    named: Option<(u32, u64, String)>,
    /// What the keys of JSON tell, which are few and come again and again.
    keys: HashMap<String, Option<Telling>>,
}

impl Redactor {
    pub fn new(identity: &Identity, emails: bool) -> Self {
        let people = People::new(&identity.homes, &identity.users);
        Self {
            people,
            emails,
            ledger: Ledger::default(),
            known: Known::default(),
            named: None,
            keys: HashMap::new(),
        }
    }

    /// What to put in place of which stretches (byte ranges of `spot.text`, in order, not overlapping, on char
    /// boundaries); empty where there is nothing to hide. Remembers what it masked.
    pub fn mask(&mut self, spot: &Spot<'_>) -> Vec<(Range<usize>, String)> {
        if spot.key == Some("signature") && is_signature(spot.text) {
            return Vec::new();
        }
        let finds = self.finds(spot);
        finds.into_iter().map(|find| self.enter(spot, &find)).collect()
    }

    /// Looks for secrets without masking them, so that [`mask`](Self::mask) knows them from the first string on. Who
    /// gives it all strings before masking any hides a password also where it stands before what gives it away.
    pub fn learn(&mut self, spot: &Spot<'_>) {
        if spot.key == Some("signature") && is_signature(spot.text) {
            return;
        }
        for find in self.finds(spot).iter().filter(|find| find.rank <= Rank::Vague) {
            let secret = spot.text.get(whole_letters(spot.text, &find.range)).unwrap_or_default();
            self.known.learn(secret, find.kind);
        }
    }

    /// A whole text, masked; nothing where there is nothing to hide. Where the line is 0 it has no place in the report, and is not
    /// counted.
    pub fn masked(&mut self, spot: &Spot<'_>) -> Option<String> {
        let marks = self.mask(spot);
        let mut end = 0;
        let mut text = String::with_capacity(spot.text.len());
        for (range, mark) in &marks {
            text.push_str(spot.text.get(end..range.start).unwrap_or_default());
            text.push_str(mark);
            end = range.end;
        }
        text.push_str(spot.text.get(end..).unwrap_or_default());
        (!marks.is_empty()).then_some(text)
    }

    pub fn report(&self) -> Masked {
        self.ledger.report()
    }

    /// What is to be masked. A mark ends what is before it and begins what is behind, so a masked text may show more
    /// than the whole did: it is looked through again until nothing comes to light.
    fn finds(&mut self, spot: &Spot<'_>) -> Vec<Find> {
        let mut found = Vec::new();
        self.find_by_key(spot, &mut found);
        self.find_in(spot.text, &mut found);
        let mut finds = settle(found);
        for _round in 0..ROUNDS {
            if finds.is_empty() {
                break;
            }
            let draft = Draft::new(spot.text, &finds);
            let mut found = Vec::new();
            self.find_in(&draft.text, &mut found);
            if found.is_empty() {
                break;
            }
            finds.extend(found.into_iter().map(|find| Find { range: draft.origin(&find.range), ..find }));
            finds = settle(finds);
        }
        finds
    }

    fn find_in(&self, text: &str, finds: &mut Vec<Find>) {
        let bytes = text.as_bytes();
        self.people.read(bytes, finds);
        if !blob::is_blob(text) {
            SEEKER.read(bytes, finds);
            self.known.read(bytes, finds);
        }
        if self.emails {
            email::read(bytes, finds);
        }
        finds.retain(|find| !find.range.is_empty() && !touches_mark(bytes, &find.range));
    }

    fn find_by_key(&mut self, spot: &Spot<'_>, finds: &mut Vec<Find>) {
        let named = self.named.take().filter(|(file, line, _)| (*file, *line) == (spot.file, spot.line));
        let Some(key) = spot.key else { return };
        if matches!(key, "name" | "key") && spot.text.len() < LONGEST_NAME {
            self.named = Some((spot.file, spot.line, spot.text.to_owned()));
        }
        let key = named.as_ref().filter(|_| key == "value").map_or(key, |(_, _, name)| name);
        if is_cookie(key) {
            cookie::read_pairs(Cursor::new(spot.text.as_bytes(), 0), finds);
        }
        if let Some(telling) = self.telling(key) {
            finds.extend(given::under(key, telling, spot.text.as_bytes()));
        }
    }

    fn telling(&mut self, key: &str) -> Option<Telling> {
        if let Some(telling) = self.keys.get(key) {
            return *telling;
        }
        let telling = Telling::of(key.as_bytes());
        if self.keys.len() < MOST_KEYS && key.len() < LONGEST_NAME {
            self.keys.insert(key.to_owned(), telling);
        }
        telling
    }

    fn enter(&mut self, spot: &Spot<'_>, find: &Find) -> (Range<usize>, String) {
        let range = whole_letters(spot.text, &find.range);
        let secret = spot.text.get(range.clone()).unwrap_or_default();
        let place = (spot.line > 0).then_some(MaskedPlace { file: spot.file, line: spot.line });
        if find.rank <= Rank::Vague {
            self.known.learn(secret, find.kind);
        }
        (range, self.ledger.enter(find.kind, secret, place))
    }
}

fn is_cookie(key: &str) -> bool {
    let start = key.len().checked_sub("cookie".len());
    start.and_then(|start| key.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case("cookie"))
}

/// A range is never meant to cut a letter in two; one that does hides both halves.
fn whole_letters(text: &str, range: &Range<usize>) -> Range<usize> {
    text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end)
}

/// Of thinking: base64, and nothing that could be told from a secret.
fn is_signature(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_'))
}

/// Neither says whom or what it hides.
impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl fmt::Debug for Spot<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Spot")
            .field("file", &self.file)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redactor").field("emails", &self.emails).finish_non_exhaustive()
    }
}
