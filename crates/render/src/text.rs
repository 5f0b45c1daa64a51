//! A conversation → plain text: for a pager, a mail, a search.
//!
//! Calls and what they gave back are indented; what was said is at the margin, byte for byte.

use steno_conversation::Conversation;

use crate::Detail;
use crate::document::{self, About, Item, Part, Sink, TextBuffer};

pub fn text(conversation: &Conversation, detail: &Detail) -> String {
    let mut plain = Plain { paper: TextBuffer::default() };
    document::write(conversation, detail, &mut plain);
    plain.paper.finish()
}

struct Plain {
    paper: TextBuffer,
}

const SEPARATOR: &str = " · ";
const CALL: &str = "  ";
const CODE: &str = "      ";
const RULE_WIDTH: usize = 72;

impl Sink for Plain {
    fn put(&mut self, part: Part<'_>) {
        self.paper.gap();
        match part {
            Part::Title(title) => self.title(&title),
            Part::Facts(facts) => {
                for (name, value) in facts {
                    self.line("", &format!("{:<11}{value}", format!("{name}:")));
                }
            }
            Part::Heading { level, text, notes, .. } => self.heading(level, &text, notes),
            Part::Prose(text) | Part::Insert(text) => self.paper.verbatim(text),
            Part::Thinking(text) => {
                self.line(CALL, "Thinking:");
                self.paper.gap();
                self.paper.verbatim(text);
                self.paper.gap();
                self.line(CALL, "[End of thinking]");
            }
            Part::Note(text) if text.ends_with(':') => self.line(CALL, &text),
            Part::Note(text) => self.line(CALL, &format!("[{text}]")),
            Part::Call { name, about, notes } => self.call(&name, &about, notes),
            Part::Code { text, .. } => text.lines().for_each(|line| self.line(CODE, line)),
            Part::List(items) => items.iter().for_each(|item| self.item(item)),
            Part::Foot(notes) => {
                self.rule();
                notes.iter().for_each(|note| self.line("", note));
            }
        }
    }
}

impl Plain {
    /// An empty line is not indented.
    fn line(&mut self, indent: &str, line: &str) {
        if !line.is_empty() {
            self.paper.verbatim(indent);
        }
        self.paper.line(line);
    }

    fn rule(&mut self) {
        self.line("", &"─".repeat(RULE_WIDTH));
    }

    fn title(&mut self, title: &str) {
        self.line("", title);
        self.line("", &"═".repeat(RULE_WIDTH));
    }

    /// Who speaks, in capitals; how deep inside an agent, by marks before it.
    fn heading(&mut self, level: usize, text: &str, notes: Vec<String>) {
        let depth = level.saturating_sub(2) / 2;
        let is_section = !level.is_multiple_of(2);
        let text = if is_section { format!("── {text}") } else { text.to_uppercase() };
        let words: Vec<String> = std::iter::once(text).chain(notes).collect();
        if depth == 0 && !is_section {
            self.rule();
        }
        self.line(&"> ".repeat(depth), &words.join(SEPARATOR));
    }

    fn call(&mut self, name: &str, about: &About, notes: Vec<String>) {
        let about = match about {
            About::Words(about) | About::Code(about) => Some(about.clone()),
            About::Nothing => None,
        };
        let name = about.map_or_else(|| name.to_owned(), |about| format!("{name}: {about}"));
        let words: Vec<String> = std::iter::once(name).chain(notes).collect();
        self.line(CALL, &words.join(SEPARATOR));
    }

    fn item(&mut self, item: &Item) {
        let mark = match item.done {
            Some(true) => "[x]",
            Some(false) => "[ ]",
            None => "-",
        };
        let note = item.note.as_deref().map(|note| format!(" ({note})")).unwrap_or_default();
        self.line(CODE, &format!("{mark} {}{note}", item.text));
    }
}
