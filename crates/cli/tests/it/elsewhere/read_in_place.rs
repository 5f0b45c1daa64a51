//! A session that only an encrypted vault has is read from its segments: no command puts its text anywhere to read it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::elsewhere::stage::{Machine, furnish, id};

/// Every command that reads all of a session.
fn commands() -> Vec<String> {
    let id = id(1);
    vec![
        format!("show {id}"),
        format!("show {id} --json"),
        format!("dump {id} --full-results --agents"),
        format!("share {id} --dry-run"),
        format!("check {id} --messages"),
        format!("diff {id}"),
        format!("clone {id} --dry-run"),
    ]
}

fn files(directory: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        found.insert(entry.path());
        files(&entry.path(), found);
    }
}

fn all(machine: &Machine) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    files(machine.root(), &mut found);
    found
}

/// What a command says, with this directory for temporary files.
fn said(machine: &Machine, command: &str, temporary: &Path) -> String {
    let mut started = machine.app.command();
    let output = started.args(command.split_whitespace()).env("TMPDIR", temporary).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "`{command}` with {}: {error}", temporary.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_encrypted_session_is_read_without_a_file() {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, "harbour");
    machine.done("init --local --encrypt --no-schedule");
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    let temporary = machine.root().join("tmp");
    fs::create_dir(&temporary).unwrap();
    for command in commands() {
        let before = said(&machine, &command, &temporary);
        assert!(before.contains("harbour") || !command.starts_with("show"), "{before}");
        let known = all(&machine);
        assert!(fs::read_dir(&temporary).unwrap().next().is_none(), "`{command}` left a file");
        for other in ["missing", "safe.txt"].map(|name| machine.root().join(name)) {
            let again = said(&machine, &command, &other);
            assert!(command.starts_with("clone") || again == before, "`{command}`\n{before}\n{again}");
        }
        assert_eq!(all(&machine), known, "`{command}`");
    }
}

/// The place for caches is a file: nothing can be written there.
#[test]
fn an_encrypted_session_is_read_where_nothing_can_be_written() {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, "harbour");
    machine.done("init --local --encrypt --no-schedule");
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    let cache = machine.root().join(".cache");
    let _ = fs::remove_dir_all(&cache);
    fs::write(&cache, "").unwrap();
    for command in commands() {
        said(&machine, &command, &machine.root().join("missing"));
    }
    assert_eq!(fs::read(&cache).unwrap(), b"");
}

/// The clone has what the original had: its subagent with its metadata, the result and the to-do list.
#[test]
fn an_encrypted_session_is_cloned_with_all_that_it_has() {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, "harbour");
    machine.done("init --local --encrypt --no-schedule");
    let home = machine.app.home().path();
    for tree in ["projects", "file-history", "todos", "tasks", "plans"] {
        fs::remove_dir_all(home.join(tree)).unwrap();
    }
    said(&machine, &format!("clone {}", id(1)), &machine.root().join("missing"));
    let mut found = BTreeSet::new();
    files(&home, &mut found);
    let has = |end: &str| found.iter().any(|path| path.to_string_lossy().contains(end));
    for end in [
        "/subagents/agent-",
        ".meta.json",
        "/tool-results/harbour.txt",
        "/file-history/",
        "/todos/",
        "/tasks/",
    ] {
        assert!(has(end), "{end}: {found:#?}");
    }
}
