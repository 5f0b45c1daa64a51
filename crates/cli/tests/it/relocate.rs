//! `steno move`: a project directory has moved, and its sessions are found where it is now.

#![cfg(unix)]
use crate::standin;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{DAY, app, files, id, written};
use steno_testkit::{App, Era, Session, encode_project};

const OLD: &str = "/srv/old";

/// With a subagent, and a path in what was said.
fn session(number: u32, cwd: &str) -> Session {
    Session::numbered(number).cwd(cwd).user(format!("look at {OLD}/src")).agent(|agent| agent).turns(2)
}

/// A project with two sessions, one in a directory below it, one beside it, and one whose name is encoded the same.
fn project() -> App {
    let app = app(&[]);
    let sessions = [session(1, OLD), session(2, OLD), session(3, "/srv/old/web"), session(4, "/srv/older")];
    for session in sessions {
        app.write(&session);
        written(&app, &session, 7000 * DAY);
    }
    app.home().file("projects/-srv-old/memory/MEMORY.md", "we work in /srv/old");
    app
}

fn projects(app: &App) -> PathBuf {
    app.home().path().join("projects")
}

fn transcript(app: &App, cwd: &str, number: u32) -> PathBuf {
    projects(app).join(encode_project(cwd)).join(format!("{}.jsonl", id(number)))
}

/// Every file below the home, with its bytes and its time.
fn everything(app: &App) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let all = files(app.home().root()).into_iter();
    all.map(|path| {
        let seen = (fs::read(&path).unwrap(), path.metadata().unwrap().modified().unwrap());
        (path, seen)
    })
    .collect()
}

fn directories(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut found: Vec<String> =
        records.filter_map(|record| Some(record.get("cwd")?.as_str()?.to_owned())).collect();
    found.dedup();
    found
}

fn json_of(app: &App, arguments: &[&str]) -> (Value, Option<i32>) {
    let output = app.output(&[arguments, &["--json"]].concat());
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))), output.status.code())
}

#[test]
fn sessions_come_along_and_say_where_they_work() {
    let app = project();
    let before = everything(&app);
    let (report, code) = json_of(&app, &["move", OLD, "/srv/new"]);
    assert_eq!((code, &report["ok"], &report["skipped"]), (Some(0), &json!(true), &json!([])), "{report}");
    let moved: Vec<&str> =
        report["moved"].as_array().unwrap().iter().map(|moved| moved["to"].as_str().unwrap()).collect();
    let expected = [(1, "/srv/new"), (2, "/srv/new"), (3, "/srv/new/web")];
    let expected = expected.map(|(number, cwd)| (transcript(&app, cwd, number), cwd));
    assert_eq!(moved, expected.clone().map(|(path, _)| path.display().to_string()));
    for (path, cwd) in &expected {
        assert_eq!(directories(path), [*cwd]);
        let agents = files(&path.with_extension("")).into_iter();
        let agents: Vec<PathBuf> = agents.filter(|path| path.extension().unwrap() == "jsonl").collect();
        assert_eq!(agents.len(), 1);
        assert_eq!(directories(&agents[0]), [*cwd]);
        assert!(fs::read_to_string(path).unwrap().contains("look at /srv/old/src"), "what was said stays");
    }
    let memory = fs::read_to_string(projects(&app).join("-srv-new/memory/MEMORY.md")).unwrap();
    assert_eq!((memory.as_str(), &report["others"]["files"]), ("we work in /srv/old", &json!(1)));
    let after = everything(&app);
    for (path, seen) in &before {
        assert_eq!(after.get(path), Some(seen), "{}", path.display());
    }
    assert!(after.keys().all(|path| !path.to_str().unwrap().contains("/.steno-")));
}

#[test]
fn what_is_listed_and_counted_is_the_same() {
    let app = project();
    let stats = |app: &App| app.json("stats session --json")["total"].clone();
    let listed = |app: &App| {
        let report = app.json("list --json");
        let sessions = report["sessions"].as_array().unwrap().iter();
        let mut sessions: Vec<(String, String)> = sessions.map(cell).collect();
        sessions.sort();
        sessions
    };
    fn cell(session: &Value) -> (String, String) {
        (session["id"].as_str().unwrap().to_owned(), session["cwd"].as_str().unwrap().to_owned())
    }
    let before = stats(&app);
    json_of(&app, &["move", OLD, "/srv/new"]);
    let expected = ["/srv/new", "/srv/new", "/srv/new/web", "/srv/older"];
    let expected: Vec<(String, String)> =
        expected.iter().zip(1..).map(|(cwd, number)| (id(number), (*cwd).to_owned())).collect();
    assert_eq!(listed(&app), expected);
    assert_eq!(stats(&app), before);
}

