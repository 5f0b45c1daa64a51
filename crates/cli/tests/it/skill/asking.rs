//! What the program says is the user's to decide (`ask` in `next`) is what the skill says to ask about.
//!
//! A plan (`--dry-run`) says whether doing it needs asking, so every line of the skill that has one is planned.

use serde_json::Value;

use crate::skill::answers::{of_lines, of_trouble, prepared, run};
use crate::skill::page::{Page, text};

/// The commands and flags that stand behind "Ask before", among the manners.
fn asked_before() -> Vec<String> {
    let text = text();
    let (_, manners) = text.split_once("\n## Manners\n").expect("SKILL.md has a section about manners");
    let (_, list) = manners.split_once("- Ask before ").expect("SKILL.md says what to ask before");
    let (list, _) = list.split_once(": ").expect("SKILL.md says why to ask");
    let name =
        |span: &str| span.strip_prefix("steno ").and_then(|line| line.split(' ').next()).map(str::to_owned);
    list.split('`').skip(1).step_by(2).map(|span| name(span).unwrap_or_else(|| span.to_owned())).collect()
}

/// What the lines would do, of those that can say it.
fn plans() -> Vec<Value> {
    let tree = steno_cli::tree();
    let can_plan = |line: &&String| {
        let command = line.split(' ').nth(1).and_then(|name| tree.find_subcommand(name));
        let has = command
            .is_some_and(|command| command.get_arguments().any(|flag| flag.get_long() == Some("dry-run")));
        has && !line.contains(" --dry-run") && !only_reads(line)
    };
    let lines = Page::read().lines;
    let plan = |line: &String| run(&prepared(line), &line.replace(" --json", " --dry-run --json"), 0);
    lines.iter().filter(can_plan).map(plan).collect()
}

/// `restore` without a session and `schedule` without a time only read.
fn only_reads(line: &str) -> bool {
    line == "steno schedule --json" || line.starts_with("steno restore --") && !line.contains(" --all")
}

/// The lines of ours that a report says to ask about; the client's own is the user's to type anyway.
fn asking(report: &Value) -> Vec<&str> {
    let steps = report["next"].as_array().into_iter().flatten();
    let asking = steps.filter(|step| step["ask"] == true).filter_map(|step| step["command"].as_str());
    asking.filter(|line| line.starts_with("steno ")).collect()
}

#[test]
fn the_skill_asks_where_the_program_does() {
    let manners = asked_before();
    let reports = [of_lines(), of_trouble(), plans()].concat();
    let lines: Vec<&str> = reports.iter().flat_map(asking).collect();
    for line in &lines {
        assert!(
            line.split(' ').skip(1).any(|word| manners.iter().any(|named| named == word)),
            "`{line}` is the user's to decide, and SKILL.md does not say so: Ask before {manners:?}"
        );
    }
    for known in ["import-config", "schedule", "purge", "uninstall", "restore", "sync"] {
        let start = format!("steno {known} ");
        assert!(
            lines.iter().any(|line| format!("{line} ").starts_with(&start)),
            "nothing asks about {known}: {lines:#?}"
        );
    }
}
