//! A machine whose schedulers and `gh` are stand-ins that write down how they were called, and whose search path
//! leads to nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use steno_testkit::{App, Session};

/// What the program and the stand-ins run, and nothing that changes the machine.
const TOOLS: [&str; 6] = ["git", "sh", "dirname", "basename", "cat", "rm"];
/// The program's clock, 2026-12-01T12:00:00Z.
pub(crate) const NOW: u64 = 1_796_126_400;
pub(crate) const DAY: u64 = 24 * 60 * 60;

/// With these programs among `systemctl`, `crontab` and `gh`.
pub(crate) fn app(stand_ins: &[&str]) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let bin = app.home().root().join("bin");
    fs::create_dir(&bin).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ops/tests/it/schedule/stand-in.sh");
    for name in stand_ins {
        symlink(script.canonicalize().unwrap(), bin.join(name)).unwrap();
    }
    let path = std::env::var_os("PATH").unwrap();
    for name in TOOLS {
        let found = std::env::split_paths(&path).map(|place| place.join(name)).find(|tool| tool.is_file());
        if let Some(tool) = found {
            symlink(tool, bin.join(name)).unwrap();
        }
    }
    let bin = bin.to_str().unwrap().to_owned();
    app.variable("PATH", &bin).variable("STENO_MACHINE", "box").variable("STENO_MANAGED_SETTINGS", "")
}

/// Sessions 1 and 2, kept in a local vault.
pub(crate) fn kept() -> App {
    let app = app(&["crontab"]);
    for number in [1, 2] {
        app.write(&session(number));
        written(&app, &session(number), DAY);
    }
    let answer = app.json("init --local --no-schedule --json");
    assert_eq!(answer["ok"], true, "{answer}");
    app
}

pub(crate) fn session(number: u32) -> Session {
    Session::numbered(number).user(format!("Question {number}")).turns(3)
}

pub(crate) fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

/// Makes every file of a session look written to so many seconds before the program's clock.
pub(crate) fn written(app: &App, session: &Session, seconds_ago: u64) {
    let project = app.home().project_path(session.project());
    touch(&project.join(format!("{}.jsonl", session.id())), seconds_ago);
    for file in files(&project.join(session.id().to_string())) {
        touch(&file, seconds_ago);
    }
}

pub(crate) fn touch(path: &Path, seconds_ago: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW - seconds_ago);
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

pub(crate) fn vault(app: &App) -> PathBuf {
    app.home().root().join(".claude-backup")
}

/// The files of the vault that hold a session's transcript.
pub(crate) fn segments(app: &App, number: u32) -> Vec<PathBuf> {
    let name = format!("{}.jsonl.g", id(number));
    let is_of = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(&name);
    files(&vault(app).join("machines")).into_iter().filter(is_of).collect()
}

/// Everything below a directory, in order.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(files(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found.sort();
    found
}

/// A bare repository beside the home.
pub(crate) fn bare(app: &App) -> PathBuf {
    let path = app.home().root().join("remote.git");
    git(app.home().root(), &["init", "--bare", "--quiet", "--initial-branch=main", path.to_str().unwrap()]);
    path
}

pub(crate) fn git(directory: &Path, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new("git");
    command.current_dir(directory).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Sizes depend on how well a compressor does.
pub(crate) fn without_sizes(text: &str) -> String {
    let is_size = |word: &str| {
        let number = word.trim_start_matches('(').trim_end().trim_end_matches([',', ':', ')']);
        number.strip_suffix(['B', 'K', 'M']).is_some_and(|number| number.parse::<f64>().is_ok())
    };
    let mask = |word: &str| {
        let digits = |letter: char| letter.is_ascii_digit() || letter == '.';
        if is_size(word) {
            word.replace(digits, "#").replace("##", "#").replace("##", "#")
        } else {
            word.to_owned()
        }
    };
    text.split_inclusive([' ', '\n']).map(mask).collect()
}
