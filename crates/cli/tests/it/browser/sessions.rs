//! The sessions whose pages are looked at.

use serde_json::json;
use steno_testkit::{Era, Session, ToolResult};

/// A picture of one pixel.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// What the person says in [`everything`], and where the context was compacted.
pub(crate) const CONTENTS: [&str; 8] = [
    "Fix the parser, please.",
    "What is in this picture?",
    "/model opus",
    "Plan the rest.",
    "Plan more.",
    "Once more.",
    "context compacted",
    "And after the summary?",
];
/// The widths of the pictures in it.
pub(crate) const PICTURES: [u32; 2] = [1, 1];

/// Every kind of thing that a page shows.
pub(crate) fn everything() -> Session {
    let session = Session::numbered(1).custom_title("Everything that a page shows").opening();
    let session = plans(pictures(tools(session)));
    session
        .compact("auto", 155_000, 9000, "## Summary\n\nWe did *all* of it.")
        .user("And after the summary?")
        .assistant(|message| message.text("Nothing is left to do."))
}

fn tools(session: Session) -> Session {
    let answer = "## What changed\n\nThe **loop** ends where it should, see `src/line.rs`:\n\n```rust\n/// Reads a line.\n\
                  fn line(text: &str) -> Option<&str> {\n    text.split('\\n').next() // the first\n}\n```\n\n\
                  | file | lines |\n|---|---:|\n| src/line.rs | 12 |\n\n1. first\n2. second, with [a link](https://example.org)\n\n> quoted";
    session
        .user("Fix the parser, please.\nIt drops the last line of a file that does not end with a newline.")
        .assistant(|message| {
            message
                .thinking("The reader stops one byte early. I should look at the loop.")
                .text("I will look at the reader first.")
                .tool_use("Read", json!({"file_path": "/home/dev/project/src/line.rs"}))
                .answered((1..=40).map(|line| format!("{line:>6}\tlet line_{line} = {line};\n")).collect::<String>())
                .tool_use("Grep", json!({"pattern": "fn line", "path": "/home/dev/project"}))
                .answered("src/line.rs:2:fn line(text: &str)")
                .tool_use("Bash", json!({"command": "cargo test --workspace -- --nocapture", "description": "Runs the tests"}))
                .answered_with(ToolResult::text("error: one test failed").error())
                .tool_use(
                    "Edit",
                    json!({"file_path": "/home/dev/project/src/line.rs", "old_string": "a\nlet end = length - 1;\nb",
                        "new_string": "a\nlet end = length;\nb", "replace_all": false}),
                )
                .answered("The file has been updated.")
                .tool_use(
                    "TodoWrite",
                    json!({"todos": [{"content": "Fix the loop", "status": "completed", "activeForm": "Fixing"},
                        {"content": "Test it", "status": "in_progress", "activeForm": "Testing"}]}),
                )
                .answered("Todos have been modified.")
                .tool_use("mcp__tracker__find", json!({"query": "open", "limit": 3}))
                .answered("nothing found")
        })
        .agent(|agent| agent.description("Look around").prompt("Look around in the project").answer("All is well there."))
        .assistant(|message| message.text(answer))
}

fn pictures(session: Session) -> Session {
    session
        .image("What is in this picture?", PIXEL)
        .assistant(|message| {
            let input = json!({"file_path": "/home/dev/project/a.png"});
            message.text("One pixel.").tool_use("Read", input).answered_with(ToolResult::image(PIXEL))
        })
        .slash_command("model", "opus")
        .local_command_stdout("Set model to opus")
        .system("turn_duration")
        .unknown_record("from-the-future")
}

/// Approved, rejected with feedback, and pending.
fn plans(session: Session) -> Session {
    let session = session.user("Plan the rest.").plan("# The first plan\n\n- do it").approve_plan();
    let session = session.assistant(|message| message.text("Done as planned."));
    let session =
        session.user("Plan more.").plan("# The second plan\n\n- overdo it").reject_plan("Smaller, please");
    session
        .assistant(|message| message.text("Smaller then."))
        .user("Once more.")
        .plan("# The third plan\n\n- undo it")
}

/// The newest sessions of each era, and some that are hardly sessions.
pub(crate) fn others() -> Vec<(&'static str, Session)> {
    let eras = [("1.0", Era::V1_0), ("2.0", Era::V2_0_42), ("2.1", Era::V2_1_56), ("now", Era::V2_1_325)];
    let of_era = |(number, (name, era)): (u32, (&'static str, Era))| {
        (name, Session::numbered(10 + number).era(era).turns(3).agent(|agent| agent.prompt("Look around")))
    };
    let mut sessions: Vec<_> = (0..).zip(eras).map(of_era).collect();
    sessions.push(("silent", Session::numbered(20).opening().summary("Nothing was said")));
    let broken =
        Session::numbered(21).user("Hello").garbage().bad_utf8().blank_line().api_error("Overloaded");
    sessions.push(("broken", broken.interrupt().torn()));
    let wide = "x".repeat(4000);
    let table =
        format!("| {wide} | {wide} |\n|---|---|\n| a | b |\n\n```\n{wide}\n```\n\n{wide}\n\n`{wide}`");
    let wide = Session::numbered(22).user(&wide).assistant(|message| {
        let call = message.text(table).tool_use("Bash", json!({"command": wide}));
        call.answered(wide.clone()).tool_use(wide.clone(), json!({"key": wide})).answered("")
    });
    sessions.push(("wide", wide));
    sessions
}
