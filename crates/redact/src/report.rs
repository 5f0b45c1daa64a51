//! What was masked: the mark of each secret, and how many of which kind stood where; never the secret itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mark::mark;
use crate::spelling::in_directory_name;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Masked {
    /// Occurrences.
    pub total: u64,
    /// Different secrets.
    pub distinct: u64,
    /// By name.
    pub kinds: Vec<MaskedKind>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaskedKind {
    pub kind: String,
    pub count: u64,
    pub distinct: u64,
    /// Each line once, in order.
    pub places: Vec<MaskedPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaskedPlace {
    /// As the caller numbers the files.
    pub file: u32,
    /// The first is 1.
    pub line: u64,
}

#[derive(Default)]
pub(crate) struct Marks {
    by_secret: HashMap<SecretKey, Marked>,
    kinds: BTreeMap<&'static str, Tally>,
}

#[derive(Clone)]
struct Marked {
    kind: &'static str,
    mark: String,
    is_counted: bool,
}

/// What makes two occurrences the same. Names and addresses are apart, so that a password never makes a user's mark.
type SecretKey = (Realm, String);

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

impl Marks {
    /// The mark of a secret. The first kind it was known by is its kind for ever. What has no place is not counted.
    pub(crate) fn mark_of(&mut self, kind: &'static str, secret: &str, place: Option<MaskedPlace>) -> String {
        let secret_key = secret_key(kind, secret);
        if !self.by_secret.contains_key(&secret_key) {
            let marked = Marked { kind, mark: self.next_mark(kind), is_counted: false };
            self.by_secret.insert(secret_key.clone(), marked);
        }
        let Some(marked) = self.by_secret.get_mut(&secret_key) else { return mark(kind, 0) };
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
fn secret_key(kind: &str, secret: &str) -> SecretKey {
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
