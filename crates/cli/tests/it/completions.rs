//! What a shell offers at a Tab: asked as its script asks, and in the shells that are here.

use std::path::Path;
use std::process::{Command, Stdio};

use steno_testkit::{App, Session};

const FIRST: &str = "00000011-5e55-4000-8000-000000000011";
const SECOND: &str = "00000012-5e55-4000-8000-000000000012";

/// Two live sessions of two projects; the first one is kept, too.
fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(
        &Session::numbered(0x11)
            .cwd("/home/dev/api")
            .user("Fix the: parser\nnow")
            .assistant(|message| message.text("Yes.")),
    );
    app.run("init --local --no-schedule");
    app.write(
        &Session::numbered(0x12)
            .cwd("/home/dev/shop")
            .user("Paint it")
            .assistant(|message| message.text("Done.")),
    );
    app
}

/// The candidates of a line, whose last word is being typed, and what is said of each; fish's way to ask is the plainest.
fn offered(app: &App, line: &str) -> Vec<(String, String)> {
    let mut command = app.command();
    command.env("STENO_COMPLETE", "fish").arg("--").args(line.split(' '));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{line}");
    let pair = |row: &str| {
        let (value, help) = row.split_once('\t').unwrap_or((row, ""));
        (value.to_owned(), help.to_owned())
    };
    String::from_utf8(output.stdout).unwrap().lines().map(pair).collect()
}

fn values(app: &App, line: &str) -> Vec<String> {
    let values = offered(app, line).into_iter().map(|(value, _)| value);
    values.filter(|value| !value.starts_with('-')).collect()
}

#[test]
fn sessions_are_offered_where_a_command_looks_for_them() {
    let app = app();
    for command in ["peek", "restore", "purge"] {
        assert_eq!(values(&app, &format!("steno {command} ")), ["last", FIRST], "{command}");
    }
    let live = values(&app, "steno show ");
    assert_eq!(live.len(), 3, "{live:?}");
    assert!(live.contains(&SECOND.to_owned()));
    assert_eq!(values(&app, "steno show 00000012"), [SECOND]);
    assert_eq!(values(&app, "steno show la"), ["last"]);
    assert_eq!(values(&app, "steno show beef"), [""; 0]);
    let offer = (FIRST.to_owned(), "Fix the: parser".to_owned());
    assert!(offered(&app, "steno peek 0").contains(&offer));
}

#[test]
fn the_latest_comes_first() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    for number in 1..=3_u64 {
        let path = app.home().write(&Session::numbered(number as u32).turns(1));
        let time = std::time::UNIX_EPOCH
            + std::time::Duration::from_secs(1_700_000_000 + [0, 50, 90, 10][number as usize]);
        std::fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }
    let order: Vec<String> =
        values(&app, "steno show 0").iter().map(|id| id.chars().skip(7).take(1).collect()).collect();
    assert_eq!(order, ["2", "1", "3"]);
}

#[test]
fn projects_machines_values_and_commands() {
    let app = app();
    assert_eq!(values(&app, "steno restore --project "), ["api"]);
    assert_eq!(values(&app, "steno list --project S"), ["shop"]);
    assert_eq!(values(&app, "steno list --project /home/dev/a"), ["/home/dev/api"]);
    assert_eq!(values(&app, "steno list --project = sh"), ["shop"], "as bash splits it");
    assert_eq!(values(&app, "steno peek --machine ").len(), 1);
    assert_eq!(values(&app, "steno schedule "), ["daily", "6h", "hourly", "off"]);
    assert_eq!(values(&app, "steno --color "), ["auto", "always", "never"]);
    assert_eq!(values(&app, "steno remote "), ["github", "off"]);
    assert_eq!(values(&app, "steno key "), ["show", "export", "import", "add", "remove", "accept"]);
    assert_eq!(values(&app, "steno key import .claude-b"), [".claude-backup/"]);
    assert_eq!(values(&app, "steno list --identity .claude-b"), [".claude-backup/"]);
    assert_eq!(values(&app, "steno exp"), ["export-config"]);
    assert_eq!(values(&app, "steno man rem"), ["remote"]);
    assert_eq!(values(&app, "steno restore --to .cl"), [".claude-backup/", ".claude/"]);
    let flags = offered(&app, "claude-backup list --s");
    assert_eq!(flags.iter().map(|(flag, _)| flag.as_str()).collect::<Vec<_>>(), ["--since", "--sort"]);
}

