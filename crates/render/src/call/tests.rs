//! What is known of each tool, and what of calls that are not as expected.

use serde_json::json;

use super::*;

/// A diff as people write it; a gap is `…`.
fn diff(name: &str, input: &Value) -> String {
    let View::Edit { lines, .. } = view(name, input) else { return format!("{:?}", view(name, input)) };
    let line = |line: &DiffLine<'_>| match line.sign {
        Sign::Same => format!(" {}", line.text),
        Sign::Added => format!("+{}", line.text),
        Sign::Removed => format!("-{}", line.text),
        Sign::Gap => "…".to_owned(),
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn edit_of(old: &str, new: &str) -> Value {
    json!({"file_path": "a.rs", "old_string": old, "new_string": new})
}

#[test]
fn every_known_tool_says_what_it_is_about() {
    let calls = [
        ("Bash", json!({"command": "\n cargo test \\\n  -q", "description": "Run the tests"})),
        ("Bash", json!({"command": "make all", "description": "Build it"})),
        ("Bash", json!({"command": "cd /a/b && make", "description": "Build it"})),
        ("Bash", json!({"command": "cd /a/b && make"})),
        ("Bash", json!({"command": "cd /a; make && make install", "description": "Build it"})),
        ("BashOutput", json!({"bash_id": "b1", "filter": "error"})),
        ("KillShell", json!({"shell_id": "b1"})),
        ("Read", json!({"file_path": "/a/b.rs", "offset": 10, "limit": 5})),
        ("Read", json!({"file_path": "/a/b.rs", "limit": 50})),
        ("Read", json!({"file_path": "/a/b.pdf", "pages": "1-5"})),
        ("Write", json!({"file_path": "/a/b.rs", "content": "x"})),
        ("Edit", edit_of("a\nb\nc", "a\nx\ny\nz\nc")),
        ("Edit", json!({"file_path": "/a/b.rs", "old_string": 3})),
        ("NotebookEdit", json!({"notebook_path": "/a.ipynb", "new_source": "x", "cell_id": "1"})),
        ("Glob", json!({"pattern": "**/*.rs"})),
        ("Grep", json!({"pattern": "fn \\w+", "path": "src", "glob": "*.rs", "-n": true})),
        ("LS", json!({"path": "/a"})),
        (
            "TodoWrite",
            json!({"todos": [
                {"content": "a", "status": "completed", "activeForm": "A"}, {"content": "b", "status": "pending"}
            ]}),
        ),
        ("TodoRead", json!({})),
        ("TaskCreate", json!({"subject": "Fix it", "description": "All of it", "activeForm": "Fixing"})),
        ("TaskUpdate", json!({"taskId": "3", "status": "completed"})),
        ("WebSearch", json!({"query": "rust diff", "allowed_domains": ["docs.rs"]})),
        ("WebFetch", json!({"url": "https://example.org", "prompt": "What is it?"})),
        ("Task", json!({"description": "Look around", "prompt": "Look at all", "subagent_type": "Explore"})),
        ("ExitPlanMode", json!({"plan": "# The plan\n1. Go"})),
        ("AskUserQuestion", json!({"questions": [{"question": "Which?"}, {"question": "And?"}]})),
        ("Skill", json!({"skill": "commit", "args": "-m x"})),
        ("SlashCommand", json!({"command": "/review 12"})),
        ("ToolSearch", json!({"query": "select:Read", "max_results": 3})),
        ("LSP", json!({"operation": "hover", "filePath": "a.rs", "line": 3, "character": 1})),
        ("SendMessage", json!({"to": "ann", "message": "Done with it", "summary": "Done"})),
        ("mcp__forge__get", json!({"number": 3, "owner": "ann", "state": "open"})),
        ("mcp__forge__get", json!({"number": 3, "owner": "ann", "repo": "app", "state": "open"})),
        ("mcp__forge__create", json!({"body": "Long", "owner": "ann", "repo": "app", "title": "Fix it"})),
    ];
    let said: Vec<String> = calls.iter().map(|(name, input)| summary(name, input)).collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    Run the tests
    make all
    Build it
    make
    cd /a; make && make install
    b1 error
    b1
    /a/b.rs (lines 10–14)
    /a/b.rs (first 50 lines)
    /a/b.pdf (pages 1-5)
    /a/b.rs
    a.rs +3 −1
    /a/b.rs
    /a.ipynb +1
    **/*.rs
    fn \w+ in src, *.rs
    /a
    1 of 2 done

    Fix it
    #3 completed
    rust diff in docs.rs
    https://example.org
    Look around
    The plan
    Which? (and 1 more question)
    commit -m x
    /review 12
    select:Read
    hover a.rs
    to ann: Done
    ann
    ann/app #3
    Fix it
    ");
}

#[test]
fn tools_of_servers_are_called_by_both_names() {
    assert_eq!(name("mcp__forge__get_issue"), "forge · get_issue");
    assert_eq!(["Bash", "mcp__forge", "mcp____x", ""].map(name), ["Bash", "mcp__forge", "mcp____x", ""]);
}

#[test]
fn what_the_summary_does_not_say_is_kept() {
    let is_brief = |name, input: Value| view(name, &input) == View::Brief;
    assert!(is_brief("KillShell", json!({"shell_id": "b1"})));
    assert!(is_brief("TaskUpdate", json!({"taskId": "1", "status": "completed"})));
    assert!(!is_brief("TaskUpdate", json!({"taskId": "1", "addBlockedBy": ["2"]})));
    assert!(is_brief("mcp__a__b", json!({"path": "/x"})));
    assert!(!is_brief("mcp__a__b", json!({"path": "/x", "depth": 3})));
    assert!(!is_brief("mcp__a__b", json!({"text": "two\nlines"})));
    assert!(is_brief("TaskList", json!({})));
}

#[test]
fn input_that_is_not_as_expected_is_shown_as_it_is() {
    let strange =
        [json!("text"), json!([1]), json!(3), json!({"command": 3}), json!({"todos": [{"content": 1}]})];
    for name in ["Bash", "Read", "Write", "Edit", "MultiEdit", "TodoWrite", "AskUserQuestion", "Task", "Grep"]
    {
        for input in &strange {
            assert_eq!(view(name, input), View::Other(input), "{name}");
            summary(name, input);
        }
    }
    assert_eq!(summary("Bash", &json!("make \u{1b}[31mall")), "make all");
}

#[test]
fn an_edit_shows_what_differs_and_a_little_around_it() {
    let old = "1\n2\n3\n4\n5\n6\nold\n7\n8\n9\n10\n11\n12\n13\n14\nlast\n15";
    let new = "1\n2\n3\n4\n5\n6\nnew\nmore\n7\n8\n9\n10\n11\n12\n13\n14\n15";
    insta::assert_snapshot!(diff("Edit", &edit_of(old, new)), @"
    …
     4
     5
     6
    -old
    +new
    +more
     7
     8
     9
    …
     12
     13
     14
    -last
     15
    ");
    assert_eq!(diff("Edit", &edit_of("", "a\nb\n")), "+a\n+b");
    assert_eq!(diff("Edit", &edit_of("a", "")), "-a");
    assert_eq!(diff("Edit", &edit_of("a\r\n", "a\n")), "-a\n+a");
}

#[test]
fn several_edits_stand_apart() {
    let edits = json!({"file_path": "a.rs", "edits": [
        {"old_string": "a", "new_string": "b"}, {"old_string": "x\ny", "new_string": "x\nz"}
    ]});
    assert_eq!(diff("MultiEdit", &edits), "-a\n+b\n…\n x\n-y\n+z");
}

#[test]
fn huge_edits_are_not_compared() {
    let text = |from: usize| (from..from + 5000).map(|line| format!("{line}\n")).collect::<String>();
    let shown = diff("Edit", &edit_of(&text(0), &text(1)));
    assert_eq!(shown.lines().filter(|line| line.starts_with('-')).count(), 5000);
    let alike = "x".repeat(100_000);
    let lines = |end: &str| format!("{alike}{end}\n").repeat(20);
    let shown = diff("Edit", &edit_of(&lines("a"), &lines("b")));
    assert_eq!(shown.lines().filter(|line| line.starts_with('+')).count(), 20);
}