#[test]
fn a_dry_run_tells_all_and_writes_nothing() {
    let app = project();
    let before = everything(&app);
    assert_snapshot!(app.run("move /srv/old /srv/new --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would copy 3 sessions (9 files, and 1 file of no session)
      from /srv/old
      to /srv/new
      write     $HOME/.claude/projects/-srv-new/00000001-5e55-4000-8000-000000000001.jsonl (26K)
      write     $HOME/.claude/projects/-srv-new/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730004.jsonl (4.8K)
      write     $HOME/.claude/projects/-srv-new/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730004.meta.json (148B)
      write     $HOME/.claude/projects/-srv-new/00000002-5e55-4000-8000-000000000002.jsonl (26K)
      write     $HOME/.claude/projects/-srv-new/00000002-5e55-4000-8000-000000000002/subagents/agent-a68241ae341280004.jsonl (4.8K)
      write     $HOME/.claude/projects/-srv-new/00000002-5e55-4000-8000-000000000002/subagents/agent-a68241ae341280004.meta.json (148B)
      write     $HOME/.claude/projects/-srv-new/memory/MEMORY.md (19B)
      write     $HOME/.claude/projects/-srv-new-web/00000003-5e55-4000-8000-000000000003.jsonl (26K)
      write     $HOME/.claude/projects/-srv-new-web/00000003-5e55-4000-8000-000000000003/subagents/agent-ac78bfb0d402b0004.jsonl (4.8K)
      write     $HOME/.claude/projects/-srv-new-web/00000003-5e55-4000-8000-000000000003/subagents/agent-ac78bfb0d402b0004.meta.json (148B)
    Resume with: cd /srv/new && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume

    ----- stderr -----
    warning: /srv/new: this directory does not exist: make it before you resume a session there
    ");
    assert_eq!(everything(&app), before);
    let (report, _) = json_of(&app, &["move", OLD, "/srv/new", "--dry-run"]);
    assert_eq!(report["plan"]["files"].as_array().unwrap().len(), 10);
    let command = report["next"][0]["command"].as_str().unwrap();
    assert!(command.starts_with("steno move /srv/old /srv/new --claude-dir"), "{command}");
}

#[test]
fn what_came_before_is_there_also_when_it_went_on() {
    let app = project();
    assert_snapshot!(app.run("move /srv/old /srv/new"), @r"
    exit: 0
    ----- stdout -----
    Copied 3 sessions (9 files, and 1 file of no session)
      from /srv/old
      to /srv/new
    Resume with: cd /srv/new && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume

    ----- stderr -----
    warning: /srv/new: this directory does not exist: make it before you resume a session there
    next: steno move /srv/old /srv/new --remove-originals --claude-dir $HOME/.claude
    ");
    let path = transcript(&app, "/srv/new", 1);
    let mut grown = fs::read_to_string(&path).unwrap();
    grown.push_str("{\"type\":\"user\",\"cwd\":\"/srv/new\"}\n");
    fs::write(&path, grown).unwrap();
    let before = everything(&app);
    assert_snapshot!(app.run("move /srv/old /srv/new"), @r"
    exit: 0
    ----- stdout -----
    Copied 0 sessions (0 files)
      from /srv/old
      to /srv/new
    Resume with: cd /srv/new && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume

    ----- stderr -----
    3 sessions already in place and identical
    warning: /srv/new: this directory does not exist: make it before you resume a session there
    next: steno move /srv/old /srv/new --remove-originals --claude-dir $HOME/.claude
    ");
    assert_eq!(everything(&app), before);
}

#[test]
fn another_file_of_the_session_stays() {
    let app = project();
    let path = transcript(&app, "/srv/new", 1);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"type\":\"user\",\"cwd\":\"/srv/new\"}\n").unwrap();
    app.home().file("projects/-srv-new/memory/MEMORY.md", "other things");
    let before = everything(&app);
    assert_snapshot!(app.run("move /srv/old /srv/new"), @r"
    exit: 3
    ----- stdout -----
    Copied 2 sessions (6 files)
      from /srv/old
      to /srv/new
    Resume with: cd /srv/new && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume

    ----- stderr -----
    another file of this session already exists there, and is left as it is: $HOME/.claude/projects/-srv-new/00000001-5e55-4000-8000-000000000001.jsonl
    warning: /srv/new: this directory does not exist: make it before you resume a session there
    warning: $HOME/.claude/projects/-srv-new/memory/MEMORY.md: another file is already there, and is left as it is
    ");
    let after = everything(&app);
    assert!(before.iter().all(|(path, seen)| after.get(path) == Some(seen)));
    let (report, _) = json_of(&app, &["move", OLD, "/srv/new"]);
    assert_eq!((&report["ok"], &report["skipped"][0]["reason"]), (&json!(false), &json!("exists")));
    assert_eq!(report["there"], 2);
}

#[test]
fn a_running_session_is_left_alone() {
    let app = project();
    app.home().registry(&session(1, OLD), std::process::id(), "busy");
    let (report, code) = json_of(&app, &["move", OLD, "/srv/new"]);
    assert_eq!((code, &report["skipped"][0]["reason"]), (Some(3), &json!("running")), "{report}");
    assert_eq!(report["moved"].as_array().unwrap().len(), 2);
    assert!(!transcript(&app, "/srv/new", 1).exists());
}

#[test]
fn the_home_directory_was_renamed() {
    let app = app(&[]);
    let homes = ["/srv/ann", "/srv/ann/app", "/srv/ann/app/.claude/worktrees/x", "/srv/anna"];
    for (cwd, number) in homes.iter().zip(1..) {
        app.write(&session(number, cwd).era(Era::ALL[number as usize % Era::ALL.len()]));
    }
    let (report, code) = json_of(&app, &["move", "/srv/ann/", "/srv/./bea"]);
    assert_eq!((code, report["moved"].as_array().unwrap().len()), (Some(0), 3), "{report}");
    for (cwd, number) in ["/srv/bea", "/srv/bea/app", "/srv/bea/app/.claude/worktrees/x"].iter().zip(1..) {
        assert_eq!(directories(&transcript(&app, cwd, number)), [*cwd]);
    }
}

#[test]
fn from_wsl_to_windows_and_back() {
    let app = app(&[]);
    app.write(&session(1, "/mnt/c/work/app"));
    app.write(&session(2, "/mnt/c/work/app/web"));
    let (report, code) = json_of(&app, &["move", "/mnt/c/work", r"C:\work", "--rewrite", r"/srv/old=D:\old"]);
    assert_eq!(
        (code, &report["resume"], &report["warnings"]),
        (Some(0), &Value::Null, &json!([])),
        "{report}"
    );
    let path = projects(&app).join("C--work-app").join(format!("{}.jsonl", id(1)));
    assert_eq!(directories(&path), [r"C:\work\app"]);
    assert!(
        fs::read_to_string(&path).unwrap().contains(r"look at D:\\old\\src"),
        "what was said changes as asked"
    );
    assert_eq!(directories(&transcript(&app, r"C:\work\app\web", 2)), [r"C:\work\app\web"]);
    let (report, _) = json_of(&app, &["move", r"c:\work\app", "/srv/app"]);
    assert_eq!(report["moved"].as_array().unwrap().len(), 2, "{report}");
    assert_eq!(directories(&transcript(&app, "/srv/app/web", 2)), ["/srv/app/web"]);
}

/// Long results lie in files of their own, and the model is told their paths; here the home was renamed, too.
#[test]
fn paths_into_the_own_directory_follow() {
    let app = app(&[]);
    let said = |claude: &Path, project: &str| {
        format!("{}/projects/{project}/{}/tool-results/a.txt", claude.display(), id(1))
    };
    let (claude, root) = (app.home().path(), app.home().root().canonicalize().unwrap());
    let texts = [said(Path::new("/srv/ann/.claude"), "-srv-ann"), said(&claude, "-srv-ann")];
    let other = said(&claude, "-srv-other");
    app.write(&Session::numbered(1).cwd("/srv/ann").user(format!("{} and {other}", texts.join(" and "))));
    app.home().file(&format!("projects/-srv-ann/{}/tool-results/a.txt", id(1)), "long");
    let root = root.to_str().unwrap();
    json_of(&app, &["move", "/srv/ann", root]);
    let text = fs::read_to_string(transcript(&app, root, 1)).unwrap();
    let moved = said(&claude, &encode_project(root));
    assert!(text.contains(&format!("{moved} and {moved} and {other}")), "{text}");
    assert!(Path::new(&moved).is_file());
}

#[test]
fn a_directory_that_is_there_counts_by_its_real_path() {
    let app = project();
    let root = app.home().root().canonicalize().unwrap();
    fs::create_dir(root.join("real")).unwrap();
    std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
    let (report, _) = json_of(&app, &["move", OLD, "link"]);
    let real = root.join("real").display().to_string();
    assert_eq!((&report["to"], &report["warnings"]), (&json!(real), &json!([])));
    assert_eq!(directories(&transcript(&app, &real, 1)), std::slice::from_ref(&real));
    let (report, _) = json_of(&app, &["move", "link", "/srv/last"]);
    assert_eq!(report["from"], real, "nothing works in the link itself");
}

#[test]
fn a_project_directory_that_is_linked_is_there() {
    let app = project();
    std::os::unix::fs::symlink(projects(&app).join("-srv-old"), projects(&app).join("-srv-new")).unwrap();
    let (report, code) = json_of(&app, &["move", OLD, "/srv/new"]);
    assert_eq!((code, &report["there"], report["moved"].as_array().unwrap().len()), (Some(0), &json!(2), 1));
    assert!(transcript(&app, OLD, 1).exists());
}

#[test]
fn into_itself_it_moves_once() {
    let app = project();
    for moved in [3, 0] {
        let (report, code) = json_of(&app, &["move", OLD, "/srv/old/inner"]);
        assert_eq!((code, report["moved"].as_array().unwrap().len()), (Some(0), moved), "{report}");
    }
    assert_eq!(directories(&transcript(&app, "/srv/old/inner/web", 3)), ["/srv/old/inner/web"]);
}

#[test]
fn the_records_decide_and_not_the_name() {
    let app = app(&[]);
    app.write(&session(1, "/srv/my.app"));
    app.write(&session(2, "/srv/my-app"));
    let (report, _) = json_of(&app, &["move", "/srv/my.app", "/srv/new"]);
    assert_eq!(report["moved"].as_array().unwrap().len(), 1);
    assert!(transcript(&app, "/srv/new", 1).exists() && !transcript(&app, "/srv/new", 2).exists());
}

#[test]
fn drafts_and_what_a_killed_process_left_do_not_come_along() {
    let app = project();
    let drafts =
        [".steno-clone-x/transcript", ".steno-clone-x/session/subagents/agent-a.jsonl", ".steno-7-0"];
    let inside = format!("{}/subagents/.steno-7-0-1", id(1));
    for path in drafts.iter().chain([&inside.as_str()]) {
        app.home().file(&format!("projects/-srv-old/{path}"), "draft");
    }
    let (report, code) = json_of(&app, &["move", OLD, "/srv/new"]);
    assert_eq!((code, &report["others"]["files"]), (Some(0), &json!(1)), "{report}");
    let moved = files(&projects(&app).join("-srv-new"));
    assert!(moved.iter().all(|path| !path.to_str().unwrap().contains("/.steno-")), "{moved:?}");
}

#[test]
fn of_two_sessions_with_one_id_the_one_in_its_own_directory_moves() {
    let app = project();
    let copy = projects(&app).join("-srv-old-a").join(format!("{}.jsonl", id(1)));
    fs::create_dir(copy.parent().unwrap()).unwrap();
    let text = fs::read_to_string(transcript(&app, OLD, 1)).unwrap();
    let last = r#"{"type":"user","cwd":"/srv/old","message":{"content":"and on"}}"#;
    fs::write(&copy, format!("{text}{last}\n")).unwrap();
    for line in [vec!["move", OLD, "/srv/new", "--dry-run"], vec!["move", OLD, "/srv/new"]] {
        let (report, code) = json_of(&app, &line);
        assert_eq!((code, report["moved"].as_array().unwrap().len()), (Some(3), 3), "{report}");
        let skipped = report["skipped"].as_array().unwrap();
        assert_eq!((skipped.len(), &skipped[0]["reason"]), (1, &json!("exists")), "{report}");
        assert!(skipped[0]["message"].as_str().unwrap().contains("-srv-old-a"), "{report}");
    }
    assert!(!fs::read_to_string(transcript(&app, "/srv/new", 1)).unwrap().contains("and on"));
    assert!(copy.exists());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let app = project();
    let before = everything(&app);
    let lines = [
        vec!["/srv/old", "/srv/x/../old/"],
        vec!["/srv/nowhere", "/srv/new"],
        vec!["/srv/nowhere", "/srv/old"],
        vec!["~/old", "/srv/new"],
        vec!["/", "/srv/new"],
        vec!["", "/srv/new"],
        vec!["/srv/old", "/srv/new", "--remove-originals"],
        vec!["/srv/old", "/srv/new", "--rewrite", "x"],
        vec!["/srv/old"],
    ];
    let shown: Vec<String> =
        lines.iter().map(|line| app.run_args(&[vec!["move"], line.clone()].concat())).collect();
    assert_snapshot!(shown.join("\n"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: /srv/old is both OLD and NEW
    hint: first the directory as it was, then as it is now

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no session works in /srv/nowhere or below it
    hint: `steno list` shows where sessions work
    hint: `steno restore ID --cwd NEW` puts back one that only the vault has

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no session works in /srv/nowhere or below it
    hint: sessions that work in /srv/old already: 3

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: '~/old' begins with a tilde that the shell did not expand
    hint: write it without quotes, or write the home directory in full

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the root cannot move
    hint: name the directory that was moved, in full

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: a directory has no name
    hint: `steno move OLD NEW` takes two paths

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: there is no vault at $HOME/.claude-backup
    hint: `steno init` makes one and runs the first backup

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'x' is no rewrite
    hint: give it as wsl-to-win, win-to-wsl, strip, or OLD=NEW, two paths

    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the following required arguments were not provided: <NEW>
    hint: `steno move --help` lists its arguments and flags
    ");
    assert_eq!(everything(&app), before);
}
