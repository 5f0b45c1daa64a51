//! Compaction: the boundary and the summary behind it.

use serde_json::{Map, json};
use steno_transcript::RecordId;

use super::Session;
use crate::Era;

/// A compaction in full; [`Session::compact`] is the short form.
#[derive(Debug, Clone)]
pub struct Compaction {
    /// `manual` or `auto`.
    pub trigger: String,
    pub pre_tokens: u64,
    /// Written by the newest era only.
    pub post_tokens: Option<u64>,
    pub summary: String,
    /// How many of the last records stay in the context; newest era only.
    pub preserved: usize,
}

impl Session {
    pub fn compact(self, trigger: &str, pre: u64, post: impl Into<Option<u64>>, summary: &str) -> Self {
        self.compact_with(&Compaction {
            trigger: trigger.to_owned(),
            pre_tokens: pre,
            post_tokens: post.into(),
            summary: summary.to_owned(),
            preserved: 0,
        })
    }

    pub fn compact_with(mut self, compaction: &Compaction) -> Self {
        self.put_boundary(compaction);
        let text = format!(
            "This session is being continued from a previous conversation that ran out of context. The conversation \
             is summarized below:\n{}",
            compaction.summary
        );
        let flags = json!({"isVisibleInTranscriptOnly": true, "isCompactSummary": true});
        self.put_user(json!(text), flags, json!({}));
        self
    }

    /// Old tool results were cleared from the context, without a summary.
    pub fn microcompact(mut self, pre: u64, saved: u64) -> Self {
        self.link(json!({
            "type": "system", "subtype": "microcompact_boundary", "content": "Context microcompacted",
            "isMeta": false, "timestamp": null, "uuid": null, "level": "info",
            "microcompactMetadata": {
                "trigger": "auto", "preTokens": pre, "tokensSaved": saved, "compactedToolIds": [],
                "clearedAttachmentUUIDs": [],
            },
        }));
        self
    }

    fn put_boundary(&mut self, compaction: &Compaction) {
        let mut metadata = Map::new();
        metadata.insert("trigger".into(), json!(compaction.trigger));
        metadata.insert("preTokens".into(), json!(compaction.pre_tokens));
        if self.era == Era::V2_1_325 {
            self.newer_metadata(compaction, &mut metadata);
        }
        let logical = json!(self.leaf);
        let body = if self.era == Era::V2_1_325 {
            json!({
                "logicalParentUuid": logical, "type": "system", "subtype": "compact_boundary",
                "content": "Conversation compacted", "level": "info", "compactMetadata": metadata,
                "uuid": null, "timestamp": null,
            })
        } else {
            json!({
                "logicalParentUuid": logical, "type": "system", "subtype": "compact_boundary",
                "content": "Conversation compacted", "isMeta": false, "timestamp": null, "uuid": null,
                "level": "info", "compactMetadata": metadata,
            })
        };
        self.link_below(None, body);
    }

    fn newer_metadata(&self, compaction: &Compaction, metadata: &mut Map<String, serde_json::Value>) {
        if let Some(post) = compaction.post_tokens {
            metadata.insert("postTokens".into(), json!(post));
        }
        metadata.insert("durationMs".into(), json!(400));
        let first = self.made.records.len().saturating_sub(compaction.preserved);
        let preserved: &[RecordId] = &self.made.records[first..];
        if let (Some(head), Some(tail)) = (preserved.first(), preserved.last()) {
            let anchor = self.ids.peek_record(1);
            let segment = json!({"headUuid": head, "anchorUuid": anchor, "tailUuid": tail});
            let messages = json!({"anchorUuid": anchor, "uuids": preserved, "allUuids": preserved});
            metadata.insert("preservedSegment".into(), segment);
            metadata.insert("preservedMessages".into(), messages);
        }
    }
}
