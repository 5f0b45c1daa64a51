//! `steno purge`: nothing of a session is left where it was asked for, and what is left elsewhere is said.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{DAY, app, bare, files, git, id, vault, written};
use steno_testkit::{App, Era, Session};

/// Stands in every file of session 1, and nowhere else.
const MARK: &str = "unmentionable";

fn secret() -> Session {
    Session::numbered(1)
        .slug("calm-tea")
        .user(format!("Tell me of the {MARK}"))
        .agent(|agent| agent.prompt(format!("find the {MARK}")).answer(MARK))
        .turns(2)
}

fn other() -> Session {
    Session::numbered(2).slug("loud-tea").user("Something else").turns(2)
}

/// Session 1 with everything that a session can have, and session 2, kept in a local vault.
fn kept() -> App {
    let app = app(&["crontab"]);
    let home = app.home();
    app.write(&secret());
    app.write(&other());
    home.file(&format!("file-history/{}/0a1b@v1", id(1)), MARK);
    home.file(&format!("todos/{0}-agent-{0}.json", id(1)), MARK);
    home.file(&format!("tasks/{}/1.json", id(1)), MARK);
    home.file("plans/calm-tea.md", MARK);
    home.file("plans/loud-tea.md", "another plan");
    home.history(&secret(), MARK, "2026-11-01T00:00:00.000Z");
    home.history(&other(), "Something else", "2026-11-02T00:00:00.000Z");
    written(&app, &secret(), DAY);
    written(&app, &other(), DAY);
    let answer = app.json("init --local --no-schedule --json");
    assert_eq!(answer["ok"], true, "{answer}");
    assert!(!marked(&vault(&app)).is_empty(), "the search finds what is there");
    app
}

fn purge(app: &App, flags: &str) -> (Value, Option<i32>) {
    let id = id(1);
    let arguments: Vec<&str> =
        ["purge", &id, "--yes", "--json"].into_iter().chain(flags.split_whitespace()).collect();
    let output = app.output(&arguments);
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))), output.status.code())
}

fn places(report: &Value) -> Vec<&str> {
    let remaining = report["remaining"].as_array().unwrap();
    remaining.iter().map(|remaining| remaining["where"].as_str().unwrap()).collect()
}

/// Files below a directory that hold the mark, packed or not; git's objects included.
fn marked(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = files(directory)
        .into_iter()
        .filter(|path| contains(&unpacked(path)) || contains(&fs::read(path).unwrap()))
        .collect();
    if directory.join(".git").is_dir() || directory.join("objects").is_dir() {
        let objects =
            git(directory, &["cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"]);
        for line in String::from_utf8(objects).unwrap().lines().filter(|line| line.ends_with(" blob")) {
            let name = line.split(' ').next().unwrap();
            let bytes = git(directory, &["cat-file", "blob", name]);
            if contains(&bytes) || contains(&unzstd(&bytes)) {
                found.push(PathBuf::from(name));
            }
        }
    }
    found
}

fn contains(bytes: &[u8]) -> bool {
    bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes())
}

fn unpacked(path: &Path) -> Vec<u8> {
    if path.extension().is_some_and(|ending| ending == "zst") {
        unzstd(&fs::read(path).unwrap())
    } else {
        Vec::new()
    }
}

/// What is no segment gives nothing.
fn unzstd(bytes: &[u8]) -> Vec<u8> {
    const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];
    if bytes.get(1..4) == Some(&SKIPPABLE) { zstd::decode_all(bytes).unwrap() } else { Vec::new() }
}

