//! `steno share --encrypt`: where the passphrase comes from, what is told of it, and that nothing can be read in the
//! file. What is inside, `browser/locked.rs` and `ops/src/share/lock.rs` open.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use steno_testkit::App;

const PASSPHRASE: &str = "correct horse battery staple";

fn app() -> App {
    App::with_session(env!("CARGO_BIN_EXE_steno"), |session| {
        session
            .cwd("/home/dev/heronry")
            .custom_title("Moving the heronry")
            .user("Where do the herons nest?")
            .assistant(|message| message.text("In the alder by the weir."))
    })
}

fn file(app: &App, name: &str) -> String {
    fs::read_to_string(app.home().root().join(name)).unwrap()
}

/// The error object of a line that is refused.
fn refused(app: &App, line: &str) -> Value {
    let output = app.output(&format!("{line} --json").split_whitespace().collect::<Vec<_>>());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{line}");
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert!(!error["hints"].as_array().unwrap().is_empty(), "{line}: {error}");
    error
}

#[test]
fn nothing_can_be_read_in_the_page_or_its_name() {
    let app = app().variable("STENO_SHARE_PASSPHRASE", PASSPHRASE);
    let told = app.run("share last --encrypt");
    assert!(told.contains("Wrote $HOME/encrypted-page.html (") && told.contains(", encrypted)"), "{told}");
    assert!(!told.contains("Passphrase"), "{told}");
    let page = file(&app, "encrypted-page.html");
    let words = ["heron", "nest", "alder", "weir", "00000001-5e55", "horse", "/home", "project", "2026-"];
    // By chance, a short word may stand in what is encrypted.
    let (clear, _) = page.split_once("}\">").unwrap();
    for word in words {
        assert!(!clear.to_lowercase().contains(word), "{word}");
        assert!(word.len() < 6 || !page.to_lowercase().contains(word), "{word}");
    }
    assert!(page.contains("<title>Encrypted page</title>") && page.contains("&quot;rounds&quot;:600000,"));
    let names = fs::read_dir(app.home().root()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().contains("heron")));
}

#[test]
fn a_passphrase_that_is_made_is_told_once() {
    let app = app();
    let report = app.json("share last --encrypt --generate-passphrase --json");
    assert_eq!((&report["encrypted"], &report["dryRun"]), (&json!(true), &json!(false)));
    let made = report["passphrase"].as_str().unwrap();
    assert_eq!(made.len(), 24, "{made}");
    assert_eq!(report["redacted"]["total"].as_u64().map(|_| true), Some(true), "it is masked as well");
    assert_eq!(report["sizeBytes"], file(&app, "encrypted-page.html").len());
    let told = app.run("share last --encrypt --generate-passphrase -q");
    assert!(told.contains("encrypted-page-2.html (") && told.contains("\nPassphrase: "), "{told}");
    let said = refused_in_words(&app, "share last --encrypt --generate-passphrase -o -");
    assert!(said.contains("no room for its passphrase"), "{said}");
}

#[test]
fn a_dry_run_asks_for_nothing_and_tells_the_size() {
    let app = app();
    let report = app.json("share last --encrypt --dry-run --json");
    assert_eq!((&report["encrypted"], &report["dryRun"]), (&json!(true), &json!(true)));
    assert!(report.get("passphrase").is_none() && report["sizeBytes"].as_u64().unwrap() > 5000, "{report}");
    assert!(!app.home().root().join("encrypted-page.html").exists());
}

#[test]
fn it_comes_from_a_file_or_from_stdin() {
    let app = app().variable("STENO_SHARE_PASSPHRASE", "another one, which is not asked");
    let mut child = app
        .command()
        .args(["share", "last", "--encrypt", "--passphrase-file", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"too short\nnot read").unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let weak = report["warnings"].as_array().unwrap().last().unwrap();
    assert_eq!((&weak["kind"], &weak["file"]), (&json!("weak-passphrase"), &json!("")), "{report}");
    fs::write(app.home().root().join("secret"), "short one\n").unwrap();
    let told = app.run("share last --encrypt --passphrase-file secret -o page.html");
    assert!(told.contains("exit: 0") && told.contains("warning: the passphrase is short"), "{told}");
}

#[test]
fn without_a_passphrase_nothing_is_written() {
    let app = app();
    let nobody = refused(&app, "share last --encrypt");
    assert_eq!(nobody["kind"], "invalid");
    assert!(nobody["hints"][0].as_str().unwrap().contains("--generate-passphrase"), "{nobody}");
    fs::write(app.home().root().join("secret"), " \n").unwrap();
    let empty = refused(&app, "share last --encrypt --passphrase-file secret");
    assert_eq!(empty["error"], "the passphrase is empty");
    let missing = app.run("share last --encrypt --passphrase-file nowhere");
    assert!(missing.contains("exit: 2") && missing.contains("from nowhere"), "{missing}");
    assert!(!app.home().root().join("encrypted-page.html").exists());
}

/// Whoever gets a page must not get what opens the vault.
#[test]
fn the_passphrase_of_the_vault_s_key_is_not_that_of_a_page() {
    let app = app().variable("STENO_PASSPHRASE", PASSPHRASE);
    let error = refused(&app, "share last --encrypt");
    assert!(error["hints"].to_string().contains("STENO_SHARE_PASSPHRASE"), "{error}");
    assert!(!app.home().root().join("encrypted-page.html").exists());
}

#[test]
fn only_a_page_is_encrypted_and_only_when_asked_for() {
    let app = app().variable("STENO_SHARE_PASSPHRASE", PASSPHRASE);
    for format in ["markdown", "text", "json", "jsonl"] {
        let error = refused(&app, &format!("share last --encrypt --format {format}"));
        assert!(error["error"].as_str().unwrap().contains("only a page"), "{error}");
    }
    for line in ["share last --passphrase-file secret", "share last --generate-passphrase"] {
        assert_eq!(refused(&app, line)["kind"], "usage", "{line}");
    }
    let plain = app.json("share last --json");
    assert!(plain.get("encrypted").is_none() && plain.get("passphrase").is_none(), "{plain}");
    assert!(file(&app, "moving-the-heronry-00000001.html").contains("herons"));
}

fn refused_in_words(app: &App, line: &str) -> String {
    let told = app.run(line);
    assert!(told.starts_with("exit: 1\n") && told.contains("hint: "), "{told}");
    told
}
