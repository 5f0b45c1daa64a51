//! Text of a transcript → text of a page.

use maud::{Markup, Render, html};

use crate::clean::{clean, clean_line};
use crate::words;

/// A text, with characters that could act or hide made visible.
pub(super) struct Plain<'a>(pub(super) &'a str);

impl Render for Plain<'_> {
    fn render_to(&self, buffer: &mut String) {
        // Line by line: most have nothing to escape.
        clean(self.0).split_inclusive('\n').for_each(|line| escape(line, buffer));
    }
}

/// Clean text, escaped. Most words have nothing to escape, and go in one piece.
pub(super) fn escape(text: &str, buffer: &mut String) {
    if text.bytes().any(|byte| matches!(byte, b'<' | b'>' | b'&' | b'"')) {
        text.render_to(buffer);
    } else {
        buffer.push_str(text);
    }
}

/// A name: on one line, and no longer than names are.
pub(super) struct Name<'a>(pub(super) &'a str);

/// Names of files may be long.
const LONGEST_NAME: usize = 300;

impl Render for Name<'_> {
    fn render_to(&self, buffer: &mut String) {
        let (name, left_out) = cut(self.0, LONGEST_NAME);
        clean_line(name).render_to(buffer);
        if left_out > 0 {
            buffer.push('…');
        }
    }
}

/// The beginning of a text, and how many bytes are left out.
pub(super) fn cut(text: &str, limit: usize) -> (&str, usize) {
    let kept = text.get(..text.floor_char_boundary(limit)).unwrap_or(text);
    (kept, text.len() - kept.len())
}

/// The same, where a little more than the limit is not worth a cut.
pub(super) fn preview(text: &str, limit: usize) -> (&str, usize) {
    if text.len() <= with_tolerance(limit) { (text, 0) } else { cut(text, limit) }
}

pub(super) fn with_tolerance(limit: usize) -> usize {
    limit.saturating_add(limit / 10)
}

/// What says that something is left out.
pub(super) fn left_out(bytes: usize) -> Markup {
    html! {
        @if bytes > 0 { p.left-out { "… " (words::bytes(bytes as u64)) " more left out" } }
    }
}
