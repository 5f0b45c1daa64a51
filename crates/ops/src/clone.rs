//! `clone`: a session → a new one that the client resumes, cut, stripped or compressed as asked.
//!
//! The original is only read. Everything of the new session gets its name at once, after what was written for it has
//! passed every check that a session has to pass.

mod beside;
mod carry;
mod lineage;
mod mention;
pub(crate) mod room;
mod stage;
mod summary;
mod target;
mod transcription;
mod wanted;

use std::collections::HashSet;
use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use steno_conversation::Warning;
use steno_edit::check::{Finding, Severity};
use steno_edit::estimate::Estimate;
use steno_edit::outline::Node;
use steno_edit::plan::{Counts, Refusal, summarised};
use steno_edit::predict::Uncertain;
use steno_edit::rewrite::Rewrite;
use steno_edit::{CloneOptions, Identity, Outline, OutlineBuilder};
use steno_render::many;
use steno_sessions::session::OpenSession;
use steno_transcript::{Shape, Trouble};

use self::beside::{Beside, Calls, Surroundings};
use self::lineage::Lineage;
use self::stage::Stage;
use self::target::Target;
use self::transcription::{Transcription, Written};
use crate::error::{Error, ErrorKind};
use crate::restore::{Action, Planned, one};
use crate::shell::resume;
use crate::workspace::Workspace;
pub use summary::{Summarized, Summary, SummarySource};
pub use wanted::{Preset, Strip, Wanted};

/// Shorter names are words.
const LEAST_TELLING: usize = 8;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or a path.
    pub session: String,
    /// What the new session is called: a UUID that no other has.
    pub id: String,
    pub wanted: Wanted,
    pub summary: Summary,
    /// Where the clone shall work, absolute.
    pub cwd: Option<PathBuf>,
    pub rewrites: Vec<Rewrite>,
    /// The Claude directory to write to, absolute.
    pub to: Option<PathBuf>,
    /// Whether what the client will send is wanted.
    pub messages: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub cloned: Cloned,
    pub estimate: Estimates,
    pub turns: Change,
    /// Only with `--compress-before`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summarized>,
    /// Only with `--dry-run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Planning>,
    /// What keeps clients from resuming the original as it is; the clone has no error any more.
    pub findings: Vec<Finding>,
    /// What the newest client sends when it resumes the clone, before the next prompt; with `--messages`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
    pub dry_run: bool,
    pub warnings: Vec<Warning>,
    /// How to go on with it, where it works.
    pub resume: String,
    /// The same from anywhere, for a shell.
    pub go_on: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Cloned {
    /// The original.
    pub from: String,
    /// The clone.
    pub uuid: String,
    /// Its transcript.
    pub to: String,
    pub records: Records,
    /// Roughly what the client sends.
    pub tokens: Change,
    /// How many files it has.
    pub files: u64,
    /// Where it resumes.
    pub cwd: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Records {
    pub kept: u64,
    pub dropped: u64,
    /// Of those that are kept, besides their ids.
    pub changed: u64,
}

impl From<Counts> for Records {
    fn from(Counts { kept, dropped, changed }: Counts) -> Self {
        Self { kept, dropped, changed }
    }
}

/// In the original, and in the clone.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    pub before: u64,
    pub after: u64,
}

/// Tokens by kind.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Estimates {
    pub before: Estimate,
    pub after: Estimate,
}

/// What would be written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Planning {
    pub files: Vec<Planned>,
    /// What stands in place of the turns that are compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// What becomes of every record, and where the clone goes.
#[derive(Debug)]
pub struct Plan<'a> {
    workspace: &'a Workspace,
    request: &'a Request,
    original: OpenSession,
    outline: Outline,
    plan: steno_edit::Plan,
    summary: Option<Summarized>,
    identity: Identity,
    /// What the records call their session.
    names: Vec<String>,
    target: Target,
}

pub fn plan<'a>(workspace: &'a Workspace, request: &'a Request) -> Result<Plan<'a>, Error> {
    let options = CloneOptions { now: Some(workspace.dirs.now), ..request.wanted.options()? };
    let keep_turns = request.wanted.keep_turns()?;
    let original = OpenSession::open(workspace, &request.session)?;
    let room = room::of(workspace);
    let (outline, names) = survey(&original, room)?;
    refuse_unread(&outline, &original)?;
    // Before the summary, which may cost money.
    let target = Target::of(workspace, request, &original)?;
    target.check_free()?;
    let identity = target.identity(names.clone(), original.files.project_hash.as_deref());
    let (plan, summary) = match keep_turns {
        None => (steno_edit::plan(&outline, &options), None),
        Some(turns) => {
            let gone = summarised(&outline, options.cut.as_ref(), turns);
            let gone = gone.map_err(|refusal| refused(&refusal, &original))?;
            let (text, source) = request.summary.text(&original, &outline, gone, &identity, room)?;
            let options = wanted::compressed(&options, turns, text, workspace.dirs.now);
            (steno_edit::plan(&outline, &options), Some(Summarized { source }))
        }
    };
    let plan = plan.map_err(|refusal| refused(&refusal, &original))?;
    Ok(Plan { workspace, request, original, outline, plan, summary, identity, names, target })
}

