//! List: each session once, whatever lies on the disk.

use serde_json::json;
use steno_ops::list::{self, Request, Sort};
use steno_testkit::{Era, Home, Session};

use crate::sessions::claude_dirs::{dirs, faults, ids, kinds, listed, written};

fn done(session: Session) -> Session {
    session.user("go").assistant(|message| message.text("done"))
}

/// Three sessions in two projects, a day apart.
fn three() -> Home {
    let home = Home::new();
    let session = |number: u32, cwd: &str, at: &str, prompt: &str| {
        let session = Session::numbered(number).cwd(cwd).at(at).user(prompt);
        home.write(&session.assistant(|message| message.text("done")));
    };
    session(1, "/home/dev/api", "2026-11-20T10:00:00.000Z", "Fix the Parser");
    session(2, "/home/dev/web", "2026-11-21T10:00:00.000Z", "Write the page");
    session(3, "/home/dev/api", "2026-11-22T10:00:00.000Z", "Release it");
    home
}

fn found(home: &Home, request: Request) -> Vec<String> {
    let report = list::run(&dirs(home), &request).unwrap();
    report.sessions.iter().map(|row| row.profile.title.clone().unwrap()).collect()
}

#[test]
fn the_newest_session_comes_first() {
    assert_eq!(found(&three(), Request::default()), ["Release it", "Write the page", "Fix the Parser"]);
}

#[test]
fn filters_combine() {
    let home = three();
    let request = Request { project: Some("API".into()), ..Request::default() };
    assert_eq!(found(&home, request.clone()), ["Release it", "Fix the Parser"]);
    let request = Request { grep: Some("parser".into()), ..request };
    assert_eq!(found(&home, request), ["Fix the Parser"]);
    let request = Request { limit: Some(2), sort: Sort::Started, ..Request::default() };
    assert_eq!(found(&home, request), ["Fix the Parser", "Write the page"]);
}

#[test]
fn the_total_knows_nothing_of_the_limit() {
    let request = Request { project: Some("api".into()), limit: Some(1), ..Request::default() };
    let report = list::run(&dirs(&three()), &request).unwrap();
    assert_eq!((report.sessions.len(), report.total), (1, 2));
}

#[test]
fn a_habit_of_a_file_is_one_warning_as_doctor_counts() {
    let home = Home::new();
    home.write(&(0..300).fold(Session::numbered(1), |session, _| session.user("go").crlf()));
    assert_eq!((listed(&home).warnings, kinds(&home)), (1, vec!["carriage-return".to_owned()]));
}

#[test]
fn times_bound_what_was_active_between_them() {
    let home = three();
    let since = Request { since: Some("2026-11-21T10:00:01Z".parse().unwrap()), ..Request::default() };
    assert_eq!(found(&home, since), ["Release it", "Write the page"]);
    let until = Request { until: Some("2026-11-21T10:00:00Z".parse().unwrap()), ..Request::default() };
    assert_eq!(found(&home, until), ["Fix the Parser"]);
}

#[test]
fn sessions_sort_by_tokens_size_and_turns() {
    let home = Home::new();
    home.write(&Session::numbered(1).turns(1));
    home.write(&done(Session::numbered(2)).unknown_record("padding").raw(" ".repeat(100_000)));
    home.write(&Session::numbered(3).user("a").user("b").user("c"));
    let first = |sort: Sort| {
        list::run(&dirs(&home), &Request { sort, ..Request::default() }).unwrap().sessions.remove(0)
    };
    assert_eq!(first(Sort::Tokens).profile.title.as_deref(), Some("Prompt 1: please do step 1."));
    assert_eq!(first(Sort::Size).profile.title.as_deref(), Some("go"));
    assert_eq!(first(Sort::Turns).profile.title.as_deref(), Some("a"));
}

#[test]
fn two_files_of_one_id_are_one_session() {
    let home = Home::new();
    let session = done(Session::numbered(1));
    let old = home.write(&session.clone().cwd("/home/dev/tree"));
    let new = home.write(&session.clone().cwd("/home/dev/project").user("and more"));
    written(&old, 7200);
    written(&new, 3600);
    let report = listed(&home);
    assert_eq!(ids(&report).len(), 1);
    assert_eq!(report.sessions[0].profile.turns, 2, "the one that was written to last");
    assert_eq!(report.warnings, 1);
    let warnings = faults(&home);
    assert_eq!(
        (warnings[0].kind.as_str(), &warnings[0].file),
        ("duplicate-session", &Some(old.display().to_string()))
    );
}

#[cfg(unix)]
#[test]
fn a_project_reached_twice_is_listed_once() {
    let home = Home::new();
    let session = done(Session::numbered(1));
    let transcript = home.write(&session);
    let project = transcript.parent().unwrap();
    std::os::unix::fs::symlink(project, project.with_file_name("-linked")).unwrap();
    let linked = home.path().join("projects/-other");
    std::fs::create_dir(&linked).unwrap();
    std::os::unix::fs::symlink(&transcript, linked.join(transcript.file_name().unwrap())).unwrap();
    let report = listed(&home);
    assert_eq!((ids(&report).len(), report.warnings), (1, 0));
    assert_eq!(report.sessions[0].profile.path, Some(transcript.display().to_string()));
}

