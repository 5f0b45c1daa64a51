//! Long answers on a terminal, which `script` lends: they go through the pager, and reach people where it fails.

use std::process::{Command, Stdio};

use steno_testkit::{App, Session, executable};

fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    for number in 1..=30 {
        app.write(&Session::numbered(number).turns(1));
    }
    executable(&app.home().root().join("pager"), "#!/bin/sh\necho PAGED\ncat\n");
    app
}

/// What a terminal of ten lines shows; nothing where none can be had.
fn shown(app: &App, variables: &[(&str, &str)], line: &str) -> Option<String> {
    let line = format!("stty rows 10 cols 100; {} {line}; echo CODE $?", env!("CARGO_BIN_EXE_steno"));
    let is_there =
        Command::new("script").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no script(1) of util-linux here");
        return None;
    }
    let surroundings = app.command();
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env_clear().current_dir(app.home().root());
    script.envs(surroundings.get_envs().filter_map(|(name, value)| Some((name, value?))));
    script.env("TERM", "xterm").env("SHELL", "/bin/sh").envs(variables.iter().copied());
    let output = script.stdin(Stdio::null()).output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().replace('\r', ""))
}

#[test]
fn long_answers_go_through_the_pager() {
    let app = app();
    app.run("init --local --no-schedule");
    let pager = [("PAGER", "./pager")];
    for line in ["list", "show last --full-results", "restore --list", "help", "man"] {
        let Some(shown) = shown(&app, &pager, line) else { return };
        assert!(shown.contains("PAGED\n") && shown.contains("CODE 0"), "{line}: {shown}");
    }
    for line in ["list -n 2", "list --json"] {
        assert!(!shown(&app, &pager, line).unwrap().contains("PAGED"), "{line}");
    }
    let own = [("PAGER", "false"), ("STENO_PAGER", "./pager")];
    assert!(shown(&app, &own, "list").unwrap().starts_with("PAGED\n"), "ours counts first");
}

#[test]
fn a_pager_that_does_not_work_hides_nothing() {
    let app = app();
    for pager in ["/no/such/pager", "false", "cat", "", "  "] {
        let Some(shown) = shown(&app, &[("PAGER", pager)], "list") else { return };
        assert!(shown.contains("00000001") && shown.contains("0000001e"), "{pager}: {shown}");
        assert!(shown.contains("CODE 0"), "{pager}: {shown}");
    }
    let dumb = shown(&app, &[("TERM", "dumb")], "list").unwrap();
    assert!(dumb.contains("00000001") && dumb.contains("CODE 0") && !dumb.contains('\u{1b}'), "{dumb}");
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let app = app();
    app.write(&Session::numbered(0x99).turns(400));
    let Some(shown) = shown(&app, &[("PAGER", "head -n 3")], "show 00000099 --full-results") else { return };
    assert!(shown.contains("CODE 0") && shown.lines().count() < 8, "{shown}");
}

#[test]
fn colours_reach_the_pager_unless_they_are_not_wanted() {
    let app = app();
    let Some(coloured) = shown(&app, &[("PAGER", "./pager")], "list") else { return };
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    let plain = shown(&app, &[("PAGER", "./pager"), ("NO_COLOR", "1")], "list").unwrap();
    assert!(plain.contains("PAGED") && !plain.contains('\u{1b}'), "{plain}");
}
