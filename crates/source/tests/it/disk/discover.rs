//! Trees as clients leave them, and what discovery finds in them.

use steno_source::{AgentMeta, Discovery, Error, Project, WarningKind, discover};

use crate::disk::tree::Tree;

const UUID: &str = "0b5f8a52-1c1e-4a6e-9a52-0123456789ab";

fn found(tree: &Tree) -> Discovery {
    let discovery = discover(&[tree.at("c")]).unwrap();
    assert_eq!(discovery.warnings, []);
    discovery
}

fn only_project(discovery: Discovery) -> Project {
    let [project] = <[Project; 1]>::try_from(discovery.projects).unwrap();
    project
}

fn ids(project: &Project) -> Vec<&str> {
    project.sessions.iter().map(|session| session.id.as_str()).collect()
}

#[test]
fn sessions_come_in_the_order_of_their_names() {
    let tree = Tree::new(&[
        ("c/projects/-b/two.jsonl", "{}\n"),
        ("c/projects/-b/one.jsonl", ""),
        ("c/projects/-a/three.jsonl", ""),
        ("c/projects/-a/notes.txt", ""),
        ("c/projects/-a/memory/MEMORY.md", ""),
        ("c/projects/.DS_Store", ""),
        ("c/history.jsonl", ""),
    ]);
    let discovery = found(&tree);
    let names: Vec<_> = discovery.projects.iter().map(|project| project.project_hash.as_str()).collect();
    assert_eq!(names, ["-a", "-b"]);
    assert_eq!(ids(&discovery.projects[0]), ["three"]);
    assert_eq!(ids(&discovery.projects[1]), ["one", "two"]);
    assert_eq!(
        tree.relatives(&discovery.projects[0].others),
        ["c/projects/-a/memory", "c/projects/-a/notes.txt"]
    );
    let two = &discovery.projects[1].sessions[1];
    assert_eq!((two.len, &two.transcript), (3, &tree.at("c/projects/-b/two.jsonl")));
    assert_eq!((two.claude_dir.as_ref(), two.project_hash.as_deref()), (Some(&tree.at("c")), Some("-b")));
    assert_eq!(two.directory, None);
}

