//! `steno init`, `sync` and `remote`: what is kept, and where it goes.

#![cfg(unix)]
mod address;
mod lost;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::{App, Session};

fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk")
}

fn with_sessions() -> App {
    let app = app();
    app.write(&Session::numbered(1).turns(3));
    app.write(&Session::numbered(2).turns(2));
    app
}

fn vault(app: &App) -> PathBuf {
    app.home().root().join(".claude-backup")
}

fn git(directory: &Path, arguments: &str) -> String {
    let output = Command::new("git")
        .current_dir(directory)
        .args(arguments.split_whitespace())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A bare repository beside the home.
fn bare(app: &App, name: &str) -> String {
    let path = app.home().root().join(name);
    fs::create_dir_all(&path).unwrap();
    git(&path, "init --bare --quiet --initial-branch=main");
    path.to_str().unwrap().to_owned()
}

/// What a bare repository holds, by name.
fn sent(remote: &str) -> Vec<String> {
    let listed = git(Path::new(remote), "ls-tree -r --name-only main");
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn init_says_what_it_did() {
    let app = with_sessions();
    let said = app.run("init --local --no-schedule");
    let told = said.lines().filter(|line| !line.starts_with("Schedule:"));
    let told: Vec<String> = told.map(|line| line.split(" · ").next().unwrap().to_owned()).collect();
    assert_snapshot!(told.join("\n"), @r"
    exit: 0
    ----- stdout -----
    Made a vault in $HOME/.claude-backup
    Backed up: 2 sessions added
    Undo: `steno uninstall --delete-vault --yes` deletes the vault
    Mode: local (no remote)
    Next: `steno list` shows your sessions, `steno restore --list` what is backed up

    ----- stderr -----
    ");
}

#[test]
fn sync_says_what_is_new() {
    let app = with_sessions();
    app.run("init --local --no-schedule --no-sync");
    let first = app.json("sync --json");
    assert_eq!(first["sessions"], json!({"added": 2, "updated": 0, "removed": 0}));
    app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
    let second = app.json("sync --json");
    assert_eq!(second["sessions"], json!({"added": 0, "updated": 1, "removed": 0}));
    assert_eq!(second["bytesRead"], 16);
    assert_snapshot!(app.run("sync"), @r"
    exit: 0
    ----- stdout -----
    Backed up: no session has changed

    ----- stderr -----
    ");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(app.json("sync --json")["kept"], 2);
}

#[test]
fn credentials_and_keys_are_never_kept() {
    let app = with_sessions();
    let secret = "never-in-a-vault";
    for path in
        [".credentials.json", "sessions/1.key", "statsig/cache", "skills/a/server.pem", "projects/-a/id_rsa"]
    {
        app.home().file(path, secret);
    }
    app.home().file("skills/a/SKILL.md", "a skill");
    app.run("init --local --no-schedule");
    let mut directories = vec![vault(&app)];
    let mut seen = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let name = path.to_str().unwrap().to_owned();
            let bytes = if name.ends_with(".zst") {
                Command::new("zstd")
                    .args(["-dcq", &name])
                    .output()
                    .map(|output| output.stdout)
                    .unwrap_or_default()
            } else {
                fs::read(&path).unwrap()
            };
            assert!(!String::from_utf8_lossy(&bytes).contains(secret), "{name}");
            seen.push(name);
        }
    }
    assert!(seen.iter().any(|name| name.ends_with("config/skills/a/SKILL.md")), "{seen:?}");
    assert!(!seen.iter().any(|name| name.contains("id_rsa") || name.contains(".credentials")), "{seen:?}");
}

#[test]
fn the_vault_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let app = with_sessions();
    app.home().file("settings.json", "{}");
    app.run("init --local --no-schedule");
    let mut places = vec![vault(&app)];
    while let Some(place) = places.pop() {
        let metadata = fs::symlink_metadata(&place).unwrap();
        if place.ends_with(".git") {
            continue;
        }
        assert_eq!(metadata.permissions().mode() & 0o077, 0, "{}", place.display());
        if metadata.is_dir() {
            places.extend(fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[test]
fn two_claude_directories_do_not_mix() {
    let app = with_sessions();
    app.home().file("history.jsonl", "first\n");
    let other = app.home().root().join(".claude-work");
    fs::create_dir_all(other.join("projects/-w")).unwrap();
    fs::write(other.join("history.jsonl"), "second\n").unwrap();
    fs::write(other.join("projects/-w/5f0c3a7e-0000-4000-8000-000000000009.jsonl"), "{}\n").unwrap();
    app.run("init --local --no-schedule");
    let both = format!("--claude-dir {} --claude-dir {}", app.home().path().display(), other.display());
    assert_eq!(app.json(&format!("sync {both} --json"))["sessions"]["added"], 1);
    assert_eq!(app.json(&format!("sync {both} --json"))["bytesRead"], 0);
    let kept = vault(&app).join("machines/desk");
    assert!(kept.join("history.jsonl.g1.000001.zst").exists());
    assert!(kept.join("homes/claude-work/history.jsonl.g1.000001.zst").exists());
}

#[test]
fn a_directory_that_is_something_else_is_left_alone() {
    let app = with_sessions();
    fs::create_dir_all(app.home().root().join("documents")).unwrap();
    fs::write(app.home().root().join("documents/letter.txt"), "dear").unwrap();
    let output = app.run("init --local --no-schedule --vault documents");
    assert!(output.starts_with("exit: 1") && output.contains("is no vault, and not empty"), "{output}");
    assert_eq!(fs::read_dir(app.home().root().join("documents")).unwrap().count(), 1);
}

#[test]
fn a_git_remote_gets_everything_and_nothing_of_the_cache() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    let answer = app.json(&format!("init --remote {remote} --no-schedule --json"));
    assert_eq!((&answer["mode"], &answer["sync"]["pushed"]), (&json!("git"), &json!(true)), "{answer}");
    let names = sent(&remote);
    assert!(names.iter().any(|name| name.ends_with(".jsonl.g1.000001.zst")), "{names:?}");
    assert!(names.contains(&"vault.json".to_owned()), "{names:?}");
    let foreign =
        |name: &&String| name.contains(".cache") || **name == "manifest.json" || name.contains(".lock");
    assert_eq!(names.iter().find(foreign), None);
    let before = names.len();
    app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
    assert_eq!(app.json("sync --json")["pushed"], true);
    assert_eq!(sent(&remote).len(), before + 2, "a segment, and its record in the ledger");
    assert_eq!(
        app.json("remote --json")["repo"],
        remote.replace(app.home().root().to_str().unwrap(), "$HOME")
    );
}

#[test]
fn moving_from_local_to_a_remote_and_back_takes_everything_along() {
    let app = with_sessions();
    app.run("init --local --no-schedule");
    let remote = bare(&app, "remote.git");
    let moved = app.json(&format!("remote {remote} --json"));
    assert_eq!((&moved["ok"], &moved["mode"], &moved["pushed"]), (&json!(true), &json!("git"), &json!(true)));
    assert_eq!(sent(&remote).iter().filter(|name| name.contains("/projects/")).count(), 2);
    let other = bare(&app, "other.git");
    assert_eq!(app.json(&format!("remote {other} --json"))["pushed"], true);
    assert_eq!(sent(&other), sent(&remote));
    assert_eq!(
        app.json("remote off --json"),
        json!({
            "ok": true, "mode": "local", "repo": null, "encrypted": false, "pushed": false, "push": null,
            "warnings": [],
        })
    );
    assert_eq!(app.json("sync --json")["pushed"], false);
    assert_eq!(app.json("verify --json")["ok"], true);
}

#[test]
fn what_cannot_be_sent_is_said_and_sent_later() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    app.run(&format!("init --remote {remote} --no-schedule"));
    let away = app.home().root().join("away.git");
    fs::rename(&remote, &away).unwrap();
    app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
    let output = app.output(&["sync", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let offline: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&offline["ok"], &offline["pushed"]), (&json!(false), &json!(false)), "{offline}");
    assert!(offline["next"][0]["command"].as_str().unwrap().starts_with("steno sync"), "{offline}");
    assert!(app.run("--quiet sync --scheduled").starts_with("exit: 0"), "a scheduler has nothing to mend");
    assert_eq!(offline["push"]["state"], "offline", "{offline}");
    fs::rename(&away, &remote).unwrap();
    assert_eq!(app.json("sync --json")["pushed"], true);
    assert!(sent(&remote).iter().any(|name| name.ends_with(".g1.000002.zst")));
    let hook = Path::new(&remote).join("hooks/pre-receive");
    steno_testkit::executable(&hook, "#!/bin/sh\necho no thanks >&2\nexit 1\n");
    app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
    let output = app.output(&["sync", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let refused: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&refused["ok"], &refused["push"]["state"]), (&json!(false), &json!("refused")), "{refused}");
}

#[test]
fn a_first_push_with_a_secret_is_held_until_somebody_says_so() {
    let app = app();
    let token = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    app.write(&Session::numbered(1).user(format!("my token is {token}")));
    let remote = bare(&app, "remote.git");
    let held = app.json(&format!("init --remote {remote} --no-schedule --json"));
    assert_eq!(held["sync"]["pushed"], false);
    assert_eq!(held["sync"]["push"]["state"], "held");
    assert_eq!(held["sync"]["push"]["secrets"]["found"], 1, "{held}");
    assert!(!held.to_string().contains("16C7e42F292c"));
    assert!(
        !Command::new("git")
            .args(["-C", &remote, "rev-parse", "--verify", "-q", "main"])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(app.json("sync --json")["push"]["state"], "held");
    assert!(app.run("sync").starts_with("exit: 3"));
    assert!(app.run("--quiet sync --scheduled").starts_with("exit: 0"));
    assert_eq!(app.json("sync --push --json")["pushed"], true);
    app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
    assert_eq!(app.json("sync --json")["pushed"], true);
}

#[test]
fn two_machines_share_a_remote() {
    let one = with_sessions();
    let remote = bare(&one, "remote.git");
    let two = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "lap top");
    two.write(&Session::numbered(7).turns(2));
    one.run(&format!("init --remote {remote} --no-schedule"));
    assert_eq!(two.json(&format!("init --remote {remote} --no-schedule --json"))["sync"]["pushed"], true);
    assert_eq!(one.json("sync --json")["push"]["received"].as_u64().map(|number| number > 0), Some(true));
    for app in [&one, &two] {
        let all = app.json("restore --list --json");
        let mut machines: Vec<&str> = all["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|session| session["machine"].as_str().unwrap())
            .collect();
        machines.sort_unstable();
        assert_eq!(machines, ["desk", "desk", "lap-top"]);
        assert_eq!(app.json("verify --json")["ok"], true);
    }
}

#[test]
fn a_machine_whose_name_is_taken_gets_another() {
    let one = with_sessions();
    let remote = bare(&one, "remote.git");
    let two = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk");
    two.write(&Session::numbered(7).turns(2));
    one.run(&format!("init --remote {remote} --no-schedule"));
    let joined = two.json(&format!("init --remote {remote} --no-schedule --json"));
    assert_eq!(joined["sync"]["pushed"], true, "{joined}");
    assert_ne!(joined["machine"], "desk");
    assert_eq!(two.json("restore --list --json")["sessions"].as_array().unwrap().len(), 3);
    assert_eq!(two.json("sync --json")["bytesRead"], 0);
    assert_eq!(one.json("sync --json")["ok"], true);
    assert_eq!(one.json("restore --list --json")["sessions"].as_array().unwrap().len(), 3);
}

#[test]
fn github_is_used_where_gh_is_signed_in() {
    let app = with_sessions();
    let remote = bare(&app, "claude-backup-data.git");
    let bin = app.home().root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let calls = app.home().root().join("calls");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {calls}\ncase \"$1 $2\" in\n'auth status') exit 0;;\n\
         'repo view') [ -e {made} ] || {{ echo 'GraphQL: Could not resolve to a Repository' >&2; exit 1; }}\n\
         echo '{{\"url\":\"{remote}\",\"isPrivate\":true,\"visibility\":\"PRIVATE\"}}';;\n\
         'repo create') touch {made}; echo {remote};;\nesac\n",
        calls = calls.display(),
        made = app.home().root().join("made").display(),
    );
    steno_testkit::executable(&bin.join("gh"), &script);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let app = app.variable("PATH", &path);
    let answer = app.json("init --no-schedule --json");
    let calls = fs::read_to_string(calls).unwrap();
    assert!(calls.contains("repo create") && calls.contains("--private"), "{calls}");
    assert_eq!(answer["sync"]["pushed"], true, "{answer}");
    assert!(!sent(&remote).is_empty());
}

#[test]
fn a_failed_run_stays_visible_until_one_succeeds() {
    let app = with_sessions();
    app.run("init --local --no-schedule");
    let projects = app.home().path().join("projects");
    let hidden = app.home().root().join("hidden");
    fs::rename(app.home().path(), &hidden).unwrap();
    fs::write(app.home().path(), "a file").unwrap();
    let failed = app.run("sync");
    assert!(!failed.starts_with("exit: 0"), "{failed}");
    fs::remove_file(app.home().path()).unwrap();
    fs::rename(&hidden, app.home().path()).unwrap();
    assert!(projects.is_dir());
    app.run("sync");
    assert_eq!(app.json("status --json")["lastError"], Value::Null);
    let log = fs::read_to_string(vault(&app).join(".cache/steno.log")).unwrap();
    assert!(log.lines().count() >= 3, "{log}");
}

#[test]
fn the_config_of_every_claude_directory_has_a_history() {
    let app = with_sessions();
    let other = app.home().root().join(".claude-work");
    fs::create_dir_all(other.join("projects")).unwrap();
    fs::write(other.join("settings.json"), "{}").unwrap();
    app.home().file("settings.json", "{}");
    app.run("init --local --no-schedule --no-sync");
    app.run(&format!("sync --claude-dir {} --claude-dir {}", app.home().path().display(), other.display()));
    let known = git(&vault(&app), "ls-files");
    for name in
        ["config/settings.json", "homes/claude-work/config/settings.json", "homes/claude-work/manifest.json"]
    {
        assert!(known.contains(&format!("machines/desk/{name}")), "{known}");
    }
    assert!(!known.contains(".zst"), "{known}");
}
