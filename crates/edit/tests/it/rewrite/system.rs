//! Paths of one system that become those of another, or nothing: where they are told from everything else.

use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::{Value, json};
use steno_edit::rewrite::{Notes, PathRewriter, Rewrite, Rewritten};

use super::rewrite;

pub(super) fn by(words: &[&str]) -> PathRewriter {
    let rewrites: Vec<Rewrite> = words.iter().map(|word| word.parse().unwrap()).collect();
    PathRewriter::new(None, &rewrites)
}

/// What becomes of a text that stands under `key` in the input of a tool.
pub(super) fn under(rewriter: &PathRewriter, key: &str, text: &str) -> String {
    let input = json!({"type":"tool_use", "input": {key: text}});
    let line = json!({"type":"assistant", "message": {"content": [input]}}).to_string();
    let line: Value = serde_json::from_slice(&rewriter.line(line.as_bytes()).bytes).unwrap();
    line["message"]["content"][0]["input"][key].as_str().unwrap().to_owned()
}

pub(super) fn check(word: &str, rows: &[(&str, &str)]) {
    let rewriter = by(&[word]);
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, expected)| (text, under(&rewriter, "text", text), expected))
        .filter(|(_, answer, expected)| answer != *expected)
        .map(|(text, answer, expected)| format!("{text}\n    is {answer}\nnot {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{word}\n{}", wrong.join("\n"));
}

pub(super) fn check_unchanged(word: &str, texts: &[&str]) {
    let rows: Vec<_> = texts.iter().map(|text| (*text, *text)).collect();
    check(word, &rows);
}

