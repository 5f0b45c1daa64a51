//! `steno diff`: the patch is what git would show, and git applies it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{App, Session, ToolResult};

const STENO: &str = env!("CARGO_BIN_EXE_steno");
const BEFORE: &str = "fn main() {\n    old();\n}\n";
const AFTER: &str = "fn main() {\n    new();\n}\n";

/// An edit, a new file, a denied edit and a command.
fn edited(session: Session) -> Session {
    let edit = |path: &str| json!({"file_path": path, "old_string": "old", "new_string": "new"});
    let original = json!({"filePath": "/home/dev/project/src/main.rs", "oldString": "old", "newString": "new",
        "originalFile": BEFORE, "replaceAll": false});
    let written = json!({"type": "create", "filePath": "/home/dev/project/notes.md", "content": "one\n",
        "originalFile": null, "structuredPatch": []});
    session
        .user("rename it")
        .assistant(|message| message.tool_use("Edit", edit("/home/dev/project/src/main.rs")))
        .answer_with(ToolResult::text("done").structured(original))
        .assistant(|message| {
            message.tool_use("Write", json!({"file_path": "/home/dev/project/notes.md", "content": "one\n"}))
        })
        .answer_with(ToolResult::text("done").structured(written))
        .assistant(|message| message.tool_use("Edit", edit("/home/dev/project/denied.rs")))
        .answer_error("The user doesn't want to proceed with this tool use.")
        .assistant(|message| message.tool_use("Bash", json!({"command": "rm gone.rs"})))
        .answer("")
        .assistant(|message| message.text("Done."))
}

fn app() -> App {
    App::with_session(STENO, edited)
}

#[test]
fn edits_and_new_files_are_one_patch() {
    assert_snapshot!(app().run("diff last"), @r"
    exit: 0
    ----- stdout -----
    diff --git a/src/main.rs b/src/main.rs
    --- a/src/main.rs
    +++ b/src/main.rs
    @@ -1,3 +1,3 @@
     fn main() {
    -    old();
    +    new();
     }
    diff --git a/notes.md b/notes.md
    new file mode 100644
    --- /dev/null
    +++ b/notes.md
    @@ -0,0 +1 @@
    +one

    ----- stderr -----
    2 files changed, 2 lines added, 1 removed
    note: 1 command ran, too: what that changed is not recorded
    ");
}

#[test]
fn stat_tells_which_files_and_how_much() {
    assert_snapshot!(app().run("diff last --stat"), @r"
    exit: 0
    ----- stdout -----
     src/main.rs | 2 +-
     notes.md    | 1 + (new)

    ----- stderr -----
    2 files changed, 2 lines added, 1 removed
    note: 1 command ran, too: what that changed is not recorded
    ");
}

#[test]
fn git_applies_the_patch_and_its_reverse() {
    let app = app();
    let repository = app.home().root().join("repository");
    fs::create_dir_all(repository.join("src")).unwrap();
    git(&repository, &["init", "--quiet"], b"");
    fs::write(repository.join("src/main.rs"), BEFORE).unwrap();
    let patch = |flags: &[&str]| app.output(&[&["diff", "last"], flags].concat()).stdout;
    git(&repository, &["apply"], &patch(&[]));
    assert_eq!(fs::read_to_string(repository.join("src/main.rs")).unwrap(), AFTER);
    assert_eq!(fs::read_to_string(repository.join("notes.md")).unwrap(), "one\n");
    git(&repository, &["apply"], &patch(&["--reverse"]));
    assert_eq!(fs::read_to_string(repository.join("src/main.rs")).unwrap(), BEFORE);
    assert!(!repository.join("notes.md").exists());
}

#[test]
fn one_file_or_directory_may_be_named() {
    let app = app();
    let files = |path: &str| app.json(&format!("diff last {path} --json"))["files"].clone();
    for path in ["src", "src/main.rs", "/home/dev/project/src/"] {
        assert_eq!(files(path).as_array().unwrap().len(), 1, "{path}");
    }
    assert_eq!(files("src")[0]["exact"], true);
    let refused = app.run("diff last nowhere");
    assert!(refused.starts_with("exit: 1") && refused.contains("changed nothing at nowhere"), "{refused}");
}

#[test]
fn the_file_history_of_a_kept_session_tells_what_was_there_before() {
    let edit = json!({"file_path": "/home/dev/project/a.rs", "old_string": "old", "new_string": "new"});
    let app = App::with_session(STENO, |session| {
        session
            .user("rename it")
            .assistant(|message| message.tool_use("Edit", edit))
            .answer_with(ToolResult::text("done").without_structured())
    });
    let projects = app.home().path().join("projects");
    let transcript = transcript_below(&projects);
    let id = transcript.file_stem().unwrap().to_str().unwrap().to_owned();
    let backup = json!({"backupFileName": "0123456789abcdef@v1", "version": 1, "backupTime": "2026-11-15T10:00:00.000Z"});
    let record = json!({"type": "file-history-snapshot", "messageId": "m", "isSnapshotUpdate": false,
        "snapshot": {"messageId": "m", "trackedFileBackups": {"a.rs": backup}, "timestamp": "2026-11-15T10:00:00.000Z"}});
    let mut file = fs::File::options().append(true).open(&transcript).unwrap();
    writeln!(file, "{record}").unwrap();
    let history = app.home().path().join("file-history").join(id);
    fs::create_dir_all(&history).unwrap();
    fs::write(history.join("0123456789abcdef@v1"), BEFORE).unwrap();
    let live = app.json("diff last --json")["files"].clone();
    assert_eq!((&live[0]["exact"], &live[0]["notes"]), (&json!(true), &json!([])));
    app.run("init --local --no-schedule");
    fs::remove_dir_all(projects).unwrap();
    fs::remove_dir_all(app.home().path().join("file-history")).unwrap();
    assert_eq!(app.json("diff last --json")["files"], live);
}

fn transcript_below(projects: &Path) -> std::path::PathBuf {
    let project = fs::read_dir(projects).unwrap().next().unwrap().unwrap().path();
    let mut files = fs::read_dir(project).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|extension| extension == "jsonl")).unwrap()
}

fn git(directory: &Path, arguments: &[&str], input: &[u8]) {
    let mut git = Command::new("git");
    let mut git = git.args(arguments).current_dir(directory).stdin(Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(input).unwrap();
    assert!(git.wait().unwrap().success(), "git {arguments:?}");
}
