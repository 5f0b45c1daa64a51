//! `steno sync`, killed at any instant while transcripts grow: nothing that was reported as kept is ever missing.
//!
//! A few rounds here; `STENO_FAULT_ROUNDS` asks for more.

#![cfg(unix)]
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use steno_testkit::{App, Rng, Session};

const SESSIONS: u32 = 6;

fn rounds(usual: u64) -> u64 {
    std::env::var("STENO_FAULT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

fn app() -> (App, Vec<PathBuf>) {
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk");
    let paths = (1..=SESSIONS).map(|number| app.home().write(&Session::numbered(number).turns(3))).collect();
    (app, paths)
}

/// Appends without a pause until it is told to stop, not always whole lines.
fn grow(paths: &[PathBuf], stop: &AtomicBool) {
    let mut rng = Rng::new(7);
    while !stop.load(Ordering::Relaxed) {
        let path = &paths[rng.below(paths.len() as u64) as usize];
        let size = 1 + rng.below(4000) as usize;
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(&vec![b'x'; size]).unwrap();
        file.write_all(if size.is_multiple_of(3) { b"" } else { b"\n" }).unwrap();
        std::thread::sleep(Duration::from_micros(300));
    }
}

fn lengths(paths: &[PathBuf]) -> BTreeMap<PathBuf, u64> {
    paths.iter().map(|path| (path.clone(), fs::metadata(path).unwrap().len())).collect()
}

/// Whether the sync got to its end, and said that all is well.
fn sync_for(app: &App, delay: Duration) -> bool {
    let mut command = app.command();
    let mut child =
        command.args(["sync", "--json"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(delay);
    let _ = child.kill();
    let output = child.wait_with_output().unwrap();
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    report.is_some_and(|report| {
        report["ok"] == true && report["warnings"].as_array().is_some_and(Vec::is_empty)
    })
}

fn verified(app: &App) {
    let report = app.json("verify --json");
    assert_eq!(report["ok"], true, "{report}");
}

/// Kills syncs while files grow; gives the lengths that were certainly kept.
fn torment(app: &App, paths: &[PathBuf], rounds: u64, longest: u64) -> BTreeMap<PathBuf, u64> {
    let stop = AtomicBool::new(false);
    let mut kept = BTreeMap::new();
    std::thread::scope(|scope| {
        scope.spawn(|| grow(paths, &stop));
        let mut rng = Rng::new(42);
        for _ in 0..rounds {
            let before = lengths(paths);
            if sync_for(app, Duration::from_micros(rng.below(longest * 1000))) {
                kept = before;
            }
            verified(app);
        }
        stop.store(true, Ordering::Relaxed);
    });
    kept
}

fn compare(app: &App, paths: &[PathBuf], kept: &BTreeMap<PathBuf, u64>) {
    let live: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let report = app.json("restore --all --json");
    assert_eq!(report["ok"], true, "{report}");
    for (path, live) in paths.iter().zip(live) {
        let back = fs::read(path).unwrap_or_default();
        let certain = kept.get(path).copied().unwrap_or_default() as usize;
        assert!(back.len() >= certain, "{} of {certain} bytes of {} came back", back.len(), path.display());
        assert!(live.starts_with(&back), "other bytes came back");
    }
}

#[test]
fn a_killed_sync_loses_nothing() {
    let (app, paths) = app();
    assert_eq!(app.json("init --local --no-schedule --json")["ok"], true);
    let kept = torment(&app, &paths, rounds(20), 60);
    assert_eq!(app.json("sync --json")["ok"], true);
    let all = lengths(&paths);
    assert!(kept.iter().all(|(path, len)| all[path] >= *len));
    compare(&app, &paths, &all);
}

#[test]
fn a_killed_sync_to_a_remote_loses_nothing() {
    let (app, paths) = app();
    let remote = app.home().root().join("remote.git");
    let made = Command::new("git")
        .args(["init", "--bare", "--quiet", "--initial-branch=main"])
        .arg(&remote)
        .status();
    assert!(made.unwrap().success());
    let init = format!("init --remote {} --no-schedule --json", remote.display());
    assert_eq!(app.json(&init)["sync"]["pushed"], true);
    let kept = torment(&app, &paths, rounds(20) / 4, 400);
    let last = app.json("sync --json");
    assert_eq!((&last["ok"], &last["pushed"]), (&Value::Bool(true), &Value::Bool(true)), "{last}");
    let all = lengths(&paths);
    assert!(kept.iter().all(|(path, len)| all[path] >= *len));
    assert_sent(&app, &remote);
    compare(&app, &paths, &all);
}

/// Every segment on the disk is in the remote, byte for byte.
fn assert_sent(app: &App, remote: &Path) {
    let clone = app.home().root().join("clone");
    let cloned = Command::new("git").args(["clone", "--quiet"]).arg(remote).arg(&clone).status();
    assert!(cloned.unwrap().success());
    let vault = app.home().root().join(".claude-backup");
    let mut places = vec![vault.join("machines")];
    while let Some(place) = places.pop() {
        if place.is_dir() {
            places.extend(fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let sent = clone.join(place.strip_prefix(&vault).unwrap());
        assert!(fs::read(&place).unwrap() == fs::read(&sent).unwrap(), "{}", place.display());
    }
}
