//! A conversation → a markdown document: to be read, or given to another agent.
//!
//! What was said is in it as it was said: nothing is quoted or indented, and nothing is escaped but HTML, which would
//! become part of a page. A fence that it opens and does not close is closed behind it.

mod closing;
mod escape;
mod live;

use steno_conversation::Conversation;

use crate::Detail;
use crate::document::{self, About, Item, Part, Sink, TextBuffer};
use escape::{code_span, escape, escape_item, fence};

pub fn markdown(conversation: &Conversation, detail: &Detail) -> String {
    let mut markdown = Markdown { paper: TextBuffer::default() };
    document::write(conversation, detail, &mut markdown);
    markdown.paper.finish()
}

struct Markdown {
    paper: TextBuffer,
}

/// There is no smaller heading.
const SMALLEST: usize = 6;

const SEPARATOR: &str = " · ";

impl Sink for Markdown {
    fn put(&mut self, part: Part<'_>) {
        self.paper.gap();
        match part {
            Part::Title(title) => self.line(&format!("# {}", escape(&title))),
            Part::Facts(facts) => {
                for (name, value) in facts {
                    self.line(&format!("- {name}: {}", escape(&value)));
                }
            }
            Part::Heading { level, text, notes, is_break } => {
                if is_break {
                    self.rule();
                }
                self.heading(level, text, notes);
            }
            Part::Prose(text) => self.prose(text),
            Part::Insert(text) => self.code("markdown", text),
            Part::Thinking(text) => self.thinking(text),
            Part::Note(text) => self.line(&format!("*{}*", escape(&text))),
            Part::Call { name, about, notes } => self.call(&name, &about, &notes),
            Part::Code { language, text } => self.code(language, text),
            Part::List(items) => items.iter().for_each(|item| self.item(item)),
            Part::Foot(notes) => {
                self.rule();
                notes.iter().for_each(|note| self.line(&format!("- {}", escape(note))));
            }
        }
    }
}

impl Markdown {
    fn line(&mut self, line: &str) {
        self.paper.line(line);
    }

    fn rule(&mut self) {
        self.line("---");
        self.paper.gap();
    }

    fn heading(&mut self, level: usize, text: String, notes: Vec<String>) {
        let words: Vec<String> = std::iter::once(text).chain(notes).map(|word| escape(&word)).collect();
        let marks = "#".repeat(level.min(SMALLEST));
        self.line(&format!("{marks} {}", words.join(SEPARATOR)));
    }

    fn prose(&mut self, text: &str) {
        let defused = live::defused(text);
        let text = defused.as_deref().unwrap_or(text);
        self.paper.verbatim(text);
        if let Some(end) = closing::closing(text) {
            self.paper.end_line();
            self.line(&end);
        }
    }

    fn thinking(&mut self, text: &str) {
        self.line("<details><summary>Thinking</summary>");
        self.paper.gap();
        self.prose(text);
        self.paper.gap();
        self.line("</details>");
    }

    fn call(&mut self, name: &str, about: &About, notes: &[String]) {
        let about = match about {
            About::Words(words) => format!(" {}", escape(words)),
            About::Code(code) => format!(" {}", code_span(code)),
            About::Nothing => String::new(),
        };
        let notes: String = notes.iter().map(|note| format!("{SEPARATOR}{}", escape(note))).collect();
        self.line(&format!("**{}**{about}{notes}", escape(name)));
    }

    fn code(&mut self, language: &str, text: &str) {
        let fence = fence(text);
        self.line(&format!("{fence}{language}"));
        self.paper.verbatim(text);
        self.paper.end_line();
        self.line(&fence);
    }

    fn item(&mut self, item: &Item) {
        let mark = match item.done {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        let note = item.note.as_deref().map(|note| format!(" – {}", escape(note))).unwrap_or_default();
        self.line(&format!("- {mark}{}{note}", escape_item(&item.text)));
    }
}
