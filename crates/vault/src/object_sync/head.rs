//! The names below `heads` ↔ the number of each machine's last push, and the content of a head.
//!
//! The number is in the name, so that one listing tells everything. The token tells two heads of one number apart:
//! a vault that was copied, or put back from an older copy, is not the one that wrote the newer head.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::hash::{BuildHasher, Hasher, RandomState};

use serde::{Deserialize, Serialize};

use crate::admission::{Admission, Admissions};
use crate::remote::Synced;
use crate::store::Entry;

pub(super) const HEADS: &str = "heads";
const FORMAT: u64 = 1;
/// The object that tells which installation a name belongs to.
const CLAIM: &str = "00000000";
/// The most digits of a number: no machine syncs more often.
const LONGEST: usize = 15;

/// What a machine puts last, to announce a push.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) format: u64,
    /// The installation.
    pub(super) machine: String,
    pub(super) number: u64,
    /// How many objects are below its directory: a listing that has fewer is not the last word.
    #[serde(default)]
    pub(super) objects: u64,
    /// How many files of the original tool it knows to be there.
    #[serde(default)]
    pub(super) older: u64,
    /// The last of the machine's lists of what it erased.
    #[serde(default)]
    pub(super) gone: u64,
    /// How often its objects were encrypted again.
    #[serde(default)]
    pub(super) renewed: u64,
    /// The documents below its directory, which are replaced from time to time, and the start of each one's hash.
    #[serde(default)]
    pub(super) documents: BTreeMap<String, String>,
}

impl Head {
    pub(super) fn new(installation: &str, number: u64) -> Self {
        Self { format: FORMAT, machine: installation.to_owned(), number, ..Self::default() }
    }

    /// `None` for a head that cannot be parsed, or is of a newer version.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().filter(|head: &Self| head.format == FORMAT)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct HeadName {
    pub(super) number: u64,
    token: String,
}

impl HeadName {
    /// A name that no machine has used before.
    pub(super) fn new(number: u64) -> Self {
        Self { number, token: format!("{:016x}", RandomState::new().build_hasher().finish()) }
    }

    fn parse(text: &str) -> Option<Self> {
        let (number, token) = text.split_once('-')?;
        let is_number =
            (8..=LONGEST).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_token =
            token.len() == 16 && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let number = number.parse().ok().filter(|_| is_number && is_token)?;
        Some(Self { number, token: token.to_owned() })
    }

    pub(super) fn of(&self, machine: &str) -> String {
        format!("{HEADS}/{machine}/{self}")
    }
}

impl Display for HeadName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:08}-{}", self.number, self.token)
    }
}

impl From<HeadName> for String {
    fn from(name: HeadName) -> Self {
        name.to_string()
    }
}

impl TryFrom<String> for HeadName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not the name of a head")
    }
}

pub(super) fn claim_of(machine: &str) -> String {
    format!("{HEADS}/{machine}/{CLAIM}")
}

/// The machines and head numbers in a listing of `heads`.
#[derive(Debug, Default)]
pub(super) struct Heads {
    machines: BTreeMap<String, Shown>,
}

/// The heads of one machine.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) is_claimed: bool,
    pub(super) heads: Vec<HeadName>,
}

impl Heads {
    pub(super) fn of(entries: &[Entry], own: &str, report: &mut Synced) -> Self {
        let mut heads = Self::default();
        let admissions = Admissions::new(own);
        for entry in entries {
            if let Err(reason) = heads.add(&entry.name, &admissions) {
                report.warn(&entry.name, reason);
            }
        }
        heads
    }

    fn add(&mut self, name: &str, admissions: &Admissions<'_>) -> Result<(), &'static str> {
        let strange = "not the name of a head";
        let (directory, rest) = name.split_once('/').ok_or(strange)?;
        let (machine, leaf) = rest.split_once('/').filter(|_| directory == HEADS).ok_or(strange)?;
        if let Admission::Refused(reason) = admissions.of(format!("machines/{machine}/-").as_bytes()) {
            return Err(reason);
        }
        let head = HeadName::parse(leaf);
        if head.is_none() && leaf != CLAIM {
            return Err(strange);
        }
        let shown = self.machines.entry(machine.to_owned()).or_default();
        shown.is_claimed |= leaf == CLAIM;
        shown.heads.extend(head);
        Ok(())
    }

    pub(super) fn machines(&self) -> Vec<String> {
        self.machines.keys().cloned().collect()
    }

    pub(super) fn is_claimed(&self, machine: &str) -> bool {
        self.machines.get(machine).is_some_and(|shown| shown.is_claimed)
    }

    /// The heads of the highest number: one, unless two vaults have one name.
    pub(super) fn newest(&self, machine: &str) -> Vec<HeadName> {
        let heads = self.machines.get(machine).map(|shown| shown.heads.as_slice()).unwrap_or_default();
        let highest = heads.iter().map(|head| head.number).max();
        let mut newest: Vec<_> = heads.iter().filter(|head| Some(head.number) == highest).cloned().collect();
        newest.sort();
        newest
    }

    pub(super) fn all(&self, machine: &str) -> &[HeadName] {
        self.machines.get(machine).map(|shown| shown.heads.as_slice()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Vec<Entry> {
        names.iter().map(|name| Entry { name: (*name).to_owned(), len: 0, modified: None }).collect()
    }

    #[test]
    fn a_listing_tells_who_is_where() {
        let listed = entries(&[
            "heads/laptop/00000000",
            "heads/laptop/00000007-0123456789abcdef",
            "heads/laptop/00000012-0123456789abcdef",
            "heads/tower/00000000",
        ]);
        let mut report = Synced::default();
        let heads = Heads::of(&listed, "laptop", &mut report);
        assert!(report.warnings.is_empty());
        assert_eq!(heads.machines(), ["laptop", "tower"]);
        assert_eq!(heads.newest("laptop"), [HeadName::parse("00000012-0123456789abcdef").unwrap()]);
        assert!(heads.is_claimed("tower") && heads.newest("tower").is_empty());
    }

    #[test]
    fn nonsense_is_told_and_left_out() {
        let strange = [
            "heads",
            "heads/laptop",
            "heads/../00000000",
            "heads/Laptop/00000000",
            "heads/tower/x/00000000",
            "heads/tower/1-0123456789abcdef",
            "heads/tower/9999999999999999999-0123456789abcdef",
            "machines/tower/00000000",
            "heads/.git/00000000",
        ];
        let mut report = Synced::default();
        let heads = Heads::of(&entries(&strange), "laptop", &mut report);
        assert!(heads.machines().is_empty(), "{heads:?}");
        assert_eq!(report.warnings.len(), strange.len());
    }

    #[test]
    fn no_two_heads_are_called_the_same() {
        let (one, two) = (HeadName::new(3), HeadName::new(3));
        assert_ne!(one, two);
        assert_eq!(HeadName::parse(&one.to_string()), Some(one));
    }
}
