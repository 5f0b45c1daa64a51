//! Patches: what they look like, and that applying one to the content before gives the content after.

use insta::assert_snapshot;
use proptest::prelude::*;
use steno_conversation::changes::{FileChange, Part};
use steno_render::{FileKind, FilePatch, patch};

fn change(path: &str, before: Option<&str>, after: Option<&str>) -> FileChange {
    let part = Part::Whole { before: before.map(str::to_owned), after: after.map(str::to_owned) };
    FileChange { path: path.to_owned(), parts: vec![part], edits: 1, notes: Vec::new() }
}

fn of(before: Option<&str>, after: Option<&str>) -> FilePatch {
    patch(&change("/p/src/a.rs", before, after), Some("/p"), false)
}

#[test]
fn a_change_is_shown_as_git_shows_it() {
    let patch = of(Some("1\n2\n3\n4\n5\n6\n7\n8\n"), Some("1\n2\n3\n4\nfive\n6\n7\n8"));
    assert_eq!((patch.kind, patch.additions, patch.deletions), (FileKind::Modified, 2, 2));
    assert_snapshot!(patch.text, @r"
    diff --git a/src/a.rs b/src/a.rs
    --- a/src/a.rs
    +++ b/src/a.rs
    @@ -2,7 +2,7 @@
     2
     3
     4
    -5
    +five
     6
     7
    -8
    +8
    \ No newline at end of file
    ");
}

#[test]
fn a_new_file_comes_from_nothing_and_reversed_goes_there() {
    let new = of(None, Some("one\n"));
    assert_eq!(new.kind, FileKind::Added);
    assert_snapshot!(new.text, @r"
    diff --git a/src/a.rs b/src/a.rs
    new file mode 100644
    --- /dev/null
    +++ b/src/a.rs
    @@ -0,0 +1 @@
    +one
    ");
    let reversed = patch(&change("/p/src/a.rs", None, Some("one\n")), Some("/p"), true);
    assert_eq!(reversed.kind, FileKind::Deleted);
    assert_snapshot!(reversed.text, @r"
    diff --git a/src/a.rs b/src/a.rs
    deleted file mode 100644
    --- a/src/a.rs
    +++ /dev/null
    @@ -1 +0,0 @@
    -one
    ");
}

#[test]
fn a_hostile_path_is_quoted() {
    let patch = patch(&change("/p/a\"\n\u{1b}[2Jb", Some("1\n"), Some("2\n")), Some("/p"), false);
    assert_eq!(
        patch.text.lines().next(),
        Some(r#"diff --git "a/a\"\n\033[2Jb" "b/a\"\n\033[2Jb""#),
        "no escape reaches a terminal, no line is forged"
    );
}

#[test]
fn a_path_outside_the_root_keeps_its_directories() {
    let patch = patch(&change("/q/a", Some("1\n"), Some("2\n")), Some("/p"), false);
    assert_eq!((patch.path.as_str(), patch.text.lines().next()), ("/q/a", Some("diff --git a/q/a b/q/a")));
}

/// Applies the hunks of a patch as strictly as `git apply` does.
fn applied(before: &str, patch: &str) -> String {
    let mut old = before.split_inclusive('\n');
    let (mut taken, mut result) = (0, Vec::<String>::new());
    for line in patch.lines().skip_while(|line| !line.starts_with("@@")) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (start, rest) = header.split_once([',', ' ']).unwrap();
            let is_empty = rest.starts_with("0 ");
            let start = start.parse::<usize>().unwrap() - usize::from(!is_empty);
            result.extend(old.by_ref().take(start - taken).map(str::to_owned));
            taken = start;
        } else if line.starts_with('\\') {
            let last = result.last_mut().unwrap();
            if last.ends_with('\n') {
                last.pop();
            }
        } else if let Some(rest) = line.strip_prefix('+') {
            result.push(format!("{rest}\n"));
        } else {
            let removed = old.next().unwrap();
            assert_eq!(removed.trim_end_matches('\n'), &line[1..]);
            taken += 1;
            if line.starts_with(' ') {
                result.push(removed.to_owned());
            }
        }
    }
    result.extend(old.map(str::to_owned));
    result.concat()
}

fn text() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec(prop_oneof!["a", "b", "c", "[a-d]{1,3}"], 1..30);
    (lines, any::<bool>()).prop_map(|(lines, ends)| lines.join("\n") + if ends { "\n" } else { "" })
}

proptest! {
    #[test]
    fn a_patch_leads_from_before_to_after_and_its_reverse_back(before in text(), after in text()) {
        let change = change("/p/a", Some(&before), Some(&after));
        let marker = "\\ No newline at end of file";
        let forward = patch(&change, Some("/p"), false).text;
        // A marker after a removed line says nothing of the new content.
        let forward: Vec<&str> = strip_removed_markers(&forward, marker);
        prop_assert_eq!(applied(&before, &forward.join("\n")), after.clone());
        let back = patch(&change, Some("/p"), true).text;
        prop_assert_eq!(applied(&after, &strip_removed_markers(&back, marker).join("\n")), before);
    }
}

fn strip_removed_markers<'a>(patch: &'a str, marker: &str) -> Vec<&'a str> {
    let mut lines: Vec<&str> = Vec::new();
    for line in patch.lines() {
        if line == marker && lines.last().is_some_and(|last| last.starts_with('-')) {
            continue;
        }
        lines.push(line);
    }
    lines
}