#[test]
fn what_is_mounted_gets_its_drive() {
    check(
        "wsl-to-win",
        &[
            ("/mnt/c/Users/x/a.txt", r"C:\Users\x\a.txt"),
            ("/mnt/d/x", r"D:\x"),
            ("/mnt/C/x", r"C:\x"),
            ("/mnt/c", r"C:\"),
            ("/mnt/c/", r"C:\"),
            ("in /mnt/c.", r"in C:\."),
            ("see /mnt/c/x/y.", r"see C:\x\y."),
            ("see (/mnt/c/x/y), `/mnt/d/z`;", r"see (C:\x\y), `D:\z`;"),
            ("/mnt/c/x.rs:12:3: error", r"C:\x.rs:12:3: error"),
            ("cp /mnt/c/a /mnt/d/b/", r"cp C:\a D:\b\"),
            ("A=/mnt/c/a:/mnt/c/b", r"A=C:\a:C:\b"),
            ("gcc -I/mnt/c/include -L/mnt/c/lib", r"gcc -IC:\include -LC:\lib"),
            ("--root=/mnt/c/x", r"--root=C:\x"),
            ("open \"/mnt/c/my files/a b.txt\" now", r#"open "C:\my files\a b.txt" now"#),
            ("open '/mnt/c/my files/a b.txt'", r"open 'C:\my files\a b.txt'"),
            ("'/mnt/c/bin/x --in /mnt/c/y'", r"'C:\bin\x --in C:\y'"),
            ("/mnt/c/Program Files/x/y.exe -v", r"C:\Program Files\x\y.exe -v"),
            ("/mnt/c/Program Files (x86)/x", r"C:\Program Files (x86)\x"),
            (r"cat /mnt/c/my\ files/x", r"cat C:\my files\x"),
            ("/mnt/c/app/[id]/(group)/${X}/page.tsx", r"C:\app\[id]\(group)\${X}\page.tsx"),
            ("/mnt/c/src/**/*.rs", r"C:\src\**\*.rs"),
            ("**/mnt/c/x/y**", r"**C:\x\y**"),
            ("+/mnt/c/x\n-/mnt/c/y", "+C:\\x\n-C:\\y"),
            (r#"{"a": "/mnt/c/x/y", "b":["/mnt/d/z"]}"#, r#"{"a": "C:\\x\\y", "b":["D:\\z"]}"#),
            (r#"say \"/mnt/c/x/y\""#, r#"say \"C:\\x\\y\""#),
            (r"one\n/mnt/c/x\ntwo", r"one\nC:\x\ntwo"),
            ("/mnt/c/é/ü", r"C:\é\ü"),
            ("/mnt/c/x is and/or was", r"C:\x is and/or was"),
            ("/mnt/c/x<br>y/z", r"C:\x<br>y/z"),
            ("/mnt/c/Users/<name>/x", r"C:\Users\<name>\x"),
            ("/mnt/c/a/../b and /mnt/c/a/..", r"C:\a\..\b and C:\a\.."),
        ],
    );
}

#[test]
fn what_only_looks_mounted_stays() {
    check_unchanged(
        "wsl-to-win",
        &[
            "/mnt/cache",
            "/mnt/cache/x",
            "/mnt/c.txt",
            "/mnt/c-old/x",
            "/mnt",
            "/mnt/",
            "/mnt/wsl/x",
            "/home/x",
            "a/mnt/b",
            "s/mnt/c/x/",
            r"/\/mnt\/c\//",
            "~/mnt/c/x",
            "$HOME/mnt/c/x",
            "${HOME}/mnt/c/x",
            "./mnt/c/x",
            "https://example.org/mnt/c/x",
            "https://example.org:80/mnt/c/x",
            "https://example.org/?file=/mnt/c/x&b=/mnt/d",
            "file:///mnt/c/x",
            "ssh://host:/mnt/c/x",
            r"C:\Users\x and \\server\share",
        ],
    );
}

#[test]
fn drives_are_mounted() {
    check(
        "win-to-wsl",
        &[
            (r"C:\Users\x", "/mnt/c/Users/x"),
            ("C:/Users/x", "/mnt/c/Users/x"),
            (r"d:\x", "/mnt/d/x"),
            (r"C:\", "/mnt/c"),
            (r"C:\\", "/mnt/c"),
            (r"C:\Users\x\", "/mnt/c/Users/x/"),
            (r"C:\Users/x\y", "/mnt/c/Users/x/y"),
            (r"C:/Users\x", "/mnt/c/Users/x"),
            (r"C:\x\y.", "/mnt/c/x/y."),
            (r"C:\a\b.rs:12:3", "/mnt/c/a/b.rs:12:3"),
            (r"C:\a\b.cs(12,3): error", "/mnt/c/a/b.cs(12,3): error"),
            (r"(C:\x\y) `C:\z`, [a](C:\w)", "(/mnt/c/x/y) `/mnt/c/z`, [a](/mnt/c/w)"),
            (r"C:\\Users\\x", "/mnt/c/Users/x"),
            (r#"{"p":"C:\\Users\\x","q":"D:\\y"}"#, r#"{"p":"/mnt/c/Users/x","q":"/mnt/d/y"}"#),
            (r#"{"p":"{\"q\":\"C:\\\\Users\\\\x\"}"}"#, r#"{"p":"{\"q\":\"/mnt/c/Users/x\"}"}"#),
            (r#"\"C:\\x\\y\n\""#, r#"\"/mnt/c/x/y\n\""#),
            (r#"cd "C:\x\" && dir"#, r#"cd "/mnt/c/x/" && dir"#),
            (r#"\"C:/x\""#, r#"\"/mnt/c/x\""#),
            (r"C:/x\nthen", r"/mnt/c/x\nthen"),
            (r#"run "C:\My Files\a b.exe" /s"#, r#"run "/mnt/c/My Files/a b.exe" /s"#),
            (r"'C:\OneDrive - Firm\x'", "'/mnt/c/OneDrive - Firm/x'"),
            (r"C:\Program Files\Git\bin\git.exe status", "/mnt/c/Program Files/Git/bin/git.exe status"),
            (r"PATH=C:\a;D:\b\c", "PATH=/mnt/c/a;/mnt/d/b/c"),
            (r"\\?\C:\x", "/mnt/c/x"),
            (r"PS C:\x> dir C:\y", "PS /mnt/c/x> dir /mnt/c/y"),
            (r"\\wsl$\Ubuntu\home\x", "/home/x"),
            (r"\\wsl.localhost\Ubuntu-22.04\home\x y", "/home/x y"),
            (r"\\\\wsl$\\Ubuntu\\home\\x", "/home/x"),
            (r"//wsl$/Ubuntu/home/x", "/home/x"),
            (r"\\wsl$\Ubuntu", "/"),
            (r"\\wsl$\Ubuntu\", "/"),
            (r"C:\temp and C:\nginx\conf", "/mnt/c/temp and /mnt/c/nginx/conf"),
            (r"C:\$Recycle.Bin\x", "/mnt/c/$Recycle.Bin/x"),
        ],
    );
}

#[test]
fn what_only_looks_like_a_drive_stays() {
    check_unchanged(
        "win-to-wsl",
        &[
            r"abc:\n",
            r"Q:\nWhat? A:\nThe answer",
            r#"{\"a\":\"Plan B:\nthe rest\"}"#,
            "http://c:/",
            "http://c:/x",
            "file:///C:/x",
            "https://example.org/C:/x",
            "c://x/y",
            "C: and c:",
            "C:x",
            r"\\server\share\x",
            r"\\server\C$\x",
            "/home/x",
            "(?i:/x/)",
            "a?b:/x/",
            "s:/* comment */",
            r"é:\x",
            "12:/x",
            "x/C:/y",
        ],
    );
}

#[test]
fn absolute_paths_are_stripped() {
    check(
        "strip",
        &[
            ("/home/x/a.txt", "<path>"),
            ("see /home/x/a.txt.", "see <path>."),
            ("/tmp", "<path>"),
            ("/home/x", "<path>"),
            ("in /data/set and /work/x, /c/Users or /home2/x", "in <path> and <path>, <path> or <path>"),
            ("/nix/store /snap/x /proc/12 /cygdrive/c/x", "<path> <path> <path> <path>"),
            ("/app/src", "<path>"),
            ("GET /home/x", "GET <path>"),
            ("at /foo/bar/baz.rs:3", "at <path>:3"),
            ("`/foo/bar/a.test.ts`, /foo/bar/*.rs", "`<path>`, <path>"),
            ("/scratch2/x/.cache/y", "<path>"),
            ("/foo/bar/.env", "<path>"),
            (r"C:\Users\x", "<path>"),
            ("C:/Users/x", "<path>"),
            (r"\\server\share\x", "<path>"),
            (r"\\\\server\\share\\x", "<path>"),
            (r"\\?\C:\x", "<path>"),
            ("/home/x/a.rs:12:3", "<path>:12:3"),
            ("'/home/x/my file.txt' there", "'<path>' there"),
            ("'/home/x/y, then some more'", "'<path>, then some more'"),
            ("'/home/x/ Then a task for an agent'", "'<path> Then a task for an agent'"),
            (
                "'/home/x/y as one of very many words of which not one is a name'",
                "'<path> as one of very many words of which not one is a name'",
            ),
            ("gcc -I/usr/include", "gcc -I<path>"),
            ("A=/home/a:/home/b", "A=<path>:<path>"),
            ("#!/usr/bin/env python3", "#!<path> python3"),
            ("@/home/x/y", "@<path>"),
            ("**/home/x/y**", "**<path>**"),
            ("<file>/home/x/y</file>", "<file><path></file>"),
            (r#"{"p":"C:\\Users\\x"}"#, r#"{"p":"<path>"}"#),
            ("root@host:/root# ls", "root@host:<path># ls"),
        ],
    );
}

#[test]
fn what_is_no_absolute_path_is_not_stripped() {
    check_unchanged(
        "strip",
        &[
            "/compact",
            "/",
            "a / b",
            "src/main.rs",
            "./src/main.rs",
            "~/x/y",
            "and/or",
            "1/2/3",
            "text/html",
            "https://example.org/home/x",
            "file:///home/x/y",
            "x 2>/dev/null",
            "s.replace(/foo/g, '')",
            "</div>",
            "<br/>",
            "// comment/of/code",
            "/* comment */",
            "import x from '@/components/ui/button'",
            "#/definitions/Thing",
            r"\\alpha",
            r"\\d+\\s",
            r"a\nb",
            "C: x",
        ],
    );
}

#[test]
fn what_a_server_or_a_program_calls_by_slashes_is_not_stripped() {
    check_unchanged(
        "strip",
        &[
            "/api/users",
            "\"/api/users\", '/api/v1/users', `/v1/messages`",
            "POST /v1/messages/count_tokens",
            "app.get('/users/:id/posts', handler)",
            "/v1/models/model-4.1 and /api/v2.0",
            "GET /data/users",
            "DELETE /projects/12/issues",
            "/projects/{id}/issues and /data/:id",
            "/repos/owner/name/pulls",
            "<a href=\"/css/site.css\">",
            "/.well-known/acme-challenge/x",
            "//div/span",
            "/html/body/div[1]/span",
            "//div[@class='x']/span/text()",
            "/[a-z]+/[0-9]/x",
            "/foo/bar/",
            "/foo|bar/baz",
            r"/^\/api\/users\//",
            "/data/gi",
            "text.match(/src/g)",
            "/app /run /data /export /code",
            "import { x } from '@/lib/sse'",
            "import x from \"@/app/ui/button.tsx\"",
            "**/src/lib and **/bin/x",
            "#/data/x",
            "/owner/name and /c3/shapes",
        ],
    );
}

#[test]
fn a_route_under_the_key_of_a_path_is_a_path() {
    let rewriter = by(&["strip"]);
    for (key, text, expected) in [
        ("file_path", "/api/users", "<path>"),
        ("cwd", "/proj", "<path>"),
        ("path", "/foo/my notes", "<path>"),
        ("path", "/dev/null", "/dev/null"),
        ("path", "see /api/users", "see /api/users"),
        ("path", "/api/users or /v1/messages", "/api/users or /v1/messages"),
        ("url", "/api/users", "/api/users"),
    ] {
        assert_eq!(under(&rewriter, key, text), expected, "{key} {text}");
    }
}

#[test]
fn what_is_below_the_working_directory_stays_readable() {
    let said = |rewriter: &PathRewriter, cwd: &str, text: &str| {
        let line = json!({"type":"user", "message": {"content": text}, "cwd": cwd}).to_string();
        let line: Value = serde_json::from_slice(&rewriter.line(line.as_bytes()).bytes).unwrap();
        assert_eq!(line["cwd"], cwd);
        line["message"]["content"].as_str().unwrap().to_owned()
    };
    let own = by(&["strip"]);
    for (cwd, text, expected) in [
        ("/home/x/proj", "/home/x/proj/src/main.rs:3", "<path>/src/main.rs:3"),
        ("/home/x/proj", "/home/x/proj", "<path>"),
        ("/home/x/proj", "/home/x/project/a", "<path>"),
        ("/home/x/proj/", "/home/x/proj/a", "<path>/a"),
        (r"C:\proj", r"c:\proj\src\a", r"<path>\src\a"),
        (r"C:\proj", r"C:\\proj\\src\\a", r"<path>\\src\\a"),
        (r"C:\proj", "C:/proj/src/a", "<path>/src/a"),
        ("/", "/home/x", "<path>"),
        ("/api", "see /api/users", "see <path>/users"),
        ("/gpfs/x/proj", "in /gpfs/x/proj/src, /gpfs/y or /api/y", "in <path>/src, <path> or /api/y"),
        ("/dev/shm/proj", "/dev/shm/proj/src and /dev/null", "<path>/src and /dev/null"),
    ] {
        assert_eq!(said(&own, cwd, text), expected, "{text}");
    }
    let known = by(&["strip"]).working_in("/home/x");
    assert_eq!(said(&known, "/home/x/proj", "/home/x/lib/a"), "<path>/lib/a");
}

#[test]
fn a_string_that_is_a_path_by_its_key_is_one_to_its_end() {
    for (word, key, text, expected) in [
        ("wsl-to-win", "file_path", "/mnt/c/my files/a b.txt", r"C:\my files\a b.txt"),
        ("wsl-to-win", "notebookPath", "/mnt/c/my files/a & b.txt", r"C:\my files\a & b.txt"),
        ("win-to-wsl", "path", r"C:\my files\a b.txt", "/mnt/c/my files/a b.txt"),
        ("win-to-wsl", "filename", r"\\wsl$\Ubuntu\home\my files\x", "/home/my files/x"),
        ("strip", "file", "/home/my files/a b.txt", "<path>"),
        ("strip", "path", "/home/x --in /home/y", "<path> --in <path>"),
        ("wsl-to-win", "command", "/mnt/c/x in lib/y", r"C:\x in lib/y"),
        ("wsl-to-win", "content", "/mnt/c/x in lib/y", r"C:\x in lib/y"),
    ] {
        assert_eq!(under(&by(&[word]), key, text), expected, "{word} {key}");
    }
}

#[test]
fn the_rule_that_says_more_of_a_path_counts() {
    let all = by(&["strip", "wsl-to-win", "/mnt/c/Users/x=/home/x", "/home=/h"]);
    let text = "/mnt/c/Users/x/a /mnt/c/b /home/c /etc/d /mnt/cache/e";
    assert_eq!(under(&all, "text", text), r"/home/x/a C:\b /h/c <path> <path>");
}

#[test]
fn nothing_but_what_was_said_and_done_changes() {
    let line = r#"{"cwd":"/mnt/c/x","gitBranch":"/mnt/c/x","type":"assistant","message":{"id":"/mnt/c/x","content":[{"type":"thinking","thinking":"/mnt/c/x","signature":"/mnt/c/x"},{"text":"/mnt/c/x","type":"text"},{"type":"tool_use","input":{"/mnt/c/x":["/mnt/c/x"]}}]},"toolUseResult":{"filePath":"/mnt/c/x"}}"#;
    let expected = line
        .replace(r#""text":"/mnt/c/x""#, r#""text":"C:\\x""#)
        .replace(r#"["/mnt/c/x"]"#, r#"["C:\\x"]"#)
        .replace(r#""filePath":"/mnt/c/x""#, r#""filePath":"C:\\x""#);
    assert_eq!(super::patched(&by(&["wsl-to-win"]), line), expected);
}

#[test]
fn what_changed_is_noted() {
    let rewriter = by(&["wsl-to-win", "/home/a=/srv/a"]);
    let mut notes = Notes::default();
    for line in [
        r#"{"type":"user","cwd":"/home/a","message":{"content":"/mnt/c/x, /mnt/c/x and /home/a/b."}}"#,
        r#"{"type":"user","message":{"content":[{"thinking":"","text":"/mnt/c/x","type":"thinking"}]}}"#,
        r#"{"type":"user","message":{"content":"/mnt/c/x"}}{"type":"user","content":"/home/a"}"#,
    ] {
        assert_eq!(
            rewriter.line_noting(line.as_bytes(), &mut notes).bytes,
            rewriter.line(line.as_bytes()).bytes
        );
    }
    let rewritten = |from: &str, to: &str, count| Rewritten { from: from.into(), to: to.into(), count };
    let expected = [
        rewritten("/home/a", "/srv/a", 1),
        rewritten("/home/a/b", "/srv/a/b", 1),
        rewritten("/mnt/c/x", r"C:\x", 3),
    ];
    assert_eq!((notes.list(), notes.is_cut()), (expected.to_vec(), false));
}

#[test]
fn a_text_of_its_own_is_rewritten_too() {
    let mut notes = Notes::default();
    let rewriter = by(&["win-to-wsl", "/a=/b"]);
    assert_eq!(rewriter.text_noting("C:\\x\n\"/a/c\"\\", &mut notes), "/mnt/c/x\n\"/b/c\"\\");
    assert!(matches!(rewriter.text_noting("nothing", &mut notes), Cow::Borrowed("nothing")));
    assert_eq!(notes.list().len(), 2);
}

#[test]
fn notes_are_bounded() {
    let text: String = (0..5000).map(|number| format!("/mnt/c/{number} ")).collect();
    let line = json!({"type":"user", "message": {"content": text}}).to_string();
    let mut notes = Notes::default();
    by(&["wsl-to-win"]).line_noting(line.as_bytes(), &mut notes);
    assert!(notes.is_cut() && notes.list().len() == 4096);
}

#[test]
fn long_texts_of_nothing_but_beginnings_take_no_longer() {
    for part in [
        "/mnt/c",
        "=/mnt/c",
        "C:",
        r"C:\",
        r"\\",
        r"\",
        "/",
        "'/mnt/c/",
        "(/a",
        r"\\a\b",
        "[/mnt/c/[",
        "<",
        "*/mnt/c/",
        r"A:\n",
        "*/dev/",
        "\\\"C:\\x",
    ] {
        let text = part.repeat(200_000 / part.len());
        for word in ["wsl-to-win", "win-to-wsl", "strip"] {
            under(&by(&[word]), "text", &text);
        }
    }
}

/// None that starts like an escape.
fn name() -> impl Strategy<Value = String> {
    "[A-Za-m0-9_é][A-Za-z0-9_.é-]{0,6}[A-Za-z0-9]"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn there_and_back_over_the_systems(letter in "[a-zA-Z]", names in prop::collection::vec(name(), 1..5)) {
        let path = format!("/mnt/{letter}/{}", names.join("/"));
        let there = under(&by(&["wsl-to-win"]), "text", &path);
        prop_assert_eq!(&there, &format!("{}:\\{}", letter.to_uppercase(), names.join("\\")));
        let lower = format!("/mnt/{}/{}", letter.to_lowercase(), names.join("/"));
        prop_assert_eq!(under(&by(&["win-to-wsl"]), "text", &there), lower);
    }

    #[test]
    fn a_text_without_absolute_paths_stays(words in prop::collection::vec("[a-z(\"']{0,3}[a-z.]{1,5}[/a-z.:,)\"'-]{0,6}", 0..12)) {
        let text = words.join(" ");
        prop_assume!(!text.contains(":/"));
        let text = text.replace(" /", " ").replace("\"/", "\"").replace("'/", "'");
        for word in ["wsl-to-win", "win-to-wsl"] {
            prop_assert_eq!(under(&by(&[word]), "text", &text), text.clone());
        }
    }

    #[test]
    fn any_text_is_taken(text in any::<String>(), tail in "[/\\\\:a-zA-Z$\"'. \\n(){}<>*-]{0,60}") {
        for word in ["wsl-to-win", "win-to-wsl", "strip"] {
            let rewriter = PathRewriter::new(None, &[word.parse().unwrap(), rewrite("/a", "/b")]);
            under(&rewriter, "path", &format!("{text}{tail}"));
            under(&rewriter, "text", &format!("{tail}{text}"));
        }
    }
}
