//! What is answered without the key is forgotten as soon as it is there: nothing that could not be read was learned.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::elsewhere::stage::{Machine, configure, furnish, id};

/// Every command that reads what is kept.
fn commands() -> Vec<String> {
    let mut commands: Vec<String> = [
        "list",
        "search harbour",
        "search harbour --literal",
        "search title",
        "stats",
        "doctor",
        "restore --list",
        "status",
    ]
    .map(str::to_owned)
    .into();
    commands.extend([format!("show {}", id(1)), format!("peek {}", id(1)), "list --deleted".to_owned()]);
    commands
}

/// Only the vault has session 1; session 2 is live.
fn kept() -> (Machine, PathBuf) {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, "harbour");
    configure(&machine.app, "harbour");
    machine.done("init --local --encrypt --no-schedule");
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    furnish(&machine.app, 2, "lantern");
    machine.done("sync");
    let safe = machine.root().join("safe.txt");
    (machine, safe)
}

fn cache(machine: &Machine) -> PathBuf {
    machine.root().join(".cache/steno")
}

/// An answer that says how long it took, or that an index was made, says it otherwise each time.
fn answer(machine: &Machine, command: &str) -> Value {
    let words: Vec<&str> = command.split_whitespace().chain(["--json"]).collect();
    let output = machine.app.output(&words);
    let said = String::from_utf8_lossy(&output.stdout);
    let mut answer: Value = serde_json::from_str(&said)
        .unwrap_or_else(|_| panic!("`{command}`: {}", String::from_utf8_lossy(&output.stderr)));
    if let Some(object) = answer.as_object_mut() {
        object.remove("elapsedMs");
    }
    // Of words, how rare they are counts, and an index forgets that late.
    let hits = answer.get_mut("hits").and_then(Value::as_array_mut);
    hits.into_iter().flatten().filter_map(Value::as_object_mut).for_each(|hit| drop(hit.remove("score")));
    answer
}

fn assert_as_fresh(machine: &Machine, when: &str) {
    let answers: Vec<Value> = commands().iter().map(|command| answer(machine, command)).collect();
    fs::remove_dir_all(cache(machine)).unwrap();
    for (command, before) in commands().iter().zip(answers) {
        let after = answer(machine, command);
        assert!(before == after, "{when}: `{command}`\n{before}\n{after}");
    }
    let found = answer(machine, "search harbour").to_string();
    assert!(found.contains(&id(1)), "{when}: {found}");
}

#[test]
fn each_answer_without_the_key_teaches_nothing() {
    let (machine, safe) = kept();
    for command in commands() {
        let places: &[&str] = if command.starts_with("search") { &["index", "vaults", ""] } else { &[""] };
        for place in places {
            let _ = fs::remove_dir_all(cache(&machine).join(place));
            fs::rename(machine.key(), &safe).unwrap();
            machine.run(&command);
            machine.run(&format!("{command} --json"));
            fs::rename(&safe, machine.key()).unwrap();
            assert_as_fresh(
                &machine,
                &format!("`{command}` without the key, and without what was in '{place}'"),
            );
        }
    }
}

#[test]
fn what_was_found_with_the_key_is_not_shown_without_it() {
    let (machine, safe) = kept();
    for command in commands() {
        machine.run(&command);
    }
    fs::rename(machine.key(), &safe).unwrap();
    for command in commands() {
        let words: Vec<&str> = command.split_whitespace().collect();
        let output = machine.app.output(&words);
        let shown = String::from_utf8_lossy(&output.stdout);
        let is_told = |word: &str| shown.to_lowercase().contains(word);
        assert!(!is_told("harbour title") && !is_told("tell me of the harbour"), "`{command}`: {shown}");
    }
    assert!(machine.json("list")["sessions"].to_string().contains(&id(2)), "what is live is shown");
    fs::rename(&safe, machine.key()).unwrap();
    assert_as_fresh(&machine, "with the key again");
}

/// Of a disk that fails for a moment, too.
#[test]
fn what_could_not_be_read_is_read_again() {
    let (machine, _) = kept();
    for command in commands() {
        fs::remove_dir_all(cache(&machine).join("index")).ok();
        let whole: Vec<(PathBuf, Vec<u8>)> = machine.kept().into_iter().collect();
        for (path, bytes) in &whole {
            let mut spoilt = bytes.clone();
            let last = spoilt.len() - 1;
            spoilt[last] ^= 1;
            fs::write(machine.vault().join(path), spoilt).unwrap();
        }
        machine.run(&command);
        for (path, bytes) in &whole {
            fs::write(machine.vault().join(path), bytes).unwrap();
        }
        assert_as_fresh(&machine, &format!("`{command}` while nothing could be read"));
    }
}
