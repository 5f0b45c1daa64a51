//! A session that moves: what was asked for changes, and not a byte besides.

mod properties;
mod spaces;
mod system;

use std::borrow::Cow;

use steno_edit::rewrite::{Move, Notes, PathRewriter, Rewrite, Summary};

fn path(from: &str, to: &str) -> Move {
    Move { from: from.to_owned(), to: to.to_owned() }
}

fn rewrite(from: &str, to: &str) -> Rewrite {
    Rewrite::Path(path(from, to))
}

fn moving(from: &str, to: &str) -> PathRewriter {
    PathRewriter::new(Some(&path(from, to)), &[])
}

fn replacing(from: &str, to: &str) -> PathRewriter {
    PathRewriter::new(None, &[rewrite(from, to)])
}

fn patched(rewriter: &PathRewriter, line: &str) -> String {
    String::from_utf8(rewriter.line(line.as_bytes()).bytes.into_owned()).unwrap()
}

/// What becomes of a text that somebody said, both as spelled in JSON.
fn said(rewriter: &PathRewriter, spelled: &str) -> String {
    let (before, after) = (r#"{"type":"user","message":{"content":""#, r#""}}"#);
    let line = patched(rewriter, &format!("{before}{spelled}{after}"));
    line.strip_prefix(before).unwrap().strip_suffix(after).unwrap().to_owned()
}

#[test]
fn a_directory_moves_and_so_does_one_below_it() {
    for (from, to, cwd, expected) in [
        ("/home/a/proj", "/x", "/home/a/proj", "/x"),
        ("/home/a/proj", "/x", "/home/a/proj/src", "/x/src"),
        ("/home/a/proj", "/x", "/home/a/proj two", "/home/a/proj two"),
        ("/home/a/proj", "/x", "/home/a/project", "/home/a/project"),
        ("/home/a/proj", "/x", "/home/a", "/home/a"),
        ("/home/a/proj", "/x", "/elsewhere/home/a/proj", "/elsewhere/home/a/proj"),
        ("/home/a/proj/", "/x/", "/home/a/proj/src", "/x/src"),
        ("/home/a/proj", "/x", r"\/home\/a\/proj\/src", r"\/x\/src"),
        ("/home/a/proj", "/", "/home/a/proj", "/"),
        ("/home/a/proj", "/", "/home/a/proj/src", "/src"),
        ("/", "/x", "/", "/x"),
        ("/", "/x", "/tmp", "/tmp"),
        ("/", "/x", "", ""),
        ("/home/é", "/home/ü", r"/home/\u00e9/a", r"/home/\u00fc/a"),
        (r"C:\proj", r"D:\my proj", r"C:\\proj\\src", r"D:\\my proj\\src"),
        (r"C:\proj", r"D:\new\proj", "c:/proj/src", "D:/new/proj/src"),
        (r"C:\proj", "/home/a/proj", r"C:\\proj\\a b\\c", "/home/a/proj/a b/c"),
        ("/home/a/proj", r"C:\proj", "/home/a/proj/a b/c", r"C:\\proj\\a b\\c"),
        ("", "/x", "/home", "/home"),
    ] {
        let line = |cwd: &str| format!(r#"{{"type":"user","cwd":"{cwd}","message":{{"cwd":"{cwd}"}}}}"#);
        let expected = line(cwd).replacen(cwd, expected, usize::from(!cwd.is_empty()));
        assert_eq!(patched(&moving(from, to), &line(cwd)), expected, "{from} to {to}");
    }
}

#[test]
fn the_directories_that_the_client_resumes_in_move_along() {
    let line = r#"{"type":"worktree-state","worktreeSession":{"originalCwd":"/a","preEnterOriginalCwd":"/a","worktreePath":"/a/.claude/worktrees/w","worktreeName":"/a","extensionRoot":"/a"}}
{"type":"relocated","relocatedCwd":"/a/b"}
{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":{"thinking":{"realParentDir":"/a/b","backupFileName":"/a"}}}}
{"type":"file-history-delta","trackingPath":"/a/c","backup":{"realParentDir":"/a"}}
{"type":"attachment","attachment":{"type":"environment","snapshot":{"workingDirectory":"/a"}},"cwd":"/a"}
"#;
    let expected = r#"{"type":"worktree-state","worktreeSession":{"originalCwd":"/n","preEnterOriginalCwd":"/n","worktreePath":"/n/.claude/worktrees/w","worktreeName":"/a","extensionRoot":"/n"}}
{"type":"relocated","relocatedCwd":"/n/b"}
{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":{"thinking":{"realParentDir":"/n/b","backupFileName":"/a"}}}}
{"type":"file-history-delta","trackingPath":"/a/c","backup":{"realParentDir":"/n"}}
{"type":"attachment","attachment":{"type":"environment","snapshot":{"workingDirectory":"/a"}},"cwd":"/n"}
"#;
    let mut written = Vec::new();
    let summary = moving("/a", "/n").copy(line.as_bytes(), &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), expected);
    assert_eq!(summary, Summary { lines: 5, changed: 5, passed_through: 0 });
}

#[test]
fn a_session_that_moves_out_of_its_worktree_is_in_none() {
    let line = |cwd: &str, session: &str| {
        format!(r#"{{"type":"worktree-state","worktreeSession": {session} ,"cwd":"{cwd}"}}"#)
    };
    let session = r#"{"originalCwd":"/a","worktreePath":"/a/w","extensionRoot":"/a/w/x"}"#;
    assert_eq!(patched(&moving("/a/w", "/n"), &line("/a/w", session)), line("/n", "null"));
    assert_eq!(patched(&moving("/a/w", "/a/w"), &line("/a/w", session)), line("/a/w", session));
    assert_eq!(
        patched(&moving("/a/w/x", "/n"), &line("/b", session)),
        line("/b", &session.replace("/a/w/x", "/n"))
    );
}

#[test]
fn a_path_is_replaced_where_it_stands_as_a_whole() {
    let rewriter = replacing("/home/a/proj", "/new");
    for (text, expected) in [
        ("/home/a/proj", "/new"),
        ("see /home/a/proj.", "see /new."),
        ("in /home/a/proj... then", "in /new... then"),
        ("`/home/a/proj/src/x.rs:12`", "`/new/src/x.rs:12`"),
        (r#"\"/home/a/proj\""#, r#"\"/new\""#),
        ("A=/home/a/proj:/home/a/proj/bin", "A=/new:/new/bin"),
        ("file:///home/a/proj/x", "file:///new/x"),
        ("@/home/a/proj/x", "@/new/x"),
        ("root@host:/home/a/proj# ls", "root@host:/new# ls"),
        (r"+/home/a/proj\n-/home/a/proj/x", r"+/new\n-/new/x"),
        (r"\u001b[35m\u001b[K/home/a/proj/x\u001b[m", r"\u001b[35m\u001b[K/new/x\u001b[m"),
        (r"text in a text\\n/home/a/proj\\n", r"text in a text\\n/new\\n"),
        ("**/home/a/proj**", "**/new**"),
        ("（/home/a/proj）。", "（/new）。"),
        ("/home/a/project2", "/home/a/project2"),
        ("/home/a/proj-old", "/home/a/proj-old"),
        ("/home/a/proj.git", "/home/a/proj.git"),
        ("/home/a/proj.d/x", "/home/a/proj.d/x"),
        (r"/home/a/proj\\ two", r"/home/a/proj\\ two"),
        ("/home/a/proj%20two", "/home/a/proj%20two"),
        ("/home/a/projé", "/home/a/projé"),
        (r"/home/a/proj\u0301", r"/home/a/proj\u0301"),
        ("/x/home/a/proj", "/x/home/a/proj"),
        ("x/home/a/proj", "x/home/a/proj"),
        ("x-/home/a/proj", "x-/home/a/proj"),
        ("${ROOT}/home/a/proj", "${ROOT}/home/a/proj"),
        ("~/home/a/proj", "~/home/a/proj"),
        ("home/a/proj", "home/a/proj"),
    ] {
        assert_eq!(said(&rewriter, text), expected, "{text}");
    }
}

#[test]
fn a_path_in_a_url_stays_but_that_of_a_file() {
    let rewriter = replacing("/home/a", "/home/b");
    for (text, expected) in [
        ("http://localhost:3000/?p=/home/a/x", "http://localhost:3000/?p=/home/a/x"),
        ("https://x.y/#/home/a/z", "https://x.y/#/home/a/z"),
        ("ssh://git@host:/home/a/z", "ssh://git@host:/home/a/z"),
        ("http://x/?a=1&p=file:/home/a", "http://x/?a=1&p=file:/home/a"),
        ("file:///home/a/x?p=/home/a/x", "file:///home/b/x?p=/home/a/x"),
        ("git@host:/home/a/z", "git@host:/home/b/z"),
        ("[x](https://x.y)/home/a", "[x](https://x.y)/home/a"),
        ("[x](https://x.y) (/home/a)", "[x](https://x.y) (/home/b)"),
        (r#"{\"u\":\"http://x/\",\"p\":\"/home/a\"}"#, r#"{\"u\":\"http://x/\",\"p\":\"/home/b\"}"#),
        (r"http://x/\n/home/a", r"http://x/\n/home/b"),
        ("http://x,/home/a;/home/a", "http://x,/home/b;/home/b"),
    ] {
        assert_eq!(said(&rewriter, text), expected, "{text}");
    }
}

#[test]
fn escapes_match_and_what_is_beside_them_stays() {
    let rewriter = replacing("/home/é/proj", "/új/\"q\"");
    for (text, expected) in [
        ("/home/é/proj/x", r#"/új/\"q\"/x"#),
        (r"\/home\/é\/proj\/x", r#"\/új\/\"q\"\/x"#),
        (r"\u002fhome/\u00e9/pro\u006A", r#"/\u00faj/\"q\""#),
        (r"\ud800 /home/é/proj \ud83d\ude00\udc00\u00E9", r#"\ud800 /új/\"q\" \ud83d\ude00\udc00\u00E9"#),
        (r"\ud800/home/é/proj\ud83d", r#"\ud800/új/\"q\"\ud83d"#),
        (r"/home/e\u0301/proj", r"/home/e\u0301/proj"),
    ] {
        assert_eq!(said(&rewriter, text), expected, "{text}");
    }
}

#[test]
fn windows_paths_match_with_either_separator_and_keep_theirs() {
    for (from, to, text, expected) in [
        (r"C:\proj", r"D:\a\b", r"C:\\proj\\src", r"D:\\a\\b\\src"),
        (r"C:\proj\x", r"D:\a\b", "c:/proj/x/src", "D:/a/b/src"),
        (r"C:\proj", r"D:\a\b", r#"{\"cwd\":\"C:\\\\proj\\\\src\"}"#, r#"{\"cwd\":\"D:\\\\a\\\\b\\\\src\"}"#),
        (r"C:\proj", r"D:\a", "file:///C:/proj/x", "file:///D:/a/x"),
        (r"C:\proj", r"D:\a", r"C:\\project and ABC:\\proj", r"C:\\project and ABC:\\proj"),
        (
            r"C:\proj",
            "/home/a/proj",
            r"(C:\\proj\\src\\x.rs) C:\\other",
            r"(/home/a/proj/src/x.rs) C:\\other",
        ),
        (r"C:\proj", "/p", r#"\"C:\\\\proj\\\\src\\n\""#, r#"\"/p/src\\n\""#),
        ("/home/a/proj", r"C:\proj", "/home/a/proj/src/x /home/b", r"C:\\proj\\src\\x /home/b"),
        ("/home/a/proj", "C:/proj", "/home/a/proj/src", "C:/proj/src"),
        (r"C:\", r"D:\", r"c: C:\\x", r"c: D:\\x"),
        (r"\\server\share", r"\\other\share", r"\\\\server\\share\\x", r"\\\\other\\share\\x"),
    ] {
        assert_eq!(said(&replacing(from, to), text), expected, "{from} to {to}");
    }
}

#[test]
fn of_several_rewrites_the_longest_counts_and_none_applies_twice() {
    let rewriter = PathRewriter::new(
        None,
        &[rewrite("/a", "/b"), rewrite("/a/b", "/c"), rewrite("/b", "/a"), rewrite("/", "/z")],
    );
    assert_eq!(said(&rewriter, "/a /a/b /a/b/x /a/c /b /"), "/b /c /c/x /b/c /a /");
}

#[test]
fn prose_calls_and_results_change_but_thinking_and_metadata_do_not() {
    let line = r#"{"cwd":"/o","slug":"/o","gitBranch":"/o","uuid":"/o","type":"assistant","message":{"id":"/o","model":"/o","content":[
{"thinking":"/o","signature":"/o","type":"thinking"},{"type":"redacted_thinking","data":"/o"},
{"type":"text","text":"/o","citations":[{"cited_text":"/o"}]},
{"type":"tool_use","id":"/o","name":"/o","input":{"type":"/o","id":"/o","deep":[["/o",{"/o":"/o"}]],"n":1.50e+3}},
{"type":"tool_result","tool_use_id":"/o","content":[{"type":"text","text":"/o"},{"data":"/o","type":"base64"}]},
{"type":"image","source":{"data":"/o","media_type":"image/png","type":"base64"}}]},
"toolUseResult":{"file":{"filePath":"/o","base64":"/o"},"content":[{"text":"/o","type":"thinking"}]},
"attachment":{"type":"/o","prompt":[{"type":"text","text":"/o"}],"displayPath":"/o","filename":"/o"},"rendered":[{"content":"/o","role":"/o"}],
"data":{"type":"/o","command":"/o","message":{"uuid":"/o","message":{"content":"/o"}}},
"content":"/o","summary":"/o","customTitle":"/o","lastPrompt":"/o","hash":"/o","shape":{"system":[{"text":"/o"}]},"error":"/o"}"#
        .replace('\n', "");
    let expected = line
        .replace(r#""text":"/o"},{"data""#, r#""text":"/n"},{"data""#)
        .replace(
            r#""text":"/o","citations":[{"cited_text":"/o"}]"#,
            r#""text":"/n","citations":[{"cited_text":"/n"}]"#,
        )
        .replace(
            r#""input":{"type":"/o","id":"/o","deep":[["/o",{"/o":"/o"}]]"#,
            r#""input":{"type":"/n","id":"/n","deep":[["/n",{"/o":"/n"}]]"#,
        )
        .replace(r#""filePath":"/o""#, r#""filePath":"/n""#)
        .replace(r#""prompt":[{"type":"text","text":"/o"}]"#, r#""prompt":[{"type":"text","text":"/n"}]"#)
        .replace(r#""filename":"/o""#, r#""filename":"/n""#)
        .replace(r#"[{"content":"/o""#, r#"[{"content":"/n""#)
        .replace(r#""message":{"content":"/o"}"#, r#""message":{"content":"/n"}"#)
        .replace(r#""content":"/o","summary""#, r#""content":"/n","summary""#)
        .replace(r#""system":[{"text":"/o"}]"#, r#""system":[{"text":"/n"}]"#);
    assert_eq!(patched(&replacing("/o", "/n"), &line), expected);
}

#[test]
fn strange_lines_are_read_as_the_reader_reads_them() {
    let record =
        |cwd: &str| format!(r#"{{"type":"user","uuid":"u","n":1.0e5,"cwd":"{cwd}","c\u0077d" : "{cwd}" }}"#);
    let (old, new) = (record("/o"), record("/n"));
    for (line, expected, is_passed_through) in [
        (format!("{old}\n"), format!("{new}\n"), false),
        (format!("{old}\r\n"), format!("{new}\r\n"), false),
        (format!("\u{feff} {old}\n"), format!("\u{feff} {new}\n"), false),
        (format!("{old}{old} {old}"), format!("{new}{new} {new}"), false),
        (format!("\0\0{old}\n"), format!("\0\0{new}\n"), false),
        (format!("{{\"type\":\"assis{old}\n"), format!("{{\"type\":\"assis{new}\n"), true),
        (old[..old.len() - 1].to_owned(), old[..old.len() - 1].to_owned(), true),
        ("\n".to_owned(), "\n".to_owned(), false),
        ("\0\0\n".to_owned(), "\0\0\n".to_owned(), true),
        (r#"["/o"]"#.to_owned(), r#"["/o"]"#.to_owned(), true),
    ] {
        let answer = moving("/o", "/n").line(line.as_bytes());
        assert_eq!(
            (&*answer.bytes, answer.is_passed_through),
            (expected.as_bytes(), is_passed_through),
            "{line}"
        );
    }
}

#[test]
fn bad_utf8_is_passed_through() {
    let line = b"{\"type\":\"user\",\"cwd\":\"/o\",\"x\":\"\xff\"}\n";
    let answer = moving("/o", "/n").line(line);
    assert!(answer.is_passed_through && answer.changes == 0 && matches!(answer.bytes, Cow::Borrowed(_)));
}

#[test]
fn what_is_shown_is_rewritten_in_bad_utf8_too() {
    let line = b"{\"type\":\"user\",\"message\":{\"content\":\"\xff /o/x\"},\"x\":\"\xfe /o\"}\n";
    let mut notes = Notes::default();
    let answer = replacing("/o", "/n").line_noting(line, &mut notes);
    let expected = b"{\"type\":\"user\",\"message\":{\"content\":\"? /n/x\"},\"x\":\"\xfe /o\"}\n";
    assert_eq!((&*answer.bytes, answer.changes, notes.list().len()), (&expected[..], 1, 1));
    let mut written = Vec::new();
    let summary = replacing("/o", "/n").copy(&line[..], &mut written).unwrap();
    assert_eq!((written.as_slice(), summary.passed_through), (&line[..], 1));
}

#[test]
fn deep_nesting_is_walked_without_recursion() {
    let (open, close) = ("[".repeat(200_000), "]".repeat(200_000));
    let line = |path: &str| format!(r#"{{"type":"user","toolUseResult":{open}"{path}"{close},"uuid":"u"}}"#);
    assert_eq!(patched(&replacing("/o", "/n"), &line("/o/x")), line("/n/x"));
}
