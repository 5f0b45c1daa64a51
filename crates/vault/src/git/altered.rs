//! The last commit and the disk → this machine's files that are gone or changed.

use super::error::Error;
use super::index::Difference;
use super::repository::Repository;

/// The mode of a file that is not there.
const GONE: &str = "000000";

/// Names of files, relative to the vault.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Altered {
    pub gone: Vec<String>,
    /// Other bytes than those that were recorded, or another kind of file.
    pub changed: Vec<String>,
}

impl Repository {
    /// One look at the stats, most of the time; only files whose stat has changed are read.
    pub fn altered(&self) -> Result<Altered, Error> {
        let Some(head) = self.head()? else { return Ok(Altered::default()) };
        let own = self.own();
        let is_worth_a_look = |found: &Vec<Difference>| found.iter().any(|one| !is_usual(one));
        if self.suspected(head.as_str(), &[&own]).is_ok_and(|found| !is_worth_a_look(&found)) {
            return Ok(Altered::default());
        }
        // Anything else in the index was never committed, and is staged again when it is recorded.
        self.align(&self.alignment(head.as_str(), &[&own])?)?;
        let mut altered = Altered::default();
        for difference in self.unstaged(&[&own])? {
            let Ok(name) = String::from_utf8(difference.path) else { continue };
            let is_gone = difference.new_mode == GONE;
            if is_gone { &mut altered.gone } else { &mut altered.changed }.push(name);
        }
        Ok(altered)
    }
}

/// Every sync that kept something writes manifests anew; an encrypted manifest cannot be told from other documents.
fn is_usual(difference: &Difference) -> bool {
    let path = &difference.path;
    let has = |piece: &[u8]| path.windows(piece.len()).any(|part| part == piece);
    let is_document = || path.ends_with(b".age") && has(b"/documents/") && difference.new_mode != GONE;
    path.ends_with(b"/manifest.json") && !has(b"/config/") || is_document()
}
