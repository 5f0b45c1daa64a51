//! `share --open`: the page goes to the program that opens files.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use steno_testkit::{App, Session};

/// With an opener that notes what it was given.
fn app(opener: &str) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(&Session::numbered(1).user("Fix it").turns(1));
    let bin = app.home().root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("xdg-open"), opener).unwrap();
    fs::set_permissions(bin.join("xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    app.variable("PATH", &format!("{}:/usr/bin:/bin", bin.display()))
}

#[test]
fn the_page_is_opened_once_it_is_written() {
    let app = app("#!/bin/sh\ntest -s \"$1\" && echo \"$1\" > \"$(dirname \"$0\")/opened\"\n");
    let said = app.run("share last --open");
    assert!(said.starts_with("exit: 0") && !said.contains("warning"), "{said}");
    let opened = fs::read_to_string(app.home().root().join("bin/opened")).unwrap();
    assert!(opened.trim_end().ends_with(".html") && opened.starts_with('/'), "{opened}");
}

#[test]
fn a_browser_that_does_not_open_is_a_warning() {
    let said = app("#!/bin/sh\nexit 3\n").run("share last --open");
    assert!(said.starts_with("exit: 0") && said.contains("Wrote "), "{said}");
    assert!(said.contains("warning: the browser does not open: xdg-open failed"), "{said}");
}
