//! What the fuzzers start from: sessions of every era out of the test kit, and pieces of real transcripts.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

/// The longest input that the fuzzers try.
const LONGEST: u64 = 65536;
/// Short ones are changed and tried more often.
const SHORT: u64 = 4096;

pub(crate) struct Seeds {
    pub(crate) folder: PathBuf,
    pub(crate) count: usize,
}

/// Writes them anew below the build directory.
pub(crate) fn write(workspace: &Workspace) -> Result<Seeds, Failure> {
    let folder = workspace.target.join("fuzz/seeds");
    let unwritable = |error: io::Error| Failure::new(format!("cannot write {}: {error}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(unwritable)?;
    }
    fs::create_dir_all(&folder).map_err(unwritable)?;
    made_up(workspace, &folder)?;
    let mut transcripts = Vec::new();
    for corpus in workspace.corpus() {
        find(corpus, &mut transcripts).map_err(|error| unreadable(corpus, &error))?;
    }
    for (number, transcript) in transcripts.iter().enumerate() {
        cut(transcript, &folder, number).map_err(|error| unreadable(transcript, &error))?;
    }
    let count = fs::read_dir(&folder).map_err(unwritable)?.count();
    Ok(Seeds { folder, count })
}

/// Sessions that the test kit makes up. The whole workspace's features are asked for, as in the tests, so that
/// nothing is built twice.
fn made_up(workspace: &Workspace, folder: &Path) -> Result<(), Failure> {
    Invocation::cargo("build --quiet --workspace --locked --example seeds").run(&workspace.root)?;
    let program = workspace.built("debug/examples", "seeds");
    Invocation::new(program.display().to_string()).path(folder).run(&workspace.root)
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

/// The beginning of a transcript, as long and as short as it may be, and a piece out of its middle.
fn cut(transcript: &Path, folder: &Path, number: usize) -> io::Result<()> {
    let length = fs::metadata(transcript)?.len();
    fs::write(folder.join(format!("{number}-long")), piece(transcript, 0, LONGEST)?)?;
    fs::write(folder.join(format!("{number}-short")), piece(transcript, 0, SHORT)?)?;
    if length > SHORT {
        let middle = piece(transcript, length / 2, LONGEST)?;
        let line = middle.iter().position(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let lines = middle.get(line..).unwrap_or_default();
        let lines = lines.get(..4 * SHORT as usize).unwrap_or(lines);
        fs::write(folder.join(format!("{number}-middle")), lines)?;
    }
    Ok(())
}

fn piece(transcript: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(transcript)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {error}", path.display()))
}
