//! Which files of a Claude directory are kept, as what, and what is wrong with the others.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};

use steno_source::{Class, Error, Inventory, WarningKind, inventory, session_of_old_agent};

use crate::disk::tree::Tree;

const ID: &str = "0b5f8a52-1c1e-4a6e-9a52-0123456789ab";

fn look(tree: &Tree) -> Inventory {
    inventory(&tree.at("c")).unwrap()
}

fn kept_paths(found: &Inventory) -> Vec<String> {
    found.files.iter().map(|file| text(&file.path)).collect()
}

/// With the same separators everywhere.
fn text(path: &Path) -> String {
    path.to_str().unwrap().replace(MAIN_SEPARATOR, "/")
}

fn part(session: &str) -> Class {
    Class::Part(session.into())
}

#[test]
fn a_whole_directory_in_order_with_whose_it_is() {
    let below = |path: &str| path.replace("ID", ID);
    let expected = [
        ("CLAUDE.md", Class::Config),
        ("agents/reviewer.md", Class::Config),
        ("commands/deep/er/go.md", Class::Config),
        ("file-history/ID/1@v1", part(ID)),
        ("history.jsonl", Class::History),
        ("hooks/stop.sh", Class::Config),
        ("keybindings.json", Class::Config),
        ("output-styles/terse.md", Class::Config),
        ("plans/calm-tea.md", Class::Plan { slug: "calm-tea".into() }),
        ("plugins/installed_plugins.json", Class::Config),
        ("projects/-a/.session-aliases", Class::Project),
        ("projects/-a/ID/subagents/agent-1.jsonl", part(ID)),
        ("projects/-a/ID/subagents/agent-1.meta.json", part(ID)),
        ("projects/-a/ID/tool-results/b1.txt", part(ID)),
        ("projects/-a/ID/unheard/of", part(ID)),
        ("projects/-a/ID.jsonl", Class::Transcript(ID.into())),
        ("projects/-a/ID.jsonl.bak", Class::Project),
        ("projects/-a/agent-7.jsonl", Class::OldAgent),
        ("projects/-a/memory/.git/HEAD", Class::Project),
        ("projects/-a/memory/MEMORY.md", Class::Project),
        ("projects/-a-b/s1.jsonl", Class::Transcript("s1".into())),
        ("rules/one.md", Class::Config),
        ("settings.json", Class::Config),
        ("settings.local.json", Class::Config),
        ("skills/a/SKILL.md", Class::Config),
        ("tasks/ID/1.json", part(ID)),
        ("todos/ID-agent-ID.json", part(ID)),
    ];
    let tree = Tree::new(&[]);
    for (path, _) in &expected {
        tree.file(&format!("c/{}", below(path)), "12345");
    }
    let found = look(&tree);
    let classes: Vec<_> = found.files.iter().map(|file| (text(&file.path), file.class.clone())).collect();
    assert_eq!(classes, expected.map(|(path, class)| (below(path), class)));
    assert!(found.files.is_sorted_by(|one, other| one.path < other.path));
    assert!(found.warnings.is_empty() && found.withheld.is_empty());
    for file in &found.files {
        let metadata = fs::metadata(&file.absolute).unwrap();
        assert_eq!((file.len, file.modified), (5, metadata.modified().unwrap()));
        assert_eq!(file.absolute, tree.at("c").join(&file.path));
        assert_eq!(file.inode.is_some(), cfg!(unix));
    }
}

#[test]
fn what_is_never_kept() {
    let tree = Tree::new(&[("c/settings.json", "{}")]);
    for path in [
        ".claude.json",
        ".credentials.json",
        ".encryption_key",
        ".last-cleanup",
        ".steno-settings.json.1",
        "cache/changelog.md",
        "debug/1.txt",
        "hooks/node_modules/a/index.js",
        "ide/1.lock",
        "plugins/cache/a/plugin.json",
        "plugins/notes.txt",
        "projects/-a/.steno-1/s1.jsonl",
        "projects/-a/.steno-s1.jsonl",
        "sessions/77.json",
        "sessions/77.key",
        "shell-snapshots/1.sh",
        "skills/a/.git/config",
        "skills/a/.venv/bin/python",
        "skills/a/__pycache__/a.pyc",
        "statsig/1",
    ] {
        tree.file(&format!("c/{path}"), "");
    }
    let found = look(&tree);
    assert_eq!(kept_paths(&found), ["settings.json"]);
    assert!(found.warnings.is_empty() && found.withheld.is_empty());
}

