//! A walk that knows what directories held → what a walk that lists them all finds.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use steno_source::{Atlas, Discovery, discover, discover_by};

use crate::disk::tree::Tree;

const AGENT: &str = "{\"sessionId\":\"s1\"}\n";

fn tree() -> Tree {
    Tree::new(&[
        ("c/projects/-a/s1.jsonl", "{}\n"),
        ("c/projects/-a/s1/subagents/agent-x.jsonl", "{}\n"),
        ("c/projects/-a/s1/tool-results/b1.txt", "long"),
        ("c/projects/-a/agent-y.jsonl", AGENT),
        ("c/projects/-b/s2.jsonl", "{}\n{}\n"),
    ])
}

/// Late enough that everything has been left alone for long.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(3600)
}

/// What is found, and what is remembered of it if that is new.
fn walk(tree: &Tree, known: &[u8], now: SystemTime) -> (Discovery, Option<Vec<u8>>) {
    let claude_dirs = [tree.at("c")];
    let atlas = Atlas::new(known, &claude_dirs, now);
    let discovery = discover_by(&atlas, &claude_dirs).unwrap();
    (discovery, atlas.renewed())
}

/// Until the file system's clock has moved on: before, two changes may have one time.
fn tick(tree: &Tree) {
    let path = tree.at("clock");
    let time = || {
        fs::write(&path, "tick").unwrap();
        fs::metadata(&path).unwrap().modified().unwrap()
    };
    let before = time();
    while time() == before {}
}

#[test]
#[cfg(target_os = "linux")]
fn what_did_not_change_is_not_listed_again() {
    let tree = tree();
    let (first, known) = walk(&tree, &[], later());
    // There are file systems whose times nobody believes.
    let Some(known) = known else { return };
    let (second, renewed) = walk(&tree, &known, later());
    assert_eq!((&second, renewed), (&first, None), "nothing was listed, and nothing is new");
    tick(&tree);
    tree.file("c/projects/-b/s3.jsonl", "{}\n");
    let (third, renewed) = walk(&tree, &known, later());
    assert_eq!(third, discover(&[tree.at("c")]).unwrap());
    assert!(renewed.is_some_and(|renewed| renewed != known));
}

#[test]
fn files_are_looked_at_every_time() {
    let tree = tree();
    let known = walk(&tree, &[], later()).1.unwrap_or_default();
    let path = tree.at("c/projects/-a/s1.jsonl");
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"more\":1}\n").unwrap();
    let (found, _) = walk(&tree, &known, later());
    assert_eq!(found.projects[0].sessions[0].len, 14);
    tick(&tree);
    // Another session's by now, as long as before, and of the same time.
    let path = tree.at("c/projects/-a/agent-y.jsonl");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, AGENT.replace("s1", "s9")).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let (found, _) = walk(&tree, &known, later());
    assert_eq!(found, discover(&[tree.at("c")]).unwrap());
    assert_eq!(found.projects[0].orphan_agents.len(), 1);
}

#[test]
fn what_was_touched_a_moment_ago_is_not_remembered() {
    let tree = tree();
    let (_, known) = walk(&tree, &[], SystemTime::now());
    assert_eq!(known, None, "another change within the same tick would have the same time");
}

#[test]
fn bytes_that_are_not_its_own_are_no_atlas() {
    let tree = tree();
    let expected = discover(&[tree.at("c")]).unwrap();
    let known = walk(&tree, &[], later()).1.unwrap_or_default();
    for place in 0..known.len() {
        let mut damaged = known.clone();
        damaged[place] ^= 1 << (place % 8);
        assert_eq!(walk(&tree, &damaged, later()).0, expected, "byte {place}");
        assert_eq!(walk(&tree, &known[..place], later()).0, expected, "cut at {place}");
    }
    assert_eq!(walk(&tree, &vec![0; known.len()], later()).0, expected);
}

/// Something that happens to a directory tree.
#[derive(Debug, Clone)]
enum Event {
    Write(PathBuf),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf),
    Link(PathBuf, PathBuf),
}

impl Event {
    /// What cannot happen does not.
    fn happen(&self, root: &Path) {
        match self {
            Self::Write(path) => {
                let path = root.join(path);
                let _ = path.parent().map(fs::create_dir_all);
                let file = OpenOptions::new().append(true).create(true).open(path);
                let _ = file.map(|mut file| file.write_all(AGENT.as_bytes()));
            }
            Self::Remove(path) => {
                let path = root.join(path);
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            }
            Self::Rename(from, to) => {
                let to = root.join(to);
                let _ = to.parent().map(fs::create_dir_all);
                let _ = fs::rename(root.join(from), to);
            }
            #[cfg(unix)]
            Self::Link(from, to) => {
                let _ = std::os::unix::fs::symlink(root.join(to), root.join(from));
            }
            #[cfg(not(unix))]
            Self::Link(..) => {}
        }
    }
}

