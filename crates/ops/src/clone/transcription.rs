//! Records of the original and a plan → the lines of the new transcript, looked at as they are written.
//!
//! The new lines are surveyed as they are written, so that a dry run is checked like a real one.

use std::io::{self, Write};
use std::ops::ControlFlow;

use steno_edit::outline::{NodeId, Rereading};
use steno_edit::predict::{Client, Prediction, Predictor};
use steno_edit::rewrite::PathRewriter;
use steno_edit::{CloneWriter, Identity, Outline, OutlineBuilder, Plan};
use steno_sessions::session::OpenSession;
use steno_transcript::{Extent, Line, Piece, split};

use super::mention::{Mentions, Names};
use super::room;
use crate::error::{Error, ErrorKind};

/// What the lines are made of.
#[derive(Debug)]
pub(super) struct Transcription<'a> {
    pub(super) original: &'a OpenSession,
    pub(super) outline: &'a Outline,
    pub(super) plan: &'a Plan,
    pub(super) identity: &'a Identity,
    pub(super) rewriter: Option<&'a PathRewriter>,
    /// Subagents that may be spoken of, and results in files of their own.
    pub(super) agents: &'a Names,
    pub(super) results: &'a Names,
    pub(super) wants_messages: bool,
    /// How much memory everything may take.
    pub(super) room: u64,
}

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) bytes: u64,
    pub(super) outline: Outline,
    pub(super) agents: Mentions,
    pub(super) results: Mentions,
    /// What the newest client sends when it resumes it.
    pub(super) prediction: Option<Prediction>,
}

impl Transcription<'_> {
    pub(super) fn write(&self, target: &mut dyn Write) -> Result<Written, Error> {
        let mut scribe = CloneWriter::new(self.outline, self.plan, self.identity);
        let mut lines = LineWriter::new(target, self.wants_messages);
        let mut reading = Rereading::new(self.outline);
        let mut is_full = false;
        self.original.pieces(|piece| {
            let node = reading.node(piece);
            lines.learn(piece);
            if self.outline.weight() + lines.weight() > self.room {
                is_full = true;
                return ControlFlow::Break(());
            }
            let bytes = scribe.piece(piece);
            self.put(&bytes, node.is_some_and(|node| self.is_shortened(node)), &mut lines)
        })?;
        if is_full {
            return Err(room::refused(self.original, self.room));
        }
        // After a failed write the rest was not read.
        if lines.failure.is_none() {
            if !scribe.is_in_step() {
                return Err(super::changed(self.original));
            }
            let _ = self.put(&scribe.end(), false, &mut lines);
        }
        lines.finish().map_err(|error| {
            Error::new(ErrorKind::Io, format!("cannot write the clone: {error}"))
                .hint("is there room on the disk, and may you write there? nothing of it is left")
        })
    }

    /// A result that is shortened does without its file.
    fn is_shortened(&self, node: NodeId) -> bool {
        self.plan.changes.get(&node).is_some_and(|change| change.truncation.is_some())
    }

    fn put(&self, bytes: &[u8], is_shortened: bool, lines: &mut LineWriter<'_>) -> ControlFlow<()> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let patched = self.rewriter.map(|rewriter| rewriter.line(line).bytes);
            let line = patched.as_deref().unwrap_or(line);
            self.agents.look(line, &mut lines.written.agents);
            if !is_shortened {
                self.results.look(line, &mut lines.written.results);
            }
            lines.put(line)?;
        }
        ControlFlow::Continue(())
    }
}

/// Takes lines one after the other.
struct LineWriter<'a> {
    target: &'a mut dyn Write,
    failure: Option<io::Error>,
    lines: u64,
    surveyor: OutlineBuilder,
    predictor: Option<Predictor>,
    written: Written,
}

impl<'a> LineWriter<'a> {
    fn new(target: &'a mut dyn Write, wants_messages: bool) -> Self {
        let predictor = wants_messages.then(Predictor::default);
        Self {
            target,
            failure: None,
            lines: 0,
            surveyor: OutlineBuilder::default(),
            predictor,
            written: Written::default(),
        }
    }

    fn weight(&self) -> u64 {
        self.surveyor.weight() + self.predictor.as_ref().map_or(0, Predictor::weight)
    }

    fn learn(&mut self, original: &Piece<'_>) {
        if let Some(predictor) = &mut self.predictor {
            predictor.learn(original);
        }
    }

    fn put(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.lines += 1;
        let line = Line { number: self.lines, offset: self.written.bytes, bytes, extent: Extent::Whole };
        let _ = split(line, &mut |piece| {
            self.surveyor.observe(&piece);
            if let Some(predictor) = &mut self.predictor {
                predictor.observe(&piece);
            }
            ControlFlow::Continue(())
        });
        self.written.bytes += bytes.len() as u64;
        self.failure = self.target.write_all(bytes).err();
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn finish(self) -> io::Result<Written> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.target.flush()?;
        let prediction = self.predictor.map(|predictor| predictor.messages(Client::Newest));
        Ok(Written { outline: self.surveyor.finish(), prediction, ..self.written })
    }
}
