//! Tool calls, and a small page as a whole.

use serde_json::json;
use steno_render::Detail;
use steno_testkit::{Session, ToolResult};

use crate::html::reading::page;

const PNG: &str = "iVBORw0KGgo=";

fn called(name: &str, input: serde_json::Value, result: ToolResult) -> Session {
    Session::numbered(1).user("go").assistant(|message| message.tool_use(name, input).answered_with(result))
}

#[test]
fn a_small_page() {
    let session = Session::numbered(1)
        .user("fix **it**")
        .assistant(|message| {
            let message = message.text("Looking.").tool_use("Bash", json!({"command": "ls -1 # all"}));
            message.answered_with(ToolResult::text("a < b\n").error())
        })
        .assistant(|message| message.text("Done."));
    insta::assert_snapshot!(page(&session, &Detail::default()).body);
}

#[test]
fn an_edit_is_a_diff() {
    let input =
        json!({"file_path": "/home/dev/project/a.rs", "old_string": "same\nold", "new_string": "same\nnew"});
    let page = page(&called("Edit", input, ToolResult::text("ok")), &Detail::default());
    assert!(page.body.contains("<span class=\"file\">a.rs</span></code>"), "{}", page.body);
    assert!(page.has("a.rs +1 −1"), "{}", page.text);
    assert!(page.body.contains("<span>  same\n</span><del>- old\n</del><ins>+ new\n</ins>"), "{}", page.body);
}

#[test]
fn small_diffs_are_open_and_large_ones_are_not() {
    let edit = |lines: usize| {
        let text = "line\n".repeat(lines);
        let input = json!({"file_path": "/home/dev/project/a.rs", "old_string": "old", "new_string": text});
        page(&called("Edit", input, ToolResult::text("ok")), &Detail::default()).body
    };
    assert!(edit(3).contains("<details class=\"tool change\" open>"), "{}", edit(3));
    assert!(edit(300).contains("<details class=\"tool change\">"));
}

#[test]
fn a_file_that_was_read_has_colours_and_its_numbers_beside_it() {
    let input = json!({"file_path": "/home/dev/project/a.rs"});
    let text = "     9→fn a() {}\n    10→// <b>\n\n<system-reminder>hidden</system-reminder>";
    let page = page(&called("Read", input, ToolResult::text(text)), &Detail::default());
    assert!(page.body.contains("aria-hidden=\"true\">9\n10\n</span>"), "{}", page.body);
    assert!(
        page.body.contains("<span class=\"k\">fn</span> a() {}\n<span class=\"c\">// &lt;b&gt;</span>"),
        "{}",
        page.body
    );
}

#[test]
fn todos_have_check_marks() {
    let todos =
        json!({"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}]});
    let page = page(&called("TodoWrite", todos, ToolResult::text("ok")), &Detail::default());
    assert!(page.has("☑ done: a") && page.has("☐ open: b"));
}

#[test]
fn long_results_are_cut_unless_all_is_asked_for() {
    let text = format!("{}€end", "x".repeat(40_000));
    let session = called("Bash", json!({"command": "yes"}), ToolResult::text(&text));
    let cut = page(&session, &Detail::default());
    assert!(cut.has("… 7.2 kB more left out") && !cut.has("end"));
    assert!(page(&session, &Detail { full_results: true, ..Detail::default() }).has("€end"));
}

#[test]
fn images_stand_in_the_page_and_other_things_are_named() {
    let page_of = |kind: &str, data: &str| {
        let block = json!({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}});
        page(
            &Session::numbered(1).user_blocks(vec![json!({"type": "text", "text": "look"}), block]),
            &Detail::default(),
        )
    };
    let source =
        |kind, data| page_of(kind, data).all("img").next().and_then(|tag| tag.get("src")).map(str::to_owned);
    assert_eq!(source("image/png", PNG), Some(format!("data:image/png;base64,{PNG}")));
    assert_eq!(source("image/svg+xml", PNG), None);
    assert_eq!(source("image/png", "a\"b"), None);
    assert!(page_of("image/svg+xml", PNG).has("image/svg+xml, 12 B"));
}

#[test]
fn a_call_without_a_result_says_so() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "sleep 1"})))
        .user("well?")
        .assistant(|message| message.text("lost"));
    assert!(page(&session, &Detail::default()).has("no result"));
}

#[test]
fn a_command_is_told_by_what_it_is_for() {
    let input = json!({"command": "cd /home/dev/project && make all", "description": "Builds it"});
    let page = page(&called("Bash", input, ToolResult::text("")), &Detail::default());
    assert!(page.body.contains("<span class=\"told\">Builds it</span>"), "{}", page.body);
    assert_eq!(page.text.matches("Builds it").count(), 1);
    assert!(page.has("no output"));
}

#[test]
fn names_of_servers_are_told_from_those_of_tools() {
    let session = called("mcp__tracker__find_issue", json!({"query": "open"}), ToolResult::text("none"));
    assert!(page(&session, &Detail::default()).has("tracker · find_issue"));
}

#[test]
fn a_search_is_said_once() {
    let session = called("Grep", json!({"pattern": "fn line", "path": "src"}), ToolResult::text("none"));
    assert_eq!(page(&session, &Detail::default()).text.matches("fn line").count(), 1);
}

#[test]
fn what_the_client_says_about_results_is_left_out_of_previews() {
    let written = json!({"file_path": "a", "content": "b"});
    let wrong = "<tool_use_error>String not found</tool_use_error>";
    for (name, input, result, talk, rest) in [
        ("Write", written, ToolResult::text("File created successfully at: a"), "successfully", "b"),
        (
            "Read",
            json!({"file_path": "a"}),
            ToolResult::text(wrong).error(),
            "tool_use_error",
            "String not found",
        ),
        (
            "Bash",
            json!({"command": "a"}),
            ToolResult::text("The file is there"),
            "persisted",
            "The file is there",
        ),
    ] {
        let session = called(name, input, result);
        let shown = page(&session, &Detail::default());
        assert!(!shown.has(talk) && shown.has(rest), "{name}: {}", shown.text);
        let whole = page(&session, &Detail { full_results: true, ..Detail::default() });
        assert_eq!(whole.has(talk), name != "Bash", "{name}: {}", whole.text);
    }
}

#[test]
fn json_is_read_in_lines() {
    let session =
        called("mcp__a__b", json!({}), ToolResult::text(r#"{"n":12345678901234567890123,"t":"<b>"}"#));
    let page = page(&session, &Detail::default());
    assert!(page.has("{\n  \"n\": 12345678901234567890123,\n  \"t\": \"<b>\"\n}"), "{}", page.text);
}

#[test]
fn a_little_over_the_limit_is_not_cut() {
    let session = called("Bash", json!({"command": "yes"}), ToolResult::text("x".repeat(34_000)));
    assert!(!page(&session, &Detail::default()).has("left out"));
}