#[test]
fn the_directories_of_the_line_count() {
    let app = app();
    let vault = app.home().root().join(".claude-backup");
    let other = app.home().root().join("other");
    assert_eq!(values(&app, &format!("steno peek --vault {} ", other.display())), [""; 0]);
    assert_eq!(values(&app, "steno peek --vault ~/.claude-backup 0"), [FIRST]);
    assert_eq!(values(&app, "steno show --claude-dir=/nowhere 0"), [FIRST], "the vault still has it");
    assert!(vault.is_dir() && !other.exists(), "nothing is made");
    assert_eq!(values(&app.variable("STENO_VAULT", "/nowhere"), "steno peek "), [""; 0]);
}

#[test]
fn nothing_is_ever_said_about_an_error() {
    let empty = App::new(env!("CARGO_BIN_EXE_steno")).now("no time");
    for line in ["steno peek ", "steno list --project ", "steno", "steno nonsense x ", "steno show -- "] {
        assert_eq!(values(&empty, line).iter().filter(|value| value.contains("0000")).count(), 0, "{line}");
    }
    assert!(!empty.home().root().join(".claude-backup").exists());
    let odd = empty.command().env("STENO_COMPLETE", "tcsh").args(["--", "steno", ""]).output().unwrap();
    assert_eq!((odd.status.code(), odd.stdout.len(), odd.stderr.len()), (Some(0), 0, 0));
}

#[test]
fn the_variable_alone_changes_nothing() {
    let app = app();
    let plain = app.run("list --json");
    assert_eq!(app.variable("STENO_COMPLETE", "bash").run("list --json"), plain);
}

#[test]
fn each_shell_has_a_script_for_both_names() {
    for (name, path) in
        [("steno", env!("CARGO_BIN_EXE_steno")), ("claude-backup", env!("CARGO_BIN_EXE_claude-backup"))]
    {
        let app = App::new(path);
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let report = app.json(&format!("completions {shell} --json"));
            assert_eq!(report["shell"], shell);
            assert!(report["install"].as_str().unwrap().contains(&format!("{name} completions {shell}")));
            let script = report["script"].as_str().unwrap();
            assert!(
                script.contains("steno") && script.contains("claude-backup") && script.contains(path),
                "{script}"
            );
            assert_eq!(
                app.run(&format!("completions {shell}")),
                format!("exit: 0\n----- stdout -----\n{script}\n----- stderr -----\n")
            );
        }
    }
}

