//! Everything that the program gives away of a session: what it prints, what it writes, how it names it.

use std::fs;

use steno_testkit::App;

pub(crate) const FORMATS: [&str; 5] = ["html", "markdown", "text", "json", "jsonl"];
/// Nothing is left out.
pub(crate) const WHOLE: &str = "--all --full-results --thinking --agents --system-events --redact-emails";

/// What one run gave: a name for it, and the text.
pub(crate) type Given = (String, String);

/// Runs it; everything that it printed, and the file it wrote with its name.
pub(crate) fn run(app: &App, line: &str) -> Vec<Given> {
    let before = files(app);
    let output = app.output(&line.split_whitespace().collect::<Vec<_>>());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    let mut given = vec![
        (format!("stdout of {line}"), text(&output.stdout)),
        (format!("stderr of {line}"), text(&output.stderr)),
    ];
    for name in files(app).into_iter().filter(|name| !before.contains(name)) {
        let path = app.home().root().join(&name);
        given.push((format!("file of {line}"), fs::read_to_string(&path).unwrap()));
        given.push((format!("name of the file of {line}"), name));
        fs::remove_file(path).unwrap();
    }
    given
}

/// Both commands in all formats, with little and with much, to stdout and into files, as documents and as reports.
pub(crate) fn thorough() -> Vec<String> {
    let mut lines = Vec::new();
    for format in FORMATS {
        lines.push(format!("share ID --format {format} -o -"));
        lines.push(format!("share ID --format {format} {WHOLE}"));
        lines.push(format!("share ID --format {format} --rewrite strip --rewrite-report -o - {WHOLE}"));
        lines.push(format!("dump ID --redact --format {format} -o out.{format}"));
        lines.push(format!("dump ID --redact --format {format} {WHOLE}"));
        lines.push(format!("dump ID --redact --format {format} --json {WHOLE}"));
    }
    lines.push(format!("share ID --dry-run --json {WHOLE}"));
    lines.push("dump ID --redact --tail 3".to_owned());
    lines
}

/// What shows the most.
pub(crate) fn brief() -> Vec<String> {
    let mut lines: Vec<String> = ["html", "markdown", "json"]
        .map(|format| format!("dump ID --redact --format {format} {WHOLE}"))
        .to_vec();
    lines.push(format!("share ID --format text --rewrite strip --rewrite-report -o - {WHOLE}"));
    lines.push(format!("share ID --rewrite strip --json {WHOLE}"));
    lines
}

fn files(app: &App) -> Vec<String> {
    let entries = fs::read_dir(app.home().root()).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