/// The first reading, and every name that the records call their session by.
fn survey(original: &OpenSession, room: u64) -> Result<(Outline, Vec<String>), Error> {
    let mut surveyor = OutlineBuilder::default();
    // The outline of the clone takes as much again.
    let is_full = |surveyor: &OutlineBuilder| surveyor.weight() > room / 2;
    let mut from = HashSet::from([original.files.id.to_string()]);
    original.pieces(|piece| {
        surveyor.observe(piece);
        if let Shape::Record(record) = &piece.shape
            && let Some(id) = record.envelope.session_id.as_deref()
            && !from.contains(id)
        {
            from.insert(id.to_owned());
        }
        if is_full(&surveyor) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if is_full(&surveyor) {
        return Err(room::refused(original, room));
    }
    from.retain(|name| is_telling(name));
    Ok((surveyor.finish(), from.into_iter().collect()))
}

/// Whether a name means the session wherever it occurs. A file may be called `user`, which many words are.
fn is_telling(name: &str) -> bool {
    name.len() >= LEAST_TELLING && name.contains(|letter: char| letter.is_ascii_digit())
}

impl Plan<'_> {
    /// For `--dry-run`: everything but the files.
    pub fn preview(&self) -> Result<Report, Error> {
        let mut warnings = Vec::new();
        let surroundings = self.surroundings(&mut warnings);
        let mut written = self.transcription(&surroundings).write(&mut io::sink())?;
        self.check(&written)?;
        let needed = surroundings.needed(self.calls(), &mut written, &self.target.id, &mut warnings);
        let summary = self.plan.compaction.as_ref().map(|compaction| compaction.summary.clone());
        let files = self.planned(&written, &needed);
        let report = self.report(written, warnings, files.len());
        Ok(Report { plan: Some(Planning { files, summary }), dry_run: true, ..report })
    }

    fn is_whole(&self) -> bool {
        self.request.wanted.is_whole()
    }

    fn surroundings(&self, warnings: &mut Vec<Warning>) -> Surroundings<'_> {
        Surroundings::of(&self.original, &self.names, self.is_whole(), warnings)
    }

    /// Those that stay, where some may have gone.
    fn calls(&self) -> Option<Calls<'_>> {
        (!self.is_whole()).then(|| Calls::of(&self.outline, &self.plan))
    }

    fn transcription<'a>(&'a self, surroundings: &'a Surroundings<'_>) -> Transcription<'a> {
        Transcription {
            original: &self.original,
            outline: &self.outline,
            plan: &self.plan,
            identity: &self.identity,
            rewriter: self.target.rewriter.as_ref(),
            agents: &surroundings.agents,
            results: &surroundings.results,
            wants_messages: self.request.messages,
            room: room::of(self.workspace),
        }
    }

    /// An error of the clone that the original does not have is a bug of ours: the clone is not written.
    fn check(&self, written: &Written) -> Result<(), Error> {
        let before = steno_edit::check(&self.outline, self.original.id().as_str());
        let is_ours = |finding: &&Finding| {
            let mut same = before.iter().filter(|known| known.rule == finding.rule);
            finding.severity == Severity::Error
                || finding.severity == Severity::Warning
                    && !same.any(|known| known.severity >= finding.severity)
        };
        match steno_edit::check(&written.outline, &self.target.id).iter().find(is_ours) {
            None => Ok(()),
            Some(finding) => {
                let message = format!("the clone would not be resumed: {}", finding.message);
                Err(Error::new(ErrorKind::Io, message).hint(
                    "nothing was written, and the original is as it was; please report this with the output of `steno check`",
                ))
            }
        }
    }

    fn planned(&self, written: &Written, needed: &[Beside]) -> Vec<Planned> {
        let planned =
            |path: PathBuf, bytes| Planned { path: path.display().to_string(), bytes, action: Action::Write };
        let transcript = planned(self.target.transcript(), written.bytes);
        let lineage = planned(Lineage::spot().place(&self.target), self.lineage().bytes().len() as u64);
        let needed = needed.iter().map(|beside| {
            let bytes = self.original.file(&beside.source).map_or(0, |file| file.size());
            planned(beside.spot.place(&self.target), bytes)
        });
        [transcript, lineage].into_iter().chain(needed).collect()
    }

    fn lineage(&self) -> Lineage<'_> {
        let (from, at) = (self.original.id().as_str(), self.workspace.dirs.now);
        Lineage { from, at, by: "clone", wish: &self.request.wanted }
    }

    fn report(&self, written: Written, warnings: Vec<Warning>, files: usize) -> Report {
        let Self { plan, target, request, .. } = self;
        let (before, after) = (plan.before, plan.after);
        let cloned = Cloned {
            from: self.original.id().to_string(),
            uuid: target.id.clone(),
            to: target.transcript().display().to_string(),
            records: plan.counts.into(),
            tokens: Change { before: before.total, after: after.total },
            files: files as u64,
            cwd: target.cwd.clone(),
        };
        let options = crate::restore::Options { to: request.to.clone(), ..Default::default() };
        let home = one::client_home(self.workspace, &options);
        let warnings = [&self.original.warnings, self.original.losses(), &target.warnings]
            .into_iter()
            .flatten()
            .cloned()
            .chain(warnings);
        let to = target.transcript().display().to_string();
        let (messages, uncertain) = match written.prediction {
            Some(prediction) => (Some(prediction.messages), prediction.uncertain),
            None => (None, Vec::new()),
        };
        let unsure = uncertain.iter().map(|uncertain| unsure(&to, uncertain));
        Report {
            ok: true,
            resume: format!("claude --resume {}", target.id),
            go_on: resume(target.cwd.as_deref(), home, Some(&target.id)),
            cloned,
            estimate: Estimates { before, after },
            turns: Change { before: plan.turns.0, after: plan.turns.1 },
            summary: self.summary,
            plan: None,
            findings: steno_edit::check(&self.outline, self.original.id().as_str()),
            messages,
            dry_run: false,
            warnings: warnings.chain(unsure).collect(),
        }
    }
}

