//! The original is only read, whatever happens.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};
use steno_testkit::Session;

use crate::clone::desk::{Desk, NEW, session};

const FLAGS: [&str; 12] = [
    "",
    "--strip tools",
    "--strip thinking,images",
    "--truncate 1",
    "--preset default",
    "--preset extreme",
    "--turns 1",
    "--turns -1",
    "--at #3",
    "--compress-before 1",
    "--cwd /srv/elsewhere",
    "--rewrite strip --messages",
];

#[test]
fn every_byte_and_time_stays() {
    for flags in FLAGS {
        for dry in ["", " --dry-run"] {
            let desk = Desk::with(&[session(), Session::numbered(2).turns(2)]);
            let before = desk.state();
            let line = format!("clone {} {flags}{dry}", session().id());
            let shown = desk.run(line.trim_end().replace("  ", " ").as_str());
            assert!(shown.starts_with("exit: 0"), "{line}: {shown}");
            desk.assert_untouched(&before, &line);
            assert_eq!(desk.new_files(&before).is_empty(), !dry.is_empty(), "{line}");
        }
    }
}

/// Mounted so, nobody writes, whoever they are.
#[cfg(target_os = "linux")]
#[test]
fn on_a_file_system_that_is_read_only_a_plan_is_shown_and_a_clone_is_a_clear_error() {
    let desk = Desk::with(&[session()]);
    let before = desk.state();
    for (flag, code) in [("--dry-run", 0), ("", 2)] {
        let Some(output) = read_only(&desk, &["clone", "last", flag]) else {
            eprintln!("skipped: this system lets nobody mount, not even in a namespace");
            return;
        };
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert_eq!(said.contains("cannot write"), code == 2, "{said}");
        assert_eq!(desk.new_files(&before), [""; 0]);
    }
    desk.assert_untouched(&before, "read-only");
}

/// The same run, with the Claude directory mounted read-only for it alone.
#[cfg(target_os = "linux")]
fn read_only(desk: &Desk, arguments: &[&str]) -> Option<std::process::Output> {
    const MOUNTED: &str = "mount --bind \"$1\" \"$1\"; mount -o remount,bind,ro \"$1\"; shift; exec \"$@\"";
    let model = desk.app.command();
    let run = |flags: &str, program: &std::ffi::OsStr, arguments: &[&str]| {
        let mut command = std::process::Command::new("unshare");
        command.args([flags, "sh", "-ec", MOUNTED, "sh"]).arg(desk.app.home().path()).arg(program);
        command.args(arguments.iter().filter(|word| !word.is_empty()));
        command.envs(model.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.output().ok()
    };
    let is_allowed =
        |flags: &&str| run(flags, "true".as_ref(), &[]).is_some_and(|output| output.status.success());
    let flags = ["-m", "-Urm"].into_iter().find(is_allowed)?;
    run(flags, model.get_program(), arguments)
}

/// A file that may not grow stands for a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_called_so() {
    const SMALL: &str = "trap '' XFSZ; ulimit -f 200; exec \"$@\"";
    let desk = Desk::with(&[]);
    desk.app.home().file(&format!("projects/-home-dev-project/{}.jsonl", session().id()), swapped());
    let before = desk.state();
    let model = desk.app.command();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", SMALL, "sh"]).arg(model.get_program()).args(["clone", "last"]);
    command.envs(model.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write the clone") && said.contains("room on the disk"), "{said}");
    assert_eq!(desk.new_files(&before), [""; 0]);
}

/// Long, and with results in another order than their calls: the leaf is named behind everything.
#[cfg(target_os = "linux")]
fn swapped() -> String {
    let id = session().id().to_string();
    let record = |number: u32, parent: u32, role: &str, content: Value| {
        let uuid = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
        let message = match role {
            "user" => json!({"role": role, "content": content}),
            _ => json!({"role": role, "id": "msg_1", "type": "message", "model": "m", "content": content}),
        };
        let parent = (parent > 0).then(|| uuid(parent));
        let time = format!("2026-01-02T03:00:0{number}.000Z");
        let record = json!({
            "parentUuid": parent, "uuid": uuid(number), "type": role, "message": message, "sessionId": id,
            "timestamp": time, "cwd": "/home/dev/project", "isSidechain": false,
        });
        format!("{record}\n")
    };
    let call = |id: &str| json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {}}]);
    let result = |id: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]);
    [
        record(1, 0, "user", json!("long ".repeat(100_000))),
        record(2, 1, "assistant", call("toolu_1")),
        record(3, 2, "assistant", call("toolu_2")),
        record(4, 3, "user", result("toolu_2")),
        record(5, 2, "user", result("toolu_1")),
    ]
    .concat()
}

