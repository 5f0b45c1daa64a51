//! Secrets → their marks, and how many of which kind stood where.
//!
//! Apart from the redactor because it alone remembers secrets, and must never show them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::mark::mark;
use super::masked::{Masked, MaskedKind, MaskedPlace};
use super::spelling::in_directory_name;

#[derive(Default)]
pub(crate) struct Ledger {
    marks: HashMap<Essence, Marked>,
    kinds: BTreeMap<&'static str, Tally>,
}

#[derive(Clone)]
struct Marked {
    kind: &'static str,
    mark: String,
    is_counted: bool,
}

/// What makes two occurrences the same. Names and addresses are apart, so that a password never makes a user's mark.
type Essence = (Realm, String);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Realm {
    Secret,
    Home,
    User,
    Address,
}

#[derive(Default)]
struct Tally {
    /// How many marks were given out.
    marks: u64,
    count: u64,
    distinct: u64,
    places: BTreeSet<MaskedPlace>,
}

impl Ledger {
    /// The mark of a secret. The first kind it was known by is its kind for ever. What has no place is not counted.
    pub(crate) fn enter(&mut self, kind: &'static str, secret: &str, place: Option<MaskedPlace>) -> String {
        let essence = essence(kind, secret);
        if !self.marks.contains_key(&essence) {
            let marked = Marked { kind, mark: self.next_mark(kind), is_counted: false };
            self.marks.insert(essence.clone(), marked);
        }
        let Some(marked) = self.marks.get_mut(&essence) else { return mark(kind, 0) };
        if let Some(place) = place {
            let tally = self.kinds.entry(marked.kind).or_default();
            tally.count += 1;
            tally.distinct += u64::from(!std::mem::replace(&mut marked.is_counted, true));
            tally.places.insert(place);
        }
        marked.mark.clone()
    }

    fn next_mark(&mut self, kind: &'static str) -> String {
        let tally = self.kinds.entry(kind).or_default();
        tally.marks += 1;
        if kind == "home" { "~".to_owned() } else { mark(kind, tally.marks) }
    }

    pub(crate) fn report(&self) -> Masked {
        let counted = self.kinds.iter().filter(|(_, tally)| tally.count > 0);
        let kinds: Vec<MaskedKind> = counted.map(|(kind, tally)| tally.report(kind)).collect();
        let total = kinds.iter().map(|kind| kind.count).sum();
        let distinct = kinds.iter().map(|kind| kind.distinct).sum();
        Masked { total, distinct, kinds }
    }
}

impl Tally {
    fn report(&self, kind: &str) -> MaskedKind {
        let places = self.places.iter().cloned().collect();
        MaskedKind { kind: kind.to_owned(), count: self.count, distinct: self.distinct, places }
    }
}

/// Escapes make no difference, nor whether it stands in the name of a directory; nor do the separators of a path, the
/// lines of a key, and the case of names.
fn essence(kind: &str, secret: &str) -> Essence {
    let letters = || secret.chars().filter(|letter| letter.is_alphanumeric());
    match kind {
        "home" => (Realm::Home, letters().collect::<String>().to_lowercase()),
        "user" => (Realm::User, secret.to_lowercase()),
        "email" => (Realm::Address, secret.to_lowercase()),
        "private-key" => {
            (Realm::Secret, secret.replace("\\n", "").chars().filter(char::is_ascii_alphanumeric).collect())
        }
        _ => (Realm::Secret, in_directory_name(&secret.replace('\\', ""))),
    }
}
