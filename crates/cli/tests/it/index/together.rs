//! Several processes at once, on one index.

use std::process::Stdio;

use serde_json::Value;

use crate::index::desk::{answers, app, fresh_answers, session};

#[test]
fn each_of_many_processes_gets_the_right_answer() {
    let app = app();
    (1..=8).for_each(|number| app.write(&session(number)));
    let right = fresh_answers(&app);
    let total = |command: &str| {
        right.iter().find(|(asked, _)| asked.starts_with(command)).unwrap().1["total"].clone()
    };
    let commands =
        ["list --agents --json", "stats daily --json", "search parser --limit 0 --each 100 --json"];
    for _ in 0..3 {
        let _ = std::fs::remove_dir_all(app.home().root().join(".cache"));
        let children: Vec<_> = (0..9)
            .map(|number| {
                let command = commands[number % 3];
                let mut child = app.command();
                let child =
                    child.args(command.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
                (command, child.spawn().unwrap())
            })
            .collect();
        for (command, child) in children {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
            assert!(output.status.success(), "{said}");
            let (one, two) = (&report["total"], total(command.split(" --").next().unwrap()));
            if command.starts_with("stats") {
                assert_eq!(one["messages"], two["messages"], "{command}");
            } else {
                assert_eq!(*one, two, "{command}");
            }
        }
    }
    assert_eq!(answers(&app), right);
}
