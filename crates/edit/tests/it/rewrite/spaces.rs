//! Paths with spaces that no quotes set apart: where they go on, and where a space is only a space.

use serde_json::{Value, json};
use steno_edit::rewrite::PathRewriter;

use super::system::{by, check, check_unchanged, under};

#[test]
fn backslashes_behind_a_space_belong_to_the_path() {
    check(
        "win-to-wsl",
        &[
            (r"C:\Users\John Smith\x.txt", "/mnt/c/Users/John Smith/x.txt"),
            (r"see C:\Users\John Smith\x.txt.", "see /mnt/c/Users/John Smith/x.txt."),
            (r"C:\my very own project\src\a b", "/mnt/c/my very own project/src/a b"),
            (r"C:\a b\c d\e f\g h.txt", "/mnt/c/a b/c d/e f/g h.txt"),
            (r"C:\Users\x\OneDrive - Firm\y", "/mnt/c/Users/x/OneDrive - Firm/y"),
            (r"C:\App (old copy)\y", "/mnt/c/App (old copy)/y"),
            (r"C:\Documents and Settings\x", "/mnt/c/Documents and Settings/x"),
            (r"C:\Lord of the Rings\x", "/mnt/c/Lord of the Rings/x"),
            (r"C:\App 2.0\x", "/mnt/c/App 2.0/x"),
            (r"cd C:\Users\John Smith\", "cd /mnt/c/Users/John Smith/"),
            (r"dir C:\John Smith\*.txt", "dir /mnt/c/John Smith/*.txt"),
            (r"cd C:\Program Files\Git && x\y", r"cd /mnt/c/Program Files/Git && x\y"),
            (r"cd C:\Program Files\My Git\bin && x", "cd /mnt/c/Program Files/My Git/bin && x"),
            (r"C:\Users\John Smith>dir src\x", r"/mnt/c/Users/John Smith>dir src\x"),
            (r"PS C:\Users\John Smith\x y> dir", "PS /mnt/c/Users/John Smith/x y> dir"),
            (
                " Directory of C:\\My Docs\\x\r\n\r\n<DIR> a\\b",
                " Directory of /mnt/c/My Docs/x\r\n\r\n<DIR> a\\b",
            ),
            (r#"{\"p\":\"C:\\My Docs\\x: y\"}"#, r#"{\"p\":\"/mnt/c/My Docs/x: y\"}"#),
            (r"\\wsl$\Ubuntu\home\My Docs\x", "/home/My Docs/x"),
            ("C:/Users/John Smith/x.txt", "/mnt/c/Users/John Smith/x.txt"),
        ],
    );
}

#[test]
fn backslashes_of_something_else_stay() {
    check(
        "win-to-wsl",
        &[
            (r"C:\a b.txt, C:\c d.txt", "/mnt/c/a b.txt, /mnt/c/c d.txt"),
            (r"C:\a b.txt C:\c d.txt", "/mnt/c/a b.txt /mnt/c/c d.txt"),
            (r"C:\a and D:\b or \\server\share", r"/mnt/c/a and /mnt/d/b or \\server\share"),
            (r"copy C:\a.txt dest\b.txt", r"copy /mnt/c/a.txt dest\b.txt"),
            (r"C:\x\git.exe add src\main.rs", r"/mnt/c/x/git.exe add src\main.rs"),
            (r"C:\a b.txt to lib\x", r"/mnt/c/a b.txt to lib\x"),
            (r"C:\x in lib\y", r"/mnt/c/x in lib\y"),
            (r"C:\x. Then a\b", r"/mnt/c/x. Then a\b"),
            (r"C:\x (see a\b)", r"/mnt/c/x (see a\b)"),
            (r"C:\x  a\b", r"/mnt/c/x  a\b"),
            ("C:\\x\na\\b", "/mnt/c/x\na\\b"),
            (r"C:\x -o a\b", r"/mnt/c/x -o a\b"),
            (r"C:\x /s a\b", r"/mnt/c/x /s a\b"),
            (r"C:\x .\a ..\b %X%\c", r"/mnt/c/x .\a ..\b %X%\c"),
            (r"C:\x | a\b > c\d; e\f", r"/mnt/c/x | a\b > c\d; e\f"),
            (r"C:\x and/or a\b", r"/mnt/c/x and/or a\b"),
            (r"C:\x of four words then a\b", r"/mnt/c/x of four words then a\b"),
            (r#"'C:\x' "a\b" `C:\y` a\b"#, r#"'/mnt/c/x' "a\b" `/mnt/c/y` a\b"#),
            (r#"\"C:\\x and\nmore\""#, r#"\"/mnt/c/x and\nmore\""#),
            (r"C:\x foo\ bar", r"/mnt/c/x foo\ bar"),
        ],
    );
}

#[test]
fn slashes_behind_a_space_belong_to_the_path() {
    check(
        "wsl-to-win",
        &[
            ("/mnt/c/My Docs/r.txt", r"C:\My Docs\r.txt"),
            ("see /mnt/c/My Docs/r.txt.", r"see C:\My Docs\r.txt."),
            ("/mnt/c/My Docs/2024/README", r"C:\My Docs\2024\README"),
            ("/mnt/c/App 2/x", r"C:\App 2\x"),
            ("/mnt/c/Users/x/OneDrive - Firm/y", r"C:\Users\x\OneDrive - Firm\y"),
            ("/mnt/c/Users/John Smith Jr/x", r"C:\Users\John Smith Jr\x"),
            ("/mnt/c/Documents and Settings/x", r"C:\Documents and Settings\x"),
            ("ls /mnt/c/My Docs/a /mnt/d/My Docs/b", r"ls C:\My Docs\a D:\My Docs\b"),
        ],
    );
}

#[test]
fn slashes_of_something_else_stay() {
    check(
        "wsl-to-win",
        &[
            ("/mnt/c/a.txt and/or b", r"C:\a.txt and/or b"),
            ("/mnt/c/a.txt And/or b", r"C:\a.txt And/or b"),
            ("/mnt/c/x and Docs/b", r"C:\x and Docs/b"),
            ("/mnt/c/x lib/y", r"C:\x lib/y"),
            ("/mnt/c/x /Users/y", r"C:\x /Users/y"),
            ("/mnt/c Docs/x", r"C:\ Docs/x"),
            ("/mnt/c/ Docs/x", r"C:\ Docs/x"),
            ("/mnt/c/x. Docs/x", r"C:\x. Docs/x"),
            ("/mnt/c/x, Docs/x", r"C:\x, Docs/x"),
            ("/mnt/c/x  Docs/x", r"C:\x  Docs/x"),
            ("/mnt/c/x\nDocs/x", "C:\\x\nDocs/x"),
            ("/mnt/c/x Docs/", r"C:\x Docs/"),
            ("GET /mnt/c/x HTTP/1.1", r"GET C:\x HTTP/1.1"),
            ("/mnt/c/x Mozilla/5.0 (a)", r"C:\x Mozilla/5.0 (a)"),
            ("/mnt/c/x 12/31/2024 I/O", r"C:\x 12/31/2024 I/O"),
            ("/mnt/c/x 3/5 passed", r"C:\x 3/5 passed"),
            ("/mnt/c/x Http://x/y", r"C:\x Http://x/y"),
        ],
    );
}

#[test]
fn a_path_with_spaces_is_stripped_as_a_whole() {
    check(
        "strip",
        &[
            (r"in C:\Users\John Smith\x.txt.", "in <path>."),
            (r"\\server\My Share\x", "<path>"),
            ("at /home/dev/My Project/a.py:3", "at <path>:3"),
            ("GET /home/x HTTP/1.1", "GET <path> HTTP/1.1"),
        ],
    );
    check_unchanged("strip", &["/api/users Foo/bar", "GET /v1/users HTTP/1.1"]);
}

#[test]
fn the_working_directory_is_known_with_its_spaces() {
    let said = |rewriter: &PathRewriter, cwd: &str, text: &str| {
        let line = json!({"type":"user", "message": {"content": text}, "cwd": cwd}).to_string();
        let line: Value = serde_json::from_slice(&rewriter.line(line.as_bytes()).bytes).unwrap();
        line["message"]["content"].as_str().unwrap().to_owned()
    };
    for (word, cwd, text, expected) in [
        ("strip", "/home/dev/my project", "see /home/dev/my project/a.py.", "see <path>/a.py."),
        ("strip", "/home/dev/my project", "in /home/dev/my project, or", "in <path>, or"),
        ("strip", "/home/dev/my project/", "/home/dev/my project is here", "<path> is here"),
        ("strip", "/home/dev/my project", "/home/dev/my projects/a", "<path> projects/a"),
        ("strip", "/home/dev/my project", "'/home/dev/my project/a b.py' c", "'<path>/a b.py' c"),
        ("strip", "/api/my project", "/api/my project/a", "<path>/a"),
        ("strip", r"C:\my own little old home", r"c:\my own little old home\a", r"<path>\a"),
        ("strip", r"C:\my project", r#"\"C:\\my project\\a\""#, r#"\"<path>\\a\""#),
        ("wsl-to-win", "/mnt/c/my project", "cd /mnt/c/my project/src && x", r"cd C:\my project\src && x"),
        ("win-to-wsl", r"C:\a - b and c", r"(C:\a - b and c\d)", "(/mnt/c/a - b and c/d)"),
    ] {
        assert_eq!(said(&by(&[word]), cwd, text), expected, "{text}");
    }
    let known = by(&["strip"]).working_in("/home/dev/my project");
    assert_eq!(said(&known, "/x", "/home/dev/my project/a.py"), "<path>/a.py");
}

#[test]
fn a_move_between_systems_takes_the_spaces_along() {
    for (word, key, text, expected) in [
        (r"C:\proj=/p", "text", r"C:\proj\My Docs\x.txt a\b", r"/p/My Docs/x.txt a\b"),
        (r"C:\proj=/p", "text", r#""C:\proj\a b\c" d\e"#, r#""/p/a b/c" d\e"#),
        (r"C:\proj=/p", "file_path", r"C:\proj\a b\c", "/p/a b/c"),
        (r"C:\my proj=/p", "text", r"C:\my proj\a, b\c", r"/p/a, b\c"),
        (r"/p=C:\proj", "text", "/p/My Docs/x and/or y", r"C:\proj\My Docs\x and/or y"),
        (r"/p=C:\proj", "text", "'/p/my docs/x' a/b", r"'C:\proj\my docs\x' a/b"),
        ("/p=/q", "text", "/p/My Docs/p /p", "/q/My Docs/p /q"),
    ] {
        assert_eq!(under(&by(&[word]), key, text), expected, "{word} {text}");
    }
}

#[test]
fn long_texts_of_nothing_but_spaces_and_beginnings_take_no_longer() {
    for part in [r"C:\a b ", "/mnt/c/a B ", "/mnt/c/a B/", r"C:\a b\", "@/a/", "/a B", "@/a B/c@/a", "'/a b "]
    {
        let text = part.repeat(100_000 / part.len());
        for word in ["wsl-to-win", "win-to-wsl", "strip", r"/a=C:\b", "/a=/b"] {
            under(&by(&[word]), "text", &text);
        }
    }
}