#[test]
fn a_session_s_directory_is_sorted_into_its_parts() {
    let tree = Tree::new(&[
        ("c/projects/-a/s1.jsonl", ""),
        ("c/projects/-a/s1/custom-title.json", r#"{"customTitle":"Tea"}"#),
        ("c/projects/-a/s1/subagents/agent-a1.jsonl", "12345"),
        (
            "c/projects/-a/s1/subagents/agent-a1.meta.json",
            r#"{"agentType":"Explore","description":"look","toolUseId":"toolu_1","spawnDepth":1,"isBuiltIn":true}"#,
        ),
        ("c/projects/-a/s1/subagents/deep/er/agent-a2.jsonl", ""),
        ("c/projects/-a/s1/subagents/deep/journal.jsonl", ""),
        ("c/projects/-a/s1/tool-results/toolu_1.txt", ""),
        ("c/projects/-a/s1/tool-results/b1.txt", ""),
        ("c/projects/-a/s1/new/thing.bin", ""),
    ]);
    let project = only_project(found(&tree));
    let session = &project.sessions[0];
    assert_eq!(session.directory, Some(tree.at("c/projects/-a/s1")));
    assert_eq!(session.custom_title.as_deref(), Some("Tea"));
    let meta = AgentMeta {
        agent_type: Some("Explore".into()),
        description: Some("look".into()),
        tool_use_id: Some("toolu_1".into()),
        spawn_depth: Some(1),
    };
    let agents: Vec<_> = session
        .agents
        .iter()
        .map(|agent| (agent.id.as_str(), agent.len, agent.read_meta(&mut Vec::new())))
        .collect();
    assert_eq!(agents, [("a1", 5, Some(meta)), ("a2", 0, None)]);
    assert!(session.agents.iter().all(|agent| !agent.old_layout));
    assert_eq!(
        tree.relatives(&session.tool_results),
        ["c/projects/-a/s1/tool-results/b1.txt", "c/projects/-a/s1/tool-results/toolu_1.txt"]
    );
    assert_eq!(
        tree.relatives(&session.sidecars),
        [
            "c/projects/-a/s1/custom-title.json",
            "c/projects/-a/s1/new/thing.bin",
            "c/projects/-a/s1/subagents/agent-a1.meta.json",
            "c/projects/-a/s1/subagents/deep/journal.jsonl",
        ]
    );
    assert_eq!(session.paths().count(), 9);
    assert!(project.leftovers.is_empty() && project.others.is_empty());
}

#[test]
fn agents_of_the_old_layout_go_to_the_session_they_name() {
    let tree = Tree::new(&[
        ("c/projects/-a/s1.jsonl", ""),
        ("c/projects/-a/s2.jsonl", ""),
        ("c/projects/-a/s1/subagents/agent-new.jsonl", ""),
        ("c/projects/-a/agent-x1.jsonl", "{\"sessionId\":\"s1\",\"agentId\":\"x1\"}\n"),
        ("c/projects/-a/agent-x2.jsonl", "\n{\"type\":\"summary\"}\n{\"sessionId\":\"s2\"}\n"),
        ("c/projects/-a/agent-else.jsonl", "{\"sessionId\":\"s3\"}\n"),
        ("c/projects/-a/agent-empty.jsonl", ""),
        ("c/projects/-b/s3.jsonl", ""),
    ]);
    let discovery = found(&tree);
    let agents: Vec<Vec<_>> = discovery.projects[0]
        .sessions
        .iter()
        .map(|session| session.agents.iter().map(|agent| (agent.id.as_str(), agent.old_layout)).collect())
        .collect();
    assert_eq!(agents, [vec![("new", false), ("x1", true)], vec![("x2", true)]]);
    let orphans: Vec<_> = discovery.projects[0]
        .orphan_agents
        .iter()
        .map(|orphan| (orphan.agent.id.as_str(), orphan.session.as_ref().map(|id| id.as_str())))
        .collect();
    assert_eq!(orphans, [("else", Some("s3")), ("empty", None)]);
    assert!(discovery.projects[1].sessions[0].agents.is_empty());
}

#[test]
fn a_directory_without_its_transcript_is_a_leftover() {
    let tree = Tree::new(&[
        (&format!("c/projects/-a/{UUID}/tool-results/b1.txt"), ""),
        ("c/projects/-a/named/subagents/agent-a1.jsonl", ""),
        ("c/projects/-a/memory/MEMORY.md", ""),
    ]);
    let project = only_project(found(&tree));
    assert!(project.sessions.is_empty());
    let leftovers: Vec<_> = project.leftovers.iter().map(|leftover| leftover.id.as_str()).collect();
    assert_eq!(leftovers, [UUID, "named"]);
    assert_eq!(project.leftovers[0].contents.tool_results.len(), 1);
    assert_eq!(project.leftovers[1].contents.agents.len(), 1);
    assert_eq!(tree.relatives(&project.others), ["c/projects/-a/memory"]);
}

#[test]
fn the_same_directory_given_twice_is_walked_once() {
    let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
    let discovery = discover(&[tree.at("c"), tree.at("c/../c"), tree.at("c")]).unwrap();
    assert_eq!(ids(&only_project(discovery)), ["s1"]);
}

#[test]
fn two_directories_may_hold_the_same_project() {
    let tree = Tree::new(&[("c/projects/-a/s1.jsonl", ""), ("d/projects/-a/s1.jsonl", "")]);
    let discovery = discover(&[tree.at("d"), tree.at("c")]).unwrap();
    let paths: Vec<_> = discovery.projects.iter().map(|project| tree.relative(&project.path)).collect();
    assert_eq!(paths, ["c/projects/-a", "d/projects/-a"]);
}

#[test]
fn only_when_no_directory_exists_is_that_an_error() {
    let tree = Tree::new(&[("c/projects/-a/s1.jsonl", "")]);
    tree.directory("empty");
    let error = discover(&[tree.at("gone"), tree.at("gone too")]).unwrap_err();
    assert!(matches!(error, Error::MissingDirectory { path } if path == tree.at("gone")));
    assert_eq!(discover(&[tree.at("empty")]).unwrap(), Discovery::default());
    assert_eq!(discover(&[]).unwrap(), Discovery::default());

    let discovery = discover(&[tree.at("gone"), tree.at("c")]).unwrap();
    assert_eq!(discovery.warnings[0].kind, WarningKind::MissingDirectory);
    assert_eq!(ids(&only_project(discovery)), ["s1"]);
}