#[test]
fn several_claude_directories_are_joined() {
    let (one, two) = (Home::new(), Home::new());
    one.write(&done(Session::numbered(1)));
    two.write(&done(Session::numbered(2)));
    let mut dirs = dirs(&one);
    dirs.paths.push(two.path());
    dirs.paths.push(one.path());
    assert_eq!(list::run(&dirs, &Request::default()).unwrap().sessions.len(), 2);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_a_warning_and_the_rest_is_listed() {
    let home = Home::new();
    home.write(&done(Session::numbered(1)));
    let project = home.project_path("/home/dev/project");
    std::os::unix::fs::symlink("/nowhere", project.join("dangling.jsonl")).unwrap();
    std::fs::create_dir(project.join("folder.jsonl")).unwrap();
    let report = listed(&home);
    assert_eq!(ids(&report).len(), 1);
    let mut warned = kinds(&home);
    warned.sort_unstable();
    assert_eq!(warned, ["dangling-link", "not-a-file"]);
    assert_eq!(report.warnings, 2);
}

#[cfg(unix)]
#[test]
fn a_forbidden_transcript_is_a_warning_and_the_rest_is_listed() {
    let home = Home::new();
    home.write(&done(Session::numbered(1)));
    let secret = home.write(&done(Session::numbered(2)));
    if !crate::sessions::claude_dirs::forbid(&secret) {
        return;
    }
    let report = listed(&home);
    assert_eq!((ids(&report).len(), report.warnings), (1, 1));
    let warnings = faults(&home);
    assert_eq!((warnings.len(), warnings[0].kind.as_str()), (1, "unreadable"));
    assert!(warnings[0].message.contains("cannot read"), "{}", warnings[0].message);
}

#[test]
fn a_home_without_sessions_is_no_error_and_one_that_is_missing_is() {
    let home = Home::new();
    assert!(listed(&home).sessions.is_empty());
    let mut dirs = dirs(&home);
    dirs.paths = vec![home.path().join("gone")];
    let error = list::run(&dirs, &Request::default()).unwrap_err();
    assert_eq!(error.kind.name(), "not-found");
    assert!(!error.hints.is_empty());
    dirs.is_default = true;
    assert!(
        list::run(&dirs, &Request::default()).unwrap().sessions.is_empty(),
        "nobody asked for that directory"
    );
}

#[test]
fn empty_and_strange_files_are_sessions_too() {
    let home = Home::new();
    home.write(&Session::new("empty"));
    home.write(&Session::new("garbage").garbage());
    home.write(&Session::new("blank").blank_line().blank_line());
    let report = listed(&home);
    assert_eq!(ids(&report), ["blank", "empty", "garbage"]);
    assert!(report.sessions.iter().all(|row| row.profile.title.is_none() && row.profile.messages == 0));
}

#[test]
fn a_running_client_makes_its_session_ongoing() {
    let home = Home::new();
    let (running, killed) = (done(Session::numbered(1)), done(Session::numbered(2)));
    written(&home.write(&running), 86_400);
    written(&home.write(&killed), 86_400);
    home.registry(&running, std::process::id(), "idle");
    // Its process has another start time than the one that has this number now.
    home.stale_registry(&killed, 1);
    let ongoing = list::run(&dirs(&home), &Request { ongoing: true, ..Request::default() }).unwrap();
    assert_eq!(ids(&ongoing), [running.id().as_str()]);
}

const LATELY: &str = "2026-12-01T11:58:00.000Z";

/// Of a client that was at work a short while before now.
fn open(number: u32, at: &str) -> Session {
    let bash = json!({"command": "ls"});
    Session::numbered(number).at(at).user("go").assistant(|message| message.tool_use("Bash", bash))
}

#[test]
fn without_the_registry_a_fresh_file_with_open_work_is_ongoing() {
    let home = Home::new();
    let fresh = open(1, LATELY);
    written(&home.write(&fresh), 200);
    written(&home.write(&open(2, LATELY)), 400);
    written(&home.write(&done(Session::numbered(3).at(LATELY))), 10);
    let ongoing = list::run(&dirs(&home), &Request { ongoing: true, ..Request::default() }).unwrap();
    assert_eq!(ids(&ongoing), [fresh.id().as_str()]);
}

#[test]
fn a_file_that_we_wrote_a_moment_ago_is_no_client_at_work() {
    let home = Home::new();
    // What a restore, a move or a copy leaves: the present time, and old records.
    written(&home.write(&open(1, "2026-11-01T10:00:00.000Z")), 10);
    // A clone of a session that is at work.
    let clone = open(2, LATELY);
    let transcript = home.write(&clone);
    written(&transcript, 10);
    let lineage = transcript.with_extension("").join("steno-lineage.json");
    std::fs::create_dir_all(lineage.parent().unwrap()).unwrap();
    std::fs::write(lineage, r#"{"from":"5e551011-0000-4000-8000-000000000009"}"#).unwrap();
    let ongoing = || list::run(&dirs(&home), &Request { ongoing: true, ..Request::default() }).unwrap();
    assert_eq!(ids(&ongoing()), [""; 0]);
    home.registry(&clone, std::process::id(), "busy");
    assert_eq!(ids(&ongoing()), [clone.id().as_str()]);
}

#[test]
fn agents_are_counted_as_show_finds_them() {
    for era in Era::ALL {
        let home = Home::new();
        let session = done(Session::numbered(1).era(era).warm_up())
            .agents(2, |index, agent| agent.prompt(format!("part {index}")))
            .agent(|agent| agent.steps(|session| session.agent(|inner| inner)));
        home.write(&session);
        assert_eq!(listed(&home).sessions[0].agents, 4, "{era:?}");
    }
}

#[test]
fn a_title_beside_the_transcript_names_it() {
    let home = Home::new();
    let session = done(Session::numbered(1)).ai_title("Generated");
    let path = home.write(&session);
    std::fs::create_dir_all(path.with_extension("")).unwrap();
    std::fs::write(path.with_extension("").join("custom-title.json"), r#"{"customTitle":"By hand"}"#)
        .unwrap();
    let row = listed(&home).sessions.remove(0).profile;
    assert_eq!(row.title.as_deref(), Some("By hand"));
}
