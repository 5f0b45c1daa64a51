//! A file beside the original → the same beside the clone.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use steno_conversation::Warning;

use super::Plan;
use super::beside::{Beside, Form};
use super::stage::Stage;
use crate::error::{Error, ErrorKind};
use crate::{reading, warning};

/// Real ones have a few hundred bytes.
const LONGEST_DOCUMENT: u64 = 1 << 20;

/// Whether it came along; one that cannot be read is said, and missing.
pub(super) fn over(
    beside: &Beside,
    plan: &Plan<'_>,
    stage: &mut Stage<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<bool, Error> {
    let source = match reading::open_file(&beside.source) {
        Ok((source, _)) => source,
        Err(error) => {
            warnings.push(warning::unreadable(&beside.source, &error));
            return Ok(false);
        }
    };
    let target = stage.file(&beside.spot)?;
    let copied = match beside.form {
        Form::Records => return records(beside, plan, target).map(|()| true),
        Form::Document => document(&source, plan, &target),
        Form::Bytes => copy(&source, &target),
    };
    copied.map(|()| true).map_err(|error| uncopied(beside, &error))
}

fn copy(mut source: &File, mut target: &File) -> io::Result<()> {
    io::copy(&mut source, &mut target).map(drop)
}

/// A small document that may name the session.
fn document(source: &File, plan: &Plan<'_>, mut target: &File) -> io::Result<()> {
    let mut bytes = Vec::new();
    source.take(LONGEST_DOCUMENT).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == LONGEST_DOCUMENT {
        target.write_all(&bytes)?;
        return copy(source, target);
    }
    target.write_all(&plan.identity.relabel_document(&bytes))
}

/// All records of a subagent, with the ids that those of the session have.
fn records(beside: &Beside, plan: &Plan<'_>, target: File) -> Result<(), Error> {
    let mut target = BufWriter::new(target);
    let mut outcome = Ok(());
    reading::lines(&beside.source, |line| {
        if outcome.is_err() {
            return;
        }
        // A line never held whole keeps its ids.
        if line.is_part() {
            outcome = target.write_all(line.bytes);
            return;
        }
        let renamed = plan.identity.relabel(line.bytes, line.number == 1);
        let patched = plan.target.rewriter.as_ref().map(|rewriter| rewriter.line(&renamed).bytes);
        outcome = target.write_all(patched.as_deref().unwrap_or(&renamed));
    })?;
    outcome.and_then(|()| target.flush()).map_err(|error| uncopied(beside, &error))
}

fn uncopied(beside: &Beside, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot copy {}: {error}", beside.source.display()))
        .hint("is there room on the disk? nothing of the clone is left")
}
