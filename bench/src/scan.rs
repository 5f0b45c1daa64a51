//! The physical limit: every byte is read and searched for newlines, and nothing else happens.
//!
//! Two threads, 256 KiB at a time into a reused buffer; larger chunks and memory maps were slower.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;

use crate::Error;
use crate::files::{Transcript, transcripts, visit};

const CHUNK: usize = 256 * 1024;
const THREADS: usize = 2;

/// What a scan saw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Scan {
    pub files: u64,
    pub bytes: u64,
    pub lines: u64,
}

/// What a walk saw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Walk {
    pub files: u64,
    pub bytes: u64,
}

/// Looks at every file, as any program would, and reads none.
pub fn walk(directory: &Path) -> Result<Walk, Error> {
    let mut seen = Walk::default();
    visit(directory, &mut |_, bytes| {
        seen.files += 1;
        seen.bytes += bytes;
        Ok(())
    })?;
    Ok(seen)
}

pub fn scan(directory: &Path) -> Result<Scan, Error> {
    let files = transcripts(directory)?;
    let next = AtomicUsize::new(0);
    let parts: Vec<Result<Scan, Error>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| scan_some(&files, &next))).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    parts.into_iter().try_fold(Scan::default(), |sum, part| {
        let part = part?;
        Ok(Scan {
            files: sum.files + part.files,
            bytes: sum.bytes + part.bytes,
            lines: sum.lines + part.lines,
        })
    })
}

fn scan_some(files: &[Transcript], next: &AtomicUsize) -> Result<Scan, Error> {
    let mut buffer = vec![0; CHUNK];
    let mut sum = Scan::default();
    while let Some(transcript) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
        let path = &transcript.path;
        let mut file = File::open(path).map_err(Error::file("open", path))?;
        sum.files += 1;
        loop {
            let length = file.read(&mut buffer).map_err(Error::file("read", path))?;
            let Some(chunk) = buffer.get(..length).filter(|chunk| !chunk.is_empty()) else {
                break;
            };
            sum.bytes += length as u64;
            sum.lines += memchr::memchr_iter(b'\n', chunk).count() as u64;
        }
    }
    Ok(sum)
}
