//! Takes thinking and images out of everything.

use super::draft::Draft;
use crate::options::Strip;
use crate::outline::{BlockKind, NodeId};

pub(super) fn strip(draft: &mut Draft<'_>, options: &Strip) {
    let ids: Vec<NodeId> = draft.records().map(|(id, _)| id).collect();
    for id in ids {
        if options.thinking {
            draft.take_out(id, |_, block| block.kind == BlockKind::Thinking);
        }
        // A result may hold images as well.
        let may_show = |kind| matches!(kind, BlockKind::Image | BlockKind::Document | BlockKind::Result);
        if options.images && draft.blocks(id).any(|(_, block)| may_show(block.kind)) {
            draft.change(id).without_images = true;
        }
    }
}
