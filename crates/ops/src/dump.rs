//! A session → a document that can be carried to another place: rewritten, masked and cut as asked.

mod document;
mod masks;
mod outside;
mod target;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Conversation, LEFT_OUT, Scope, Warning};
use steno_edit::rewrite::{PathRewriter, Rewrite};
use steno_render::{Detail, portable};
use steno_sessions::session::OpenSession;

use crate::error::Error;
use crate::lens::Lens;
use crate::reader::{Reader, room_for_results};
use crate::session::{self, OnlyKept};
use crate::workspace::Workspace;

pub use crate::lens::Redaction;
pub use masks::{Redacted, RedactedKind, RedactedPlace, Rewritten};
pub use steno_redact::Identity;
/// What `--format json` writes.
pub use steno_render::portable::Conversation as Portable;

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Markdown,
    Text,
    Html,
    /// The portable conversation.
    Json,
    /// Its messages, one on each line.
    Jsonl,
}

impl Format {
    /// What a file of this name is written in, if its ending says so.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "md" | "markdown" => Self::Markdown,
            "txt" => Self::Text,
            "html" | "htm" => Self::Html,
            "json" => Self::Json,
            "jsonl" => Self::Jsonl,
            _ => return None,
        })
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Text => "txt",
            Self::Html => "html",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
        }
    }
}

/// What of the conversation is written, and how.
#[derive(Debug, Clone, Default)]
pub struct Content {
    pub thinking: bool,
    pub full_results: bool,
    pub agents: bool,
    pub system_events: bool,
    pub without_compact_summaries: bool,
    /// Hidden messages and noise, too.
    pub all: bool,
    /// Only the last so many messages.
    pub tail: Option<usize>,
    pub rewrites: Vec<Rewrite>,
}

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or a path.
    pub session: String,
    pub format: Format,
    pub content: Content,
    /// Nothing is hidden without it.
    pub redaction: Option<Redaction>,
    /// The file to write; without it, the report holds the document.
    pub to: Option<PathBuf>,
    /// Replace the file that is there.
    pub force: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    /// The session.
    pub id: String,
    pub title: Option<String>,
    pub format: Format,
    /// The file that was written.
    pub path: Option<String>,
    /// Of the document.
    pub size_bytes: u64,
    /// The document, where no file was asked for; of the format `json`, see `conversation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What `portable.json` describes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub conversation: Option<portable::Conversation>,
    /// What was masked; none where nothing was to be masked.
    pub redacted: Option<Redacted>,
    /// Which paths became others; none where none were to.
    pub rewritten: Option<Vec<Rewritten>>,
    /// A passphrase opens it, by `share --encrypt`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub encrypted: bool,
    /// The one that was made for it. Nobody else knows it, and it is told only here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passphrase: Option<String>,
    pub dry_run: bool,
    pub warnings: Vec<Warning>,
    /// Of a session that only the vault still has.
    #[serde(skip)]
    pub only_kept: Option<OnlyKept>,
}

/// A document that is ready, and where it will go.
#[derive(Debug)]
pub struct Plan {
    pub(crate) report: Report,
    document: String,
    to: Option<PathBuf>,
    force: bool,
}

pub fn plan(workspace: &Workspace, request: &Request) -> Result<Plan, Error> {
    if let Some(to) = &request.to {
        target::check(workspace, to, request.force)?;
    }
    let mut reader = reader(request);
    let told = session::open(workspace, &request.session, &mut reader)?;
    let mut conversation = told.conversation;
    if let Some(to) = &request.to {
        target::check_sources(to, conversation.profile.path.iter().map(Path::new))?;
    }
    let results = results(workspace, request, (&told.session, &mut conversation), &mut reader.lens)?;
    outside::mask(&mut conversation, &mut reader.lens);
    let redacted = Redacted::of(&mut reader.lens);
    let rewritten = Rewritten::of(&mut reader.lens, &mut conversation.warnings);
    let detail = detail(&request.content, &conversation, redacted.as_ref());
    let gathered = reader.take_gathered();
    let written = document::Draft { conversation: &conversation, gathered, results, detail: &detail };
    let written = written.write(request.format)?;
    let report = Report {
        ok: true,
        id: conversation.profile.id.to_string(),
        title: conversation.profile.title,
        format: request.format,
        path: None,
        size_bytes: written.text.len() as u64,
        content: None,
        conversation: written.conversation,
        redacted,
        rewritten,
        encrypted: false,
        passphrase: None,
        dry_run: false,
        warnings: conversation.warnings,
        only_kept: told.only_kept,
    };
    Ok(Plan { report, document: written.text, to: request.to.clone(), force: request.force })
}

