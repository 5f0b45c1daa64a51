//! No byte of a live file is lost by overwriting it, whoever writes to it and however it looks.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

use steno_testkit::{Session, fault};

use crate::restore::desk::{Desk, files_below, session};

fn id() -> String {
    Session::numbered(1).id().to_string()
}

/// Other bytes, and everything else as it was.
fn change_in_place(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let modified: SystemTime = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    let len = bytes.len();
    change(&mut bytes);
    assert_eq!(bytes.len(), len);
    let mut file = File::options().write(true).open(path).unwrap();
    file.write_all(&bytes).unwrap();
    file.set_modified(modified).unwrap();
}

/// Of every generation of every kept file, unpacked.
fn kept(desk: &Desk) -> Vec<Vec<u8>> {
    let mut segments = Vec::new();
    collect(&desk.vault().join("machines"), &mut segments);
    segments.sort();
    let generation = |path: &PathBuf| {
        path.to_str().unwrap().rsplit_once(".g").unwrap().1.split('.').next().unwrap().to_owned()
    };
    let stream =
        |path: &PathBuf| (path.to_str().unwrap().rsplit_once(".g").unwrap().0.to_owned(), generation(path));
    let groups = segments.chunk_by(|one, two| stream(one) == stream(two));
    groups.map(|group| group.iter().flat_map(|path| unpacked(path)).collect()).collect()
}

fn collect(directory: &Path, segments: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        if entry.path().is_dir() {
            collect(&entry.path(), segments);
        } else if entry.path().extension().is_some_and(|end| end == "zst") {
            segments.push(entry.path());
        }
    }
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed = fs::read(path).unwrap();
    let length = u32::from_le_bytes(packed[4..8].try_into().unwrap()) as usize;
    zstd::Decoder::new(&packed[8 + length..]).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn nothing_is_left(desk: &Desk) {
    let mut open = vec![desk.app.home().path()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap().flatten() {
            assert!(
                !entry.file_name().to_str().unwrap().starts_with(".steno-"),
                "{}",
                entry.path().display()
            );
            if entry.path().is_dir() {
                open.push(entry.path());
            }
        }
    }
}

#[test]
fn bytes_that_changed_without_a_trace_are_kept_first() {
    let desk = Desk::with(&[session(1).agent(|agent| agent), session(2)]);
    let todo = desk.app.home().file(&format!("todos/{}.json", id()), "[\"one\"]");
    desk.app.home().file(&format!("file-history/{}/a@v1", id()), "before");
    let desk = desk.keep();
    let good = desk.files();
    let changed: Vec<PathBuf> =
        good.keys().filter(|path| path.to_str().unwrap().contains("00000001")).cloned().collect();
    assert!(changed.len() >= 4, "{changed:?}");
    for command in [format!("restore {} --force", id()), "restore --all --force".to_owned()] {
        let mark = if command.contains("--all") { b'@' } else { b'#' };
        for path in &changed {
            change_in_place(&desk.live(path.to_str().unwrap()), |bytes| *bytes.last_mut().unwrap() = mark);
        }
        let mutated: Vec<Vec<u8>> =
            changed.iter().map(|path| fs::read(desk.live(path.to_str().unwrap())).unwrap()).collect();
        let shown = desk.run(&command);
        assert!(shown.starts_with("exit: 0"), "{shown}");
        let kept = kept(&desk);
        for (path, bytes) in changed.iter().zip(&mutated) {
            assert!(kept.contains(bytes), "{} is in no generation", path.display());
        }
        if !command.contains("--all") {
            assert_eq!(desk.files(), good);
        }
        nothing_is_left(&desk);
    }
    assert!(todo.exists());
    assert!(desk.run("verify").starts_with("exit: 0"));
}

/// Lines that a thread appends, as the client does: it opens, writes and closes.
fn append(path: &Path, is_done: &AtomicBool, count: &AtomicU64) {
    while !is_done.load(Ordering::SeqCst) {
        let number = count.fetch_add(1, Ordering::SeqCst);
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(format!("{{\"type\":\"mode\",\"number\":{number:08}}}\n").as_bytes()).unwrap();
        drop(file);
        std::thread::yield_now();
    }
}

#[test]
fn every_line_that_is_appended_meanwhile_is_live_or_kept() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let (is_done, count) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| append(&path, &is_done, &count));
        let rounds =
            std::env::var("STENO_FAULT_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
        for _ in 0..rounds {
            let shown = desk.run(&format!("restore {} --force", id()));
            assert!(shown.starts_with("exit: 0") || shown.contains("is writing to"), "{shown}");
        }
        is_done.store(true, Ordering::SeqCst);
    });
    let mut all = kept(&desk);
    all.push(fs::read(&path).unwrap());
    let text: Vec<String> = all.into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect();
    let lines: BTreeSet<&str> = text.iter().flat_map(|text| text.lines()).collect();
    let missing: Vec<u64> = (0..count.load(Ordering::SeqCst))
        .filter(|number| !lines.contains(format!("{{\"type\":\"mode\",\"number\":{number:08}}}").as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?} of {count:?}");
    nothing_is_left(&desk);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_a_program_holds_open_for_writing_stays() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let mut writer = File::options().append(true).open(&path).unwrap();
    writer.write_all(b"{\"type\":\"mode\"}\n").unwrap();
    let before = fs::read(&path).unwrap();
    let shown = desk.run(&format!("restore {} --force --json", id()));
    assert!(shown.starts_with("exit: 1") && shown.contains("\"kind\":\"running\""), "{shown}");
    assert_eq!(fs::read(&path).unwrap(), before);
    writer.write_all(b"{\"type\":\"more\"}\n").unwrap();
    assert!(fs::read(&path).unwrap().ends_with(b"{\"type\":\"more\"}\n"), "it is the same file");
    nothing_is_left(&desk);
}

#[test]
fn a_killed_restore_loses_no_byte_and_leaves_nothing_for_long() {
    for follow in ["sync", "restore", "nothing"] {
        fault::at_changes(if follow == "sync" { 12 } else { 5 }, |number| {
            let desk = Desk::with(&[session(1).agent(|agent| agent), session(2)]);
            desk.app.home().file(&format!("todos/{}.json", id()), "[\"one\"]");
            let desk = desk.keep();
            let path = desk.app.home().write(&session(1));
            for (live, _) in desk.files() {
                if live.to_str().unwrap().contains("00000001") {
                    change_in_place(&desk.live(live.to_str().unwrap()), |bytes| {
                        *bytes.last_mut().unwrap() = b'#'
                    });
                }
            }
            let mutated: Vec<Vec<u8>> =
                desk.files().into_values().filter(|bytes| bytes.ends_with(b"#")).collect();
            let is_killed = desk.app.is_killed_at(number, &format!("restore {} --force", id()));
            match follow {
                "sync" => assert!(desk.run("sync").starts_with("exit: 0")),
                "restore" => assert!(desk.run(&format!("restore {} --force", id())).starts_with("exit: 0")),
                _ => {}
            }
            let mut all = kept(&desk);
            all.extend(files_below(&desk.app.home().path()).into_values());
            for bytes in mutated {
                assert!(all.contains(&bytes), "killed before change {number}, then {follow}");
            }
            assert!(path.exists() || follow == "nothing", "killed before change {number}");
            if follow != "nothing" {
                nothing_is_left(&desk);
                assert!(desk.run("verify").starts_with("exit: 0"));
            }
            is_killed
        });
    }
}
