//! A line on disk → the line as it may be read: paths rewritten, then secrets masked.
//!
//! Before the reader and not behind it, so that whatever is made of a record, and by whom, holds nothing else.

use std::borrow::Cow;
use std::path::Path;

use steno_edit::rewrite::{Notes, PathRewriter, Rewritten};
use steno_redact::{Identity, Masked, Redactor, Spot, image};
use steno_transcript::Line;
use steno_transcript::patch;

use crate::identity;

/// Of the words that a format is made of; what is longer may be anything.
const LONGEST_WORD: usize = 40;

/// What is hidden, and from whom it is hidden.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    /// Whose machine this is.
    pub identity: Identity,
    /// E-mail addresses too.
    pub emails: bool,
}

/// All of it, or only what may be masked before paths are rewritten.
type Mask = fn(&mut Redactor, &Spot<'_>) -> Vec<patch::Replacement>;

/// What every line passes; by default, nothing changes.
#[derive(Debug, Default)]
pub(crate) struct Lens {
    rewriter: Option<PathRewriter>,
    notes: Notes,
    redaction: Option<Redaction>,
    redactor: Option<Redactor>,
    /// The names of the files that were looked at, in that order.
    files: Vec<String>,
}

impl Lens {
    pub(crate) fn new(rewriter: Option<PathRewriter>, redaction: Option<Redaction>) -> Self {
        Self { rewriter, redaction, ..Self::default() }
    }

    /// The session may come from another machine: where it worked tells whose that was.
    pub(crate) fn meet(&mut self, directory: Option<&str>) {
        if let Some(directory) = directory {
            self.rewriter = self.rewriter.take().map(|rewriter| rewriter.working_in(directory));
        }
        let Some(redaction) = &self.redaction else { return };
        self.redactor = Some(Redactor::new(&redaction.identity, redaction.emails));
        self.recognise(directory);
    }

    fn recognise(&mut self, directory: Option<&str>) {
        let Some(owner) = directory.and_then(identity::owner) else { return };
        if let Some(redactor) = &mut self.redactor {
            redactor.meet(&owner);
        }
    }

    /// Whether everything has to be looked at before it is read: a password is told by the words beside it in one
    /// place, and is alone in another, perhaps before it.
    pub(crate) fn learns(&self) -> bool {
        self.redactor.is_some()
    }

    /// Looks at a line before it is read.
    pub(crate) fn learn(&mut self, line: &Line<'_>) {
        let Some(redactor) = &mut self.redactor else { return };
        let mut directories: Vec<String> = Vec::new();
        let _ = patch::strings(line.bytes, line.number == 1, &mut |spot| {
            if spot.key == Some("cwd") && !spot.is_key {
                directories.push(spot.text.to_owned());
            }
            if !spot.is_media {
                redactor.learn(&Spot { text: spot.text, key: spot.key, file: 0, line: line.number });
            }
            Vec::new()
        });
        for directory in directories {
            self.recognise(Some(&directory));
        }
    }

    /// Looks at a text before it is shown.
    pub(crate) fn learn_text(&mut self, text: &str) {
        if let Some(redactor) = &mut self.redactor {
            redactor.learn(&Spot { text, key: None, file: 0, line: 0 });
        }
    }

    /// The lines that follow are of this file.
    pub(crate) fn turn_to(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.files.push(name.to_string_lossy().into_owned());
    }

    pub(crate) fn line<'a>(&mut self, line: &Line<'a>) -> Cow<'a, [u8]> {
        let bytes = self.rewritten(line, line.number);
        self.masked(bytes, line, line.number, Redactor::mask)
    }

    /// The same for a line that is only looked at: nothing is noted.
    pub(crate) fn glance<'a>(&mut self, line: &Line<'a>) -> Cow<'a, [u8]> {
        let notes = std::mem::take(&mut self.notes);
        let bytes = self.rewritten(line, 0);
        self.notes = notes;
        self.masked(bytes, line, 0, Redactor::mask)
    }

    /// A text outside records: metadata, which is masked and never rewritten.
    pub(crate) fn text(&mut self, text: String) -> String {
        let Some(redactor) = &mut self.redactor else { return text };
        redactor.masked(&Spot { text: &text, key: None, file: 0, line: 0 }).unwrap_or(text)
    }

    /// A file that a record points to.
    pub(crate) fn document(&mut self, text: String) -> String {
        let file = self.files.len().saturating_sub(1) as u32;
        let text = match (&self.rewriter, &mut self.redactor) {
            (None, _) => text,
            (Some(rewriter), None) => rewriter.text_noting(&text, &mut self.notes).into_owned(),
            (Some(rewriter), Some(redactor)) => {
                let masked = redactor.secrets_masked(&Spot { text: &text, key: None, file, line: 1 });
                rewriter.text_noting(&masked.unwrap_or(text), &mut self.notes).into_owned()
            }
        };
        let Some(redactor) = &mut self.redactor else { return text };
        redactor.masked(&Spot { text: &text, key: None, file, line: 1 }).unwrap_or(text)
    }

    /// Secrets are masked before, for what gives one away may be part of a path that changes.
    fn rewritten<'a>(&mut self, line: &Line<'a>, number: u64) -> Cow<'a, [u8]> {
        if self.rewriter.is_none() {
            return Cow::Borrowed(line.bytes);
        }
        let bytes = self.masked(Cow::Borrowed(line.bytes), line, number, Redactor::mask_secrets);
        let Some(rewriter) = &self.rewriter else { return bytes };
        Cow::Owned(rewriter.line_noting(&bytes, &mut self.notes).bytes.into_owned())
    }

    fn masked<'a>(
        &mut self,
        bytes: Cow<'a, [u8]>,
        line: &Line<'_>,
        number: u64,
        mask: Mask,
    ) -> Cow<'a, [u8]> {
        let file = self.files.len().saturating_sub(1) as u32;
        let Some(redactor) = &mut self.redactor else { return bytes };
        let masked = patch::strings(&bytes, line.number == 1, &mut |spot| {
            if is_structure(spot) {
                return Vec::new();
            }
            if spot.is_media {
                // A picture does not show who took it, where and with what, but its file says so.
                let stripped =
                    image::stripped_in_base64(spot.text).map(|(image, _)| (0..spot.text.len(), image));
                return stripped.into_iter().collect();
            }
            mask(redactor, &Spot { text: spot.text, key: spot.key, file, line: number })
        });
        match masked {
            Cow::Borrowed(_) => bytes,
            Cow::Owned(masked) => Cow::Owned(masked),
        }
    }

    /// What was masked, and the names of the files that it numbers.
    pub(crate) fn masks(&mut self) -> Option<(Masked, Vec<String>)> {
        let files = self.files.clone().into_iter().map(|name| self.text(name)).collect();
        self.redactor.as_ref().map(|redactor| (redactor.report(), files))
    }

    /// Which paths became which, themselves masked; and whether there are more than are told.
    pub(crate) fn rewrites(&mut self) -> Option<(Vec<Rewritten>, bool)> {
        self.rewriter.as_ref()?;
        let mut rewrites = self.notes.list();
        for rewrite in &mut rewrites {
            rewrite.from = self.text(std::mem::take(&mut rewrite.from));
            rewrite.to = self.text(std::mem::take(&mut rewrite.to));
        }
        Some((rewrites, self.notes.is_cut()))
    }
}

/// A word of the format itself. A user may be called `content`, and still have a transcript.
fn is_structure(spot: &patch::Spot<'_>) -> bool {
    let is_word = |text: &str| text.len() <= LONGEST_WORD && text.bytes().all(is_word_letter);
    let is_kind = matches!(spot.key, Some("type" | "role" | "subtype" | "operation" | "trigger"));
    (spot.is_key || is_kind) && is_word(spot.text)
}

fn is_word_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}
