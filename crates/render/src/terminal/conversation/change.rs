//! An edit as a diff, behind the line of its call.

use anstyle::Style;

use super::Writer;
use crate::call::{DiffLine, Sign, View};
use crate::clean::clean;
use crate::terminal::measure::cut;
use crate::terminal::sheet::Mark;
use crate::terminal::style::{BAD, GOOD, WEAK};
use crate::words::many;

/// Lines that are shown unless all are asked for.
const MOST_LINES: usize = 12;
/// So few more are shown, too: a line in their place would be as long.
const TOLERANCE: usize = 2;

/// The lines that a call changes; nothing if it changes no file.
pub(super) fn lines<'a>(view: &View<'a>) -> Option<Vec<DiffLine<'a>>> {
    match view {
        View::Edit { lines, .. } => Some(lines.clone()),
        View::Write { content, .. } => {
            Some(content.lines().map(|text| DiffLine { sign: Sign::Added, text }).collect())
        }
        _ => None,
    }
}

impl Writer<'_> {
    pub(super) fn change(&mut self, lines: &[DiffLine<'_>], depth: usize) {
        let is_full = self.is_in_full() || lines.len() <= MOST_LINES + TOLERANCE;
        let shown = if is_full { lines.len() } else { MOST_LINES };
        for line in lines.iter().take(shown) {
            let sign = format!("  │ {}", line.sign.mark());
            let mark = Mark::rule(style(line.sign), &sign);
            let text = clean(line.text);
            let text =
                if self.is_in_full() { text.into_owned() } else { cut(&text, self.sheet.room(depth, &mark)) };
            self.sheet.block(depth, &mark, &text, style(line.sign));
        }
        let more = lines.len().saturating_sub(shown) as u64;
        if more > 0 {
            self.sheet.block(
                depth,
                &Mark::rule(WEAK, "  │"),
                &format!("… {}", many(more, "more line")),
                WEAK,
            );
        }
    }
}

fn style(sign: Sign) -> Style {
    match sign {
        Sign::Added => GOOD,
        Sign::Removed => BAD,
        Sign::Same | Sign::Gap => WEAK,
    }
}
