//! Manual pages: printed, written, and free of warnings where man(1) is there to say so.

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
    steno\-verify \- Read the whole backup and check every byte
    .SH "SYNOPSIS"
    steno verify [OPTIONS]
    .SH "DESCRIPTION"
    Read the whole backup and check every byte.
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
    for page in pages {
        let text = fs::read_to_string(place.join(format!("{}.1", page["name"].as_str().unwrap()))).unwrap();
        assert!(page["path"].as_str().unwrap().starts_with("$HOME/share/man1/"), "{page}");
        assert!(page.get("text").is_none() && text.starts_with('.'), "{page}");
    }
    fs::write(place.join("steno-list.1"), ".TH \"STENO-LIST\" \"1\" \"\" \"steno 0.0.1\"\n").unwrap();
    fs::write(place.join("claude-backup.1"), ".so man1/steno.1\n").unwrap();
    fs::remove_file(place.join("steno-show.1")).unwrap();
    let shown = app.run("man --dir share/man1 --dry-run");
    assert!(shown.contains("/steno-list.1 (replaces another version)\n"), "{shown}");
    assert!(shown.contains("/steno.1 (is there)\n") && shown.contains("/steno-show.1\n"), "{shown}");
    let again = app.run("man --dir share/man1");
    assert!(again.ends_with(&format!("wrote {} pages\n", pages.len())), "written anew: {again}");
    assert_eq!(fs::read_dir(&place).unwrap().count(), pages.len(), "nothing is left beside them");
    assert!(fs::read_to_string(place.join("steno-list.1")).unwrap().contains(env!("CARGO_PKG_VERSION")));
}

/// All pages are written, or none.
#[cfg(unix)]
#[test]
fn what_is_not_ours_is_not_overwritten() {
    let app = app();
    let place = app.home().root().join("man1");
    let (link, page) = (place.join("steno.1"), place.join("steno-list.1"));
    let refused = |shown: &str| {
        for line in ["man --dir man1 --dry-run", "man --dir man1"] {
            let told = app.run(line);
            assert!(told.starts_with("exit: 1") && told.contains(shown), "{line}: {told}");
            assert_eq!(fs::read_dir(&place).unwrap().count(), 1, "{line}");
        }
    };
    fs::create_dir(&place).unwrap();
    app.home().file("../precious", "x");
    std::os::unix::fs::symlink("../precious", &link).unwrap();
    refused("man1/steno.1 is there, and is no page of ours");
    assert_eq!(fs::read_to_string(app.home().root().join("precious")).unwrap(), "x");
    fs::remove_file(link).unwrap();
    fs::create_dir(&page).unwrap();
    refused("man1/steno-list.1 is there, and is no page of ours");
    fs::remove_dir(&page).unwrap();
    fs::write(&page, ".TH \"OTHER\"\n").unwrap();
    refused("man1/steno-list.1 is there, and is no page of ours");
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
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"plain is no directory","kind":"exists","code":1,"hints":["--dir names a directory, such as man1"]}
    "#);
    assert!(app.run("man restor").contains("a similar value exists: 'restore'"));
    assert!(app.run("man peek --dir x").starts_with("exit: 1"), "one page, or all of them");
}

#[test]
fn no_page_has_anything_to_be_warned_of() {
    let app = app();
    app.run("man --dir pages");
    let pages = fs::read_dir(app.home().root().join("pages")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages {
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
