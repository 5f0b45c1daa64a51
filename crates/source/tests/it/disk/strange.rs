//! What should not be on disk, and is: everything around it is still found.

use steno_source::{Discovery, Error, WarningKind, discover};

use crate::disk::tree::Tree;

/// The ids of all sessions, and path and kind of all warnings.
fn look(tree: &Tree) -> (Vec<String>, Vec<(String, WarningKind)>) {
    let Discovery { projects, warnings } = discover(&[tree.at("c")]).unwrap();
    let sessions = projects.iter().flat_map(|project| &project.sessions);
    let warned = warnings.iter().map(|warning| (tree.relative(&warning.path), warning.kind));
    (sessions.map(|session| session.id.to_string()).collect(), warned.collect())
}

fn one(path: &str, kind: WarningKind) -> Vec<(String, WarningKind)> {
    vec![(path.to_owned(), kind)]
}

#[test]
fn files_in_place_of_directories() {
    for path in
        ["c/projects/file", "c/projects/-a/s1", "c/projects/-a/s2/subagents", "c/projects/-a/s2/tool-results"]
    {
        let tree = Tree::new(&[
            ("c/projects/-a/s1.jsonl", ""),
            ("c/projects/-a/s2.jsonl", ""),
            ("c/projects/-a/s2/custom-title.json", r#"{"customTitle":"t"}"#),
        ]);
        tree.file(path, "");
        let (sessions, warnings) = look(&tree);
        assert_eq!(sessions, ["s1", "s2"]);
        assert_eq!(warnings, one(path, WarningKind::NotADirectory));
    }
}

#[test]
fn a_file_in_place_of_the_projects() {
    let tree = Tree::new(&[("c/projects", "")]);
    assert_eq!(look(&tree), (vec![], one("c/projects", WarningKind::NotADirectory)));
}

#[test]
fn a_file_in_place_of_the_claude_directory() {
    let tree = Tree::new(&[("c", ""), ("d/projects/-a/s1.jsonl", "")]);
    let error = discover(&[tree.at("c")]).unwrap_err();
    assert!(matches!(error, Error::NotADirectory { path } if path == tree.at("c")));
    // Windows only says that there is no such path.
    let error = discover(&[tree.at("c/below")]).unwrap_err();
    assert!(cfg!(windows) || matches!(error, Error::NotADirectory { path } if path == tree.at("c/below")));
    let discovery = discover(&[tree.at("c"), tree.at("d")]).unwrap();
    let warned: Vec<_> = discovery.warnings.iter().map(|warning| (&warning.path, warning.kind)).collect();
    assert_eq!(warned, [(&tree.at("c"), WarningKind::NotADirectory)]);
    assert_eq!(discovery.projects.len(), 1);
}

#[test]
fn directories_in_place_of_files() {
    for path in ["c/projects/-a/s0.jsonl", "c/projects/-a/agent-1.jsonl"] {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
        tree.directory(path);
        assert_eq!(look(&tree), (vec!["s1".to_owned()], one(path, WarningKind::NotAFile)));
    }
}

#[test]
fn sidecars_that_hold_something_else() {
    let title = "c/projects/-a/s1/custom-title.json";
    for (path, text) in [(title, "{}"), (title, "{\"custom"), (title, "")] {
        let tree = Tree::new(&[
            ("c/projects/-a/s1.jsonl", ""),
            ("c/projects/-a/s1/subagents/agent-a1.jsonl", ""),
            (path, text),
        ]);
        assert_eq!(look(&tree), (vec!["s1".to_owned()], one(path, WarningKind::BadSidecar)), "{text:?}");
    }
}

#[test]
fn a_meta_that_holds_something_else_is_told_to_whom_asks_for_it() {
    let meta = "c/projects/-a/s1/subagents/agent-a1.meta.json";
    for text in ["[1]", "\u{0}"] {
        let tree = Tree::new(&[
            ("c/projects/-a/s1.jsonl", ""),
            ("c/projects/-a/s1/subagents/agent-a1.jsonl", ""),
            (meta, text),
        ]);
        let found = steno_source::discover(&[tree.at("c")]).unwrap();
        let mut warnings = Vec::new();
        assert_eq!(found.projects[0].sessions[0].agents[0].read_meta(&mut warnings), None);
        let kinds: Vec<WarningKind> = warnings.iter().map(|warning| warning.kind).collect();
        assert_eq!((found.warnings.len(), kinds), (0, vec![WarningKind::BadSidecar]), "{text:?}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::{self, Permissions};
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn dangling_links() {
        for path in
            ["c/projects/-b", "c/projects/-a/s0.jsonl", "c/projects/-a/s1", "c/projects/-a/s2/subagents"]
        {
            let tree = Tree::new(&[("c/projects/-a/s1.jsonl", ""), ("c/projects/-a/s2.jsonl", "")]);
            tree.link(path, "nowhere");
            let (sessions, warnings) = look(&tree);
            assert_eq!(sessions, ["s1", "s2"]);
            assert_eq!(warnings, one(path, WarningKind::DanglingLink));
        }
    }

    #[test]
    fn links_to_themselves() {
        for path in ["c/projects/-b", "c/projects/-a/s0.jsonl", "c/projects/-a/s1/subagents/x"] {
            let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
            tree.link(path, tree.at(path));
            assert_eq!(look(&tree), (vec!["s1".to_owned()], one(path, WarningKind::CyclicLink)));
        }
    }

    #[test]
    fn a_claude_directory_that_cannot_be_reached() {
        let tree = Tree::new(&[("d/projects/-a/s1.jsonl", "")]);
        tree.link("c", tree.at("c"));
        let error = discover(&[tree.at("c")]).unwrap_err();
        assert!(matches!(error, Error::Unreadable { path, .. } if path == tree.at("c")));
        let discovery = discover(&[tree.at("c"), tree.at("d")]).unwrap();
        assert_eq!(discovery.warnings[0].kind, WarningKind::CyclicLink);
    }

    #[test]
    fn a_claude_directory_that_may_not_be_read() {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
        for path in ["c", "c/projects"] {
            fs::set_permissions(tree.at(path), Permissions::from_mode(0o000)).unwrap();
            let may_read_all = fs::read_dir(tree.at("c/projects")).is_ok();
            let found = discover(&[tree.at("c")]);
            fs::set_permissions(tree.at(path), Permissions::from_mode(0o700)).unwrap();
            if may_read_all {
                return;
            }
            assert!(matches!(found, Err(Error::Unreadable { path, .. }) if path == tree.at("c/projects")));
        }
    }

    #[test]
    fn links_to_the_directory_they_stand_in() {
        for path in ["subagents", "subagents/deep/loop", "tool-results", "other"] {
            let tree = Tree::new(&[("c/projects/-a/s1.jsonl", ""), ("c/projects/-a/s1/notes", "")]);
            let path = format!("c/projects/-a/s1/{path}");
            tree.link(&path, tree.at("c/projects"));
            assert_eq!(look(&tree), (vec!["s1".to_owned()], one(&path, WarningKind::CyclicLink)));
        }
    }

    #[test]
    fn links_out_of_a_session_s_directory() {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", ""), ("elsewhere/agent-a1.jsonl", "")]);
        tree.link("c/projects/-a/s1/subagents", tree.at("elsewhere"));
        tree.link("c/projects/-a/s1/other", tree.at("elsewhere"));
        tree.link("c/projects/-a/s1/note", tree.at("elsewhere/agent-a1.jsonl"));
        let discovery = discover(&[tree.at("c")]).unwrap();
        let session = &discovery.projects[0].sessions[0];
        assert_eq!(session.agents.len(), 1, "a named part may lie elsewhere");
        assert_eq!(tree.relatives(&session.sidecars), ["c/projects/-a/s1/note"]);
        assert_eq!(discovery.warnings[0].kind, WarningKind::LinkedDirectory);
    }

    #[test]
    fn linked_files_and_projects_are_followed_once() {
        let tree = Tree::new(&[("c/projects/-b/s1.jsonl", "12"), ("elsewhere/s2.jsonl", "123")]);
        tree.link("c/projects/-a", tree.at("c/projects/-b"));
        tree.link("c/projects/-c", tree.at("elsewhere"));
        tree.link("c/projects/-d", tree.at("elsewhere"));
        tree.link("c/projects/-b/s1-again.jsonl", "s1.jsonl");
        tree.link("c/projects/-b/s3.jsonl", tree.at("elsewhere/../elsewhere/s2.jsonl"));
        tree.file("outside.jsonl", "1234");
        tree.link("c/projects/-b/s4.jsonl", tree.at("outside.jsonl"));

        let discovery = discover(&[tree.at("c")]).unwrap();

        assert_eq!(discovery.warnings, []);
        let listed = discovery.projects.iter().map(|project| {
            let sessions =
                project.sessions.iter().map(|session| (session.id.as_str(), session.len)).collect();
            (project.project_hash.as_str(), sessions)
        });
        let listed: Vec<(&str, Vec<(&str, u64)>)> = listed.collect();
        assert_eq!(listed, [("-b", vec![("s1", 2), ("s4", 4)]), ("-c", vec![("s2", 3)])]);
    }

    #[test]
    fn a_link_is_a_session_where_nothing_else_stands_for_its_target() {
        let tree = Tree::new(&[("c/projects/-b/notes.bak", "1"), ("c/projects/-hidden/s2.jsonl", "12")]);
        tree.link("c/projects/-a/s1.jsonl", "../-b/notes.bak");
        tree.link("c/projects/-a/s2.jsonl", "../-hidden/s2.jsonl");
        fs::set_permissions(tree.at("c/projects/-hidden"), Permissions::from_mode(0o311)).unwrap();
        let may_read_all = fs::read_dir(tree.at("c/projects/-hidden")).is_ok();
        let discovery = discover(&[tree.at("c")]).unwrap();
        fs::set_permissions(tree.at("c/projects/-hidden"), Permissions::from_mode(0o700)).unwrap();

        let linked = discovery.projects[0].sessions.iter().map(|session| session.id.as_str());
        let expected: &[&str] = if may_read_all { &["s1"] } else { &["s1", "s2"] };
        assert_eq!(linked.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_linked_claude_directory_is_the_same_one() {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
        tree.link("d", tree.at("c"));
        tree.link("e/projects", tree.at("c/projects"));
        let discovery = discover(&[tree.at("e"), tree.at("c"), tree.at("d")]).unwrap();
        assert_eq!((discovery.projects.len(), discovery.warnings), (1, vec![]));
    }

    #[test]
    fn what_may_not_be_read() {
        for path in ["c/projects/-b", "c/projects/-a/s1", "c/projects/-a/agent-1.jsonl"] {
            let tree = Tree::new(&[
                ("c/projects/-a/s1.jsonl", ""),
                ("c/projects/-a/agent-1.jsonl", ""),
                ("c/projects/-a/s1/custom-title.json", r#"{"customTitle":"t"}"#),
                ("c/projects/-b/s2.jsonl", ""),
            ]);
            let locked = tree.at(path);
            let before = fs::metadata(&locked).unwrap().permissions();
            fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
            let may_read_all = fs::File::open(&locked).is_ok();
            let (sessions, warnings) = look(&tree);
            fs::set_permissions(&locked, before).unwrap();
            if may_read_all {
                return;
            }
            assert!(sessions.contains(&"s1".to_owned()));
            assert_eq!(warnings, one(path, WarningKind::Unreadable));
        }
    }

    #[test]
    fn a_socket_is_not_a_transcript() {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
        let path = "c/projects/-a/s0.jsonl";
        let _socket = std::os::unix::net::UnixListener::bind(tree.at(path)).unwrap();
        assert_eq!(look(&tree), (vec!["s1".to_owned()], one(path, WarningKind::NotAFile)));
    }

    /// Some file systems refuse such names; then there is nothing to find.
    #[test]
    fn names_that_are_not_utf_8() {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
        let name = OsStr::from_bytes(b"s\xff");
        let transcript = tree.at("c/projects/-a").join(OsStr::from_bytes(b"s\xff.jsonl"));
        if fs::write(&transcript, "12").is_err() {
            return;
        }
        let subagents = tree.at("c/projects/-a").join(name).join("subagents");
        fs::create_dir_all(&subagents).unwrap();
        fs::write(subagents.join("agent-a1.jsonl"), "").unwrap();

        let discovery = discover(&[tree.at("c")]).unwrap();

        let session = &discovery.projects[0].sessions[1];
        assert_eq!((session.id.as_str(), &session.transcript), ("s\u{fffd}", &transcript));
        assert_eq!(session.agents.len(), 1);
        assert_eq!(discovery.warnings.len(), 1);
        assert_eq!(
            (&discovery.warnings[0].path, discovery.warnings[0].kind),
            (&transcript, WarningKind::NameNotText)
        );
    }
}
