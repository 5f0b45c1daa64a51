//! Words about compactions and spans of time.

use super::*;

fn compacted(pre_tokens: Option<u64>, post_tokens: Option<u64>) -> String {
    let trigger = Some("auto\n".to_owned());
    let compact = CompactChunk { trigger, pre_tokens, post_tokens, summary: String::new() };
    compaction(&compact).join(", ")
}

#[test]
fn what_a_compaction_did_not_record_is_not_said() {
    assert_eq!(compacted(Some(155_000), Some(12_000)), "auto, 155K → 12.0K tokens");
    assert_eq!(compacted(Some(155_000), None), "auto, 155K tokens before");
    assert_eq!(compacted(None, Some(900)), "auto, 900 tokens after");
    assert_eq!(compacted(None, None), "auto");
}

#[test]
fn a_span_says_nothing_twice() {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let from = at("2026-11-15T10:00:00Z");
    let said = |to| span(from, at(to), &TimeZone::UTC);
    assert_eq!(said("2026-11-15T10:00:59Z"), "2026-11-15 10:00");
    assert_eq!(said("2026-11-15T11:30:00Z"), "2026-11-15 10:00 – 11:30");
    assert_eq!(said("2026-11-16T11:30:00Z"), "2026-11-15 10:00 – 2026-11-16 11:30");
}
