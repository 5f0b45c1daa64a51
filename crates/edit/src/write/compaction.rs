//! A compaction of ours → its two records, as the clients write and understand them.

use jiff::{SignedDuration, Timestamp};
use steno_transcript::Record;

use super::change::moment;
use super::{Identity, spelled, summary_of};
use crate::plan::Compaction;

/// What every record of a session says of where it was made.
const FIELDS: [&str; 6] = ["userType", "entrypoint", "cwd", "version", "gitBranch", "slug"];

/// What our records have in common with another one.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    /// As they are spelled.
    fields: Vec<(&'static str, String)>,
    time: Option<Timestamp>,
}

impl Envelope {
    pub(super) fn of(record: &Record<'_>) -> Self {
        let field = |name: &'static str| super::field(record, name).map(|value| (name, value));
        let time = record.envelope.timestamp.as_deref().and_then(|time| time.parse().ok());
        Self { fields: FIELDS.into_iter().filter_map(field).collect(), time }
    }

    fn spelled(&self) -> String {
        self.fields.iter().map(|(name, value)| format!("\"{name}\":{value},")).collect()
    }
}

/// The boundary and the summary.
pub(super) fn lines(compaction: &Compaction, like: Option<&Envelope>, identity: &Identity) -> String {
    let time = compaction.time.or_else(|| like?.time).unwrap_or(Timestamp::UNIX_EPOCH);
    let later = time.checked_add(SignedDuration::from_millis(1)).unwrap_or(time);
    let (time, later) = (spelled(&moment(time)), spelled(&moment(later)));
    let envelope = like.map(Envelope::spelled).unwrap_or_default();
    let boundary = spelled(&identity.uuid(&format!("boundary for {}", identity.to)));
    let summary = spelled(&identity.uuid(&summary_of(identity)));
    let (text, session) = (spelled(&compaction.summary), spelled(&identity.to));
    let Compaction { tokens_before, tokens_after, .. } = compaction;
    let tokens = format!(r#""preTokens":{tokens_before},"postTokens":{tokens_after}"#);
    let first = [
        r#"{"parentUuid":null,"logicalParentUuid":null,"isSidechain":false,"type":"system","#,
        r#""subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","#,
        &format!(
            r#""timestamp":{time},"uuid":{boundary},"compactMetadata":{{"trigger":"manual",{tokens}}},"#
        ),
        &format!(r#"{envelope}"sessionId":{session}}}"#),
    ];
    let second = [
        &format!(r#"{{"parentUuid":{boundary},"isSidechain":false,"type":"user","#),
        &format!(r#""message":{{"role":"user","content":{text}}},"isVisibleInTranscriptOnly":true,"#),
        &format!(r#""isCompactSummary":true,"uuid":{summary},"timestamp":{later},"#),
        &format!(r#"{envelope}"sessionId":{session}}}"#),
    ];
    first.concat() + "\n" + &second.map(String::as_str).concat() + "\n"
}
