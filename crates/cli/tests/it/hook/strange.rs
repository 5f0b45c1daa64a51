//! What a hook may meet: strange payloads, a stdin without an end, vaults it cannot use. None of it is the client's
//! concern.

use std::fs::File;

use super::*;

#[test]
fn nothing_is_done_for_other_events_and_bad_payloads() {
    let app = kept();
    let transcript = grow(&app);
    let nested = "[".repeat(100_000);
    let huge = format!("\"{}", "x".repeat(17 << 20));
    let strange = [
        ("", "no-payload"),
        (" \r\n", "no-payload"),
        ("nonsense", "bad-payload"),
        ("{\"hook_event_name\":", "bad-payload"),
        ("\u{0}\u{1}\u{feff}", "bad-payload"),
        (&nested, "bad-payload"),
        (&huge, "bad-payload"),
        (&json!(["SessionEnd", id(1), transcript]).to_string(), "bad-payload"),
        ("{}", "other-event"),
        ("{\"hook_event_name\":[\"SessionEnd\"]}", "other-event"),
        (&payload(&transcript, "PostToolUse").to_string(), "other-event"),
    ];
    for (text, reason) in strange {
        let answer = asked(&app, text);
        assert_eq!((&answer["started"], &answer["reason"]), (&json!(false), &json!(reason)));
        let output = hook(&app, text);
        assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    }
    assert_eq!(runs(&app), 0);
}

#[test]
fn a_stdin_that_says_nothing_holds_up_nobody() {
    let app = kept();
    // As the shell's `<&-` closes it.
    let closed = format!("exec {} hook --json <&-", env!("CARGO_BIN_EXE_steno"));
    let mut command = App::command(&app);
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(closed).env_clear();
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "no-payload");
    // A pipe that stays open.
    command.args(["hook", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "no-payload");
}

#[test]
fn a_terminal_is_not_read_from() {
    let app = kept();
    let Ok(terminal) = File::options().read(true).write(true).open("/dev/ptmx") else { return };
    let mut command = app.command();
    let output = command.args(["hook", "--json"]).stdin(terminal).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "no-payload");
}

#[test]
fn a_vault_that_cannot_be_written_is_not_the_clients_concern() {
    let app = kept();
    let transcript = grow(&app);
    // Not even root writes here.
    let cache = vault(&app).join(".cache");
    fs::remove_dir_all(&cache).unwrap();
    fs::write(&cache, "no directory").unwrap();
    let answer = asked(&app, &payload(&transcript, "SessionEnd").to_string());
    assert_eq!(answer["started"], true, "a claim that cannot be made keeps nobody away");
    for broken in ["vault.json", "manifest.json"] {
        fs::remove_file(vault(&app).join(broken)).unwrap();
        fs::create_dir(vault(&app).join(broken)).unwrap();
    }
    let output = hook(&app, &payload(&transcript, "SessionEnd").to_string());
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    assert_eq!(asked(&app, &payload(&transcript, "SessionEnd").to_string())["started"], false);
}

#[test]
fn a_machine_without_anything_is_not_the_clients_concern() {
    let app = app(&[]).variable("STENO_NOW", "nonsense");
    let output = hook(&app, "{}");
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    let answer = asked(&app, "{}");
    assert_eq!((&answer["started"], &answer["reason"]), (&json!(false), &json!("failed")));
    assert!(answer["message"].as_str().unwrap().contains("STENO_NOW"), "{answer}");
}

#[test]
fn a_line_that_means_nothing_is_not_the_clients_concern() {
    let app = app(&[]);
    let lines = [
        (&["hook", "--nope"][..], "--nope"),
        (&["hook", "--vault", ""], "--vault"),
        (&["--vault", "", "hook"], "--vault"),
        (&["--color", "never", "--nope", "hook"], "--nope"),
        (&["hook", "--quiet=yes"], "--quiet"),
        (&["hook", "more"], "more"),
    ];
    for (line, named) in lines {
        let output = run(&app, line, "{}");
        assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()), "{line:?}");
        let output = run(&app, &[line, &["--json"]].concat(), "{}");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{line:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["ok"], &answer["reason"]), (&json!(true), &json!("failed")), "{line:?}");
        assert!(answer["message"].as_str().unwrap().contains(named), "{answer}");
    }
    for other in [&["list", "--project", "hook", "--nope"][..], &["hok"], &["--vault", "hook", "hok"]] {
        assert_eq!(run(&app, other, "{}").status.code(), Some(1), "{other:?}");
    }
    let help = run(&app, &["hook", "--help"], "");
    assert!(String::from_utf8(help.stdout).unwrap().contains("It always exits 0"));
}

