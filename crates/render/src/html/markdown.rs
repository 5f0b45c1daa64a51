//! Markdown → markup.
//!
//! The parser gives events, one after the other, and so does this writer: nothing recurses, whatever is nested. Raw
//! HTML is text like any other. Elements are nested only so deep: browsers build trees.

mod table;

use maud::{Render, html};
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeWithOffset,
};

use super::highlight::{Highlighter, Language};
use super::link::{Linked, allowed};
use super::text::Plain;
use crate::clean::clean;
use table::Table;

/// Elements inside elements; deeper text is written without markup.
const DEEPEST: usize = 32;
const DEEPEST_INDENT: usize = 80;
/// Longer texts are data, not prose: they are written unchanged.
const LONGEST: usize = 256 * 1024;
/// How many times longer than its text markup may get: each row of a table has a cell for every column.
const LARGEST_GROWTH: usize = 32;

/// A text in markdown. A new line in it is one on the page: people and agents write as in a terminal, which keeps them.
pub(super) struct Markdown<'a> {
    pub(super) text: &'a str,
    pub(super) highlighter: &'a Highlighter,
}

impl Render for Markdown<'_> {
    fn render_to(&self, buffer: &mut String) {
        let text = clean(self.text.trim_end());
        let from = buffer.len();
        if text.len() > LONGEST || !write(&text, self.highlighter, buffer) {
            buffer.truncate(from);
            html! { p { (Plain(&text)) } }.render_to(buffer);
        }
    }
}

/// Says whether there was room.
fn write(text: &str, highlighter: &Highlighter, buffer: &mut String) -> bool {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let room = buffer.len() + LARGEST_GROWTH * (text.len() + 1024);
    let mut writer = Writer {
        buffer,
        highlighter,
        open: Vec::new(),
        deeper: 0,
        code: None,
        table: Table::default(),
        text,
        cell_end: 0,
    };
    for (event, place) in TextMergeWithOffset::new(Parser::new_ext(text, options).into_offset_iter()) {
        match event {
            Event::End(TagEnd::TableRow) => writer.cells_left_over(),
            Event::End(TagEnd::TableCell) => writer.cell_end = place.end,
            _ => {}
        }
        let is_break = matches!(event, Event::SoftBreak | Event::HardBreak);
        writer.event(event);
        if is_break {
            writer.indent(place.start);
        }
        if writer.buffer.len() > room {
            return false;
        }
    }
    true
}

struct Writer<'b, 'm> {
    buffer: &'b mut String,
    highlighter: &'b Highlighter,
    /// What ends the elements that are open.
    open: Vec<End<'m>>,
    /// How many of them are nested too deep to be written.
    deeper: usize,
    /// The code block that is being read.
    code: Option<Block>,
    table: Table,
    text: &'m str,
    /// Where the last cell of a table ends in the text.
    cell_end: usize,
}

enum End<'m> {
    Tag(&'static str),
    /// Its address cannot be followed: it is shown behind its text, which begins there.
    Address {
        address: CowStr<'m>,
        title: CowStr<'m>,
        from: usize,
    },
    Code,
    TooDeep,
}

/// Code, until its end is known.
struct Block {
    info: String,
    text: String,
}

