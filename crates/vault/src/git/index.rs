//! The index: which files of a commit are in the work tree, brought in line with a commit without touching a file.
//!
//! For our own directory it says what will be committed, for the others what we have put there. It is git's own,
//! so that `git status` in a vault tells the truth, and so that unchanged files are known by their stat.

use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use super::tree::unexpected;
use crate::admission::{Admission, Admissions};
use crate::private;
use crate::remote::Warning;

pub(super) const FILE: &str = "100644";
pub(super) const PROGRAM: &str = "100755";
pub(super) const REPOSITORY: &str = "160000";

/// A path on which two sides differ; a side that has nothing there has mode `000000`.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) old_mode: String,
    pub(super) new_mode: String,
    pub(super) old: ObjectId,
    pub(super) path: Vec<u8>,
}

/// How the index was brought in line.
#[derive(Debug, Default)]
pub(super) struct Aligned {
    /// Files that were put into the work tree by an earlier sync and that the commit lacks.
    pub(super) leaving: Vec<Vec<u8>>,
    pub(super) warnings: Vec<Warning>,
    lines: Vec<u8>,
}

impl Repository {
    /// Differences between a commit (old) and the index (new), everywhere or below some paths.
    pub(super) fn staged(&self, tree: &str, below: &[&str]) -> Result<Vec<Difference>, Error> {
        self.differences(&["diff-index", "--cached", tree], below)
    }

    /// Files of the work tree that may differ from a commit, as far as stats tell.
    pub(super) fn suspected(&self, tree: &str, below: &[&str]) -> Result<Vec<Difference>, Error> {
        self.differences(&["diff-index", tree], below)
    }

    /// Differences between the index (old) and the work tree (new).
    pub(super) fn unstaged(&self, below: &[&str]) -> Result<Vec<Difference>, Error> {
        // Its status says that some are not up to date, which is the next question.
        self.call(["update-index", "-q", "--refresh"]).finish()?;
        self.differences(&["diff-files"], below)
    }

    fn differences(&self, question: &[&str], below: &[&str]) -> Result<Vec<Difference>, Error> {
        let [verb, rest @ ..] = question else { return Ok(Vec::new()) };
        let options = ["--raw", "-z", "--no-renames", "--no-abbrev"];
        let arguments = [&[*verb], &options[..], rest, &["--"], below].concat();
        parse(&format!("git {verb}"), &self.call(arguments).bytes()?)
    }

    /// The changes that bring the index in line with a commit; none is made yet.
    pub(super) fn alignment(&self, tree: &str, below: &[&str]) -> Result<Aligned, Error> {
        let differences = match self.staged(tree, below) {
            Ok(differences) => differences,
            Err(_) => {
                self.drop_index()?;
                self.staged(tree, below)?
            }
        };
        let admissions = Admissions::new(&self.slug);
        let mut aligned = Aligned::default();
        differences.iter().for_each(|difference| aligned.take(difference, &admissions));
        Ok(aligned)
    }

    pub(super) fn align(&self, aligned: &Aligned) -> Result<(), Error> {
        if aligned.lines.is_empty() {
            return Ok(());
        }
        self.call(["update-index", "-z", "--index-info"]).input(aligned.lines.clone()).done()
    }

    /// One that a killed git left half written, or in the middle of a merge, is made anew.
    pub(super) fn drop_index(&self) -> Result<(), Error> {
        let path = self.directory.join("index");
        private::remove_file(&path).map_err(Error::file(&path))
    }

    /// The newest commit, or an empty tree where there is none yet.
    pub(super) fn head_or_empty(&self) -> Result<ObjectId, Error> {
        match self.head()? {
            Some(head) => Ok(head),
            None => self.call(["mktree"]).input("").object(),
        }
    }
}

impl Aligned {
    fn take(&mut self, difference: &Difference, admissions: &Admissions<'_>) {
        let Difference { old_mode, old, path, .. } = difference;
        let admission = admissions.of(path);
        if old_mode == "000000" {
            if admission == Admission::Theirs {
                self.leaving.push(path.clone());
            }
            return self.line(&format!("0 {}", "0".repeat(old.as_str().len())), path);
        }
        let reason = match admission {
            Admission::Refused(reason) => Some(reason),
            Admission::Ours => None,
            _ if old_mode == FILE || old_mode == PROGRAM => None,
            _ => Some("neither a file nor a directory"),
        };
        match reason {
            Some(reason) => {
                self.warnings.push(Warning::new(path, format!("not taken from the remote: {reason}")))
            }
            None => self.line(&format!("{old_mode} {old}"), path),
        }
    }

    fn line(&mut self, head: &str, path: &[u8]) {
        self.lines.extend(head.as_bytes());
        self.lines.push(b'\t');
        self.lines.extend(path);
        self.lines.push(0);
    }
}

/// `:<mode> <mode> <id> <id> <letter>\0<path>\0`…
fn parse(what: &str, bytes: &[u8]) -> Result<Vec<Difference>, Error> {
    let mut fields = bytes.split(|byte| *byte == 0);
    let mut differences = Vec::new();
    while let (Some(head @ [_, ..]), Some(path)) = (fields.next(), fields.next()) {
        differences.push(difference(head, path).ok_or_else(|| unexpected(what, head))?);
    }
    Ok(differences)
}

/// `None` also for paths in the middle of a merge: the caller then starts from an empty index.
fn difference(head: &[u8], path: &[u8]) -> Option<Difference> {
    let mut parts = std::str::from_utf8(head).ok()?.strip_prefix(':')?.split(' ').map(str::to_owned);
    let (old_mode, new_mode, old) = (parts.next()?, parts.next()?, parts.next()?);
    parts.nth(1).filter(|letter| letter != "U")?;
    Some(Difference { old_mode, new_mode, old: ObjectId::parse(&old)?, path: path.to_vec() })
}
