//! A segment → what there is to know of each of its passages.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use tantivy::SegmentReader;
use tantivy::columnar::{ColumnIndex, ColumnValues, StrColumn};

use super::super::mark::Mark;
use super::super::schema;

type Numbers = Arc<dyn ColumnValues<u64>>;

/// What is asked of every passage that answers.
pub(super) struct Marks(Numbers);

impl Marks {
    pub(super) fn of(segment: &SegmentReader) -> tantivy::Result<Self> {
        numbers(segment, schema::MARK).map(Self)
    }

    /// Each as a number.
    pub(super) fn numbers(&self, passages: &[u32], marks: &mut [u64]) {
        self.0.get_vals(passages, marks);
    }

    pub(super) fn get(&self, passage: u32) -> Mark {
        Mark(self.0.get_val(passage))
    }
}

/// What is asked of those that are shown.
pub(super) struct Details {
    line: Numbers,
    offset: Numbers,
    tool: Option<StrColumn>,
    /// Names of tools, by numbers of the segment's own: there are few, and each takes a while to find.
    tools: HashMap<u64, Option<Arc<str>>, RandomState>,
}

impl Details {
    pub(super) fn of(segment: &SegmentReader) -> tantivy::Result<Self> {
        Ok(Self {
            line: numbers(segment, schema::LINE)?,
            offset: numbers(segment, schema::OFFSET)?,
            tool: segment.fast_fields().str(schema::TOOL)?,
            tools: HashMap::default(),
        })
    }

    pub(super) fn line(&self, passage: u32) -> u64 {
        self.line.get_val(passage)
    }

    pub(super) fn offset(&self, passage: u32) -> u64 {
        self.offset.get_val(passage)
    }

    pub(super) fn tool(&mut self, passage: u32) -> Option<Arc<str>> {
        let column = self.tool.as_ref()?;
        let number = column.ords().first(passage)?;
        let named = || {
            let mut name = String::new();
            let is_found = column.ord_to_str(number, &mut name).ok()?;
            is_found.then(|| name.into())
        };
        self.tools.entry(number).or_insert_with(named).clone()
    }
}

/// Every passage has one: where that is so, nobody has to ask where it stands.
fn numbers(segment: &SegmentReader, name: &str) -> tantivy::Result<Numbers> {
    let column = segment.fast_fields().u64(name)?;
    Ok(match column.index {
        ColumnIndex::Full => column.values,
        _ => column.first_or_default_col(u64::MAX),
    })
}
