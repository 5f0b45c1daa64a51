//! Rows ⇄ bytes, all of one length.
//!
//! Sums are asked for again and again, and tens of thousands of rows are read for each: numbers of a fixed width cost a
//! tenth of those that have to be found first.

use std::fmt;
use std::num::NonZeroU64;

use jiff::Timestamp;
use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

use super::{Name, Row};
use crate::usage::{MessageKey, Usage};

/// Flags, key, request or record, seconds and nanoseconds, three names, six counts, searches.
const WIDTH: usize = 1 + 8 + 8 + 8 + 4 + 3 * 4 + 6 * 8 + 8;

/// No name.
const NAMELESS: u32 = u32::MAX;

const HAS_KEY: u8 = 1;
const HAS_TIME: u8 = 1 << 1;
const IS_AGENT: u8 = 1 << 2;
const IS_FINAL: u8 = 1 << 3;
const IS_FAST: u8 = 1 << 4;
const IS_REGIONAL: u8 = 1 << 5;

pub(super) fn serialize<S: Serializer>(rows: &[Row], serializer: S) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(rows.len() * WIDTH);
    rows.iter().for_each(|row| pack(row, &mut bytes));
    serializer.serialize_bytes(&bytes)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Row>, D::Error> {
    deserializer.deserialize_bytes(Bytes)
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<Row>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("rows of one length")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<Row>, E> {
        let (rows, []) = bytes.as_chunks::<WIDTH>() else { return Err(E::custom("half a row")) };
        rows.iter().map(|row| unpack(row).ok_or_else(|| E::custom("no time"))).collect()
    }
}

fn pack(row: &Row, bytes: &mut Vec<u8>) {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    bytes.push(
        flag(row.key.is_some(), HAS_KEY)
            | flag(row.time.is_some(), HAS_TIME)
            | flag(row.is_agent, IS_AGENT)
            | flag(row.usage.is_final, IS_FINAL)
            | flag(row.usage.is_fast, IS_FAST)
            | flag(row.usage.is_regional, IS_REGIONAL),
    );
    let (message, other) = row.key.map_or((0, row.record), |key| (key.message, key.request));
    bytes.extend(message.to_le_bytes());
    bytes.extend(other.map_or(0, NonZeroU64::get).to_le_bytes());
    let time = row.time.unwrap_or_default();
    bytes.extend(time.as_second().to_le_bytes());
    bytes.extend(time.subsec_nanosecond().to_le_bytes());
    for name in [row.model, row.cwd, row.git_branch] {
        bytes.extend(name.map_or(NAMELESS, |Name(name)| name).to_le_bytes());
    }
    row.usage.counts.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    bytes.extend(row.usage.web_searches.to_le_bytes());
}

/// Nothing where the time is none.
fn unpack(row: &[u8; WIDTH]) -> Option<Row> {
    let (&[flags], rest) = row.split_first_chunk()?;
    let mut rest = Fields(rest);
    let has = |flag: u8| flags & flag != 0;
    let (message, other) = (rest.long()?, NonZeroU64::new(rest.long()?));
    let (second, nanosecond) = (rest.long()?.cast_signed(), rest.short()?.cast_signed());
    let time = if has(HAS_TIME) { Some(Timestamp::new(second, nanosecond).ok()?) } else { None };
    let [model, cwd, git_branch] = [rest.name()?, rest.name()?, rest.name()?];
    let mut counts = [0; 6];
    for count in &mut counts {
        *count = rest.long()?;
    }
    Some(Row {
        key: has(HAS_KEY).then_some(MessageKey { message, request: other }),
        record: other.filter(|_| !has(HAS_KEY)),
        time,
        model,
        cwd,
        git_branch,
        is_agent: has(IS_AGENT),
        usage: Usage {
            counts,
            web_searches: rest.long()?,
            is_final: has(IS_FINAL),
            is_fast: has(IS_FAST),
            is_regional: has(IS_REGIONAL),
        },
    })
}

/// What of a row is still to be read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn long(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn short(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn name(&mut self) -> Option<Option<Name>> {
        let name = self.short()?;
        Some((name != NAMELESS).then_some(Name(name)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows() -> impl Strategy<Value = Row> {
        let key = proptest::option::of((any::<u64>(), any::<u64>()));
        let time = proptest::option::of((-377_705_023_201_i64..253_402_207_200, 0..1_000_000_000_i32));
        let names = [
            proptest::option::of(0..NAMELESS),
            proptest::option::of(0..3_u32),
            proptest::option::of(0..3_u32),
        ];
        (key, any::<u64>(), time, names, any::<[u64; 7]>(), any::<[bool; 4]>()).prop_map(
            |(key, record, time, [model, cwd, git_branch], [web_searches, counts @ ..], flags)| Row {
                key: key.map(|(message, request)| MessageKey { message, request: NonZeroU64::new(request) }),
                record: NonZeroU64::new(record).filter(|_| key.is_none()),
                time: time.map(|(second, nanosecond)| {
                    // Before the epoch both count backwards.
                    let nanosecond = if second < 0 { -nanosecond } else { nanosecond };
                    Timestamp::new(second, nanosecond).unwrap()
                }),
                model: model.map(Name),
                cwd: cwd.map(Name),
                git_branch: git_branch.map(Name),
                is_agent: flags[0],
                usage: Usage {
                    counts,
                    web_searches,
                    is_final: flags[1],
                    is_fast: flags[2],
                    is_regional: flags[3],
                },
            },
        )
    }

    proptest! {
        #[test]
        fn a_row_comes_back_as_it_was(row in rows()) {
            let mut bytes = Vec::new();
            pack(&row, &mut bytes);
            prop_assert_eq!(bytes.len(), WIDTH);
            prop_assert_eq!(unpack(bytes.as_slice().try_into().unwrap()), Some(row));
        }

        #[test]
        fn whatever_the_bytes_are_is_a_row_or_none(bytes in any::<[[u8; 32]; 4]>()) {
            let bytes = bytes.concat();
            let _ = unpack(bytes.first_chunk().unwrap());
        }
    }
}
