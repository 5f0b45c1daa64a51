//! `check`: a session → whether a client resumes it, and what keeps it from that; a clone that mends it, if asked.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use steno_conversation::Warning;
pub use steno_edit::check::{Finding, Rule, Severity};
use steno_edit::predict::{Client, Prediction, Predictor};
use steno_edit::{Outline, OutlineBuilder};
use steno_sessions::session::OpenSession;

use crate::clone::room;
use crate::clone::{self, Cloned};
use crate::error::Error;
use crate::workspace::Workspace;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or a path.
    pub session: String,
    /// Write a clone without the problems found.
    pub fix: bool,
    /// What that clone is called.
    pub id: String,
    /// Whether what the client will send is wanted.
    pub messages: bool,
    /// Say what the clone would be, and write nothing.
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether it, or the clone that mends it, is resumed.
    pub ok: bool,
    pub session: String,
    pub path: String,
    /// Whether every client can resume it.
    pub resumable: bool,
    /// The worst first.
    pub findings: Vec<Finding>,
    /// The clone that mends it, with `--fix`; none where nothing is to be mended.
    pub fixed: Option<Cloned>,
    /// How to go on with that clone, for a shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// What the newest client sends when it resumes the session, before the next prompt; with `--messages`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
    pub dry_run: bool,
    pub warnings: Vec<Warning>,
}

impl Report {
    /// Whether a clone would be better. Of nothing there is none.
    pub fn needs_fixing(&self) -> bool {
        let is_empty = self.findings.iter().any(|finding| finding.rule == Rule::Conversation);
        !is_empty && self.findings.iter().any(|finding| finding.severity >= Severity::Warning)
    }
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let original = OpenSession::open(workspace, &request.session)?;
    let (outline, prediction) = read(&original, request.messages, room::of(workspace))?;
    let id = original.id().to_string();
    let findings = steno_edit::check(&outline, &id);
    let resumable = findings.iter().all(|finding| finding.severity < Severity::Error);
    let file = original.name();
    let unsure = prediction.iter().flat_map(|prediction| &prediction.uncertain);
    let unsure = unsure.map(|uncertain| clone::unsure(&file, uncertain));
    let warnings = original.warnings.iter().chain(original.losses()).cloned().chain(unsure).collect();
    let mut report = Report {
        ok: resumable,
        session: id,
        path: file,
        resumable,
        findings,
        fixed: None,
        resume: None,
        messages: prediction.map(|prediction| prediction.messages),
        dry_run: request.dry_run,
        warnings,
    };
    drop(original);
    if request.fix && report.needs_fixing() {
        report.fix(workspace, request)?;
    }
    Ok(report)
}

fn read(
    original: &OpenSession,
    wants_messages: bool,
    room: u64,
) -> Result<(Outline, Option<Prediction>), Error> {
    let mut surveyor = OutlineBuilder::default();
    let mut predictor = wants_messages.then(Predictor::default);
    let mut is_full = false;
    original.pieces(|piece| {
        surveyor.observe(piece);
        if let Some(predictor) = &mut predictor {
            predictor.observe(piece);
        }
        is_full = surveyor.weight() + predictor.as_ref().map_or(0, Predictor::weight) > room;
        if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if is_full {
        return Err(room::refused(original, room));
    }
    Ok((surveyor.finish(), predictor.map(|predictor| predictor.messages(Client::Newest))))
}

impl Report {
    fn fix(&mut self, workspace: &Workspace, request: &Request) -> Result<(), Error> {
        let (session, id) = (request.session.clone(), request.id.clone());
        let whole = clone::Request { session, id, ..clone::Request::default() };
        let plan = clone::plan(workspace, &whole)?;
        let mended = if request.dry_run { plan.preview()? } else { clone::apply(&plan)? };
        self.ok = true;
        self.fixed = Some(mended.cloned);
        self.resume = Some(mended.go_on);
        // Warnings about the original are in the report already.
        let is_known = |warning: &Warning| self.warnings.contains(warning);
        let new: Vec<Warning> = mended.warnings.into_iter().filter(|warning| !is_known(warning)).collect();
        self.warnings.extend(new);
        Ok(())
    }
}
