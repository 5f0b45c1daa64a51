//! A file beside the original → the same beside the clone.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use steno_conversation::Warning;
use steno_sessions::file::Lines;

use super::Plan;
use super::beside::{Beside, Form};
use super::stage::Stage;
use crate::error::{Error, ErrorKind};
use crate::reading::Stretch;
use crate::warning;

/// Real ones have a few hundred bytes.
const LONGEST_DOCUMENT: u64 = 1 << 20;

/// Whether it came along; one that cannot be opened is said, and missing.
pub(super) fn over(
    beside: &Beside,
    plan: &Plan<'_>,
    stage: &mut Stage<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<bool, Error> {
    let mut copied = Ok(());
    let mut copy_with = |copy: &mut dyn FnMut(File) -> io::Result<()>| {
        let target = stage.file(&beside.spot);
        copied = target.and_then(|target| copy(target).map_err(|error| uncopied(beside, &error)));
        Ok(())
    };
    let opened = plan.original.file(&beside.source).and_then(|source| match beside.form {
        Form::Records => {
            source.read(Stretch::WHOLE, |lines| copy_with(&mut |target| records(lines, plan, target)))
        }
        Form::Document => {
            source.read_bytes(0, |source| copy_with(&mut |target| document(source, plan, target)))
        }
        Form::Bytes => source.read_bytes(0, |source| copy_with(&mut |target| copy(source, target))),
    });
    if let Err(error) = opened {
        warnings.push(warning::unreadable(&beside.source, &error));
        return Ok(false);
    }
    copied.map(|()| true)
}

fn copy(source: &mut dyn Read, mut target: File) -> io::Result<()> {
    io::copy(source, &mut target).map(drop)
}

/// A small document that may name the session.
fn document(source: &mut dyn Read, plan: &Plan<'_>, mut target: File) -> io::Result<()> {
    let mut bytes = Vec::new();
    source.take(LONGEST_DOCUMENT).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == LONGEST_DOCUMENT {
        target.write_all(&bytes)?;
        return copy(source, target);
    }
    target.write_all(&plan.identity.relabel_document(&bytes))
}

/// All records of a subagent, with the ids that those of the session have.
fn records(lines: &mut Lines<'_>, plan: &Plan<'_>, target: File) -> io::Result<()> {
    let mut target = BufWriter::new(target);
    while let Some(line) = lines.next_line()? {
        // A line never held whole keeps its ids.
        if line.is_part() {
            target.write_all(line.bytes)?;
            continue;
        }
        let renamed = plan.identity.relabel(line.bytes, line.number == 1);
        let patched = plan.target.rewriter.as_ref().map(|rewriter| rewriter.line(&renamed).bytes);
        target.write_all(patched.as_deref().unwrap_or(&renamed))?;
    }
    target.flush()
}

fn uncopied(beside: &Beside, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot copy {}: {error}", beside.source.display()))
        .hint("is there room on the disk? nothing of the clone is left")
}
