//! Links in a Claude directory: followed where people put them, and never further than is safe.

use std::os::unix::net::UnixListener;

use steno_source::{Class, WarningKind, inventory};

use crate::disk::tree::Tree;

const ID: &str = "0b5f8a52-1c1e-4a6e-9a52-0123456789ab";

/// Kept and withheld paths, and path and kind of all warnings.
fn look(tree: &Tree) -> (Vec<String>, Vec<String>, Vec<(String, WarningKind)>) {
    let found = inventory(&tree.at("c")).unwrap();
    assert!(found.files.is_sorted_by(|one, other| one.path < other.path));
    let kept = found.files.iter().map(|file| file.path.to_str().unwrap().to_owned());
    let withheld = found.withheld.iter().map(|path| path.to_str().unwrap().to_owned());
    let warned = found.warnings.iter().map(|warning| (tree.relative(&warning.path), warning.kind));
    (kept.collect(), withheld.collect(), warned.collect())
}

fn assert_kept(tree: &Tree, expected: &[&str]) {
    assert_eq!(look(tree), (expected.iter().map(|path| (*path).to_owned()).collect(), vec![], vec![]));
}

fn assert_warned(tree: &Tree, path: &str, kind: WarningKind) {
    let (_, _, warned) = look(tree);
    assert_eq!(warned, [(path.to_owned(), kind)]);
}

#[test]
fn settings_skills_and_projects_elsewhere() {
    let tree = Tree::new(&[
        ("dotfiles/claude.json", "{}"),
        ("dotfiles/skills/a/SKILL.md", "1234"),
        ("disk/-a/s1.jsonl", "12"),
        ("disk/-a/s1/note.txt", ""),
        ("shared/memory/MEMORY.md", ""),
    ]);
    tree.link("c/settings.json", tree.at("dotfiles/claude.json"));
    tree.link("c/skills", "../dotfiles/skills");
    tree.link("c/projects", tree.at("disk"));
    tree.link("disk/-a/memory", tree.at("shared/memory"));
    assert_kept(
        &tree,
        &[
            "projects/-a/memory/MEMORY.md",
            "projects/-a/s1/note.txt",
            "projects/-a/s1.jsonl",
            "settings.json",
            "skills/a/SKILL.md",
        ],
    );
    let found = inventory(&tree.at("c")).unwrap();
    assert_eq!(found.files[2].class, Class::Transcript("s1".into()));
    assert_eq!((found.files[2].len, found.files[4].len), (2, 4));
    assert_eq!(found.files[2].absolute, tree.at("c/projects/-a/s1.jsonl"));
}

#[test]
fn the_claude_directory_itself_may_be_a_link() {
    let tree = Tree::new(&[("real/projects/-a/s1.jsonl", "")]);
    tree.link("c", tree.at("real"));
    tree.link("real/projects/-b", tree.at("real/projects/-a"));
    assert_kept(&tree, &["projects/-a/s1.jsonl"]);
}

#[test]
fn a_second_way_to_a_session_is_no_second_session() {
    let tree = Tree::new(&[
        ("c/projects/-m/s1.jsonl", ""),
        ("disk/p/s2.jsonl", ""),
        ("disk/s3.jsonl", ""),
        (&format!("c/projects/-m/{ID}/note.txt"), ""),
    ]);
    tree.link("c/projects/-a", "-m");
    tree.link("c/projects/-z/s1.jsonl", "../-m/s1.jsonl");
    tree.link(&format!("c/projects/-z/{ID}"), tree.at(&format!("c/projects/-m/{ID}")));
    tree.link("c/projects/-x", tree.at("disk/p"));
    tree.link("c/projects/-y", tree.at("disk/p"));
    tree.link("c/projects/-m/s3.jsonl", tree.at("disk/s3.jsonl"));
    tree.link("c/projects/-z/s3.jsonl", tree.at("disk/s3.jsonl"));
    let note = format!("projects/-m/{ID}/note.txt");
    assert_kept(&tree, &[&note, "projects/-m/s1.jsonl", "projects/-m/s3.jsonl", "projects/-x/s2.jsonl"]);
}

#[test]
fn what_projects_and_commands_share_is_each_one_s_own() {
    let tree = Tree::new(&[("c/projects/-a/memory/m.md", ""), ("c/skills/s/go.md", "")]);
    tree.link("c/projects/-b/memory", "../-a/memory");
    tree.link("c/commands/s", "../skills/s");
    tree.link("c/commands/again.md", "../skills/s/go.md");
    assert_kept(
        &tree,
        &[
            "commands/again.md",
            "commands/s/go.md",
            "projects/-a/memory/m.md",
            "projects/-b/memory/m.md",
            "skills/s/go.md",
        ],
    );
}