/// Runs a line in a shell, with our program first on the search path; nothing where that shell is not here.
fn in_shell(app: &App, program: &str, arguments: &[&str]) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = Path::new(env!("CARGO_BIN_EXE_steno")).parent().unwrap().to_owned();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut command = Command::new(program);
    command.args(arguments).env_clear().env("HOME", app.home().root()).env("PATH", path).env("TERM", "dumb");
    command.current_dir(app.home().root());
    let Ok(output) = command.stdin(Stdio::null()).output() else {
        eprintln!("skipped: there is no {program} here");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn bash_offers_them() {
    let app = app();
    let try_it = r#"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9
        "$function" "$1" "${!#}" "" && printf '%s\n' "${COMPREPLY[@]}""#;
    let offered = |source: &str, words: &[&str]| {
        let function = format!("function=_clap_complete_{}", words[0].replace('-', "_"));
        let script = format!("{source}\n{function}\n{try_it}");
        let fixed = ["--norc", "-c", script.as_str(), "bash"];
        let arguments: Vec<&str> = fixed.into_iter().chain(words.iter().copied()).collect();
        in_shell(&app, "bash", &arguments)
    };
    let source = r#"eval "$(steno completions bash)""#;
    let Some(listed) = offered(source, &["steno", "peek", ""]) else { return };
    assert!(listed.starts_with(&format!("last\n{FIRST}\n--")), "{listed}");
    assert_eq!(offered(source, &["claude-backup", "show", "00000012"]).unwrap(), format!("{SECOND}\n"));
    assert_eq!(offered(source, &["steno", "list", "--project", "=", "sh"]).unwrap(), "shop\n");

    for place in PLACES {
        let source = report_from(&app, place, "bash")["script"].as_str().unwrap().to_owned();
        assert_eq!(offered(&source, &["steno", "pee"]).unwrap(), "peek\n", "{source}");
    }
    nothing_else_ran(&app);
}

#[cfg(unix)]
#[test]
fn fish_offers_them() {
    let app = app();
    let script = "steno completions fish | source; complete -C 'claude-backup peek 0'";
    let Some(listed) = in_shell(&app, "fish", &["--no-config", "-c", script]) else { return };
    assert_eq!(listed, format!("{FIRST}\tFix the: parser\n"));

    for place in PLACES {
        let source = report_from(&app, place, "fish")["script"].as_str().unwrap().to_owned();
        let script = format!("{source}\ncomplete -C 'steno pee'");
        let listed = in_shell(&app, "fish", &["--no-config", "-c", &script]).unwrap();
        assert!(listed.starts_with("peek\t"), "{listed}: {source}");
    }
    nothing_else_ran(&app);
}

/// Names of directories that mean something to a shell, or to whatever puts the script together.
#[cfg(unix)]
const PLACES: [&str; 6] =
    ["a place", "it's", "b'$(touch X)", "c\"`touch X`$HOME\\n\\\\", "VAR-BIN-NAME-COMPLETER", "d;touch X #'"];

/// What the program says when it lies in this directory, outside of the search path.
#[cfg(unix)]
fn report_from(app: &App, place: &str, shell: &str) -> serde_json::Value {
    let place = app.home().root().join(place);
    std::fs::create_dir_all(&place).unwrap();
    let program = place.join("steno");
    if !program.exists() {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_steno"), &program).unwrap();
    }
    let mut command = Command::new(&program);
    let output = command.args(["completions", shell, "--json"]).env("HOME", app.home().root()).output();
    serde_json::from_slice(&output.unwrap().stdout).unwrap()
}

#[cfg(unix)]
fn nothing_else_ran(app: &App) {
    assert!(!app.home().root().join("X").exists());
}

/// The line that makes it last, run by the shell that it is for.
#[cfg(unix)]
#[test]
fn the_line_to_install_it_calls_the_program_where_it_is() {
    let app = app();
    let shells = [
        ("bash", ".bashrc", &["--norc"][..], "complete -p steno"),
        ("zsh", ".zshrc", &["-f"], "print ${_comps[steno]}"),
        ("fish", ".config/fish/config.fish", &["--no-config"], "complete -C 'steno pee'"),
    ];
    std::fs::create_dir_all(app.home().root().join(".config/fish")).unwrap();
    for (shell, file, options, question) in shells {
        let file = app.home().root().join(file);
        let run = |script: &str| in_shell(&app, shell, &[options, &["-c", script]].concat());
        for place in PLACES {
            std::fs::remove_file(&file).ok();
            let install = report_from(&app, place, shell)["install"].as_str().unwrap().to_owned();
            if run(&install).is_none() {
                break;
            }
            let line = std::fs::read_to_string(&file).unwrap();
            assert!(line.contains("/steno") && line.lines().count() == 1, "{line}");
            let prepared = if shell == "zsh" { "autoload -Uz compinit; compinit -u -D\n" } else { "" };
            let answer = run(&format!("{prepared}{line}\n{question}")).unwrap();
            assert!(answer.contains("steno") || answer.starts_with("peek"), "{answer}: {line}");
        }
    }
    nothing_else_ran(&app);
    assert_eq!(
        report_from(&app, "a\nb", "bash")["install"],
        "echo 'eval \"$(steno completions bash)\"' >> ~/.bashrc"
    );
}

#[test]
fn zsh_takes_the_script() {
    let app = app();
    let script = r#"autoload -Uz compinit; compinit -u -D; eval "$(steno completions zsh)"; print ${_comps[steno]} ${_comps[claude-backup]}"#;
    let Some(listed) = in_shell(&app, "zsh", &["-f", "-c", script]) else { return };
    assert_eq!(listed, "_clap_dynamic_completer_steno _clap_dynamic_completer_claude_backup\n");
}

/// With stand-ins for what exists only while a line is edited.
#[cfg(unix)]
#[test]
fn zsh_offers_them() {
    let app = app();
    for place in PLACES {
        let source = report_from(&app, place, "zsh")["script"].as_str().unwrap().to_owned();
        let script = format!(
            "compdef() {{ }}; _describe() {{ print -l ${{(P)4:-${{(P)3}}}} }}\n{source}\n\
             words=(steno pee) CURRENT=2; _clap_dynamic_completer_steno"
        );
        let Some(listed) = in_shell(&app, "zsh", &["-f", "-c", &script]) else { return };
        assert!(listed.starts_with("peek:"), "{listed}: {source}");
    }
    nothing_else_ran(&app);
}
