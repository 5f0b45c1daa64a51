//! Manual pages: printed, written, and free of warnings where man(1) is there to say so.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that fails should say where")]

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use steno_testkit::App;

fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno"))
}

#[test]
fn a_page_is_roff_where_nobody_reads_it() {
    let said = app().run("man verify");
    let opening: Vec<&str> = said.lines().take(9).collect();
    assert_snapshot!(opening.join("\n").replace(env!("CARGO_PKG_VERSION"), "[version]"), @r#"
    exit: 0
    ----- stdout -----
    .TH "STENO-VERIFY" "1" "" "steno [version]" "Stenograph"
    .SH "NAME"
    steno\-verify \- Read every kept byte and check it
    .SH "SYNOPSIS"
    steno verify [OPTIONS]
    .SH "DESCRIPTION"
    Read every kept byte and check it.
    "#);
}

#[test]
fn one_page_as_json() {
    let report = app().json("man --json");
    assert_eq!((&report["ok"], &report["dryRun"]), (&true.into(), &false.into()));
    let page = &report["pages"][0];
    assert_eq!((&page["name"], &page["section"]), (&"steno".into(), &"1".into()));
    assert!(page["text"].as_str().unwrap().starts_with(".TH \"STENO\"") && page.get("path").is_none());
    assert_eq!(app().json("man peek --json")["pages"][0]["name"], "steno-peek");
}

#[test]
fn all_pages_are_written_after_a_plan() {
    let app = app();
    let place = app.home().root().join("share/man1");
    let planned = app.json("man --dir share/man1 --dry-run --json");
    assert!(!place.exists());
    let written = app.json("man --dir share/man1 --json");
    assert_eq!(planned["pages"], written["pages"]);
    assert_eq!((&planned["dryRun"], &written["dryRun"]), (&true.into(), &false.into()));
    let pages = written["pages"].as_array().unwrap();
    assert_eq!(fs::read_dir(&place).unwrap().count(), pages.len());
    assert_eq!(fs::read_to_string(place.join("claude-backup.1")).unwrap(), ".so man1/steno.1\n");
    for page in pages {
        let text = fs::read_to_string(place.join(format!("{}.1", page["name"].as_str().unwrap()))).unwrap();
        assert!(page["path"].as_str().unwrap().starts_with("$HOME/share/man1/"), "{page}");
        assert!(page.get("text").is_none() && text.starts_with('.'), "{page}");
    }
    assert!(
        app.run("man --dir share/man1").ends_with(&format!("wrote {} pages\n", pages.len())),
        "written anew"
    );
}

#[test]
fn what_goes_wrong() {
    let app = app();
    app.home().file("../plain", "x");
    assert_snapshot!(app.run("man --dir plain"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: plain is no directory
    hint: --dir names a directory, such as man1
    ");
    assert_snapshot!(app.run("man --dir plain/man1 --json"), @r#"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    {"error":"cannot write plain/man1: Not a directory (os error 20)","kind":"io","code":2,"hints":[]}
    "#);
    assert!(app.run("man restor").contains("a similar value exists: 'restore'"));
    assert!(app.run("man peek --dir x").starts_with("exit: 1"), "one page, or all of them");
}

#[test]
fn no_page_has_anything_to_be_warned_of() {
    let app = app();
    app.run("man --dir pages");
    let pages = fs::read_dir(app.home().root().join("pages")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.filter(|page| !page.ends_with("claude-backup.1")) {
        let mut man = Command::new("man");
        man.args(["--warnings", "-l", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let Ok(mut man) = man.spawn() else { return eprintln!("skipped: there is no man here") };
        // One that knows no such options is gone before it reads.
        let _ = man.stdin.take().unwrap().write_all(&fs::read(&page).unwrap());
        let output = man.wait_with_output().unwrap();
        if !output.status.success() {
            return eprintln!("skipped: this man reads no standard input");
        }
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{}", page.display());
        assert!(String::from_utf8_lossy(&output.stdout).contains("EXIT STATUS"), "{}", page.display());
    }
}
