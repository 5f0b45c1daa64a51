//! A request → the command line that a scheduler runs, as text that every scheduler can hold.

use std::path::Path;

use super::{Every, Request, Tools};
use crate::error::{Error, ErrorKind};

#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) every: Every,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    pub(super) search_path: Option<String>,
    /// Within the hour.
    pub(super) minute: u64,
}

impl Job {
    pub(super) fn new(tools: &Tools, request: &Request, every: Every) -> Result<Self, Error> {
        let mut arguments = ["--quiet", "sync", "--scheduled"].map(str::to_owned).to_vec();
        let directories = request.claude_dirs.iter().map(|directory| ("--claude-dir", directory));
        for (flag, path) in request.vault.iter().map(|vault| ("--vault", vault)).chain(directories) {
            arguments.extend([flag.to_owned(), text(path)?]);
        }
        let search_path = tools.search_path.clone().filter(|path| !path.chars().any(char::is_control));
        Ok(Self { every, program: text(&tools.program)?, arguments, search_path, minute: tools.spread % 60 })
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.program.as_str()).chain(self.arguments.iter().map(String::as_str))
    }
}

/// The job runs in another directory, so the path must not depend on this one.
fn text(path: &Path) -> Result<String, Error> {
    let absolute = std::path::absolute(path).ok();
    let text = absolute.as_deref().and_then(Path::to_str).filter(|text| !text.chars().any(char::is_control));
    text.map(str::to_owned).ok_or_else(|| {
        let message = format!("no scheduler can be told the path {}", path.display());
        Error::new(ErrorKind::Invalid, message).hint("give it a name without control characters, in UTF-8")
    })
}
