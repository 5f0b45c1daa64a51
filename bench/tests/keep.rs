//! Backup and restore are measured as the table says, with a stand-in for the program: one that copies files.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use steno_bench::{Measured, Order, Plan, Report, run_keep};

/// Keeps plain copies; `one` and `all` are how it restores.
fn stand_in(directory: &Path, one: &str, all: &str) -> PathBuf {
    let path = directory.join("steno");
    let script = format!(
        "#!/bin/sh
        case \"$1 $2\" in
        'init --local') mkdir \"$STENO_VAULT\" ;;
        'sync '*) mkdir -p \"$STENO_VAULT/.cache\" && cp -R \"$CLAUDE_CONFIG_DIR/projects\" \"$STENO_VAULT/\"
            cp -R \"$CLAUDE_CONFIG_DIR/projects\" \"$STENO_VAULT/.cache/\" ;;
        'restore --all') {all} ;;
        restore*) {one} ;;
        *) echo \"what is $1?\" >&2; exit 1 ;;
        esac"
    );
    steno_testkit::executable(&path, &script);
    path
}

fn measure(one: &str, all: &str, rounds: usize) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let cache = directory.path().join("cache");
    let report = run_keep(&Plan {
        steno: stand_in(directory.path(), one, all),
        // The limit is not what is tested here.
        itself: "true".into(),
        search_path: search_path(directory.path()),
        cache: cache.clone(),
        order: Order { bytes: 300_000, files: 21, seed: 1 },
        rounds,
    });
    let report = report.unwrap();
    let left: Vec<_> = fs::read_dir(&cache).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 1, "only the home stays: {left:?}");
    report
}

/// Only what the stand-in and the original's method need, so that peers are absent on every machine.
fn search_path(directory: &Path) -> OsString {
    let programs = directory.join("programs");
    fs::create_dir(&programs).unwrap();
    let everywhere = std::env::var_os("PATH").unwrap();
    for name in ["sh", "cp", "mkdir", "find", "gzip", "git", "true"] {
        let found =
            std::env::split_paths(&everywhere).map(|place| place.join(name)).find(|path| path.is_file());
        std::os::unix::fs::symlink(found.unwrap(), programs.join(name)).unwrap();
    }
    programs.into()
}

fn row<'a>(report: &'a Report, group: &str, ours: bool) -> &'a Measured {
    report.rows.iter().find(|row| row.group == group && row.ours == ours).unwrap()
}

const ONE: &str = "cp \"$CLAUDE_CONFIG_DIR\"/projects/*/\"$2\".jsonl \"$4\"";
const ALL: &str = "cp -R \"$STENO_VAULT/projects\" \"$4\"";

#[test]
fn every_job_is_measured_for_every_tool_that_is_there() {
    let report = measure(ONE, ALL, 1);
    for group in ["first", "unchanged", "one", "all", "appended"] {
        for ours in [true, false] {
            let row = row(&report, group, ours);
            assert_eq!(row.failed, None, "{row}");
            assert!(row.runs >= 1 && row.ratio_to_ours.is_some(), "{row}");
            assert_eq!(row.target.is_empty(), !ours);
        }
    }
    assert_eq!(report.absent, ["restic", "borg", "tar"]);
    // Copies take what the home takes, and grow by what it grows by; what lies in a cache does not count.
    assert_eq!(row(&report, "first", true).stored_bytes, Some(report.bytes));
    let growth = row(&report, "appended", true).growth.unwrap();
    assert_eq!(growth.bytes, growth.new_bytes);
    assert!(growth.new_bytes >= 825_000 && growth.new_bytes < 1_000_000);
}

#[test]
fn who_fails_or_restores_too_little_is_named_with_the_reason() {
    let report = measure("true", "echo 'no such vault' >&2; exit 2", 0);
    assert_eq!(row(&report, "one", true).failed.as_deref(), Some("the session was not restored"));
    let all = row(&report, "all", true);
    assert_eq!(all.failed.as_deref(), Some("exit status: 2, no such vault"));
    assert!(all.to_string().contains("steno restore --all") && all.to_string().contains("failed:"));
    // The others go on, and so does the rest of ours.
    assert_eq!(row(&report, "all", false).failed, None);
    assert_eq!(row(&report, "appended", true).failed, None);
}
