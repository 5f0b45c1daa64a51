//! Markdown → the same text with styles in place of signs, for a terminal that shows styles.
//!
//! A page without styles has the text as it was written: there the signs are all that tells a heading. Lines stay lines,
//! as in the browser (`html/markdown.rs`): people and agents write as in a terminal.

use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::style::paint;

/// Longer texts are data, not prose: they are written unchanged.
const LONGEST: usize = 256 * 1024;
/// Before each line of a code block.
const INDENT: &str = "  ";

/// A text, and how each stretch of it looks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Styled {
    pub(super) text: String,
    /// Where each stretch ends.
    ends: Vec<(usize, Style)>,
}

impl Styled {
    /// A text of one style, or of markdown.
    pub(super) fn of(text: &str, is_shown: bool) -> Self {
        if !is_shown || text.len() > LONGEST {
            return Self { text: text.to_owned(), ends: vec![(text.len(), Style::new())] };
        }
        let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let mut source = Source { text, edits: Vec::new(), turns: Vec::new(), links: Vec::new(), quotes: 0 };
        for (event, place) in Parser::new_ext(text, options).into_offset_iter() {
            source.event(event, place);
        }
        source.styled()
    }

    /// A part that begins there, with its styles.
    pub(super) fn paint(&self, from: usize, part: &str) -> String {
        let first = self.ends.partition_point(|(end, _)| *end <= from);
        let (mut at, mut painted) = (0, String::with_capacity(part.len()));
        for (end, style) in self.ends.iter().skip(first) {
            let end = end.saturating_sub(from).min(part.len());
            painted.push_str(&paint(*style, part.get(at..end).unwrap_or_default()));
            at = end;
            if at == part.len() {
                break;
            }
        }
        painted
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Title,
    Strong,
    Emphasis,
    Struck,
    Code,
    Weak,
}

/// How many of each are open.
#[derive(Debug, Default)]
struct Looks([i32; 6]);

impl Looks {
    fn turn(&mut self, look: Look, by: i32) {
        if let Some(open) = self.0.get_mut(look as usize) {
            *open += by;
        }
    }