/// The client may run with a directory of its own, which is not what the advice is about.
#[test]
fn the_advice_about_another_directory_names_it_and_the_vault() {
    let app = kept();
    let root = app.home().root();
    let (vault, other) = (root.join("my vault"), root.join("it's"));
    fs::rename(super::vault(&app), &vault).unwrap();
    let line = ["--vault", vault.to_str().unwrap(), "--claude-dir", "/elsewhere", "hook", "--json"];
    let payload = payload(&other.join("projects/-w/x.jsonl"), "SessionEnd").to_string();
    let answer: Value = serde_json::from_slice(&run(&app, &line, &payload).stdout).unwrap();
    let root = root.display();
    let advice = format!(r"`steno sync --vault '{root}/my vault' --claude-dir '{root}/it'\''s'` takes it in");
    assert!(answer["message"].as_str().unwrap().ends_with(&advice), "{answer}");
}

#[test]
fn a_vault_that_has_kept_nothing_yet_says_what_takes_a_directory_in() {
    let app = app(&[]);
    app.json("init --local --no-schedule --no-sync --json");
    let other = app.home().root().join("work/projects/-w/x.jsonl");
    let answer = asked(&app, &payload(&other, "SessionEnd").to_string());
    assert_eq!(answer["reason"], "other-directory");
    assert!(answer["message"].as_str().unwrap().contains("steno sync --claude-dir "), "{answer}");
}

#[test]
fn whoever_misses_a_session_finds_the_reason_in_the_log() {
    let app = kept();
    let transcript = grow(&app);
    let identity = vault(&app).join("vault.json");
    let text = fs::read_to_string(&identity).unwrap();
    let mut newer: Value = serde_json::from_str(&text).unwrap();
    newer["format"] = json!(99);
    fs::write(&identity, newer.to_string()).unwrap();
    let answer = asked(&app, &payload(&transcript, "SessionEnd").to_string());
    assert_eq!(answer["reason"], "failed");
    let told = |app: &App| log(app).lines().filter(|line| line.contains(" hook failed: ")).count();
    assert_eq!(told(&app), 1, "{}", log(&app));
    assert!(log(&app).contains(answer["message"].as_str().unwrap()), "{}", log(&app));
    app.json(&format!("hook --keep {} --json", transcript.display()));
    assert_eq!(told(&app), 2, "{}", log(&app));
}

#[test]
fn a_payload_is_read_to_its_end_and_not_to_that_of_stdin() {
    let app = kept();
    let text = payload(&grow(&app), "SessionEnd").to_string();
    let (start, end) = text.split_at(text.len() / 2);
    let mut command = app.command();
    command.args(["hook", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(start.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(20));
    stdin.write_all(format!("{end}\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["started"], &answer["session"]), (&json!(true), &json!(id(1))), "{answer}");
    wait_for(&app, "the run", |app| runs(app) == 1);
}

#[test]
fn a_payload_that_breaks_off_is_not_waited_for() {
    let app = kept();
    let mut command = app.command();
    command.args(["hook", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"hook_event_name\":").unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "bad-payload");
}

#[test]
fn a_pipe_in_place_of_the_claims_holds_up_nobody() {
    let app = kept();
    let claims = vault(&app).join(".cache/hooks.json");
    fs::remove_file(&claims).ok();
    assert!(std::process::Command::new("mkfifo").arg(&claims).status().unwrap().success());
    let answer = asked(&app, &payload(&grow(&app), "SessionEnd").to_string());
    assert_eq!(answer["started"], true, "{answer}");
    wait_for(&app, "the run", |app| runs(app) == 1);
}
