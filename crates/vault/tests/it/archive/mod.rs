//! Files on a real disk ↔ archives, good ones and hostile ones.

mod hostile;
#[cfg(unix)]
mod unpack;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use steno_vault::archive::{self, Limits, Plan};
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;

const LIMITS: Limits = Limits { file_bytes: 100_000, total_bytes: 300_000, entries: 100 };

fn put(path: &Path, bytes: impl AsRef<[u8]>) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    path.to_owned()
}

/// Every file below a directory with its bytes; links as what they lead to.
#[cfg(unix)]
fn tree(directory: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(directory) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_symlink() {
            found.push((name, format!("-> {}", fs::read_link(&path).unwrap().display())));
        } else if path.is_dir() {
            found.push((format!("{name}/"), String::new()));
            found.extend(tree(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.push((name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
    found.sort();
    found
}

struct Entry {
    kind: EntryType,
    name: String,
    bytes: Vec<u8>,
}

fn entry(kind: EntryType, name: &str, bytes: impl AsRef<[u8]>) -> Entry {
    Entry { kind, name: name.to_owned(), bytes: bytes.as_ref().to_vec() }
}

fn file(name: &str, bytes: impl AsRef<[u8]>) -> Entry {
    entry(EntryType::Regular, name, bytes)
}

/// A tar with names as they are given, which the library for writing one would not take.
fn tar(entries: &[Entry]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for entry in entries {
        let mut header = Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..entry.name.len()].copy_from_slice(entry.name.as_bytes());
        header.set_entry_type(entry.kind);
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, entry.bytes.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn plan_of(directory: &TempDir, bytes: &[u8]) -> Result<Plan, archive::Error> {
    archive::plan(&put(&directory.path().join("in.tar.gz"), bytes), LIMITS)
}

#[cfg(unix)]
fn names(plan: &Plan) -> Vec<&str> {
    plan.files.iter().map(|file| file.name.as_str()).collect()
}
