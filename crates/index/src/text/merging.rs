//! Which segments become one: few are quick to ask, and merging all of them each time is slow.

use tantivy::SegmentMeta;
use tantivy::index::SegmentId;

/// How many segments of about the same size become one.
const MANY: usize = 5;
/// Passages in a small segment; each size above is `MANY` times as large.
const SMALL: u32 = 1_000;
/// Passages in a segment that is large enough, and in one that merging may make: while it is merged, a segment is in
/// memory.
const LARGE: u32 = SMALL * 125;

/// Groups of segments to merge, each into one.
pub(super) fn plan(segments: &[SegmentMeta]) -> Vec<Vec<SegmentId>> {
    let sizes: Vec<(SegmentId, u32, u32)> =
        segments.iter().map(|meta| (meta.id(), meta.num_docs(), meta.num_deleted_docs())).collect();
    groups(sizes)
}

fn groups<T: Copy>(mut segments: Vec<(T, u32, u32)>) -> Vec<Vec<T>> {
    segments.sort_by_key(|(_, passages, _)| *passages);
    let mut groups = Vec::new();
    let (mut low, mut high) = (0, SMALL);
    while high <= LARGE {
        let below = |bound: u32| segments.iter().take_while(|(_, passages, _)| *passages < bound).count();
        if below(high) - below(low) >= MANY {
            // Smaller segments go along.
            groups.extend(chunks(segments.drain(..below(high))));
        }
        (low, high) = (high, high.saturating_mul(MANY as u32));
    }
    // More of it forgotten than left.
    let wasted = segments.iter().filter(|(_, passages, deleted)| deleted > passages);
    groups.extend(wasted.map(|(id, ..)| vec![*id]));
    groups
}

/// Runs that are not too large together.
fn chunks<T: Copy>(segments: impl Iterator<Item = (T, u32, u32)>) -> Vec<Vec<T>> {
    let mut chunks: Vec<Vec<T>> = Vec::new();
    let mut passages = LARGE;
    for (id, more, _) in segments {
        passages = passages.saturating_add(more);
        match chunks.last_mut() {
            Some(chunk) if passages <= LARGE => chunk.push(id),
            _ => {
                chunks.push(vec![id]);
                passages = more;
            }
        }
    }
    chunks.retain(|chunk| chunk.len() > 1);
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_by_one_leaves_few() {
        let mut segments: Vec<(u32, u32, u32)> = Vec::new();
        let mut written = 0;
        for number in 0..10_000 {
            segments.push((number, 20, 0));
            for group in groups(segments.clone()) {
                let sum =
                    segments.iter().filter(|(id, ..)| group.contains(id)).map(|(_, size, _)| size).sum();
                segments.retain(|(id, ..)| !group.contains(id));
                segments.push((number + 100_000 + written, sum, 0));
                written += sum;
            }
            assert!(segments.len() <= 4 * MANY, "{segments:?}");
        }
        assert!(written < 10_000 * 20 * 12, "{written} passages were written again");
    }

    #[test]
    fn merged_ones_are_not_too_large() {
        let groups = groups((0..50).map(|number| (number, 30_000, 0)).collect());
        assert!(groups.iter().all(|group| group.len() <= 4) && groups.len() >= 12, "{groups:?}");
    }

    #[test]
    fn what_is_mostly_forgotten_is_written_again() {
        assert_eq!(groups(vec![(1, 10, 11), (2, 200_000, 10), (3, 200_000, 200_001)]), [[1], [3]]);
    }
}