#[test]
fn a_dry_run_shows_what_would_go_and_what_would_remain() {
    let app = kept();
    assert_snapshot!(app.run(&format!("purge {} --dry-run", id(1))), @r#"
    exit: 0
    ----- stdout -----
    Would erase "Tell me of the unmentionable"
      00000001-5e55-4000-8000-000000000001: 32K in 7 files of the vault
      file-history/00000001-5e55-4000-8000-000000000001/0a1b@v1
      plans/calm-tea.md
      projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl
      projects/-home-dev-project/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730004.jsonl
      projects/-home-dev-project/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730004.meta.json
      tasks/00000001-5e55-4000-8000-000000000001/1.json
      todos/00000001-5e55-4000-8000-000000000001-agent-00000001-5e55-4000-8000-000000000001.json
    Copies: this vault, Claude Code's own file
    Remains: live: 7 of the client's files, which --live deletes; its plans are kept again by the next sync
    Remains: history.jsonl: 1 of the prompts in the client's list, and in kept copies of it, which --live removes

    ----- stderr -----
    "#);
    assert_eq!(app.json("status --json")["sessions"]["files"], 2);
}

#[test]
fn a_dry_run_proposes_what_leaves_nothing() {
    let app = kept();
    let next = |flags: &str| {
        let step = purge(&app, flags).0["next"][0].clone();
        assert_eq!(step["ask"], true, "{step}");
        let words = step["command"].as_str().unwrap().split_whitespace().skip(3).map(str::to_owned);
        words.take_while(|word| word != "--yes").collect::<Vec<_>>()
    };
    assert_eq!(next("--dry-run"), ["--live"]);
    assert_eq!(next("--live --dry-run"), ["--live"]);
    app.json(&format!("remote {} --json", bare(&app).display()));
    assert_eq!(next("--dry-run"), ["--live", "--rewrite-history"]);
    assert_eq!(next("--rewrite-history --live --dry-run"), ["--live", "--rewrite-history"]);
}

/// Of a session that only the vault still has.
#[test]
fn the_only_copy_goes_only_when_a_person_says_so() {
    let app = kept();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let line = format!("purge {}", id(1));
    let before = files(&vault(&app).join("machines"));
    for answer in ["", "n", "yesterday", "last"] {
        let refused = app.run_on_terminal(&line, answer);
        assert!(refused.starts_with("exit: 1\n") && refused.ends_with("Nothing was erased.\n"), "{refused}");
        assert_eq!(files(&vault(&app).join("machines")), before);
    }
    assert_snapshot!(standin::without_sizes(&app.run_on_terminal(&line, "y")), @r#"
    exit: 3
    Would erase "Tell me of the unmentionable"
      00000001-5e55-4000-8000-000000000001: #K in 7 files of the vault
    The only copy is in this vault.
    Remains: live: 4 of the client's files, which --live deletes; its plans are kept again by the next sync
    Remains: history.jsonl: 1 of the prompts in the client's list, and in kept copies of it, which --live removes
    Sync will not take it again. Erase it for good? [y/N] Erased "Tell me of the unmentionable"
      00000001-5e55-4000-8000-000000000001: #K in 7 files of the vault
    Remains: live: 4 of the client's files, which --live deletes; its plans are kept again by the next sync
    Remains: history.jsonl: 1 of the prompts in the client's list, and in kept copies of it, which --live removes
    Sync will not take it again.
    "#);
    assert!(
        !files(&vault(&app)).iter().any(|path| path.to_str().unwrap().contains(&format!("{}.jsonl", id(1))))
    );
    assert!(app.run("sync").starts_with("exit: 0"));
}

#[test]
fn a_terminal_says_which_copies_there_are() {
    let app = kept();
    app.json(&format!("remote {} --json", bare(&app).display()));
    let told = app.run_on_terminal(&format!("--quiet purge {}", id(1)), "n");
    assert!(told.contains("Copies: this vault, its remote, Claude Code's own file\n"), "{told}");
    assert_eq!(purge(&app, "--dry-run").0["purged"]["copies"], json!(["vault", "remote", "live"]));
}

#[test]
fn without_a_person_it_needs_to_be_told_yes() {
    let app = kept();
    let before = files(&vault(&app).join("machines"));
    assert_snapshot!(app.run(&format!("purge {}", id(1))), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: erasing 00000001-5e55-4000-8000-000000000001 cannot be undone: it needs --yes
    hint: `steno purge 00000001-5e55-4000-8000-000000000001 --dry-run` shows what goes, and what remains
    ");
    let refused = app.run_on_terminal(&format!("purge {} --json", id(1)), "y");
    assert!(refused.starts_with("exit: 1") && refused.contains("\"kind\":\"invalid\""), "{refused}");
    assert_eq!(files(&vault(&app).join("machines")), before);
}

#[test]
fn what_was_purged_is_not_mistaken_for_another() {
    let app = kept();
    purge(&app, "--live");
    assert_snapshot!(app.run("restore 00000001"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the vault holds no session '00000001': 00000001-5e55-4000-8000-000000000001 was purged on 2026-12-01
    hint: `steno restore --list` shows all that it holds
    ");
    for command in ["restore", "peek", "show"] {
        let told = app.run(&format!("{command} {}", id(1)));
        assert!(told.starts_with("exit: 1") && told.contains("was purged on 2026-12-01"), "{told}");
        assert!(!told.contains("did you mean"), "{told}");
    }
    assert!(app.run("peek 00000003").contains("did you mean 00000002"), "that one never was");
    let elsewhere = vault(&app).join("machines/laptop/tombstones");
    fs::create_dir_all(&elsewhere).unwrap();
    let own = vault(&app).join(format!("machines/box/tombstones/{}.json", id(1)));
    let tombstone = fs::read_to_string(&own).unwrap().replace("box", "laptop");
    fs::write(elsewhere.join(own.file_name().unwrap()), tombstone).unwrap();
    fs::remove_file(own).unwrap();
    assert!(app.run("peek 00000001").contains("was purged on 2026-12-01 by laptop"));
}

#[test]
fn the_vault_forgets_and_says_what_remains() {
    let app = kept();
    let (report, code) = purge(&app, "");
    assert_eq!((code, &report["ok"], &report["purged"]["uuid"]), (Some(3), &json!(false), &json!(id(1))));
    assert_eq!(places(&report), ["live", "history.jsonl"]);
    let history = vault(&app).join("machines/box/history.jsonl.g1.000001.zst");
    assert_eq!(marked(&vault(&app)), [history]);
    assert!(app.run("verify").starts_with("exit: 0"), "what is gone on purpose is not missed");
    app.run("sync");
    let status = app.json("status --json");
    assert_eq!((&status["sessions"]["files"], &status["retention"]["notKept"]), (&json!(1), &json!(0)));
}

#[test]
fn with_live_no_byte_is_left() {
    let app = kept();
    let (report, code) = purge(&app, "--live");
    assert_eq!((code, &report["ok"], &report["remaining"]), (Some(0), &json!(true), &json!([])), "{report}");
    assert_eq!((marked(&vault(&app)), marked(&app.home().path())), (Vec::new(), Vec::new()));
    let names: Vec<PathBuf> =
        files(app.home().root()).into_iter().filter(|path| path.to_str().unwrap().contains(&id(1))).collect();
    assert_eq!(names, [vault(&app).join(format!("machines/box/tombstones/{}.json", id(1)))]);
    let history = fs::read_to_string(app.home().path().join("history.jsonl")).unwrap();
    assert_eq!(history.lines().count(), 1, "the prompts of others stay");
    assert!(app.home().path().join("plans/loud-tea.md").exists());
    assert!(app.run("verify").starts_with("exit: 0"));
    app.run("sync");
    assert_eq!(marked(&vault(&app)), Vec::<PathBuf>::new());
}

#[test]
fn a_second_purge_brings_the_first_to_its_end() {
    let app = kept();
    assert_eq!(purge(&app, "").1, Some(3));
    let (report, code) = purge(&app, "--live");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])));
    assert_eq!((marked(&vault(&app)), marked(&app.home().path())), (Vec::new(), Vec::new()));
    assert_eq!(purge(&app, "").1, Some(0));
}

#[test]
fn prompts_that_only_the_vault_still_has_go_and_those_of_others_stay() {
    let app = kept();
    app.home().file("history.jsonl", "");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    app.run("sync");
    let (report, _) = purge(&app, "");
    assert!(!places(&report).contains(&"history.jsonl"), "{report}");
    assert!(
        marked(&vault(&app)).iter().all(|path| !path.ends_with("history.jsonl")),
        "{:?}",
        marked(&vault(&app))
    );
    let kept: Vec<u8> =
        files(&vault(&app).join("machines/box")).iter().flat_map(|path| unpacked(path)).collect();
    let kept = String::from_utf8_lossy(&kept).into_owned();
    assert!(kept.contains("Something else") && !kept.contains(&format!("\"display\":\"{MARK}")));
    assert!(app.run("verify").starts_with("exit: 0"));
}

#[test]
fn a_plan_that_another_session_names_stays() {
    let app = kept();
    app.write(&Session::numbered(3).slug("calm-tea").user("go on with the plan").turns(1));
    app.run("sync");
    purge(&app, "--live");
    assert!(app.home().path().join("plans/calm-tea.md").exists());
    assert!(vault(&app).join("machines/box/plans/calm-tea.md.g1.000001.zst").exists());
}

#[test]
fn subagents_of_the_old_layout_go_with_their_session() {
    let app = app(&["crontab"]);
    let old = Session::numbered(1)
        .era(Era::V2_0_42)
        .user("Ask an agent")
        .agent(|agent| agent.prompt(MARK).answer(MARK));
    app.write(&old);
    app.run("init --local --no-schedule");
    let (report, code) = purge(&app, "--live");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])));
    assert_eq!((marked(&vault(&app)), marked(&app.home().path())), (Vec::new(), Vec::new()));
}

