//! Strings → what to put in place of which stretches, so that a conversation can be shown to others.
//!
//! Every string is learned before any is masked: a value that one of them gives away is masked in all.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::draft::Draft;
use crate::find::{Find, Rank, settle};
use crate::joined::Joined;
use crate::known::Known;
use crate::mark::touches_mark;
use crate::name::NameKind;
use crate::pairs::Pairs;
use crate::person::People;
use crate::plain::Plain;
use crate::report::Marks;
use crate::report::{Masked, MaskedPlace};
use crate::scanner::SCANNER;
use crate::split::Split;
use crate::spot::{Identity, Spot};
use crate::tool_answer::ToolAnswers;
use crate::{assigned, cookie, email, encoded, home, kubernetes, random, text};

const LONGEST_NAME: usize = 100;
const MOST_KEYS: usize = 4096;
/// Beyond that it is a list of people, and each of them costs every text a little.
const MOST_PEOPLE: usize = 100;
const ROUNDS: usize = 4;
/// JSON in JSON, and the colours in it.
const LAYERS: usize = 3;
const SHORTEST_SIGNATURE: usize = 200;

/// Masks, and remembers what: the same secret has the same mark in every string it is given.
pub struct Redactor {
    identity: Identity,
    people: People,
    emails: bool,
    marks: Marks,
    known: Known,
    pairs: Pairs,
    tool_answer: ToolAnswers,
    split: Split,
    /// What the keys of JSON tell, which are few and come again and again.
    keys: HashMap<String, Option<NameKind>>,
}

impl Redactor {
    pub fn new(identity: &Identity, emails: bool) -> Self {
        let people = People::new(&identity.homes, &identity.users);
        let identity = identity.clone();
        Self {
            identity,
            people,
            emails,
            marks: Marks::default(),
            known: Known::default(),
            pairs: Pairs::default(),
            tool_answer: ToolAnswers::default(),
            split: Split::default(),
            keys: HashMap::new(),
        }
    }

    /// Another person whose machine the text comes from.
    pub fn meet(&mut self, other: &Identity) {
        let new = |known: &[String], names: &[String]| -> Vec<String> {
            names.iter().filter(|name| !known.contains(*name)).cloned().collect()
        };
        let homes = new(&self.identity.homes, &other.homes);
        let users = new(&self.identity.users, &other.users);
        if homes.is_empty() && users.is_empty() {
            return;
        }
        self.identity.homes.extend(homes);
        self.identity.users.extend(users);
        self.people = People::new(&self.identity.homes, &self.identity.users);
    }

    /// What to put in place of which stretches (byte ranges of `spot.text`, in order, not overlapping, on char
    /// boundaries); empty where there is nothing to hide. Remembers what it masked.
    pub fn mask(&mut self, spot: &Spot<'_>) -> Vec<(Range<usize>, String)> {
        self.mask_up_to(Rank::Address, spot)
    }

    /// Only the secrets, not whose machine it is: for who changes paths before the rest is masked. What gives a secret
    /// away may be part of a path.
    pub fn mask_secrets(&mut self, spot: &Spot<'_>) -> Vec<(Range<usize>, String)> {
        self.mask_up_to(Rank::Known, spot)
    }

    fn mask_up_to(&mut self, last: Rank, spot: &Spot<'_>) -> Vec<(Range<usize>, String)> {
        if spot.key == Some("signature") && is_signature(spot.text) {
            return Vec::new();
        }
        let finds = self.finds(spot).into_iter().filter(|find| find.rank <= last);
        finds.map(|find| self.masked_find(spot, &find)).collect()
    }

    /// The secrets themselves, from left to right; nothing is remembered of them.
    pub(crate) fn secrets(&mut self, spot: &Spot<'_>) -> impl Iterator<Item = Find> {
        let is_secret = spot.key != Some("signature") || !is_signature(spot.text);
        self.join_with_last(spot);
        let finds = if is_secret { self.finds(spot) } else { Vec::new() };
        finds.into_iter().filter(|find| find.rank <= Rank::Random)
    }