/// The results that lie in files. Which file is meant, a path says that may have been rewritten: then it is looked up
/// in the session as it is.
fn results(
    workspace: &Workspace,
    request: &Request,
    (files, conversation): (&OpenSession, &mut Conversation),
    lens: &mut Lens,
) -> Result<outside::Results, Error> {
    if !request.content.full_results {
        return Ok(outside::Results::new());
    }
    let places = if request.content.rewrites.is_empty() {
        outside::places(conversation)
    } else {
        outside::places(&mut session::open(workspace, &request.session, &mut Reader::default())?.conversation)
    };
    let wanted = outside::Wanted { files, places, room: room_for_results(workspace.room) };
    Ok(wanted.fetch(conversation, lens))
}

impl Plan {
    /// The same under another name, for who names it after what it is called.
    pub(crate) fn named(
        mut self,
        workspace: &Workspace,
        name: impl FnOnce(&Report) -> PathBuf,
    ) -> Result<Self, Error> {
        let to = name(&self.report);
        let to = if self.force { to } else { target::free(to) };
        target::check(workspace, &to, self.force)?;
        self.to = Some(to);
        Ok(self)
    }

    /// Another document made of this one, to go to the same place.
    pub(crate) fn remade(mut self, write: impl FnOnce(&str) -> Result<String, Error>) -> Result<Self, Error> {
        self.document = write(&self.document)?;
        self.report.size_bytes = self.document.len() as u64;
        Ok(self)
    }

    /// For `--dry-run`: everything but the document.
    pub fn preview(self) -> Report {
        let path = self.to.as_deref().map(shown);
        Report { path, dry_run: true, conversation: None, passphrase: None, only_kept: None, ..self.report }
    }

    /// The document itself, and the report about it.
    pub fn into_document(self) -> (String, Report) {
        (self.document, self.report)
    }

    fn held(self) -> Report {
        let content = (self.report.format != Format::Json).then_some(self.document);
        Report { content, ..self.report }
    }
}

/// Writes the file, or puts the document into the report.
pub fn apply(plan: Plan) -> Result<Report, Error> {
    let Some(to) = &plan.to else { return Ok(plan.held()) };
    target::write(to, plan.document.as_bytes(), plan.force)?;
    let path = Some(shown(to));
    Ok(Report { path, conversation: None, ..plan.report })
}

/// Wherever it is read, it means the same file.
fn shown(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

fn reader(request: &Request) -> Reader {
    let Request { content, format, .. } = request;
    let rewriter = (!content.rewrites.is_empty()).then(|| PathRewriter::new(None, &content.rewrites));
    Reader {
        scope: Scope {
            hidden: content.all,
            system_events: content.system_events,
            media: *format == Format::Html,
        },
        lens: Lens::new(rewriter, request.redaction.clone()),
        takes_results: content.full_results,
        gathers: matches!(format, Format::Json | Format::Jsonl),
        ..Reader::default()
    }
}

fn detail(content: &Content, conversation: &Conversation, redacted: Option<&Redacted>) -> Detail {
    let id = conversation.profile.id.as_str();
    let without = content.without_compact_summaries;
    let from_record = content.tail.map_or(0, |tail| conversation.first_record_of_tail(tail, without));
    let left_out =
        conversation.warnings.iter().filter(|warning| warning.kind == LEFT_OUT && from_record == 0);
    let left_out = left_out.map(|warning| format!("{}.", warning.message));
    Detail {
        thinking: content.thinking,
        full_results: content.full_results,
        agents: content.agents,
        system_events: content.system_events,
        without_compact_summaries: without,
        all: content.all,
        from_record,
        notes: redacted.map(|redacted| redacted.sentence(id)).into_iter().chain(left_out).collect(),
    }
}
