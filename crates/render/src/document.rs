//! A conversation → the parts of a document, in the order in which they are read.
//!
//! One walk for every format that is read from top to bottom: it decides what is where and what is left out, and
//! a sink only writes.

mod agent;
mod call;
mod excerpt;
mod head;
mod paper;
mod plan;
mod result;
mod said;
mod step;

use std::collections::HashSet;

use steno_conversation::Conversation;
use steno_transcript::ToolId;

use crate::Detail;
use crate::roster::Roster;
use crate::task::Tasks;
pub(crate) use paper::TextBuffer;

/// A piece of a document. Words of ours, names and summaries are clean and fit on a line; what was said, and code, are
/// byte for byte unchanged.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    Title(String),
    Facts(Vec<(&'static str, String)>),
    /// What follows belongs to it, until the next one that is not deeper.
    Heading {
        level: usize,
        text: String,
        notes: Vec<String>,
        /// A turn begins with it, or the like: what was said before has headings too, but none like this.
        is_break: bool,
    },
    Prose(&'a str),
    /// What was said too, but with headings of its own that are none of this document.
    Insert(&'a str),
    Thinking(&'a str),
    /// A remark of ours.
    Note(String),
    Call {
        name: String,
        about: About,
        notes: Vec<String>,
    },
    Code {
        language: &'a str,
        text: &'a str,
    },
    List(Vec<Item>),
    /// Sentences about the document, at its end.
    Foot(Vec<String>),
}

/// What a call is about.
#[derive(Debug)]
pub(crate) enum About {
    Words(String),
    /// A path, a pattern, a command.
    Code(String),
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Item {
    /// Whether it is done, where it is something to do.
    pub(crate) done: Option<bool>,
    pub(crate) text: String,
    pub(crate) note: Option<String>,
}

/// Where the parts of a document go.
pub(crate) trait Sink {
    fn put(&mut self, part: Part<'_>);
}

pub(crate) fn write(conversation: &Conversation, detail: &Detail, sink: &mut dyn Sink) {
    let roster = Roster::new(conversation);
    let running = roster.running(conversation);
    let tasks = Tasks::new(conversation);
    let mut walker = Walker { conversation, detail, sink, roster, running, tasks, interrupted: None };
    walker.head();
    walker.left_out();
    for chunk in &conversation.chunks {
        walker.chunk(chunk, detail.from_record, 0);
    }
    walker.other_agents();
    walker.foot();
}

struct Walker<'a, 's> {
    conversation: &'a Conversation,
    detail: &'a Detail,
    sink: &'s mut dyn Sink,
    roster: Roster<'a>,
    running: HashSet<&'a ToolId>,
    tasks: Tasks<'a>,
    /// How deep the agent was whose work a section has interrupted; its heading is written again if it goes on.
    interrupted: Option<usize>,
}

impl Walker<'_, '_> {
    fn put(&mut self, part: Part<'_>) {
        self.sink.put(part);
    }

    fn heading(&mut self, level: usize, text: impl Into<String>, notes: Vec<String>) {
        self.put(Part::Heading { level, text: text.into(), notes, is_break: false });
    }

    fn note(&mut self, text: impl Into<String>) {
        self.put(Part::Note(text.into()));
    }

    fn code(&mut self, language: &str, text: &str) {
        if !text.is_empty() {
            self.put(Part::Code { language, text });
        }
    }
}
