//! Rows, and the account that they make ⇄ bytes.
//!
//! Sums are asked for again and again, over tens of thousands of rows that somebody remembered. So a row is not made
//! before somebody looks at it: until then it is the bytes that it is remembered as, of one of two widths.

use std::num::NonZeroU64;

use jiff::Timestamp;
use steno_transcript::SessionId;

use super::names::Names;
use super::{Account, Name, Row};
use crate::usage::{MessageKey, Usage};

/// Rows, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rows {
    bytes: Vec<u8>,
    len: usize,
}

/// A row that nobody has looked at.
#[derive(Debug, Clone, Copy)]
pub struct Packed<'a>(&'a [u8]);

/// Flags, message, request or record, nanoseconds, three names, six counts, searches.
const NARROW: usize = 1 + 8 + 8 + 8 + 3 * 2 + 6 * 4 + 2;
/// The same with room for everything, and the seconds apart.
const WIDE: usize = 1 + 8 + 8 + (8 + 4) + 3 * 4 + 6 * 8 + 8;

/// No name.
const NAMELESS: u32 = u32::MAX;
const NARROW_NAMELESS: u16 = u16::MAX;

const HAS_KEY: u8 = 1;
const HAS_TIME: u8 = 1 << 1;
const IS_AGENT: u8 = 1 << 2;
const IS_FINAL: u8 = 1 << 3;
const IS_FAST: u8 = 1 << 4;
const IS_REGIONAL: u8 = 1 << 5;
const IS_WIDE: u8 = 1 << 6;

impl Rows {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut bytes = Vec::with_capacity(rows.len() * NARROW);
        rows.iter().for_each(|row| pack(row, &mut bytes));
        Self { bytes, len: rows.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Packed<'_>> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let width = if rest.first()? & IS_WIDE == 0 { NARROW } else { WIDE };
            let (row, more) = rest.split_at_checked(width)?;
            rest = more;
            Some(Packed(row))
        })
    }
}

impl Packed<'_> {
    /// Which message it is, and of a record that is a message of its own, which record.
    pub fn identity(self) -> (Option<MessageKey>, Option<NonZeroU64>) {
        let mut rest = Fields(self.0);
        rest.byte().and_then(|flags| rest.identity(flags)).unwrap_or_default()
    }

    pub fn open(self) -> Row {
        // Of a row all bytes are there.
        self.read().unwrap_or_default()
    }

    fn read(self) -> Option<Row> {
        let mut rest = Fields(self.0);
        let flags = rest.byte()?;
        let has = |flag: u8| flags & flag != 0;
        let (key, record) = rest.identity(flags)?;
        let is_wide = has(IS_WIDE);
        let time = if is_wide { rest.time() } else { rest.narrow_time() }?;
        let mut name = || if is_wide { rest.name() } else { rest.narrow_name() };
        let (model, cwd, git_branch) = (name()?, name()?, name()?);
        let mut counts = [0; 6];
        for count in &mut counts {
            *count = if is_wide { rest.long()? } else { rest.short()?.into() };
        }
        let web_searches = if is_wide { rest.long()? } else { rest.half()?.into() };
        let usage = Usage {
            counts,
            web_searches,
            is_final: has(IS_FINAL),
            is_fast: has(IS_FAST),
            is_regional: has(IS_REGIONAL),
        };
        let (time, is_agent) = (has(HAS_TIME).then_some(time), has(IS_AGENT));
        Some(Row { key, record, time, model, cwd, git_branch, is_agent, usage })
    }
}

impl Account {
    /// All but how its records repeat each other.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.rows.bytes.len() + 512);
        bytes.extend((self.rows.len as u64).to_le_bytes());
        bytes.extend((self.rows.bytes.len() as u64).to_le_bytes());
        bytes.extend(&self.rows.bytes);
        bytes.push(u8::from(self.start.is_some()));
        put_time(self.start, &mut bytes);
        bytes.extend(self.synthetic.to_le_bytes());
        put_text(self.session.as_ref().map(SessionId::as_str), &mut bytes);
        self.names.iter().for_each(|name| put_text(Some(name), &mut bytes));
        bytes
    }

    /// Nothing where the bytes are of nothing that was packed.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = Fields(bytes);
        let (len, width) = (rest.size()?, rest.size()?);
        let rows = Rows { bytes: rest.take(width)?.to_owned(), len };
        let has_start = rest.byte()? != 0;
        let start = Some(rest.time()?).filter(|_| has_start);
        let synthetic = rest.long()?;
        let session = rest.text()?.map(SessionId::from);
        let mut names = Names::with_capacity(rest.0.len());
        while !rest.0.is_empty() {
            names.push(rest.text()??)?;
        }
        Some(Self { rows, names, repeats: Vec::new(), session, synthetic, start })
    }
}

fn pack(row: &Row, bytes: &mut Vec<u8>) {
    let before = bytes.len();
    if pack_narrow(row, bytes).is_none() {
        bytes.truncate(before);
        pack_wide(row, bytes);
    }
}

/// Nothing where a number does not fit.
fn pack_narrow(row: &Row, bytes: &mut Vec<u8>) -> Option<()> {
    bytes.push(flags(row));
    put_identity(row, bytes);
    let time = row.time.map_or(Some(0), |time| i64::try_from(time.as_nanosecond()).ok());
    bytes.extend(time?.to_le_bytes());
    for name in [row.model, row.cwd, row.git_branch] {
        let narrow = |Name(name)| u16::try_from(name).ok().filter(|name| *name != NARROW_NAMELESS);
        bytes.extend(name.map_or(Some(NARROW_NAMELESS), narrow)?.to_le_bytes());
    }
    for count in row.usage.counts {
        bytes.extend(u32::try_from(count).ok()?.to_le_bytes());
    }
    bytes.extend(u16::try_from(row.usage.web_searches).ok()?.to_le_bytes());
    Some(())
}

