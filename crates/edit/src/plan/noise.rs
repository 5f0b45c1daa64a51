//! Leaves out what only the client's screen and logs need.

use steno_transcript::Kind;

use super::draft::Draft;

/// Requests repeat what was said, progress was shown while it lasted, and snapshots are of files as they were before
/// turns that may be gone. What is left of the messages no longer points to a request.
pub(super) fn leave_out(draft: &mut Draft<'_>) {
    let is_request =
        |kind: &Kind| matches!(kind, Kind::ApiRequest | Kind::ApiRequestShape | Kind::ApiRequestBlob);
    let had_requests = draft.records().any(|(_, node)| node.kind.as_ref().is_some_and(is_request));
    draft.retain(|_, node| {
        let kind = node.kind.as_ref();
        !kind.is_some_and(is_request)
            && !matches!(kind, Some(Kind::Progress | Kind::FileHistorySnapshot | Kind::FileHistoryDelta))
    });
    if had_requests {
        let answers: Vec<_> =
            draft.records().filter(|(_, node)| node.kind == Some(Kind::Assistant)).collect();
        for (id, _) in answers {
            draft.change(id).drops_request = true;
        }
    }
}
