//! Real transcripts → tokens by day, counted without our crates: as we mean it, or with what ccusage is known to do
//! otherwise. One count for both, so that the difference between them is nothing but what has a name here.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::{counts, objects};

/// Input, output, cache reads, and cache writes for five minutes and an hour.
pub(super) type Counts = [u64; 5];

/// What ccusage does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Deviation {
    /// Sees no usage in lines that have a space after its colon.
    Spaced,
    /// Knows no times but those with seconds or milliseconds.
    FineTime,
    /// Counts what progress records repeat of subagents' answers.
    Progress,
    /// Takes one record of a message, where we take the most of each kind: none of a subagent's if there are others, and
    /// of those the one with the most tokens.
    OneRecord,
    /// Counts a message on the day of that record, where we take its first.
    OtherDay,
}

impl Deviation {
    pub(super) const ALL: [Self; 5] =
        [Self::Spaced, Self::FineTime, Self::Progress, Self::OneRecord, Self::OtherDay];

    /// What the rules of `stats --explain` say about it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Spaced => "expect no space after a colon",
            Self::FineTime => "no more than milliseconds in a time",
            Self::Progress => "Copies of subagents' messages in progress records are not read",
            Self::OneRecord => "the most that any of its records has of each kind of token",
            Self::OtherDay => "A message counts on the day of its first record",
        }
    }
}

/// A record with an answer of a model.
struct Sighting {
    message: String,
    time: Option<Timestamp>,
    counts: Counts,
    is_sidechain: bool,
    is_progress: bool,
    is_spaced: bool,
    is_fine: bool,
}

/// What the records of one message say together.
#[derive(Default)]
struct Message {
    most: Counts,
    first: Option<Timestamp>,
    /// By its weight; the first of several.
    largest: Option<Largest>,
}

#[derive(Clone, Copy, Default)]
struct Largest {
    weight: (bool, u64),
    counts: Counts,
    time: Option<Timestamp>,
}

/// All answers of several files, in their order.
pub(super) struct Sightings(Vec<Sighting>);

impl Sightings {
    pub(super) fn read(files: &[PathBuf]) -> Self {
        Self(files.iter().flat_map(|file| sightings(file)).collect())
    }

    /// Days on which no token was used are left out: a row of ours for answers without usage says nothing else.
    pub(super) fn days(&self, zone: &TimeZone, deviations: &[Deviation]) -> BTreeMap<String, Counts> {
        let has = |deviation| deviations.contains(&deviation);
        let mut messages: HashMap<&str, Message> = HashMap::new();
        for sighting in self.0.iter().filter(|sighting| sighting.is_seen(deviations)) {
            messages.entry(&sighting.message).or_default().add(sighting);
        }
        let mut days: BTreeMap<String, Counts> = BTreeMap::new();
        for message in messages.values() {
            let largest = message.largest.unwrap_or_default();
            let counts = if has(Deviation::OneRecord) { largest.counts } else { message.most };
            let time = if has(Deviation::OtherDay) { largest.time } else { message.first };
            let day = time
                .map_or_else(|| "unknown".to_owned(), |time| time.to_zoned(zone.clone()).date().to_string());
            let sum = days.entry(day).or_default();
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        days.retain(|_, counts| *counts != Counts::default());
        days
    }
}

impl Sighting {
    fn is_seen(&self, deviations: &[Deviation]) -> bool {
        let has = |deviation| deviations.contains(&deviation);
        let is_missed = self.is_spaced && has(Deviation::Spaced) || self.is_fine && has(Deviation::FineTime);
        !is_missed && (!self.is_progress || has(Deviation::Progress))
    }
}

impl Message {
    fn add(&mut self, sighting: &Sighting) {
        self.most.iter_mut().zip(sighting.counts).for_each(|(most, count)| *most = count.max(*most));
        self.first = [self.first, sighting.time].into_iter().flatten().min();
        let weight = (!sighting.is_sidechain, sighting.counts.iter().sum());
        if self.largest.is_none_or(|largest| weight > largest.weight) {
            self.largest = Some(Largest { weight, counts: sighting.counts, time: sighting.time });
        }
    }
}

fn sightings(file: &Path) -> Vec<Sighting> {
    let mut alone: HashMap<String, u64> = HashMap::new();
    let mut found = Vec::new();
    for line in fs::read(file).unwrap().split(|byte| *byte == b'\n') {
        let is_spaced = !line.windows(9).any(|part| part == br#""usage":{"#);
        for record in objects(line) {
            let is_progress = record["type"] == "progress";
            let answer = if is_progress { &record["data"]["message"] } else { &record };
            if is_answer(answer) {
                let message =
                    name(answer, &mut alone).unwrap_or_else(|| format!("{} {}", file.display(), found.len()));
                let (time, is_fine) = time(answer);
                found.push(Sighting {
                    message,
                    time,
                    counts: counts(&answer["message"]["usage"]),
                    is_sidechain: answer["isSidechain"] == true,
                    is_progress,
                    is_spaced,
                    is_fine,
                });
            }
        }
    }
    found
}

fn is_answer(record: &Value) -> bool {
    record["type"] == "assistant" && record["message"]["model"] != "<synthetic>"
}

/// By its ids; without them, the second record of one uuid in a file is the second one in every file.
fn name(answer: &Value, alone: &mut HashMap<String, u64>) -> Option<String> {
    if let Some(id) = answer["message"]["id"].as_str() {
        return Some(format!("{id} {}", answer["requestId"]));
    }
    let uuid = answer["uuid"].as_str()?;
    let number = alone.entry(uuid.to_owned()).or_default();
    *number += 1;
    Some(format!("{uuid} {number}"))
}

/// Also whether it has another number of digits than those of seconds and milliseconds, in UTC or beside it.
fn time(answer: &Value) -> (Option<Timestamp>, bool) {
    let text = answer["timestamp"].as_str().unwrap_or_default();
    (text.parse().ok(), !matches!(text.len(), 20 | 24 | 25 | 29))
}
