//! The segments of a generation, and what was known of it → the parts that are broken or gone.

use super::Volume;
use crate::damage::{Damage, Reason};
use crate::name::SegmentName;
use crate::stream::{Broken, Codec, Generation, Segment};

/// The bytes between two readable segments, or after the last one.
struct Gap<'a> {
    /// The number and the end of the bytes before it; the end is unknown after a misplaced segment.
    after: (u32, Option<u64>),
    next: Option<&'a Segment>,
}

impl Volume<'_> {
    /// The damaged and missing segments. `known` is the generation as the cache remembers it, which tells the range of each.
    pub(crate) fn gaps(&self, known: Option<&Generation>) -> Vec<Damage> {
        let mut gaps = Vec::new();
        let mut after = (0, Some(0));
        let mut previous: Option<&Segment> = None;
        for segment in &self.generation.segments {
            let gap = Gap { after, next: Some(segment) };
            let inside = self.inside(&gap, known);
            let is_misplaced = inside.is_empty() && after.1.is_some_and(|end| end != segment.offset);
            if is_misplaced {
                gaps.push(self.misplaced(previous, segment));
            }
            gaps.extend(inside);
            // The segment after a misplaced one is not at fault.
            after = (segment.last, Some(segment.end()).filter(|_| !is_misplaced));
            previous = Some(segment);
        }
        gaps.extend(self.inside(&Gap { after, next: None }, known));
        // What should have been a merged one may reach over several gaps.
        gaps.dedup_by(|one, two| one.segment == two.segment);
        gaps
    }

    fn inside(&self, gap: &Gap<'_>, known: Option<&Generation>) -> Vec<Damage> {
        let mut inside: Vec<Damage> = Vec::new();
        let mut number = gap.after.0;
        let mut broken: Vec<&Broken> = self.generation.broken.iter().filter(|one| gap.holds(one)).collect();
        broken.sort_by_key(|one| one.first);
        for one in broken {
            inside.extend(self.gone(gap, (number.saturating_add(1), one.first), known));
            let recorded = one.bytes.map(|(offset, length)| (Some(offset), Some(length)));
            let range = recorded.unwrap_or_else(|| gap.range(&one.file, known));
            inside.push(self.damage_at(&one.file, range, one.reason));
            number = number.max(one.last);
        }
        if let Some(next) = gap.next {
            inside.extend(self.gone(gap, (number.saturating_add(1), next.first), known));
        }
        inside
    }

    /// Numbers from the first up to the second that nothing has.
    fn gone(&self, gap: &Gap<'_>, (from, to): (u32, u32), known: Option<&Generation>) -> Vec<Damage> {
        if from >= to {
            return Vec::new();
        }
        let was = known.into_iter().flat_map(|known| &known.segments);
        let was: Vec<&Segment> = was.filter(|one| one.first >= from && one.last < to).collect();
        if was.is_empty() {
            let file = self.file_of(from, to - 1);
            let range = gap.range(&file, None);
            return vec![self.damage_at(&file, range, Reason::Gone)];
        }
        was.into_iter().map(|segment| self.damage(segment, Reason::Gone)).collect()
    }

    /// A segment whose number follows and whose bytes do not.
    fn misplaced(&self, previous: Option<&Segment>, segment: &Segment) -> Damage {
        match previous {
            Some(original) if original.codec == Codec::Gzip => self.damage(original, Reason::Hash),
            None if segment.first == 1 => {
                // Only what continues a file of the original tool starts elsewhere than at 0.
                let stream = SegmentName::parse(&segment.file).map(|name| name.stream).unwrap_or_default();
                self.damage_at(&format!("{stream}.gz"), (Some(0), Some(segment.offset)), Reason::Gone)
            }
            _ => self.damage(segment, Reason::Chain),
        }
    }

    /// The name of a segment of this generation, by the names of the others.
    fn file_of(&self, first: u32, last: u32) -> String {
        let named = self.generation.segments.iter().find_map(|segment| SegmentName::parse(&segment.file));
        match named {
            Some(name) => SegmentName { first, last, ..name }.to_string(),
            None => format!("machines/{}/{}", self.machine, self.stream.path),
        }
    }
}

impl Gap<'_> {
    /// A broken file of the original tool has no number, and comes before all others.
    fn holds(&self, broken: &Broken) -> bool {
        let starts = broken.last > self.after.0 || (broken.first == 0 && self.after.0 == 0);
        starts && self.next.is_none_or(|next| broken.first < next.first)
    }

    /// As exactly as it is known: several that are broken side by side share their range.
    fn range(&self, file: &str, known: Option<&Generation>) -> (Option<u64>, Option<u64>) {
        let was = known.and_then(|known| known.segments.iter().find(|segment| segment.file == file));
        if let Some(was) = was {
            return (Some(was.offset), Some(was.len));
        }
        let end = self.next.map(|next| next.offset);
        (self.after.1, end.zip(self.after.1).map(|(end, start)| end.saturating_sub(start)))
    }
}