#[test]
fn a_running_session_is_not_deleted() {
    let app = kept();
    app.home().registry(&secret(), std::process::id(), "busy");
    let refused = app.run(&format!("purge {} --live --yes --json", id(1)));
    assert!(refused.starts_with("exit: 1") && refused.contains("\"kind\":\"running\""), "{refused}");
    assert_eq!(app.json("status --json")["sessions"]["files"], 2, "nothing was done");
    let planned = purge(&app, "--dry-run").0["next"][0]["command"].as_str().unwrap().to_owned();
    assert!(!planned.contains("--live"), "nobody is sent into a refusal: {planned}");
}

#[test]
fn names_are_resolved_among_what_is_kept() {
    let app = kept();
    for (name, kind) in [("0000", "ambiguous"), ("feed", "not-found"), ("00", "invalid"), ("last", "invalid")]
    {
        let refused = app.run(&format!("purge {name} --yes --json"));
        assert!(
            refused.starts_with("exit: 1") && refused.contains(&format!("\"kind\":\"{kind}\"")),
            "{refused}"
        );
    }
    assert_eq!(app.json("purge 00000001 --yes --json")["purged"]["uuid"], id(1));
}

#[test]
fn git_remembers_until_its_history_is_rewritten() {
    let app = kept();
    let remote = bare(&app);
    let answer = app.json(&format!("remote {} --json", remote.display()));
    assert_eq!(answer["pushed"], true, "{answer}");
    let (report, code) = purge(&app, "--live");
    assert_eq!((code, places(&report)), (Some(3), vec!["git-history", "remote"]), "{report}");
    let detail = report["remaining"][0]["detail"].as_str().unwrap();
    assert!(detail.starts_with(&format!("`steno purge {} --rewrite-history` ", id(1))), "{detail}");
    let tree = String::from_utf8(git(&remote, &["ls-tree", "-r", "--name-only", "main"])).unwrap();
    assert!(!tree.contains(&format!("{}.jsonl", id(1))), "it is gone from what stands there now");
    assert!(!marked(&vault(&app)).is_empty() && !marked(&remote).is_empty());

    let (report, code) = purge(&app, "--live --rewrite-history");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])), "{report}");
    assert_eq!(marked(&vault(&app)), Vec::<PathBuf>::new());
    git(&remote, &["reflog", "expire", "--expire=now", "--all"]);
    git(&remote, &["gc", "--prune=now", "--quiet"]);
    assert_eq!(marked(&remote), Vec::<PathBuf>::new());
    assert_eq!(purge(&app, "").1, Some(0), "nothing is left to be said");
    assert!(app.run("sync").starts_with("exit: 0"));
}

