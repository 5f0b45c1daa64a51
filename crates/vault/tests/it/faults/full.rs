//! A file system that fills up, and one that cannot be written to.

use std::fs;

use steno_vault::Error;

use crate::desk::Desk;
use crate::faults::growth::content;
use crate::faults::{namespace, other};

const PAGE: usize = 4096;

/// Small files of the store, and one that makes room when it goes.
struct Ballast(std::path::PathBuf);

impl Ballast {
    /// Takes all room but some pages.
    fn leave(&self, pages: usize) {
        let _ = fs::remove_file(&self.0);
        let mut bytes = vec![0; 2 << 20];
        while fs::write(&self.0, &bytes).is_err() {
            bytes.truncate(bytes.len() - PAGE);
        }
        bytes.truncate(bytes.len().saturating_sub(pages * PAGE));
        fs::write(&self.0, &bytes).unwrap();
    }

    fn go(&self) {
        fs::remove_file(&self.0).unwrap();
    }
}

fn assert_all_there(desk: &Desk, kept: &[(String, Vec<u8>)]) {
    let checked = desk.verify();
    assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
    for (path, bytes) in kept {
        assert!(desk.restore(path, None).starts_with(bytes), "{path}");
    }
}

#[test]
fn a_full_file_system_loses_nothing_and_goes_on_when_there_is_room() {
    if let Some(arguments) = other::role("fill") {
        return fill(&Desk::of(arguments[0].as_ref()));
    }
    let desk = Desk::new();
    let line = "mount -t tmpfs -o size=2m none \"$1/vault\"";
    let test = "faults::full::a_full_file_system_loses_nothing_and_goes_on_when_there_is_room";
    let directory = desk.directory();
    let child = namespace::start(line, directory, test, "fill", &[directory.to_str().unwrap()]);
    if let Some(child) = child {
        let (said, is_good) = child.finish();
        assert!(is_good && said == ["filled"], "{said:?}");
    }
}

fn fill(desk: &Desk) {
    let ballast = Ballast(desk.root().join("ballast"));
    let mut kept: Vec<(String, Vec<u8>)> = Vec::new();
    let mut failures = 0;
    // Room for the first file only, then for a page more each time: it ends at another step each time.
    for round in 0..40 {
        let path = format!("projects/-a/s{round}.jsonl");
        desk.write(&path, &content(round as u64, 3 * PAGE));
        for (path, _) in kept.iter().take(3) {
            desk.append(path, b"more\n");
        }
        ballast.leave(round);
        match desk.try_keep(&desk.candidates()) {
            Ok(outcomes) => {
                assert!(outcomes.iter().all(|one| !matches!(one, steno_vault::Outcome::Failed(_))))
            }
            Err(error) => {
                failures += 1;
                assert!(error.is_full(), "{error}");
                assert!(matches!(&error, Error::Write { .. }), "{error}");
                assert_all_there(desk, &kept);
                ballast.go();
                desk.try_keep(&desk.candidates()).unwrap();
            }
        }
        kept.push((path, content(round as u64, 3 * PAGE)));
        for (path, bytes) in &mut kept {
            *bytes = desk.read(path).unwrap();
        }
        assert_all_there(desk, &kept);
    }
    assert!((2..40).contains(&failures), "{failures} of 40 rounds found no room");
    other::say("filled");
}

#[test]
fn a_vault_that_cannot_be_written_is_an_error_and_stays_as_it_is() {
    if let Some(arguments) = other::role("read") {
        return read_only(&Desk::of(arguments[0].as_ref()));
    }
    let desk = Desk::new();
    desk.write("projects/-a/s1.jsonl", b"one\n");
    desk.keep();
    let line = "mount --bind \"$1/vault\" \"$1/vault\"; mount -o remount,ro,bind \"$1/vault\"";
    let test = "faults::full::a_vault_that_cannot_be_written_is_an_error_and_stays_as_it_is";
    let directory = desk.directory();
    let child = namespace::start(line, directory, test, "read", &[directory.to_str().unwrap()]);
    if let Some(child) = child {
        let (said, is_good) = child.finish();
        assert!(is_good && said == ["read"], "{said:?}");
    }
}

fn read_only(desk: &Desk) {
    let before = desk.snapshot();
    desk.append("projects/-a/s1.jsonl", b"two\n");
    let error = desk.try_keep(&desk.candidates()).unwrap_err();
    assert!(matches!(&error, Error::Write { .. }) && error.to_string().contains("vault"), "{error}");
    assert_eq!(desk.snapshot(), before);
    assert_eq!(desk.restore("projects/-a/s1.jsonl", None), b"one\n");
    let checked = desk.verify();
    assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
    other::say("read");
}