    /// Looks for secrets without masking them, so that [`mask`](Self::mask) knows them from the first string on. Who
    /// gives it all strings before masking any hides a password also where it stands before what gives it away.
    pub fn learn(&mut self, spot: &Spot<'_>) {
        if spot.key == Some("signature") && is_signature(spot.text) {
            return;
        }
        self.join_with_last(spot);
        let finds = self.finds(spot);
        self.meet_owners(spot.text, &finds);
        for find in finds.iter().filter(|find| find.rank <= Rank::Random) {
            let secret = spot.text.get(whole_letters(spot.text, &find.range)).unwrap_or_default();
            self.known.learn(&seen(secret, find.kind), find.kind);
        }
    }

    /// Learns what goes from the string before into this one.
    fn join_with_last(&mut self, spot: &Spot<'_>) {
        let Some((joined, border)) = self.split.meet(spot.file, spot.key, spot.text) else { return };
        let mut finds = Vec::new();
        self.find_as_it_stands(&joined, &mut finds);
        self.split.learn(&joined, border, &finds);
    }

    /// Those whose homes stand there.
    fn meet_owners(&mut self, text: &str, finds: &[Find]) {
        let users = finds.iter().filter(|find| find.rank == Rank::User);
        let mut owners: Vec<String> =
            users.filter_map(|find| home::owner(text, &find.range)).map(str::to_owned).collect();
        owners.sort_unstable();
        owners.dedup();
        if self.identity.users.len() < MOST_PEOPLE {
            self.meet(&Identity { homes: Vec::new(), users: owners });
        }
    }

    /// A whole text, masked; nothing where there is nothing to hide. Where the line is 0 it has no place in the report, and is not
    /// counted.
    pub fn masked(&mut self, spot: &Spot<'_>) -> Option<String> {
        let marks = self.mask(spot);
        (!marks.is_empty()).then(|| replaced(spot.text, &marks))
    }

    /// The same with [`mask_secrets`](Self::mask_secrets).
    pub fn secrets_masked(&mut self, spot: &Spot<'_>) -> Option<String> {
        let marks = self.mask_secrets(spot);
        (!marks.is_empty()).then(|| replaced(spot.text, &marks))
    }

    pub fn report(&self) -> Masked {
        self.marks.report()
    }