#[test]
fn a_remote_that_cannot_be_reached_remains() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    fs::rename(&remote, remote.with_extension("gone")).unwrap();
    let (report, code) = purge(&app, "--live --rewrite-history");
    assert_eq!((code, places(&report)), (Some(3), vec!["git-history", "remote"]), "{report}");
    fs::rename(remote.with_extension("gone"), &remote).unwrap();
    let (report, code) = purge(&app, "--live --rewrite-history");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])), "{report}");
}

#[test]
fn a_vault_that_was_sent_once_forgets_too() {
    let app = kept();
    app.json(&format!("remote {} --json", bare(&app).display()));
    app.json("remote off --json");
    let (report, code) = purge(&app, "--live --rewrite-history");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])), "{report}");
    assert_eq!(marked(&vault(&app)), Vec::<PathBuf>::new());
}

#[test]
fn what_another_machine_keeps_is_named() {
    let app = kept();
    let copy = vault(&app).join("machines/far/projects/-x");
    fs::create_dir_all(&copy).unwrap();
    fs::copy(&standin::segments(&app, 1)[0], copy.join(format!("{}.jsonl.g1.000001.zst", id(1)))).unwrap();
    let (report, code) = purge(&app, "--live");
    assert_eq!((code, places(&report)), (Some(3), vec!["machine:far"]), "{report}");
    assert!(copy.join(format!("{}.jsonl.g1.000001.zst", id(1))).exists());
}

