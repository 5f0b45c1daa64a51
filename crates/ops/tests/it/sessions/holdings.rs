//! What bears a session's id is the session's, wherever it lies; what bears nobody's is a warning.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use steno_testkit::{Era, Home, Session, ToolResult};

use crate::sessions::claude_dirs::{examined, faults, kinds, listed, shown, written};

const ERAS: [Era; 2] = [Era::V2_0_42, Era::V2_1_325];

/// A session with one subagent and one tool result in a file of its own.
fn session(era: Era) -> Session {
    Session::numbered(1)
        .era(era)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
        .answer_with(ToolResult::persisted("long output"))
        .agent(|agent| agent)
}

/// Moves the transcript, and nothing else, to another project.
fn move_away(home: &Home, transcript: &Path) -> PathBuf {
    let folder = home.project_path("/home/dev/tree");
    fs::create_dir_all(&folder).unwrap();
    let moved = folder.join(transcript.file_name().unwrap());
    fs::rename(transcript, &moved).unwrap();
    moved
}

#[test]
fn a_transcript_that_moved_keeps_what_it_left_behind() {
    for era in ERAS {
        let home = Home::new();
        let transcript = home.write(&session(era));
        let before = shown(&home, "last").conversation;
        assert_eq!(before.agents.len(), 1, "{era:?}");
        let moved = move_away(&home, &transcript);
        let report = listed(&home);
        assert_eq!((report.sessions[0].agents, report.warnings), (1, 0), "{era:?}");
        let after = shown(&home, "last").conversation;
        assert_eq!(after.profile.path, Some(moved.display().to_string()));
        assert_eq!((after.agents, after.chunks), (before.agents, before.chunks), "{era:?}");
        assert_eq!((examined(&home).files, kinds(&home)), (2, vec![]), "{era:?}");
    }
}

#[test]
fn what_a_deleted_transcript_leaves_is_said_and_its_subagents_are_read() {
    for (era, kind) in [(Era::V2_0_42, "orphan-agent"), (Era::V2_1_325, "leftover-directory")] {
        let home = Home::new();
        let session = Session::numbered(1).era(era).user("go").agent(|agent| agent);
        fs::remove_file(home.write(&session)).unwrap();
        let report = listed(&home);
        assert_eq!((report.sessions.len(), report.warnings), (0, 1), "{era:?}");
        let examined = examined(&home);
        assert_eq!((kinds(&home), examined.files), (vec![kind.to_owned()], 1), "{era:?}");
        assert!(examined.records > 0, "{era:?}");
        assert!(faults(&home)[0].message.contains(session.id().as_str()), "{era:?}");
    }
}

#[test]
fn of_two_files_of_one_session_the_later_has_the_subagents_of_both_once() {
    for era in ERAS {
        let home = Home::new();
        let both = session(era);
        let old = home.write(&both.clone().cwd("/home/dev/tree"));
        let new = home.write(&both.clone().cwd("/home/dev/project").agent(|agent| agent));
        written(&old, 7200);
        written(&new, 3600);
        assert_eq!(listed(&home).sessions[0].agents, 2, "{era:?}");
        written(&old, 1800);
        assert_eq!(listed(&home).sessions[0].agents, 2, "{era:?}: those of the losing file come along");
        assert_eq!(kinds(&home), ["duplicate-session"], "{era:?}");
    }
}

#[test]
fn show_says_of_the_files_what_it_says_when_asked_by_path() {
    let home = Home::new();
    let transcript = home.write(&Session::numbered(1).user("go"));
    home.write(&Session::numbered(2).user("go"));
    for number in [1, 2] {
        let sidecar =
            format!("projects/-home-dev-project/{}/custom-title.json", Session::numbered(number).id());
        home.file(&sidecar, "{\"custom");
    }
    let by_path = shown(&home, &transcript.display().to_string()).conversation.warnings;
    assert_eq!((by_path.len(), by_path[0].kind.as_str()), (1, "bad-sidecar"));
    assert_eq!(shown(&home, Session::numbered(1).id().as_str()).conversation.warnings, by_path);
}

#[cfg(unix)]
#[test]
fn a_subagent_that_cannot_be_read_is_a_warning_everywhere() {
    for era in ERAS {
        let home = Home::new();
        let session = Session::numbered(1).era(era).user("go").agent(|agent| agent);
        let transcript = home.write(&session);
        let name = format!("agent-{}.jsonl", session.build().agents[0].id);
        let old = transcript.with_file_name(&name);
        let file =
            if old.exists() { old } else { transcript.with_extension("").join("subagents").join(&name) };
        if !crate::sessions::claude_dirs::forbid(&file) {
            return;
        }
        let id = session.id().as_str();
        let path = transcript.display().to_string();
        assert_eq!((listed(&home).warnings, kinds(&home)), (1, vec!["unreadable".to_owned()]), "{era:?}");
        for name in [id, &path, "last"] {
            let warnings = shown(&home, name).conversation.warnings;
            let said = warnings.iter().filter(|warning| warning.kind == "unreadable").count();
            assert_eq!(said, 1, "{era:?} {name}: {warnings:?}");
        }
    }
}
