//! What occurs in the transcripts, by client version, and which of it is new to us.

use std::ops::ControlFlow;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Census, CensusReport, Warning, Warnings};
use steno_source::AgentFile;
use steno_transcript::Shape;

use crate::error::Error;
use crate::holdings::Holdings;
use crate::library::Library;
use crate::next::{self, Step};
use crate::{parallel, reading, warning};

#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    /// Report what occurs, not only what is strange.
    pub census: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Transcripts, subagents included.
    pub files: u64,
    pub records: u64,
    /// Record types that this program does not know.
    pub unknown_types: Vec<String>,
    pub warnings: Vec<Warning>,
    /// Only where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<CensusReport>,
    /// What to do next, where that is obvious.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
}

/// Every transcript of the library, subagents included, those without a session too.
pub fn run(library: &Library, request: &Request) -> Result<Report, Error> {
    let holdings = library.holdings()?;
    let files = transcripts(&holdings);
    let parts = parallel::fold(&files, |file| file.len, Counted::add);
    let counted = parts.into_iter().reduce(Counted::merge).unwrap_or_default();
    let mut warnings: Vec<Warning> = holdings.warnings.iter().map(warning::on_disk).collect();
    warnings.extend(library.running().warnings);
    warnings.extend(in_order(counted.warnings));
    let records = counted.census.records();
    let census = counted.census.report();
    let report = Report {
        files: files.len() as u64,
        records,
        unknown_types: census.unknown.record_types.clone(),
        warnings,
        census: request.census.then_some(census),
        next: Vec::new(),
    };
    Ok(Report { next: next::census(library, *request, &report), ..report })
}

struct File<'a> {
    path: &'a Path,
    len: u64,
}

impl<'a> File<'a> {
    fn of(agent: &'a AgentFile) -> Self {
        Self { path: &agent.path, len: agent.len }
    }
}

/// Sessions with their subagents, then the subagents that have none.
fn transcripts(holdings: &Holdings) -> Vec<File<'_>> {
    let mut files = Vec::new();
    for session in &holdings.sessions {
        files.push(File { path: &session.transcript, len: session.len });
        files.extend(session.agents.iter().map(File::of));
    }
    files.extend(holdings.orphans.iter().map(File::of));
    files
}

/// What some of the files hold.
#[derive(Default)]
struct Counted {
    census: Census,
    /// By the place of the file, since threads take the files as they come.
    warnings: Vec<(usize, Vec<Warning>)>,
}

impl Counted {
    fn add(&mut self, place: usize, file: &File<'_>) {
        let warnings = count_file(file.path, &mut self.census);
        if !warnings.is_empty() {
            self.warnings.push((place, warnings));
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.census.merge(other.census);
        self.warnings.extend(other.warnings);
        self
    }
}

fn in_order(mut warnings: Vec<(usize, Vec<Warning>)>) -> impl Iterator<Item = Warning> {
    warnings.sort_by_key(|(place, _)| *place);
    warnings.into_iter().flat_map(|(_, warnings)| warnings)
}

fn count_file(path: &Path, census: &mut Census) -> Vec<Warning> {
    let mut version = String::new();
    let mut warnings = Warnings::new(path.display().to_string());
    let outcome = reading::pieces(path, |piece| {
        let mut troubles = piece.troubles;
        if let Shape::Record(record) = &piece.shape {
            census.observe(record, &mut version, &mut troubles);
        }
        warnings.add_troubles(piece.place.line, troubles);
        ControlFlow::Continue(())
    });
    let mut warnings = warnings.into_list();
    warnings.extend(outcome.err().map(|error| warning::unreadable(path, &error)));
    warnings
}
