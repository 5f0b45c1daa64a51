//! A transcript by its path, inside the layout and outside of it.

use steno_source::{Error, discover, locate, siblings};

use crate::disk::tree::Tree;

#[test]
fn a_transcript_anywhere_is_found_with_what_lies_beside_it() {
    let tree = Tree::new(&[
        ("mail/s1.jsonl", "12"),
        ("mail/s1/subagents/agent-a1.jsonl", ""),
        ("mail/s1/tool-results/b1.txt", ""),
        ("mail/agent-x1.jsonl", "{\"sessionId\":\"s1\"}\n"),
        ("mail/agent-x2.jsonl", "{\"sessionId\":\"s2\"}\n"),
        ("mail/agent-x3.jsonl", ""),
    ]);
    let located = locate(&tree.at("mail/s1.jsonl")).unwrap();
    assert_eq!(located.warnings, []);
    let session = located.session;
    assert_eq!((session.id.as_str(), session.len), ("s1", 2));
    assert_eq!((session.claude_dir, session.project_hash), (None, None));
    assert_eq!(session.directory, Some(tree.at("mail/s1")));
    let agents: Vec<_> = session.agents.iter().map(|agent| (agent.id.as_str(), agent.old_layout)).collect();
    assert_eq!(agents, [("a1", false), ("x1", true)]);
    assert_eq!(session.tool_results.len(), 1);
}

#[test]
fn inside_the_layout_it_is_what_discovery_finds() {
    let tree = Tree::new(&[
        ("c/projects/-a/s1.jsonl", "12"),
        ("c/projects/-a/s1/custom-title.json", r#"{"customTitle":"Tea"}"#),
        ("c/projects/-a/agent-x1.jsonl", "{\"sessionId\":\"s1\"}\n"),
    ]);
    let claude_dir = tree.at("c").canonicalize().unwrap();
    let discovery = discover(std::slice::from_ref(&claude_dir)).unwrap();
    let located = locate(&claude_dir.join("projects/-a/s1.jsonl")).unwrap();
    assert_eq!(located.session, discovery.projects[0].sessions[0]);
}

#[test]
fn an_agent_s_file_is_a_transcript_of_its_own() {
    let tree = Tree::new(&[
        ("c/projects/-a/agent-x1.jsonl", "{\"sessionId\":\"agent-x1\"}\n"),
        ("c/projects/-a/agent-x2.jsonl", "{\"sessionId\":\"s1\"}\n"),
    ]);
    let session = locate(&tree.at("c/projects/-a/agent-x1.jsonl")).unwrap().session;
    assert_eq!((session.id.as_str(), session.agents.len()), ("agent-x1", 0));
    assert_eq!(session.project_hash.as_deref(), Some("-a"));
}

#[test]
fn a_name_without_extension_is_not_its_own_directory() {
    let tree = Tree::new(&[("mail/s1", "")]);
    let session = locate(&tree.at("mail/s1")).unwrap().session;
    assert_eq!((session.id.as_str(), session.directory), ("s1", None));
}

#[test]
fn what_is_no_file_is_an_error() {
    let tree = Tree::new(&[]);
    tree.directory("mail");
    assert!(matches!(locate(&tree.at("mail")), Err(Error::NotAFile { .. })));
    assert!(matches!(locate(&tree.at("mail/s1.jsonl")), Err(Error::MissingFile { .. })));
}

#[cfg(unix)]
#[test]
fn what_would_block_is_never_opened() {
    let tree = Tree::new(&[("mail/s1.jsonl", "")]);
    let socket = tree.at("mail/s2.jsonl");
    let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert!(matches!(locate(&socket), Err(Error::NotAFile { .. })));
    assert!(siblings(&tree.at("mail/s1.jsonl")).transcripts.is_empty());
}

#[test]
fn other_transcripts_of_the_folder_are_siblings() {
    let tree = Tree::new(&[
        ("c/projects/-a/s1.jsonl", ""),
        ("c/projects/-a/s2.jsonl", ""),
        ("c/projects/-a/s0.jsonl", ""),
        ("c/projects/-a/agent-x1.jsonl", ""),
        ("c/projects/-a/notes.txt", ""),
        ("c/projects/-b/s3.jsonl", ""),
    ]);
    let found = siblings(&tree.at("c/projects/-a/s1.jsonl"));
    let ids: Vec<_> = found.transcripts.iter().map(|sibling| sibling.id.as_str()).collect();
    assert_eq!((ids, found.warnings), (vec!["s0", "s2"], vec![]));
    assert_eq!(found.transcripts[1].path, tree.at("c/projects/-a/s2.jsonl"));
    assert!(siblings(&tree.at("gone/s1.jsonl")).transcripts.is_empty());
}