impl<'m> Writer<'_, 'm> {
    fn event(&mut self, event: Event<'m>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => html! { code { (&*text) } }.render_to(self.buffer),
            Event::SoftBreak | Event::HardBreak => self.buffer.push_str("<br>"),
            Event::Rule => self.buffer.push_str("<hr>"),
            Event::TaskListMarker(is_done) => self.buffer.push_str(if is_done { "☑ " } else { "☐ " }),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text)
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(block) = &mut self.code {
            block.text.push_str(text);
        } else if self.is_in_link() {
            text.render_to(self.buffer);
        } else {
            Linked(text).render_to(self.buffer);
        }
    }

    fn is_in_link(&self) -> bool {
        self.open.iter().take(DEEPEST).any(|end| matches!(end, End::Tag("</a>")))
    }

    fn start(&mut self, tag: Tag<'m>) {
        let needed = match tag {
            Tag::Table(_) => 4,
            Tag::List(_) => 2,
            _ => 1,
        };
        if self.deeper > 0 || self.open.len() + needed > DEEPEST {
            self.deeper += 1;
            self.buffer.push(' ');
            return self.open.push(End::TooDeep);
        }
        let end = match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.tag("<p>", "</p>"),
            Tag::BlockQuote(_) => self.tag("<blockquote>", "</blockquote>"),
            Tag::Item => self.tag("<li>", "</li>"),
            Tag::Emphasis => self.tag("<em>", "</em>"),
            Tag::Strong => self.tag("<strong>", "</strong>"),
            Tag::Strikethrough => self.tag("<del>", "</del>"),
            Tag::Heading { level, .. } => self.heading(level),
            Tag::List(first) => self.list(first),
            Tag::CodeBlock(kind) => self.code_block(kind),
            Tag::Link { dest_url, title, .. } => self.link(dest_url, title),
            Tag::Image { dest_url, title, .. } => {
                self.buffer.push_str("image: ");
                self.link(dest_url, title)
            }
            Tag::Table(alignments) => End::Tag(self.table.start(alignments, self.buffer)),
            Tag::TableHead => End::Tag(self.table.head(self.buffer)),
            Tag::TableRow => End::Tag(self.table.row(self.buffer)),
            Tag::TableCell => End::Tag(self.table.cell(self.buffer)),
            // Of extensions that are not asked for.
            _ => End::Tag(""),
        };
        self.open.push(end);
    }

    /// The blanks that a line of a paragraph begins with: people paste code and drawings without a fence. Inside of
    /// lists and quotes they belong to these.
    fn indent(&mut self, line_break: usize) {
        let after = self.text.get(line_break..).and_then(|rest| rest.split_once('\n'));
        let line = after.map(|(_, line)| line).filter(|_| self.open.len() == 1).unwrap_or_default();
        let blanks =
            line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).take(DEEPEST_INDENT).count();
        self.buffer.push_str(line.get(..blanks).unwrap_or_default());
    }

    /// What a row has beyond the columns of its table, often for a `|` in code. The parser leaves it out.
    fn cells_left_over(&mut self) {
        let rest = self.text.get(self.cell_end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let rest = rest.trim_matches(|character: char| character == '|' || character.is_whitespace());
        if self.deeper > 0 {
            rest.render_to(self.buffer);
        } else if !rest.is_empty() {
            html! { td { (rest) } }.render_to(self.buffer);
        }
    }

    fn tag(&mut self, start: &str, end: &'static str) -> End<'m> {
        self.buffer.push_str(start);
        End::Tag(end)
    }

    /// The page has two levels of its own above.
    fn heading(&mut self, level: HeadingLevel) -> End<'m> {
        match level {
            HeadingLevel::H1 => self.tag("<h3>", "</h3>"),
            HeadingLevel::H2 => self.tag("<h4>", "</h4>"),
            HeadingLevel::H3 => self.tag("<h5>", "</h5>"),
            HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => self.tag("<h6>", "</h6>"),
        }
    }

    fn list(&mut self, first: Option<u64>) -> End<'m> {
        match first {
            None => self.tag("<ul dir=\"auto\">", "</ul>"),
            Some(1) => self.tag("<ol dir=\"auto\">", "</ol>"),
            Some(first) => {
                self.buffer.push_str(&format!("<ol dir=\"auto\" start=\"{first}\">"));
                End::Tag("</ol>")
            }
        }
    }

    fn code_block(&mut self, kind: CodeBlockKind<'m>) -> End<'m> {
        let info = if let CodeBlockKind::Fenced(info) = kind { info.to_string() } else { String::new() };
        self.code = Some(Block { info, text: String::new() });
        End::Code
    }

    fn link(&mut self, address: CowStr<'m>, title: CowStr<'m>) -> End<'m> {
        let Some(allowed) = allowed(&address).filter(|_| !self.is_in_link()) else {
            return End::Address { from: self.buffer.len(), address, title };
        };
        self.buffer.push_str("<a href=\"");
        allowed.render_to(self.buffer);
        self.buffer.push_str("\" rel=\"noopener noreferrer\"");
        if !title.is_empty() {
            self.buffer.push_str(" title=\"");
            title.render_to(self.buffer);
            self.buffer.push('"');
        }
        self.buffer.push('>');
        End::Tag("</a>")
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(End::Tag(end)) => self.buffer.push_str(end),
            Some(End::TooDeep) => self.deeper -= 1,
            Some(End::Address { address, title, from }) => self.address(&address, &title, from),
            Some(End::Code) => self.finish_code(),
            None => {}
        }
    }

    fn address(&mut self, address: &str, title: &str, from: usize) {
        let mut said = address.render().into_string();
        if self.buffer.get(from..) == Some(&said) {
            said.clear();
        }
        for part in [said, title.render().into_string()].iter().filter(|part| !part.is_empty()) {
            self.buffer.push_str(" <span class=\"to\">(");
            self.buffer.push_str(part);
            self.buffer.push_str(")</span>");
        }
    }

    fn finish_code(&mut self) {
        let Some(block) = self.code.take() else { return };
        let name = block.info.split([' ', ',', '{', ':']).next().unwrap_or_default();
        let code = self.highlighter.code(block.text.trim_end_matches('\n'), Language::named(name));
        html! {
            pre data-lang=[Some(block.info.trim()).filter(|info| !info.is_empty())] { code { (code) } }
        }
        .render_to(self.buffer);
    }
}