#[test]
fn a_push_that_is_held_is_not_sent_by_a_purge() {
    let app = kept();
    let token = ["ghp", "_", "x8Kq2mV7bN4cJ1zL6wR9tY3uP5sD0fGh1jK2"].concat();
    app.write(&Session::numbered(3).user(format!("my token is {token}")).turns(1));
    let remote = bare(&app);
    let answer = app.json(&format!("remote {} --json", remote.display()));
    assert_eq!(answer["push"]["state"], "held", "{answer}");
    assert!(!marked(&vault(&app).join(".git")).is_empty(), "git recorded it all the same");
    let (report, code) = purge(&app, "--live --rewrite-history");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])), "{report}");
    assert!(git(&remote, &["for-each-ref"]).is_empty(), "nothing was sent");
    assert_eq!(marked(&vault(&app)), Vec::<PathBuf>::new());
    assert_eq!(app.json("sync --push --json")["pushed"], true);
    assert_eq!(marked(&remote), Vec::<PathBuf>::new());
}

#[test]
fn what_was_sent_before_a_push_is_held_remains_there() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    app.json("remote off --json");
    let token = ["ghp", "_", "x8Kq2mV7bN4cJ1zL6wR9tY3uP5sD0fGh1jK2"].concat();
    app.write(&Session::numbered(3).user(format!("my token is {token}")).turns(1));
    let answer = app.json(&format!("remote {} --json", remote.display()));
    assert_eq!(answer["push"]["state"], "held", "{answer}");
    let (report, code) = purge(&app, "--live --rewrite-history");
    assert_eq!((code, places(&report)), (Some(3), vec!["git-history", "remote"]), "{report}");
    assert!(report["remaining"][1]["detail"].as_str().unwrap().contains("steno sync --push"), "{report}");
    app.json("sync --push --json");
    let (report, code) = purge(&app, "--rewrite-history");
    assert_eq!((code, &report["remaining"]), (Some(0), &json!([])), "{report}");
    assert_eq!(marked(&vault(&app)), Vec::<PathBuf>::new());
}

#[test]
fn history_is_rewritten_also_when_another_machine_keeps_the_session() {
    let app = kept();
    app.json(&format!("remote {} --json", bare(&app).display()));
    let copy = vault(&app).join("machines/far/projects/-x");
    fs::create_dir_all(&copy).unwrap();
    fs::copy(&standin::segments(&app, 1)[0], copy.join(format!("{}.jsonl.g1.000001.zst", id(1)))).unwrap();
    let (report, _) = purge(&app, "--live");
    assert!(places(&report).contains(&"git-history"), "{report}");
    let (report, code) = purge(&app, "--rewrite-history");
    assert_eq!(code, Some(3));
    assert!(!places(&report).contains(&"git-history"), "{report}");
}

#[test]
fn what_is_lost_or_damaged_meanwhile_is_not_purged_along() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    let other = &standin::segments(&app, 2)[0];
    let whole = fs::read(other).unwrap();
    for harm in [b"damage".as_slice(), b""] {
        match harm {
            b"" => fs::remove_file(other).unwrap(),
            harm => fs::write(other, harm).unwrap(),
        }
        let (report, _) = purge(&app, "");
        assert_eq!(report["warnings"][0]["kind"], "healed", "{report}");
        assert_eq!(fs::read(other).unwrap(), whole);
    }
    let name = other.strip_prefix(vault(&app)).unwrap();
    assert_eq!(git(&remote, &["show", &format!("main:{}", name.display())]), whole);
}
