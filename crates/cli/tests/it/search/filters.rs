//! Filters: a flag and what is typed inside the query mean the same, with and without the index.

use serde_json::{Value, json};
use steno_testkit::{App, Session};

use super::{app, found, id, roles, said, search, total};

fn home() -> App {
    let app = app();
    let call = |message: steno_testkit::AssistantMessage| {
        let message = message.thinking("lynx?").text("lynx!");
        message.tool_use("Read", json!({"file_path": "/srv/zoo/lynx.txt"})).answered("a lynx sleeps")
    };
    app.write(&Session::numbered(1).cwd("/home/dev/zoo").user("where is the lynx?").assistant(call));
    let other = Session::numbered(2).cwd("/home/dev/Park").git_branch("fix/paths").model("claude-sonnet-4");
    let other = other.at("2026-03-01T10:00:00.000Z").user("a lynx, too");
    app.write(&said(other, "no lynx"));
    app
}

fn hits(report: &Value) -> Vec<(String, u64, String)> {
    let one = |hit: &Value| {
        let text = |key: &str| hit[key].as_str().unwrap_or_default().to_owned();
        (text("session"), hit["record"]["line"].as_u64().unwrap(), text("role"))
    };
    let mut hits: Vec<_> = report["hits"].as_array().unwrap().iter().map(one).collect();
    hits.sort();
    hits
}

/// Flags, what is typed for the same, and how many answer.
const FILTERS: &[(&[&str], &str, u64)] = &[
    (&[], "", 7),
    (&["--role", "user"], "role:user", 2),
    (&["--role", "thinking"], "role:Thinking", 1),
    (&["--role", "user", "--role", "assistant"], "role:user role:assistant", 4),
    (&["--tool", "read"], "tool:Read", 2),
    (&["--tool", "Read", "--role", "result"], "tool:read role:result", 1),
    (&["--tool", "Bash"], "tool:Bash", 0),
    (&["--project", "ZOO"], "project:zoo", 5),
    (&["--project", "dev"], "project:dev", 7),
    (&["--project", "home-dev-park"], "project:home-dev-park", 2),
    (&["--since", "2026-11-01"], "since:2026-11-01", 5),
    (&["--until", "2026-03-01"], "until:2026-03-01", 2),
    (&["--since", "30d"], "since:30d", 5),
    (
        &["--since", "2026-03-01", "--until", "2026-03-02T00:00:00Z"],
        "since:2026-03-01 until:2026-03-02T00:00:00Z",
        2,
    ),
    (&["--branch", "fix"], "branch:fix", 2),
    (&["--branch", "fix/paths"], "branch:fix/paths", 2),
    (&["--model", "sonnet"], "model:sonnet", 1),
    (&["--file", "lynx.txt"], "file:lynx.txt", 2),
    (&["--file", "zoo"], "file:zoo", 2),
];

#[test]
fn a_flag_and_a_typed_filter_mean_the_same_in_every_mode() {
    let app = home();
    for (flags, typed, expected) in FILTERS {
        let by_flag = search(&app, &[&["lynx", "--each", "9"], *flags].concat());
        let by_query = search(&app, &["--each", "9", &format!("lynx {typed}")]);
        assert_eq!(total(&by_flag), *expected, "{flags:?}: {by_flag}");
        assert_eq!(hits(&by_flag), hits(&by_query), "{flags:?} and {typed}");
        for mode in ["--literal", "--regex"] {
            let scanned = search(&app, &[&["lynx", "--each", "9", mode], *flags].concat());
            let is_about_passages = flags.iter().any(|flag| flag.starts_with("--") && *flag != "--project");
            if is_about_passages {
                assert_eq!(hits(&scanned), hits(&by_flag), "{mode} {flags:?}");
            } else {
                assert_eq!(found(&scanned).len(), found(&by_flag).len(), "{mode} {flags:?}");
            }
        }
    }
}

#[test]
fn filters_can_be_turned_round_and_stand_alone() {
    let app = home();
    let count = |query: &str| total(&search(&app, &["--each", "9", "--", query]));
    assert_eq!(count("lynx -role:user"), 5);
    assert_eq!(count("lynx -project:zoo"), 2);
    assert_eq!(count("lynx -since:2026-11-01"), 2);
    assert_eq!(count("lynx -tool:Read"), 5);
    assert_eq!(count(&format!("lynx session:{}", &id(2)[..8])), 2);
    assert_eq!(count("lynx OR sleeps role:result"), 1);
    assert_eq!(roles(&search(&app, &["file:lynx.txt"])).len(), 2);
    assert_eq!(found(&search(&app, &["role:user", "too"])), [id(2)]);
}

#[test]
fn a_project_that_is_almost_right_is_offered() {
    let report = search(&home(), &["lynx", "--project", "zooo"]);
    assert_eq!(report["hints"], json!(["did you mean --project zoo?"]));
}
