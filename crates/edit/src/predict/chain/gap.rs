//! Where a parent is missing, the newest client guesses: the newest record that is not later, of the same side.

use jiff::Timestamp;

use super::web::Web;

/// The main conversation and the others; made when the first gap is met.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    sides: Option<[Side; 2]>,
}

/// Records by time; of equal times, the first in the file stands last.
#[derive(Debug, Default)]
struct Side {
    by_time: Vec<(Timestamp, usize)>,
    /// For so many of the first records, how many to look at: those behind were seen. It keeps a file full of gaps
    /// from being searched from end to end for each.
    unseen: Vec<usize>,
}

impl Gaps {
    pub(super) fn earlier(&mut self, web: &Web<'_>, of: usize, seen: &[bool]) -> Option<usize> {
        let link = web.knot(of)?.link;
        let [main, side] =
            self.sides.get_or_insert_with(|| [false, true].map(|is_side| Side::new(web, is_side)));
        let side = if link.is_sidechain { side } else { main };
        side.earlier(link.time?, seen)
    }
}

impl Side {
    fn new(web: &Web<'_>, is_sidechain: bool) -> Self {
        let of_side = web.iter().filter(|(_, knot)| knot.link.is_sidechain == is_sidechain);
        let mut by_time: Vec<_> =
            of_side.filter_map(|(place, knot)| Some((knot.link.time?, place))).collect();
        by_time.sort_by_key(|(time, place)| (*time, std::cmp::Reverse(*place)));
        let unseen = (0..=by_time.len()).collect();
        Self { by_time, unseen }
    }

    fn earlier(&mut self, time: Timestamp, seen: &[bool]) -> Option<usize> {
        let from = self.by_time.partition_point(|(other, _)| *other <= time);
        let mut at = from;
        while let Some((_, place)) = self.by_time.get(at.wrapping_sub(1)) {
            if seen.get(*place) == Some(&false) {
                break;
            }
            at = self.step(at);
        }
        self.shorten(from, at);
        self.by_time.get(at.checked_sub(1)?).map(|(_, place)| *place)
    }

    fn step(&self, at: usize) -> usize {
        let known = self.unseen.get(at).copied().unwrap_or_default();
        known.min(at.saturating_sub(1))
    }

    fn shorten(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at > to {
            let next = self.step(at);
            if let Some(unseen) = self.unseen.get_mut(at) {
                *unseen = to;
            }
            at = next;
        }
    }
}
