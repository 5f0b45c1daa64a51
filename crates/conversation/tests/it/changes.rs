//! Edits and writes of every era → what changed in each file.

use serde_json::{Value, json};
use steno_conversation::changes::{Changes, Note, Originals, Part, changes};
use steno_testkit::{Session, ToolResult};

use crate::passes::explaining::explain;

fn changed(session: &Session) -> Changes {
    changes(&explain(session), &Originals::new())
}

fn call(session: Session, name: &str, input: Value, result: ToolResult) -> Session {
    session.assistant(|message| message.tool_use(name, input)).answer_with(result)
}

fn write(session: Session, content: &str, original: Option<&str>) -> Session {
    let kind = if original.is_some() { "update" } else { "create" };
    let structured = json!({"type": kind, "filePath": "/p/a", "content": content, "originalFile": original, "structuredPatch": []});
    let result = ToolResult::text("done").structured(structured);
    call(session, "Write", json!({"file_path": "/p/a", "content": content}), result)
}

fn edit(session: Session, old: &str, new: &str, original: Option<&str>) -> Session {
    let structured =
        json!({"filePath": "/p/a", "oldString": old, "newString": new, "originalFile": original});
    let input = json!({"file_path": "/p/a", "old_string": old, "new_string": new});
    call(session, "Edit", input, ToolResult::text("done").structured(structured))
}

fn start() -> Session {
    Session::numbered(1).user("go")
}

fn whole(before: Option<&str>, after: &str) -> Part {
    Part::Whole { before: before.map(str::to_owned), after: Some(after.to_owned()) }
}

#[test]
fn several_edits_of_a_file_are_one_change() {
    let session = edit(write(start(), "one\ntwo\n", None), "two", "three", Some("one\ntwo\n"));
    let changes = changed(&session);
    let [file] = &*changes.files else { panic!("{changes:?}") };
    assert_eq!((file.path.as_str(), file.edits), ("/p/a", 2));
    assert_eq!(file.parts, [whole(None, "one\nthree\n")]);
    assert!(file.notes.is_empty());
}

#[test]
fn a_result_without_the_content_goes_by_the_edit_before() {
    let session = edit(write(start(), "one\ntwo\n", None), "two", "three", None);
    assert_eq!(changed(&session).files[0].parts, [whole(None, "one\nthree\n")]);
}

#[test]
fn the_file_history_tells_the_content_before_the_first_edit() {
    let session = edit(start(), "two", "three", None);
    let originals = Originals::from([("/p/a".to_owned(), Some("one\ntwo\n".to_owned()))]);
    let changes = changes(&explain(&session), &originals);
    assert_eq!(changes.files[0].parts, [whole(Some("one\ntwo\n"), "one\nthree\n")]);
}

#[test]
fn an_edit_of_unknown_content_is_a_fragment() {
    let file = &changed(&edit(start(), "two", "three", None)).files[0];
    assert_eq!(file.parts, [Part::Fragment { old: "two".to_owned(), new: "three".to_owned() }]);
    assert_eq!(file.notes, [Note::Fragment]);
}

#[test]
fn recorded_hunks_place_an_edit_of_unknown_content() {
    let hunk =
        json!([{"oldStart": 7, "oldLines": 1, "newStart": 7, "newLines": 1, "lines": ["-two", "+three"]}]);
    let structured = json!({"filePath": "/p/a", "originalFile": null, "structuredPatch": hunk});
    let input = json!({"file_path": "/p/a", "old_string": "two", "new_string": "three"});
    let session = call(start(), "Edit", input, ToolResult::text("done").structured(structured));
    let [Part::Hunks(hunks)] = &*changed(&session).files[0].parts else { panic!() };
    assert_eq!((hunks[0].old_start, hunks[0].lines.len()), (7, 2));
}

#[test]
fn a_change_by_something_else_in_between_is_noted() {
    let session = edit(write(start(), "one\ntwo\n", None), "two", "three", Some("ONE\ntwo\n"));
    let file = &changed(&session).files[0];
    assert_eq!(file.parts, [whole(None, "ONE\nthree\n")]);
    assert_eq!(file.notes, [Note::ChangedBetween]);
}

#[test]
fn denied_and_failed_edits_change_nothing() {
    let input = json!({"file_path": "/p/a", "old_string": "two", "new_string": "three"});
    let session = call(start(), "Edit", input, ToolResult::text("String to replace not found").error());
    assert_eq!(changed(&session), Changes::default());
}

#[test]
fn an_edit_without_a_result_is_counted_and_left_out() {
    let input = json!({"file_path": "/p/a", "content": "x"});
    let session = start().assistant(|message| message.tool_use("Write", input));
    assert_eq!(changed(&session), Changes { unanswered: 1, ..Changes::default() });
}

#[test]
fn an_edit_that_is_taken_back_is_no_change() {
    let session = edit(start(), "two", "three", Some("two\n"));
    let session = edit(session, "three", "two", Some("three\n"));
    assert!(changed(&session).files.is_empty());
}

#[test]
fn a_line_is_removed_with_its_newline_as_the_client_does() {
    let session = edit(start(), "two", "", Some("one\ntwo\nthree\n"));
    assert_eq!(changed(&session).files[0].parts, [whole(Some("one\ntwo\nthree\n"), "one\nthree\n")]);
}

#[test]
fn what_a_person_changed_in_an_edit_is_in_its_hunks() {
    let hunk =
        json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-two", "+four"]}]);
    let structured =
        json!({"filePath": "/p/a", "originalFile": "two\n", "structuredPatch": hunk, "userModified": true});
    let input = json!({"file_path": "/p/a", "old_string": "two", "new_string": "three"});
    let session = call(start(), "Edit", input, ToolResult::text("done").structured(structured));
    let file = &changed(&session).files[0];
    assert_eq!(file.parts, [whole(Some("two\n"), "four\n")]);
    assert_eq!(file.notes, [Note::UserModified]);
}

#[test]
fn a_write_over_a_file_is_undone_by_its_hunks() {
    let hunk =
        json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2, "lines": [" one", "+two"]}]);
    let structured =
        json!({"type": "update", "filePath": "/p/a", "content": "one\ntwo\n", "structuredPatch": hunk});
    let input = json!({"file_path": "/p/a", "content": "one\ntwo\n"});
    let session = call(start(), "Write", input, ToolResult::text("done").structured(structured));
    assert_eq!(changed(&session).files[0].parts, [whole(Some("one\n"), "one\ntwo\n")]);
}

#[test]
fn edits_of_subagents_count_in_the_order_of_time() {
    let session = write(start(), "one\n", None).agent(|agent| {
        agent.prompt("go on").steps(|steps| edit(steps, "one", "two", Some("one\n"))).answer("done")
    });
    let session = edit(session, "two", "three", Some("two\n"));
    assert_eq!(changed(&session).files[0].parts, [whole(None, "three\n")]);
}

#[test]
fn commands_are_counted() {
    let session = call(start(), "Bash", json!({"command": "rm a"}), ToolResult::text(""));
    assert_eq!(changed(&session), Changes { commands: 1, ..Changes::default() });
}