fn path() -> impl Strategy<Value = PathBuf> {
    let project = prop::sample::select(vec!["-a", "-b", "-c"]);
    let inside = prop::sample::select(vec![
        "",
        "s1.jsonl",
        "s2.jsonl",
        "agent-y.jsonl",
        "s1",
        "s1/subagents",
        "s1/subagents/agent-x.jsonl",
        "s1/subagents/deep/agent-z.jsonl",
        "s1/tool-results/b1.txt",
        "s1/custom-title.json",
        "s2/subagents/agent-x.jsonl",
        "memory/notes.md",
    ]);
    (project, inside).prop_map(|(project, inside)| Path::new("c/projects").join(project).join(inside))
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => path().prop_map(Event::Write),
        2 => path().prop_map(Event::Remove),
        2 => (path(), path()).prop_map(|(from, to)| Event::Rename(from, to)),
        1 => (path(), path()).prop_map(|(from, to)| Event::Link(from, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_happens_a_walk_finds_what_is_there(events in prop::collection::vec(event(), 1..12)) {
        let tree = tree();
        let mut known = Vec::new();
        for event in events {
            if let Some(renewed) = walk(&tree, &known, later()).1 {
                known = renewed;
            }
            tick(&tree);
            event.happen(&tree.at(""));
            let (found, _) = walk(&tree, &known, later());
            prop_assert_eq!(found, discover(&[tree.at("c")]).unwrap(), "{:?}", event);
        }
    }
}

/// Turns the link to all projects.
#[cfg(target_os = "linux")]
fn turn(tree: &Tree, to: &str) {
    fs::remove_file(tree.at("c/projects")).unwrap();
    tree.link("c/projects", tree.at(to));
}

#[cfg(target_os = "linux")]
fn turned_during_a_walk(tree: &Tree, known: &[u8]) -> Option<Vec<u8>> {
    let claude_dirs = [tree.at("c")];
    let atlas = Atlas::new(known, &claude_dirs, later());
    turn(tree, "b");
    discover_by(&atlas, &claude_dirs).unwrap();
    let renewed = atlas.renewed();
    turn(tree, "a");
    renewed
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_noted_of_a_directory_is_not_anothers() {
    let tree = Tree::new(&[("a/-x/s1.jsonl", "{}\n"), ("a/-x/s2.jsonl", "{}\n"), ("b/-x/s3.jsonl", "{}\n")]);
    fs::create_dir_all(tree.at("c")).unwrap();
    tree.link("c/projects", tree.at("a"));
    let known = turned_during_a_walk(&tree, &[]).unwrap_or_default();
    assert_eq!(walk(&tree, &known, later()).0, discover(&[tree.at("c")]).unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_noted_of_a_subagent_is_not_anothers() {
    let of = |session: &str| format!("{{\"sessionId\":\"{session}\"}}\n");
    let (one, two) = (of("s1"), of("s2"));
    let tree = Tree::new(&[
        ("a/-x/s1.jsonl", "{}\n"),
        ("a/-x/s2.jsonl", "{}\n"),
        ("a/-x/agent-y.jsonl", &one),
        ("b/-x/s1.jsonl", "{}\n"),
        ("b/-x/s2.jsonl", "{}\n"),
        ("b/-x/agent-y.jsonl", &two),
    ]);
    fs::create_dir_all(tree.at("c")).unwrap();
    tree.link("c/projects", tree.at("a"));
    let known = walk(&tree, &[], later()).1.unwrap();
    tick(&tree);
    let mut file = OpenOptions::new().append(true).open(tree.at("a/-x/agent-y.jsonl")).unwrap();
    file.write_all(b"{}\n").unwrap();
    let known = turned_during_a_walk(&tree, &known).unwrap_or(known);
    assert_eq!(walk(&tree, &known, later()).0, discover(&[tree.at("c")]).unwrap());
}

#[test]
fn a_project_of_many_sessions_is_found_as_if_they_were_few() {
    let name = |number: usize| format!("c/projects/-a/s{number:03}");
    let mut files = Vec::new();
    for number in 0..600 {
        match number % 50 {
            // No transcript, and a session whose title cannot be read.
            0 => files.push((format!("{}.jsonl/inside", name(number)), "")),
            25 => files.push((format!("{}/custom-title.json", name(number)), "{")),
            _ => {}
        }
        if number % 50 > 0 {
            files.push((format!("{}.jsonl", name(number)), "{}\n"));
        }
        if number % 7 == 1 {
            files.push((format!("{}/subagents/agent-x.jsonl", name(number)), "{}\n"));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let tree = Tree::new(&files);
    let (first, known) = walk(&tree, &[], later());
    let [project] = &first.projects[..] else { panic!("{} projects", first.projects.len()) };
    assert!(project.sessions.is_sorted_by_key(|session| &session.transcript));
    let agents = project.sessions.iter().map(|session| session.agents.len()).sum::<usize>();
    assert_eq!((project.sessions.len(), agents), (588, 86 - 2));
    assert_eq!(first.warnings.len(), 24);
    assert!(first.warnings.is_sorted_by_key(|warning| &warning.path), "session by session");
    assert_eq!(walk(&tree, &known.unwrap_or_default(), later()).0, first);
}
