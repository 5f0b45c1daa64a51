//! What occurs in the transcripts, by client version, and which of it is new to us.

use std::ops::ControlFlow;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Census, CensusReport, Warning, Warnings};
use steno_source::SessionFiles;
use steno_transcript::Shape;

use crate::error::Error;
use crate::library::Library;
use crate::list::in_parallel;
use crate::reading;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub files: u64,
    #[serde(flatten)]
    pub census: CensusReport,
    pub warnings: Vec<Warning>,
}

/// Every transcript of the library, subagents included.
pub fn run(library: &Library) -> Result<Report, Error> {
    let (sessions, mut warnings) = library.sessions()?;
    warnings.extend(library.running().warnings);
    let mut report = Counted { warnings, ..Counted::default() };
    for (_, counted) in in_parallel(&sessions, count_session) {
        report.merge(counted);
    }
    Ok(Report { files: report.files, census: report.census.report(), warnings: report.warnings })
}

#[derive(Default)]
struct Counted {
    files: u64,
    census: Census,
    warnings: Vec<Warning>,
}

impl Counted {
    fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.census.merge(other.census);
        self.warnings.extend(other.warnings);
    }
}

fn count_session(session: &SessionFiles) -> Counted {
    let mut counted = count_file(&session.transcript);
    for agent in &session.agents {
        counted.merge(count_file(&agent.path));
    }
    counted
}

fn count_file(path: &Path) -> Counted {
    let mut census = Census::default();
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
    if let Err(error) = outcome {
        warnings.add("unreadable", None, error.to_string());
    }
    Counted { files: 1, census, warnings: warnings.into_list() }
}
