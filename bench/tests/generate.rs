//! Generated homes are what was ordered: the same for the same seed, valid on every line, and of the right size.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use steno_bench::{Order, append, generate, huge, scan};

fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if let Ok(bytes) = fs::read(&path) {
                found.insert(path.strip_prefix(directory).unwrap_or(&path).to_owned(), bytes);
            }
        }
    }
    found
}

fn records(bytes: &[u8]) -> Vec<Value> {
    let parse = |line: &[u8]| match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => panic!("{error} in {}", String::from_utf8_lossy(line)),
    };
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(parse).collect()
}

fn near(actual: u64, ordered: u64) -> bool {
    actual.abs_diff(ordered) * 20 <= ordered
}

const SMALL: Order = Order { bytes: 6_000_000, files: 30, seed: 1 };

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let [one, same, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let summary = generate(one.path(), &SMALL).unwrap();
    assert_eq!(generate(same.path(), &SMALL).unwrap(), summary);
    generate(other.path(), &Order { seed: 2, ..SMALL }).unwrap();
    assert!(files(one.path()) == files(same.path()));
    assert!(files(one.path()) != files(other.path()));
}

#[test]
fn every_line_is_json_and_every_parent_exists() {
    let home = tempfile::tempdir().unwrap();
    generate(home.path(), &SMALL).unwrap();
    for (path, bytes) in files(home.path()).iter().filter(|(path, _)| path.extension().unwrap() == "jsonl") {
        assert_eq!(bytes.last(), Some(&b'\n'));
        let records = records(bytes);
        let known: std::collections::HashSet<&str> =
            records.iter().filter_map(|record| record["uuid"].as_str()).collect();
        for record in &records {
            if let Some(parent) = record["parentUuid"].as_str() {
                assert!(known.contains(parent), "{}: no record {parent}", path.display());
            }
        }
    }
}

#[test]
fn size_and_count_are_as_ordered() {
    for order in [SMALL, Order { bytes: 20_000_000, files: 25, seed: 9 }] {
        let home = tempfile::tempdir().unwrap();
        let summary = generate(home.path(), &order).unwrap();
        assert!(near(summary.bytes, order.bytes), "{summary:?}");
        assert_eq!(summary.sessions, order.files);
        let all: usize = files(home.path()).values().map(Vec::len).sum();
        assert_eq!(all as u64, summary.bytes);
        let seen = scan(home.path()).unwrap();
        assert_eq!(seen.files, summary.sessions + summary.agents);
    }
}

#[test]
fn a_home_is_not_generated_into_another() {
    let home = tempfile::tempdir().unwrap();
    generate(home.path(), &Order { bytes: 200_000, files: 3, seed: 1 }).unwrap();
    assert!(generate(home.path(), &SMALL).is_err());
}

#[test]
fn sessions_fork_and_grow() {
    let home = tempfile::tempdir().unwrap();
    generate(home.path(), &SMALL).unwrap();
    let before = files(home.path());
    let order = Order { bytes: 200_000, files: 5, seed: 2 };
    let summary = append(home.path(), &order).unwrap();
    assert!(summary.bytes >= order.bytes && summary.bytes < order.bytes * 5 / 4, "{summary:?}");
    let after = files(home.path());
    let grown: Vec<_> = after.iter().filter(|(path, bytes)| before[*path] != **bytes).collect();
    assert_eq!(grown.len(), 5);
    for (path, bytes) in grown {
        let old = &before[path];
        assert!(bytes.starts_with(old));
        let known = records(old);
        let first = records(&bytes[old.len()..]).into_iter().find(|record| record.get("uuid").is_some());
        let parent = first.unwrap()["parentUuid"].clone();
        assert!(known.iter().any(|record| record["uuid"] == parent), "{}", path.display());
    }
}

#[test]
fn a_huge_transcript_has_long_and_short_lines() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("projects/-huge/one.jsonl");
    let summary = huge(&path, 8_000_000, 1).unwrap();
    assert!(near(summary.bytes, 8_000_000), "{summary:?}");
    let bytes = fs::read(&path).unwrap();
    let mut lengths: Vec<usize> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).collect();
    lengths.sort_unstable();
    assert!(lengths.last().unwrap() > &300_000 && lengths[lengths.len() / 2] < 3000);
    assert!(!records(&bytes).is_empty());
}