/// Writes the clone.
pub fn apply(plan: &Plan<'_>) -> Result<Report, Error> {
    let mut warnings = Vec::new();
    let surroundings = plan.surroundings(&mut warnings);
    let mut stage = Stage::open(&plan.target)?;
    let file = stage.transcript()?;
    let mut target = BufWriter::with_capacity(256 * 1024, &file);
    let mut written = plan.transcription(&surroundings).write(&mut target)?;
    drop(target);
    plan.check(&written)?;
    let needed = surroundings.needed(plan.calls(), &mut written, &plan.target.id, &mut warnings);
    let mut files = 2;
    for beside in &needed {
        files += usize::from(carry::over(beside, plan, &mut stage, &mut warnings)?);
    }
    plan.lineage().write(&mut stage)?;
    file.sync_all().map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot write the clone: {error}"))
            .hint("is there room on the disk?")
    })?;
    stage.commit()?;
    let report = plan.report(written, warnings, files);
    Ok(report)
}

/// What the client puts into words of its own.
pub(crate) fn unsure(file: &str, uncertain: &Uncertain) -> Warning {
    let message = format!("the client words this {} by itself", uncertain.what);
    Warning {
        file: file.to_owned(),
        line: Some(uncertain.place.line),
        kind: "worded-by-client".to_owned(),
        message,
    }
}

/// What was found when it was read again is not what it was.
fn changed(original: &OpenSession) -> Error {
    let message = format!("{} changed while it was read", original.told());
    Error::new(ErrorKind::Io, message).hint("nothing was written; run it again")
}

/// A line that is not read cannot get new ids, and a clone without it would be another session.
fn refuse_unread(outline: &Outline, original: &OpenSession) -> Result<(), Error> {
    let unread = |node: &Node| {
        [Trouble::TooLong, Trouble::TooManyValues].into_iter().find(|unread| node.troubles.contains(*unread))
    };
    let found = outline.nodes.iter().find_map(|node| Some((node, unread(node)?)));
    let Some((node, unread)) = found else { return Ok(()) };
    let message = format!("line {} of {} cannot be cloned: {unread}", node.place.line, original.told());
    Err(Error::new(ErrorKind::Invalid, message)
        .hint("`steno restore` brings back every line as it is")
        .hint("a copy of the transcript without the line can be cloned"))
}

fn refused(refusal: &Refusal, original: &OpenSession) -> Error {
    let hint = match refusal {
        Refusal::Nothing => format!("`steno show {}` shows what is in it", original.id()),
        Refusal::UnknownRecord(_) => {
            "give the uuid of a record, at least 4 characters of it, or its line as #12; `steno show --json` has them".to_owned()
        }
        Refusal::NothingLeft => "ask for less to go: more turns, or a later record".to_owned(),
        Refusal::AmbiguousRecord(_) => "give more characters of it".to_owned(),
        Refusal::TooFewTurns(0 | 1) => "nothing of it is older than its last turn".to_owned(),
        Refusal::TooFewTurns(_) => "give a smaller number".to_owned(),
    };
    let message = match refusal {
        Refusal::TooFewTurns(turns) => format!("the session has {}", many(*turns, "turn")),
        refusal => refusal.to_string(),
    };
    Error::new(ErrorKind::Invalid, message).hint(hint)
}
