//! A text with what was found so far masked, and the way back from its places to those of the text.
//!
//! It is thrown away after one more look, so the numbers of its marks mean nothing.

use std::ops::Range;

use crate::find::Find;
use crate::mark::mark;

pub(crate) struct Draft {
    pub(crate) text: String,
    /// For each mark where it stands here and what it hides there, from left to right.
    marks: Vec<(Range<usize>, Range<usize>)>,
}

impl Draft {
    pub(crate) fn new(text: &str, finds: &[Find]) -> Self {
        let mut draft =
            Self { text: String::with_capacity(text.len()), marks: Vec::with_capacity(finds.len()) };
        let mut end = 0;
        for find in finds {
            let hidden = text.floor_char_boundary(find.range.start)..text.ceil_char_boundary(find.range.end);
            draft.text.push_str(text.get(end..hidden.start).unwrap_or_default());
            let start = draft.text.len();
            draft.text.push_str(&if find.kind == "home" { "~".to_owned() } else { mark(find.kind, 1) });
            end = hidden.end;
            draft.marks.push((start..draft.text.len(), hidden));
        }
        draft.text.push_str(text.get(end..).unwrap_or_default());
        draft
    }

    /// The range of the text that is this range here; a mark that it touches is part of it.
    pub(crate) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        self.back(range.start, false)..self.back(range.end, true)
    }

    fn back(&self, at: usize, is_end: bool) -> usize {
        let passed = self.marks.partition_point(|(here, _)| here.start < at || (here.start == at && !is_end));
        let Some((here, there)) = passed.checked_sub(1).and_then(|last| self.marks.get(last)) else {
            return at;
        };
        match at.checked_sub(here.end) {
            Some(beyond) => there.end + beyond,
            None if is_end => there.end,
            None => there.start,
        }
    }
}
