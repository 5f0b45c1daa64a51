//! Transcripts beyond all measure: one line of any length, nothing but zeros, very many records.
//!
//! No client writes them. A crash, another tool or an attacker does, and a program that reads all files meets them.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Error;

/// What a transcript is made of, after a few records as usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// One record on one line.
    Line,
    /// A hole in the file.
    Zeros,
    /// Records of some hundred bytes each.
    Records,
}

impl Extreme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Zeros => "zeros",
            Self::Records => "records",
        }
    }
}

const SESSION: &str = "00000000-0000-4000-8000-000000000001";
const FEW: u64 = 6;
const TEXT: &str = "What was said about the parser, in the words that people use for it. ";

/// Writes about `bytes` bytes below a Claude directory.
pub(crate) fn extreme(home: &Path, shape: Extreme, bytes: u64) -> Result<(), Error> {
    let directory = home.join("projects/-home-dev-work-extreme");
    fs::create_dir_all(&directory).map_err(Error::file("create", &directory))?;
    let path = directory.join(format!("{SESSION}.jsonl"));
    write(&path, shape, bytes).map_err(Error::file("write", &path))
}

fn write(path: &Path, shape: Extreme, bytes: u64) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut length = 0;
    for number in 0..FEW {
        length += put(&mut file, number, |file| write!(file, "{TEXT}"))?;
    }
    match shape {
        Extreme::Line => {
            let texts = bytes / TEXT.len() as u64;
            put(&mut file, FEW, |file| (0..texts).try_for_each(|_| write!(file, "{TEXT}")))?;
            put(&mut file, FEW + 1, |file| write!(file, "{TEXT}"))?;
        }
        Extreme::Zeros => {
            file.flush()?;
            file.get_ref().set_len(bytes)?;
        }
        Extreme::Records => {
            let mut number = FEW;
            while length < bytes {
                length += put(&mut file, number, |file| write!(file, "{TEXT}"))?;
                number += 1;
            }
        }
    }
    file.flush()
}

/// One record, and how long it would be without what `text` writes beyond a sentence.
fn put<W: Write>(
    file: &mut W,
    number: u64,
    text: impl FnOnce(&mut W) -> std::io::Result<()>,
) -> std::io::Result<u64> {
    let uuid = |number: u64| format!("00000000-0000-4000-9000-{number:012}");
    let parent =
        number.checked_sub(1).map_or_else(|| "null".to_owned(), |before| format!("\"{}\"", uuid(before)));
    let (minutes, seconds) = (number / 60 % 60, number % 60);
    let (hours, days) = (number / 3600 % 24, 1 + number / 86_400 % 28);
    let before = format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/home/dev/work/extreme","sessionId":"{SESSION}","version":"2.1.56","gitBranch":"main","type":"user","message":{{"role":"user","content":""#
    );
    let after = format!(
        "\"}},\"uuid\":\"{}\",\"timestamp\":\"2026-03-{days:02}T{hours:02}:{minutes:02}:{seconds:02}.000Z\"}}\n",
        uuid(number)
    );
    file.write_all(before.as_bytes())?;
    text(file)?;
    file.write_all(after.as_bytes())?;
    Ok((before.len() + TEXT.len() + after.len()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_as_large_as_it_should_be() {
        let home = tempfile::tempdir().unwrap();
        for (shape, lines) in [(Extreme::Line, 8), (Extreme::Zeros, 7), (Extreme::Records, 250)] {
            extreme(home.path(), shape, 100_000).unwrap();
            let path = home.path().join(format!("projects/-home-dev-work-extreme/{SESSION}.jsonl"));
            let text = fs::read_to_string(path).unwrap();
            assert!((100_000..=103_500).contains(&text.len()), "{shape:?}: {}", text.len());
            assert!(text.lines().count().abs_diff(lines) < 20, "{shape:?}: {}", text.lines().count());
        }
    }
}
