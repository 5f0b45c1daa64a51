//! An account ⇄ bytes, its rows all of one length.
//!
//! Sums are asked for again and again, and tens of thousands of rows are read for each: numbers of a fixed width cost a
//! tenth of those that have to be found first.

use std::num::NonZeroU64;

use jiff::Timestamp;
use steno_transcript::SessionId;

use super::names::Names;
use super::{Account, Name, Row};
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

impl Account {
    /// All but how its records repeat each other.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.rows.len() * WIDTH + 256);
        bytes.extend((self.rows.len() as u64).to_le_bytes());
        self.rows.iter().for_each(|row| pack(row, &mut bytes));
        bytes.extend(self.synthetic.to_le_bytes());
        put_text(self.session.as_ref().map(SessionId::as_str), &mut bytes);
        self.names.iter().for_each(|name| put_text(Some(name), &mut bytes));
        bytes
    }

    /// Nothing where the bytes are of nothing that was packed.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = Fields(bytes);
        let rows = usize::try_from(rest.long()?).ok()?.checked_mul(WIDTH)?;
        let (packed, []) = rest.take(rows)?.as_chunks::<WIDTH>() else { return None };
        // Collected they would grow step by step: how many of them are sound is not known before.
        let mut rows = Vec::with_capacity(packed.len());
        for row in packed {
            rows.push(unpack(row)?);
        }
        let synthetic = rest.long()?;
        let session = rest.text()?.map(SessionId::from);
        let mut names = Names::with_capacity(rest.0.len());
        while !rest.0.is_empty() {
            names.push(rest.text()??)?;
        }
        Some(Self { start: start(&rows), rows, names, repeats: Vec::new(), session, synthetic })
    }
}

/// When the first of them was written.
pub(super) fn start(rows: &[Row]) -> Option<Timestamp> {
    rows.iter().filter_map(|row| row.time).min()
}

/// No text is as long.
const NONE: u64 = u64::MAX;

fn put_text(text: Option<&str>, bytes: &mut Vec<u8>) {
    bytes.extend(text.map_or(NONE, |text| text.len() as u64).to_le_bytes());
    bytes.extend(text.unwrap_or_default().as_bytes());
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

/// What is still to be read.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, number: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(number)?;
        self.0 = rest;
        Some(taken)
    }

    fn text(&mut self) -> Option<Option<&'a str>> {
        match self.long()? {
            NONE => Some(None),
            len => Some(Some(std::str::from_utf8(self.take(usize::try_from(len).ok()?)?).ok()?)),
        }
    }

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
        fn an_account_comes_back_as_it_was(
            rows in proptest::collection::vec(rows(), 0..5),
            texts in proptest::collection::vec(".*", 0..5),
            session in proptest::option::of(".*"),
            synthetic: u64,
        ) {
            let mut names = Names::default();
            for text in &texts {
                names.push(text);
            }
            let session = session.map(SessionId::new);
            let start = start(&rows);
            let account = Account { rows, names, repeats: Vec::new(), session, synthetic, start };
            let bytes = account.to_bytes();
            prop_assert_eq!(Account::from_bytes(&bytes), Some(account));
            for len in 0..bytes.len() {
                let _ = Account::from_bytes(&bytes[..len]);
            }
        }

        #[test]
        fn whatever_the_bytes_are_is_an_account_or_none(bytes: Vec<u8>) {
            let _ = Account::from_bytes(&bytes);
        }

        #[test]
        fn whatever_the_bytes_are_is_a_row_or_none(bytes in any::<[[u8; 32]; 4]>()) {
            let bytes = bytes.concat();
            let _ = unpack(bytes.first_chunk().unwrap());
        }
    }
}