#[test]
fn secrets_among_what_is_kept_are_named() {
    let secrets = [
        "hooks/.encryption_key",
        "projects/-a/memory/.credentials.json",
        "projects/-a/s1/tool-results/server.pem",
        "skills/a/api.key",
        "skills/a/id_ed25519",
        "skills/a/id_rsa",
    ];
    let tree = Tree::new(&[("c/skills/a/id_rsa.pub", "")]);
    for path in secrets {
        tree.file(&format!("c/{path}"), "");
    }
    let found = look(&tree);
    assert_eq!(kept_paths(&found), ["skills/a/id_rsa.pub"]);
    assert_eq!(found.withheld, secrets.map(std::path::PathBuf::from));
}

#[test]
fn sessions_without_a_uuid_own_their_directories_too() {
    let tree = Tree::new(&[
        ("c/projects/-a/s1.jsonl", ""),
        ("c/projects/-b/s1/note.txt", ""),
        ("c/projects/-b/gone/tool-results/b1.txt", ""),
        ("c/projects/-b/gone/note.txt", ""),
        ("c/projects/-b/memory/note.txt", ""),
    ]);
    let found = look(&tree);
    let owners: Vec<_> = found.files.iter().map(|file| file.session().map(|id| id.as_str())).collect();
    assert_eq!(owners, [Some("s1"), Some("gone"), Some("gone"), None, Some("s1")]);
}

#[test]
fn old_agents_say_themselves_whose_they_are() {
    let tree = Tree::new(&[
        ("c/projects/-a/agent-1.jsonl", "{\"sessionId\":\"s1\"}\n"),
        ("c/projects/-a/agent-2.jsonl", ""),
    ]);
    let owners: Vec<_> = look(&tree).files.iter().map(|file| session_of_old_agent(&file.absolute)).collect();
    assert_eq!(owners, [Some("s1".into()), None]);
    assert_eq!(session_of_old_agent(&tree.at("c/gone.jsonl")), None);
}

#[test]
fn many_projects_are_found_in_order() {
    let tree = Tree::new(&[("c/projects/-p50x", "")]);
    for number in 0..100 {
        tree.file(&format!("c/projects/-p{number}/{ID}.jsonl"), "");
        tree.file(&format!("c/projects/-p{number}/{ID}/tool-results/b1.txt"), "");
    }
    let found = look(&tree);
    assert_eq!(found.files.len(), 201);
    assert!(found.files.is_sorted_by(|one, other| one.path < other.path));
}

#[test]
fn without_the_directory_there_is_no_inventory() {
    let tree = Tree::new(&[("f", ""), ("c/unrelated", "")]);
    assert!(matches!(inventory(&tree.at("gone")), Err(Error::MissingDirectory { .. })));
    assert!(matches!(inventory(&tree.at("f")), Err(Error::NotADirectory { .. })));
    assert_eq!(look(&tree), Inventory::default());
}

#[test]
fn what_stands_in_the_wrong_place_is_a_warning() {
    let tree =
        Tree::new(&[("c/projects", ""), ("c/skills", ""), ("c/CLAUDE.md/a", ""), ("c/todos/a.json", "")]);
    let found = look(&tree);
    assert_eq!(kept_paths(&found), ["todos/a.json"]);
    let warned: Vec<_> = found.warnings.iter().map(|w| (tree.relative(&w.path), w.kind)).collect();
    assert_eq!(
        warned,
        [
            ("c/CLAUDE.md".to_owned(), WarningKind::NotAFile),
            ("c/projects".to_owned(), WarningKind::NotADirectory),
            ("c/skills".to_owned(), WarningKind::NotADirectory),
        ]
    );
}