/// Something stands where a directory has to be: the same for every user.
#[test]
fn what_cannot_be_written_leaves_nothing() {
    let desk = Desk::with(&[session()]);
    desk.app.home().file(&format!("file-history/{}/1@v1", session().id()), "before");
    desk.app.home().file(&format!("todos/{}-agent-{}.json", session().id(), session().id()), "[]");
    desk.app.home().file(&format!("todos/{NEW}-agent-{NEW}.json"), "theirs");
    let before = desk.state();
    let shown = desk.run("clone last");
    assert!(shown.starts_with("exit: 1") && shown.contains("exists"), "{shown}");
    assert_eq!(desk.new_files(&before), [""; 0]);
    desk.assert_untouched(&before, "taken");
}

#[test]
fn a_session_at_work_is_cloned_up_to_its_last_complete_message() {
    let desk = Desk::with(&[session()]);
    let path = desk.live(&format!("projects/-home-dev-project/{}.jsonl", session().id()));
    desk.app.home().registry(&session(), std::process::id(), "busy");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().append(true).open(&path).unwrap();
            // Half a line at a time; not for ever, should something fail.
            for _ in 0..20_000 {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                file.write_all(b"{\"type\":\"progress\",").unwrap();
                file.write_all(b"\"data\":{}}\n").unwrap();
            }
        });
        for number in 0..5 {
            let id = format!("0c10ed00-0000-4000-8000-00000000010{number}");
            let output = desk
                .app
                .command()
                .env("STENO_NEW_ID", &id)
                .args(["clone", path.to_str().unwrap(), "--json"])
                .output();
            let output = output.unwrap();
            assert!(output.status.success(), "{output:?}");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let check = desk.json(&format!("check {id}"));
            assert_eq!((&check["ok"], &report["turns"]["after"]), (&true.into(), &5.into()), "{check}");
        }
        stop.store(true, Ordering::Relaxed);
    });
    let text = fs::read(&path).unwrap();
    assert!(text.starts_with(session().bytes()));
}

#[test]
fn an_open_call_is_not_part_of_it() {
    let open =
        |message: steno_testkit::AssistantMessage| message.tool_use("Bash", json!({"command": "sleep 9"}));
    let desk = Desk::with(&[Session::numbered(1)
        .user("One")
        .assistant(|message| message.text("Two"))
        .user("Three")
        .assistant(open)]);
    desk.run("clone last");
    let text = desk.records().iter().map(ToString::to_string).collect::<String>();
    assert!(text.contains("Three") && !text.contains(r#""type":"tool_use""#), "{text}");
}

/// As a run leaves it that is killed between the names of two files.
#[test]
fn what_a_killed_run_leaves_is_not_listed_and_goes() {
    let desk = Desk::with(&[session()]);
    let gone = "0c10ed00-0000-4000-8000-00000000dead";
    let project = format!("projects/-home-dev-project/.steno-clone-{gone}");
    desk.app.home().file(&format!("{project}/lock"), "placing");
    desk.app.home().file(&format!("{project}/transcript"), "{}");
    desk.app.home().file(&format!("file-history/.steno-clone-{gone}/1@v1"), "half");
    desk.app.home().file(&format!("tasks/{gone}/1.json"), "{}");
    assert_eq!(desk.json("list")["total"], 1);
    desk.run("clone last");
    let left = desk.state().into_keys().map(|path| path.display().to_string()).collect::<String>();
    assert!(!left.contains(gone) && left.contains(NEW), "{left}");
}

/// Killed after its transcript had its name: it is a session, wherever that was moved to since.
#[test]
fn what_belongs_to_a_clone_that_was_moved_away_stays() {
    let moved = "0c10ed00-0000-4000-8000-00000000feed";
    for is_linked in [true, false] {
        let desk = Desk::with(&[session()]);
        let project = format!("projects/-home-dev-project/.steno-clone-{moved}");
        desk.app.home().file(&format!("{project}/lock"), "placing");
        let transcript = desk.app.home().file(&format!("projects/-elsewhere/{moved}.jsonl"), "{}");
        if is_linked {
            fs::hard_link(transcript, desk.live(&format!("{project}/transcript"))).unwrap();
        }
        let own = ["file-history/{}/1@v1", "tasks/{}/1.json", "todos/{}-agent-{}.json"];
        let own = own.map(|path| desk.app.home().file(&path.replace("{}", moved), "{}"));
        desk.run("clone last");
        assert!(own.iter().all(|path| path.exists()), "{is_linked}");
        assert!(!desk.live(&project).exists());
    }
}

/// A directory of that name may be anybody's.
#[test]
fn a_name_that_leads_elsewhere_is_left_alone() {
    let desk = Desk::with(&[session()]);
    desk.app.home().file("projects/-home-dev-project/.steno-clone-../lock", "placing");
    let before = desk.state();
    desk.run("clone last");
    desk.assert_untouched(&before, "odd name");
}