fn pack_wide(row: &Row, bytes: &mut Vec<u8>) {
    bytes.push(flags(row) | IS_WIDE);
    put_identity(row, bytes);
    put_time(row.time, bytes);
    for name in [row.model, row.cwd, row.git_branch] {
        bytes.extend(name.map_or(NAMELESS, |Name(name)| name).to_le_bytes());
    }
    row.usage.counts.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    bytes.extend(row.usage.web_searches.to_le_bytes());
}

fn flags(row: &Row) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(row.key.is_some(), HAS_KEY)
        | flag(row.time.is_some(), HAS_TIME)
        | flag(row.is_agent, IS_AGENT)
        | flag(row.usage.is_final, IS_FINAL)
        | flag(row.usage.is_fast, IS_FAST)
        | flag(row.usage.is_regional, IS_REGIONAL)
}

fn put_identity(row: &Row, bytes: &mut Vec<u8>) {
    let (message, other) = row.key.map_or((0, row.record), |key| (key.message, key.request));
    bytes.extend(message.to_le_bytes());
    bytes.extend(other.map_or(0, NonZeroU64::get).to_le_bytes());
}

fn put_time(time: Option<Timestamp>, bytes: &mut Vec<u8>) {
    let time = time.unwrap_or_default();
    bytes.extend(time.as_second().to_le_bytes());
    bytes.extend(time.subsec_nanosecond().to_le_bytes());
}

/// No text is as long.
const NONE: u64 = u64::MAX;

fn put_text(text: Option<&str>, bytes: &mut Vec<u8>) {
    bytes.extend(text.map_or(NONE, |text| text.len() as u64).to_le_bytes());
    bytes.extend(text.unwrap_or_default().as_bytes());
}

/// What is still to be read.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, number: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(number)?;
        self.0 = rest;
        Some(taken)
    }

    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (chunk, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*chunk)
    }

    fn text(&mut self) -> Option<Option<&'a str>> {
        match self.long()? {
            NONE => Some(None),
            len => Some(Some(std::str::from_utf8(self.take(usize::try_from(len).ok()?)?).ok()?)),
        }
    }

    fn long(&mut self) -> Option<u64> {
        self.chunk().map(u64::from_le_bytes)
    }

    fn short(&mut self) -> Option<u32> {
        self.chunk().map(u32::from_le_bytes)
    }

    fn half(&mut self) -> Option<u16> {
        self.chunk().map(u16::from_le_bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.chunk().map(|[byte]| byte)
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.long()?).ok()
    }

    fn identity(&mut self, flags: u8) -> Option<(Option<MessageKey>, Option<NonZeroU64>)> {
        let (message, other) = (self.long()?, NonZeroU64::new(self.long()?));
        let has_key = flags & HAS_KEY != 0;
        let key = has_key.then_some(MessageKey { message, request: other });
        Some((key, other.filter(|_| !has_key)))
    }

    fn narrow_time(&mut self) -> Option<Timestamp> {
        Timestamp::from_nanosecond(self.long()?.cast_signed().into()).ok()
    }

    fn time(&mut self) -> Option<Timestamp> {
        Timestamp::new(self.long()?.cast_signed(), self.short()?.cast_signed()).ok()
    }

    fn narrow_name(&mut self) -> Option<Option<Name>> {
        let name = self.half()?;
        Some((name != NARROW_NAMELESS).then_some(Name(name.into())))
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
            let rows = Rows::of(&[row, row]);
            prop_assert!(rows.bytes.len() <= 2 * WIDE);
            prop_assert_eq!(rows.iter().map(Packed::open).collect::<Vec<_>>(), [row, row]);
            prop_assert!(rows.iter().all(|packed| packed.identity() == (row.key, row.record)));
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
            let start = rows.iter().filter_map(|row| row.time).min();
            let account = Account { rows: Rows::of(&rows), names, repeats: Vec::new(), session, synthetic, start };
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
        fn whatever_the_bytes_are_are_rows_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..1000)) {
            let rows = Rows { len: 0, bytes };
            for packed in rows.iter() {
                let _ = (packed.identity(), packed.open());
            }
        }
    }

    #[test]
    fn a_row_as_clients_write_them_is_narrow() {
        let usage = Usage { counts: [3, 700, 160_000, 20_000, 15_000, 5000], ..Usage::default() };
        let time = Some("2026-01-01T00:00:00.123Z".parse().unwrap());
        let row = Row { time, usage, model: Some(Name(0)), cwd: Some(Name(1)), ..Row::default() };
        assert_eq!(Rows::of(&[row]).bytes.len(), NARROW);
    }

    #[test]
    fn what_does_not_fit_makes_a_row_wide() {
        let usage = |counts, web_searches| Usage { counts, web_searches, ..Usage::default() };
        let far = Some("9000-01-01T00:00:00Z".parse().unwrap());
        let wide = [
            Row { usage: usage([0, 0, 0, 0, 0, 1 << 32], 0), ..Row::default() },
            Row { usage: usage([0; 6], 1 << 16), ..Row::default() },
            Row { git_branch: Some(Name(u32::from(NARROW_NAMELESS))), ..Row::default() },
            Row { time: far, ..Row::default() },
        ];
        for row in wide {
            let rows = Rows::of(&[row]);
            assert_eq!(rows.bytes.len(), WIDE, "{row:?}");
            assert_eq!(rows.iter().map(Packed::open).collect::<Vec<_>>(), [row]);
        }
    }
}