    fn style(&self) -> Style {
        let has = |look: Look| self.0.get(look as usize).is_some_and(|open| *open > 0);
        let mut style = Style::new();
        if has(Look::Title) {
            style = style.bold().underline();
        }
        if has(Look::Strong) {
            style = style.bold();
        }
        if has(Look::Emphasis) {
            style = style.italic();
        }
        if has(Look::Struck) {
            style = style.strikethrough();
        }
        if has(Look::Weak) {
            style = style.dimmed();
        }
        if has(Look::Code) { style.fg_color(Some(AnsiColor::Cyan.into())) } else { style }
    }
}

/// What is read from the events: what to replace, and where a look begins and ends.
struct Source<'m> {
    text: &'m str,
    edits: Vec<(Range<usize>, Cow<'m, str>)>,
    turns: Vec<(usize, Look, i32)>,
    /// Links that are open, with the end of what they say so far.
    links: Vec<(usize, String)>,
    quotes: usize,
}

impl<'m> Source<'m> {
    fn event(&mut self, event: Event<'m>, place: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.heading(place, level),
            Event::Start(Tag::Strong) => self.wrapped(place, 2, Look::Strong),
            Event::Start(Tag::Emphasis) => self.wrapped(place, 1, Look::Emphasis),
            Event::Start(Tag::Strikethrough) => {
                let signs = self.signs(&place, '~');
                self.wrapped(place, signs, Look::Struck);
            }
            Event::Code(_) => {
                self.said(place.end);
                let signs = self.signs(&place, '`');
                self.wrapped(place, signs, Look::Code);
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => self.fenced(place),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => self.look(place, Look::Code),
            Event::Start(Tag::Item) => self.item(&place),
            Event::TaskListMarker(is_done) => self.replace(place, if is_done { "☑" } else { "☐" }),
            Event::Start(Tag::BlockQuote(_)) => self.quote(&place),
            Event::End(TagEnd::BlockQuote(_)) => self.quotes = self.quotes.saturating_sub(1),
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, .. }) => {
                self.links.push((place.start + 1, dest_url.to_string()));
            }
            Event::End(TagEnd::Link) => self.link(&place),
            Event::Rule => self.look(place, Look::Weak),
            _ => self.said(place.end),
        }
    }

    fn replace(&mut self, place: Range<usize>, with: impl Into<Cow<'m, str>>) {
        self.edits.push((place, with.into()));
    }

    fn look(&mut self, place: Range<usize>, look: Look) {
        self.turns.push((place.start, look, 1));
        self.turns.push((place.end, look, -1));
    }

    fn signs(&self, place: &Range<usize>, sign: char) -> usize {
        let text = self.text.get(place.clone()).unwrap_or_default();
        text.len() - text.trim_start_matches(sign).len()
    }

    /// Text between signs that go.
    fn wrapped(&mut self, place: Range<usize>, signs: usize, look: Look) {
        if place.len() < 2 * signs {
            return;
        }
        let (start, end) = (place.start + signs, place.end - signs);
        self.replace(place.start..start, "");
        self.replace(end..place.end, "");
        self.look(start..end, look);
    }

    fn heading(&mut self, place: Range<usize>, level: HeadingLevel) {
        let text = self.text.get(place.clone()).unwrap_or_default();
        let rest = text.trim_start_matches('#').trim_start_matches([' ', '\t']);
        let start = place.start + text.len() - rest.len();
        let end = start + rest.trim_end().len();
        self.replace(place.start..start, "");
        let is_high = matches!(level, HeadingLevel::H1 | HeadingLevel::H2);
        self.look(start..end, if is_high { Look::Title } else { Look::Strong });
    }

    /// Code without its fences, indented.
    fn fenced(&mut self, place: Range<usize>) {
        let text = self.text.get(place.clone()).unwrap_or_default().trim_end();
        let Some((first, _)) = text.split_once('\n') else { return };
        let before = self.text.get(..place.start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let is_alone = before.get(line..).is_some_and(|before| before.trim().is_empty());
        let start = place.start + first.len() + 1;
        self.replace(if is_alone { line..start } else { place.start..start }, "");
        let end = match text.rsplit_once('\n') {
            Some((before, last)) if is_fence(last.trim()) => {
                let from = (place.start + before.len()).max(start);
                self.replace(from..place.start + text.len(), "");
                from
            }
            _ => place.start + text.len(),
        };
        if end <= start {
            return;
        }
        self.look(start..end, Look::Code);
        let lines = self.text.get(start..end).unwrap_or_default().match_indices('\n');
        let starts: Vec<usize> = std::iter::once(start).chain(lines.map(|(at, _)| start + at + 1)).collect();
        for start in starts {
            self.replace(start..start, INDENT);
        }
    }

    fn item(&mut self, place: &Range<usize>) {
        let is_bullet = |text: &str| text.starts_with(['-', '*', '+']);
        if self.text.get(place.start..).is_some_and(is_bullet) {
            self.replace(place.start..place.start + 1, "•");
        }
    }

    /// The signs of a quote, and of those inside of it.
    fn quote(&mut self, place: &Range<usize>) {
        self.quotes += 1;
        if self.quotes > 1 {
            return;
        }
        let mut at = place.start;
        for line in self.text.get(place.clone()).unwrap_or_default().split_inclusive('\n') {
            let signs = line.len() - line.trim_start_matches(['>', ' ']).len();
            for (sign, _) in line.get(..signs).unwrap_or_default().match_indices('>') {
                self.replace(at + sign..at + sign + 1, "│");
            }
            at += line.len();
        }
    }

    /// Notes how far the text of open links goes.
    fn said(&mut self, end: usize) {
        for (said, _) in &mut self.links {
            *said = end.max(*said);
        }
    }

    /// The address goes behind the text, unless it is the text.
    fn link(&mut self, place: &Range<usize>) {
        let Some((end, address)) = self.links.pop() else { return };
        if !self.text.get(end..place.end).is_some_and(|tail| tail.starts_with("](")) {
            return;
        }
        let is_same = self.text.get(place.start + 1..end) == Some(&address);
        self.replace(place.start..place.start + 1, "");
        self.replace(end..place.end, if is_same { String::new() } else { format!(" ({address})") });
        self.look(end..place.end, Look::Weak);
    }

    fn styled(mut self) -> Styled {
        self.edits.sort_by_key(|(place, _)| (place.start, place.end));
        self.turns.sort_by_key(|(at, _, by)| (*at, *by));
        let mut turns = self.turns.iter().copied().peekable();
        let (mut looks, mut styled, mut at) = (Looks::default(), Styled::default(), 0);
        let end = self.text.len();
        for (place, with) in self.edits.into_iter().chain([(end..end, Cow::Borrowed(""))]) {
            if place.start < at {
                continue;
            }
            while at < place.start {
                turned(&mut looks, &mut turns, at);
                let until = turns.peek().map_or(place.start, |(next, ..)| (*next).min(place.start));
                styled.push(self.text.get(at..until).unwrap_or_default(), looks.style());
                at = until;
            }
            turned(&mut looks, &mut turns, at);
            styled.push(&with, looks.style());
            at = place.end;
        }
        styled
    }
}

/// Takes all that begins or ends up to there.
fn turned(looks: &mut Looks, turns: &mut Peekable<impl Iterator<Item = (usize, Look, i32)>>, at: usize) {
    while let Some((_, look, by)) = turns.next_if(|(next, ..)| *next <= at) {
        looks.turn(look, by);
    }
}

fn is_fence(line: &str) -> bool {
    let bare = line.trim_start_matches(['>', ' ']);
    bare.len() >= 3 && (bare.bytes().all(|sign| sign == b'`') || bare.bytes().all(|sign| sign == b'~'))
}

impl Styled {
    fn push(&mut self, text: &str, style: Style) {
        self.text.push_str(text);
        let end = self.text.len();
        match self.ends.last_mut() {
            Some((last, known)) if *known == style => *last = end,
            _ if !text.is_empty() => self.ends.push((end, style)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