    /// What is to be masked. A mark ends what is before it and begins what is behind, so a masked text may show more
    /// than the whole did: it is looked through again until nothing comes to light, or it has been often enough.
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
        let is_random = |find: &Find| find.rank == Rank::Random;
        if finds.iter().any(is_random) && spot.key.is_some_and(random::is_harmless_name) {
            finds.retain(|find| !is_random(find));
        }
        finds
    }

    /// What stands there, and what is seen of it.
    fn find_in(&self, text: &str, finds: &mut Vec<Find>) {
        self.find_as_it_stands(text, finds);
        self.find_joined(text, finds);
        let mut layers: Vec<Plain> = Vec::new();
        while layers.len() < LAYERS {
            let Some(plain) = Plain::of(layers.last().map_or(text, |layer| &layer.text)) else { return };
            let mut found = Vec::new();
            self.find_as_it_stands(&plain.text, &mut found);
            self.find_joined(&plain.text, &mut found);
            layers.push(plain);
            let origin = |range| layers.iter().rev().fold(range, |range, layer| layer.origin(&range));
            finds.extend(found.into_iter().map(|find| Find { range: origin(find.range), ..find }));
        }
    }

    /// What reaches across a gap, and is not whole before it.
    fn find_joined(&self, text: &str, finds: &mut Vec<Find>) {
        let Some(joined) = Joined::of(text) else { return };
        let mut found = Vec::new();
        for (start, near) in joined.near_gaps() {
            let mut here = Vec::new();
            self.find_as_it_stands(near, &mut here);
            let moved = |find: Find| Find { range: start + find.range.start..start + find.range.end, ..find };
            found.extend(here.into_iter().map(moved));
        }
        for find in found {
            let Some((range, is_sure)) = joined.origin(&find) else { continue };
            let is_free = |other: &Find| other.range.end <= range.start || range.end <= other.range.start;
            if find.rank <= Rank::Known && (is_sure || finds.iter().all(is_free)) {
                finds.push(Find { range, ..find });
            }
        }
    }

    fn find_as_it_stands(&self, text: &str, finds: &mut Vec<Find>) {
        let bytes = text.as_bytes();
        self.people.read(bytes, finds);
        encoded::read(bytes, finds);
        if !text::is_blob(text) {
            SCANNER.read(bytes, finds);
            random::read(bytes, finds);
            kubernetes::read(bytes, finds);
            self.known.read(bytes, finds);
        }
        if self.emails {
            email::read(bytes, finds);
        }
        finds.retain(|find| !find.range.is_empty() && !touches_mark(bytes, &find.range));
    }

    fn find_by_key(&mut self, spot: &Spot<'_>, finds: &mut Vec<Find>) {
        self.tool_answer.read(spot, finds);
        self.split.read(spot.text, finds);
        let line = self.pairs.line_of_key(spot);
        finds.extend(line.map(|range| Find { range, kind: "private-key", rank: Rank::Context }));
        if let Some(value) = self.pairs.value_before(spot) {
            self.learn_value(spot.text, &value);
        }
        let named = self.pairs.meet(spot);
        let Some(key) = named.as_deref().or(spot.key) else { return };
        if is_cookie(key) {
            cookie::read_pairs(spot.text.as_bytes(), 0, finds);
        }
        if let Some(name_kind) = self.name_kind(key) {
            finds.extend(assigned::under(key, name_kind, spot.text.as_bytes()));
        }
    }

    fn learn_value(&mut self, name: &str, value: &str) {
        let find =
            self.name_kind(name).and_then(|name_kind| assigned::under(name, name_kind, value.as_bytes()));
        if let Some(find) = find {
            self.known.learn(value.get(find.range).unwrap_or_default(), find.kind);
        }
    }

    fn name_kind(&mut self, key: &str) -> Option<NameKind> {
        if let Some(name_kind) = self.keys.get(key) {
            return *name_kind;
        }
        let name_kind = NameKind::of(key.as_bytes());
        if self.keys.len() < MOST_KEYS && key.len() < LONGEST_NAME {
            self.keys.insert(key.to_owned(), name_kind);
        }
        name_kind
    }

    fn masked_find(&mut self, spot: &Spot<'_>, find: &Find) -> (Range<usize>, String) {
        let range = whole_letters(spot.text, &find.range);
        let secret = spot.text.get(range.clone()).unwrap_or_default();
        let place = (spot.line > 0).then_some(MaskedPlace { file: spot.file, line: spot.line });
        let secret = seen(secret, find.kind);
        if find.rank <= Rank::Random {
            self.known.learn(&secret, find.kind);
        }
        (range, self.marks.mark_of(find.kind, &secret, place))
    }
}

fn replaced(text: &str, marks: &[(Range<usize>, String)]) -> String {
    let mut end = 0;
    let mut masked = String::with_capacity(text.len());
    for (range, mark) in marks {
        masked.push_str(text.get(end..range.start).unwrap_or_default());
        masked.push_str(mark);
        end = range.end;
    }
    masked.push_str(text.get(end..).unwrap_or_default());
    masked
}

fn is_cookie(key: &str) -> bool {
    let start = key.len().checked_sub("cookie".len());
    start.and_then(|start| key.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case("cookie"))
}

/// A secret is the same with colours in its midst, and on two lines.
fn seen<'a>(secret: &'a str, kind: &str) -> Cow<'a, str> {
    let plain = Plain::of(secret).map_or(Cow::Borrowed(secret), |plain| Cow::Owned(plain.text));
    let is_broken = kind != "private-key" && plain.contains('\n');
    if is_broken { Cow::Owned(plain.replace('\n', "")) } else { plain }
}

/// A range is never meant to cut a letter in two; one that does hides both halves.
fn whole_letters(text: &str, range: &Range<usize>) -> Range<usize> {
    text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end)
}

/// Of thinking: base64, longer than tokens are, and nothing that could be told from a secret.
fn is_signature(text: &str) -> bool {
    text.len() > SHORTEST_SIGNATURE
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_'))
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redactor").field("emails", &self.emails).finish_non_exhaustive()
    }
}