#[test]
fn links_keep_no_secrets() {
    let tree = Tree::new(&[
        ("ssh/id_ed25519", ""),
        ("ssh/known_hosts", ""),
        ("c/.credentials.json", ""),
        ("c/sessions/1.json", ""),
        ("c/statsig/1", ""),
        ("repository/.git/config", ""),
    ]);
    tree.link("c/CLAUDE.md", tree.at("ssh/id_ed25519"));
    tree.link("c/projects/-a/notes.md", "../../.credentials.json");
    tree.link("c/projects/-a/live", "../../sessions");
    tree.link("c/skills/id_rsa", tree.at("ssh/known_hosts"));
    tree.link("c/skills/s", tree.at("ssh"));
    tree.link("c/skills/t", tree.at("repository/.git"));
    tree.link("c/todos", "statsig");
    let withheld = [
        "CLAUDE.md",
        "projects/-a/live",
        "projects/-a/notes.md",
        "skills/id_rsa",
        "skills/s/id_ed25519",
        "skills/t",
        "todos",
    ];
    let withheld = withheld.map(str::to_owned).to_vec();
    assert_eq!(look(&tree), (vec!["skills/s/known_hosts".to_owned()], withheld, vec![]));
}

#[test]
fn circles_end() {
    for target in [".", "..", "../..", "../../..", "/"] {
        let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
        tree.link("c/projects/-a/up", target);
        assert_warned(&tree, "c/projects/-a/up", WarningKind::CyclicLink);
    }
    let tree = Tree::new(&[("c/settings.json", "")]);
    tree.link("c/projects", "projects");
    assert_warned(&tree, "c/projects", WarningKind::CyclicLink);
    let tree = Tree::new(&[("c/skills/a/x", ""), ("c/skills/b/y", "")]);
    tree.link("c/skills/a/to", "../b");
    tree.link("c/skills/b/to", "../a");
    let (kept, _, warned) = look(&tree);
    assert_eq!(kept, ["skills/a/to/y", "skills/a/x", "skills/b/to/x", "skills/b/y"]);
    let cyclic = |path: &str| (path.to_owned(), WarningKind::CyclicLink);
    assert_eq!(warned, [cyclic("c/skills/a/to/to"), cyclic("c/skills/b/to/to")]);
}

#[test]
fn a_knot_of_links_is_cut() {
    let tree = Tree::new(&[("c/settings.json", "")]);
    tree.link("c/skills/s", tree.at("0"));
    for number in 0..9 {
        tree.link(&format!("{number}/n"), tree.at(&(number + 1).to_string()));
    }
    tree.directory("9");
    assert_warned(&tree, "c/skills/s/n/n/n/n", WarningKind::LinkedDirectory);
}

#[test]
fn links_that_lead_nowhere() {
    for path in ["c/settings.json", "c/projects", "c/projects/-a", "c/projects/-a/s1.jsonl", "c/skills/a"] {
        let tree = Tree::new(&[("c/CLAUDE.md", "")]);
        tree.link(path, "/nowhere/at/all");
        assert_warned(&tree, path, WarningKind::DanglingLink);
    }
}

#[test]
fn links_to_the_wrong_kind_of_thing() {
    let tree = Tree::new(&[("file", ""), ("directory/file", "")]);
    tree.link("c/projects", tree.at("file"));
    tree.link("c/settings.json", tree.at("directory"));
    let (kept, _, warned) = look(&tree);
    assert!(kept.is_empty());
    assert_eq!(
        warned,
        [
            ("c/projects".to_owned(), WarningKind::NotADirectory),
            ("c/settings.json".to_owned(), WarningKind::NotAFile)
        ]
    );
}

#[test]
fn sockets_and_devices_are_not_kept() {
    let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
    let _socket = UnixListener::bind(tree.at("c/projects/-a/s2.jsonl")).unwrap();
    tree.link("c/CLAUDE.md", "/dev/null");
    let (kept, _, warned) = look(&tree);
    assert_eq!(kept, ["projects/-a/s1.jsonl"]);
    let not_a_file = |path: &str| (path.to_owned(), WarningKind::NotAFile);
    assert_eq!(warned, [not_a_file("c/CLAUDE.md"), not_a_file("c/projects/-a/s2.jsonl")]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_are_kept() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
    let odd = OsStr::from_bytes(b"\xff.jsonl");
    let below = tree.at("c/file-history/s1").join(odd);
    std::fs::create_dir_all(below.parent().unwrap()).unwrap();
    std::fs::write(below, "").unwrap();
    std::fs::write(tree.at("c/projects/-a").join(odd), "").unwrap();
    let found = inventory(&tree.at("c")).unwrap();
    let classes: Vec<_> = found.files.iter().map(|file| file.class.clone()).collect();
    let transcript = |id: &str| Class::Transcript(id.into());
    assert_eq!(classes, [Class::Part("s1".into()), transcript("s1"), transcript("\u{fffd}")]);
    assert_eq!(found.files[2].path.file_name(), Some(odd));
    let warned: Vec<_> = found.warnings.iter().map(|warning| warning.kind).collect();
    assert_eq!(warned, [WarningKind::NameNotText]);
}
