//! One transcript of any size, with lines of a few hundred bytes and lines of many megabytes.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use steno_testkit::{Era, Rng, millis};

use crate::Error;
use crate::generate::{Summary, pick};
use crate::pool::Pools;
use crate::shapes;
use crate::template::{Fill, Template};

const LONGEST_LINE: u64 = 20_000_000;

/// Writes about `bytes` bytes to `path`; the file's stem is the session's id.
pub fn huge(path: &Path, bytes: u64, seed: u64) -> Result<Summary, Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
    }
    let file = File::create(path).map_err(Error::file("create", path))?;
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let pools = Pools::new();
    let eras = shapes::all(LONGEST_LINE.min(bytes / 8));
    let mut rng = Rng::stream(seed, 0);
    let mut fill = first_fill(path, &mut rng);
    let mut summary = Summary { sessions: 1, ..Summary::default() };
    let mut buffer = Vec::new();
    let era = eras.iter().find(|shapes| shapes.era == Era::V2_1_325);
    while let Some(era) = era.filter(|_| summary.bytes < bytes) {
        let remaining = bytes - summary.bytes;
        let long = rng.chance(10) && remaining > era.giant.expected * 2;
        let template: &Template = if long { &era.giant } else { pick(era, remaining, &mut rng) };
        buffer.clear();
        template.write(&fill, &pools, &mut buffer);
        file.write_all(&buffer).map_err(Error::file("write", path))?;
        summary.bytes += buffer.len() as u64;
        fill.parent = Some(template.leaf(&fill, &pools));
        fill.start += template.duration;
        fill.stamp = rng.next();
    }
    file.flush().map_err(Error::file("write", path))?;
    Ok(summary)
}

fn first_fill(path: &Path, rng: &mut Rng) -> Fill {
    Fill {
        session: path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        cwd: "/home/dev/work/huge".into(),
        stamp: rng.next(),
        start: millis(Era::V2_1_325.start()),
        parent: None,
    }
}
