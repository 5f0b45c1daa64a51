//! Records → the types, subtypes, blocks and fields in them, by client version, and which of them are new.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::content::{self, Block};
use steno_transcript::{Kind, Record, Troubles, understood};

use crate::{known, time};

/// Counts of one thing, by client version; records without a version count under `-`.
pub type ByVersion = BTreeMap<String, u64>;

/// Gathers a census record by record; memory is bounded by the number of names, not of records.
#[derive(Debug, Default)]
pub struct Census {
    records: u64,
    counts: CensusReport,
}

/// What occurs in the transcripts, by client version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CensusReport {
    pub record_types: BTreeMap<String, ByVersion>,
    /// Kinds within a type: `system/turn_duration`, `attachment/queued_command`, `progress/hook_progress`.
    pub subtypes: BTreeMap<String, ByVersion>,
    /// Types of content blocks.
    pub block_types: BTreeMap<String, ByVersion>,
    /// Fields at the top of a record.
    pub fields: BTreeMap<String, ByVersion>,
    pub unknown: Unknown,
}

/// The names that are not in this program's tables.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unknown {
    pub record_types: Vec<String>,
    pub subtypes: Vec<String>,
    pub block_types: Vec<String>,
    pub fields: Vec<String>,
}

impl Census {
    /// `last_version` is that of an earlier record of the file: many records have no version of their own.
    pub fn observe(&mut self, record: &Record<'_>, last_version: &mut String, troubles: &mut Troubles) {
        if let Some(version) = record.envelope.version.as_deref()
            && version != last_version
        {
            version.clone_into(last_version);
        }
        let version: &str = if last_version.is_empty() { "-" } else { last_version };
        self.records += 1;
        // Only to find a time that cannot be read.
        let _ = time::of(&record.envelope, troubles);
        let kind = record.kind();
        count(&mut self.counts.record_types, kind.name(), version);
        if let Some(subtype) = subtype(record, &kind) {
            count(&mut self.counts.subtypes, &format!("{}/{subtype}", kind.name()), version);
        }
        for (name, _) in record.fields().iter().flat_map(|fields| fields.iter()) {
            count(&mut self.counts.fields, name, version);
        }
        if matches!(kind, Kind::User | Kind::Assistant) {
            let blocks = record.blocks(troubles);
            self.count_blocks(&blocks, version, troubles);
        }
    }

    fn count_blocks(&mut self, blocks: &[Block<'_>], version: &str, troubles: &mut Troubles) {
        for block in blocks {
            count(&mut self.counts.block_types, block_name(block), version);
            if let Block::ToolResult(result) = block {
                for part in content::blocks(result.content, troubles) {
                    count(
                        &mut self.counts.block_types,
                        &format!("tool_result/{}", block_name(&part)),
                        version,
                    );
                }
            }
        }
    }

    /// Adds what another census counted.
    pub fn merge(&mut self, other: Self) {
        self.records += other.records;
        let (counts, others) = (&mut self.counts, other.counts);
        let pairs = [
            (&mut counts.record_types, others.record_types),
            (&mut counts.subtypes, others.subtypes),
            (&mut counts.block_types, others.block_types),
            (&mut counts.fields, others.fields),
        ];
        for (mine, theirs) in pairs {
            for (name, versions) in theirs {
                let known = mine.entry(name).or_default();
                for (version, times) in versions {
                    *known.entry(version).or_default() += times;
                }
            }
        }
    }

    /// How many records there were.
    pub fn records(&self) -> u64 {
        self.records
    }

    pub fn report(self) -> CensusReport {
        let new = |counts: &BTreeMap<String, ByVersion>, is_known: fn(&str) -> bool| {
            counts.keys().filter(|name| !is_known(name)).cloned().collect()
        };
        let unknown = Unknown {
            record_types: new(&self.counts.record_types, |name| Kind::from_name(name).is_known()),
            subtypes: new(&self.counts.subtypes, known::is_subtype),
            block_types: new(&self.counts.block_types, known::is_block),
            fields: new(&self.counts.fields, known::is_field),
        };
        CensusReport { unknown, ..self.counts }
    }
}

fn count(counts: &mut BTreeMap<String, ByVersion>, name: &str, version: &str) {
    if let Some(versions) = counts.get_mut(name) {
        match versions.get_mut(version) {
            Some(times) => *times += 1,
            None => drop(versions.insert(version.to_owned(), 1)),
        }
        return;
    }
    counts.insert(name.to_owned(), ByVersion::from([(version.to_owned(), 1)]));
}

/// The subtype of a record of a type that has subtypes.
fn subtype(record: &Record<'_>, kind: &Kind) -> Option<String> {
    #[derive(Deserialize)]
    struct Typed {
        #[serde(rename = "type")]
        kind: String,
    }
    let nested = match kind {
        Kind::System => return record.envelope.subtype.as_deref().map(str::to_owned),
        Kind::Attachment => record.envelope.attachment?,
        Kind::Progress => record.envelope.data?,
        _ => return None,
    };
    understood::<Typed>(nested).map(|typed| typed.kind)
}

fn block_name<'a>(block: &'a Block<'_>) -> &'a str {
    match block {
        Block::Text(_) => "text",
        Block::Thinking(_) => "thinking",
        Block::RedactedThinking { .. } => "redacted_thinking",
        Block::ToolUse(call) => &call.kind,
        Block::ToolResult(result) => &result.kind,
        Block::Image(_) => "image",
        Block::Document(_) => "document",
        Block::ToolReference(_) => "tool_reference",
        Block::Unknown { kind, .. } => kind,
    }
}
