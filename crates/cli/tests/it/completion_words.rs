//! Names of files and projects that mean something to a shell, at a Tab: what is inserted is that name, and nothing runs.

#![cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::Command;

use steno_testkit::{App, Session};

/// The first two letters tell them apart.
const FILES: [&str; 9] = [
    "ff$(touch PWNED).tgz",
    "gg`touch PWNED`",
    "hh;touch PWNED",
    "ii space  twice",
    "jj'$(touch PWNED)'",
    "kk\"$(touch PWNED)\"\\",
    "ll*[a-z]?{1,2}",
    "mm&|<>#!~é",
    "~n",
];

fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    for name in FILES {
        fs::write(app.home().root().join(name), "").unwrap();
    }
    app
}

/// The words that bash would insert for the last one, of which it takes this much for typed.
fn inserted(app: &App, typed: &str, words: &[&str]) -> Option<Vec<String>> {
    let script = r#"eval "$("$0" completions bash)"
        typed=$1; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9
        _clap_complete_steno "$1" "$typed" "" && printf '%s\n' "${COMPREPLY[@]}""#;
    let mut command = Command::new("bash");
    command.args(["--norc", "-c", script, env!("CARGO_BIN_EXE_steno"), typed]).args(words);
    command.env_clear().env("HOME", app.home().root()).env("PATH", std::env::var_os("PATH").unwrap());
    let Ok(output) = command.current_dir(app.home().root()).output() else {
        eprintln!("skipped: there is no bash here");
        return None;
    };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// What the shell makes of words.
fn read_by_bash(directory: &Path, words: &str) -> String {
    let script = r#"eval "set -- $1"; printf '<%s>' "$@""#;
    let output =
        Command::new("bash").args(["-c", script, "bash", words]).current_dir(directory).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_gets_words_that_mean_the_file_and_nothing_else() {
    let app = app();
    for name in FILES {
        let start: String = name.chars().take(2).collect();
        for (before, after) in [("", ""), ("'", "'"), ("\"", "\"")] {
            let word = format!("{before}{start}");
            let Some(found) = inserted(&app, &start, &["steno", "import-config", &word]) else { return };
            if name.contains('!') && before == "\"" {
                assert_eq!(found, [""; 0], "bash's history cannot be kept out");
                continue;
            }
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            let line = format!("{before}{}{after}", found[0]);
            assert_eq!(read_by_bash(app.home().root(), &line), format!("<{name}>"), "{line}");
        }
    }
    assert!(!app.home().root().join("PWNED").exists());
}

#[test]
fn bash_goes_on_after_what_it_has_inserted() {
    let app = app();
    fs::create_dir_all(app.home().root().join("a b/c d")).unwrap();
    let Some(found) = inserted(&app, r"a\ b/", &["steno", "list", "--vault", r"a\ b/"]) else { return };
    assert_eq!(found, [r"a\ b/c\ d/"]);
    assert_eq!(inserted(&app, "~/a", &["steno", "list", "--vault", "~/a"]).unwrap(), [r"~/a\ b/"]);
    assert_eq!(inserted(&app, "", &["steno", "list", "--vault", "="]).unwrap().len(), 2, "`a b/` and `.`");
    assert_eq!(inserted(&app, "a", &["steno", "list", "--vault", "=", "a"]).unwrap(), [r"a\ b/"]);
    assert_eq!(inserted(&app, "", &["steno", "list", "--vault", "'a b/'"]).unwrap(), [r"c\ d/"]);
}

#[test]
fn fish_and_zsh_go_on_too() {
    let app = app();
    fs::create_dir_all(app.home().root().join("a b/c d")).unwrap();
    for typed in [r"a\ b/", "'a b/", "\"a b/"] {
        assert_eq!(offered(&app, "fish", &["steno", "list", "--vault", typed]), ["a b/c d/"], "{typed}");
    }
}

#[test]
fn what_acts_on_a_terminal_is_not_offered() {
    let app = app();
    for name in ["tt\u{1b}[2J", "tt\nls", "tt\ttab", "tt\u{202e}gzt"] {
        fs::write(app.home().root().join(name), "").unwrap();
    }
    fs::write(app.home().root().join("-x.tgz"), "").unwrap();
    assert_eq!(offered(&app, "fish", &["steno", "import-config", "tt"]), [""; 0]);
    let all = offered(&app, "fish", &["steno", "import-config", ""]);
    assert!(all.contains(&FILES[3].to_owned()) && !all.contains(&"-x.tgz".to_owned()), "{all:?}");
    assert_eq!(offered(&app, "fish", &["steno", "import-config", "./-"]), ["./-x.tgz"]);
}

/// As these shells ask; each line is a value, and perhaps what is said of it.
fn offered(app: &App, shell: &str, words: &[&str]) -> Vec<String> {
    let mut command = app.command();
    command.env("STENO_COMPLETE", shell).arg("--").args(words).current_dir(app.home().root());
    let output = command.output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn powershell_gets_them_in_quotes() {
    let app = app();
    assert_eq!(offered(&app, "powershell", &["steno", "import-config", "hh"]), ["'hh;touch PWNED'"]);
    assert_eq!(offered(&app, "powershell", &["steno", "import-config", "jj"]), ["'jj''$(touch PWNED)'''"]);
    assert_eq!(offered(&app, "powershell", &["steno", "pee"]), ["peek"]);
}

#[test]
fn show_takes_a_file_too() {
    let app = app();
    for path in ["logs/deep/b.jsonl", "logs/a.jsonl", "logs/a.txt"] {
        let path = app.home().root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    assert_eq!(offered(&app, "fish", &["steno", "show", "./logs/"]), ["./logs/a.jsonl", "./logs/deep/"]);
    assert_eq!(offered(&app, "fish", &["steno", "show", "logs"]), [""; 0], "that may be an id");
    assert_eq!(offered(&app, "fish", &["steno", "peek", "./logs/"]), [""; 0], "this takes none");
}

#[test]
fn projects_of_any_name_are_offered_unless_they_read_as_flags() {
    let app = app();
    for (number, cwd) in
        [(0x11, "/home/dev/my shop"), (0x12, "/home/dev/-x"), (0x13, "/home/dev/$(touch PWNED)")]
    {
        let session = Session::numbered(number).cwd(cwd).user("Paint it");
        app.write(&session.assistant(|message| message.text("Done.")));
    }
    let mut names = offered(&app, "fish", &["steno", "list", "--project", ""]);
    names.retain(|name| !name.starts_with("--"));
    names.sort();
    assert_eq!(names, ["$(touch PWNED)", "my shop"]);
    let Some(found) = inserted(&app, "my", &["steno", "list", "--project", "my"]) else { return };
    assert_eq!(found, [r"my\ shop"]);
    assert_eq!(inserted(&app, "$", &["steno", "list", "--project", "'$"]).unwrap(), ["$(touch PWNED)"]);
}
