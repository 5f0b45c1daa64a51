//! A configuration out of one home and into another.

use std::fs;
use std::path::{Path, PathBuf};

use steno_ops::{ClaudeDirs, Error, ErrorKind, export_config, import_config, size_text};
use steno_testkit::Home;
use steno_vault::archive;

/// Made up, in the form of a real one.
const TOKEN: &str = concat!("ghp", "_R7kTq2Lw9ZpXc4Vb8Nm3Js6Hd1Fg5Ya0Ue7o");

fn dirs(directory: PathBuf) -> ClaudeDirs {
    ClaudeDirs { paths: vec![directory], is_default: false, now: "2026-03-01T12:00:00Z".parse().unwrap() }
}

fn configured() -> Home {
    let home = Home::new();
    home.file("settings.json", format!("{{\n \"env\": {{\"GITHUB_TOKEN\": \"{TOKEN}\"}}\n}}"));
    home.file("CLAUDE.md", "Be brief.");
    home.file("agents/one.md", "An agent.");
    home.file("skills/a/SKILL.md", "A skill.");
    home.file(".credentials.json", "{}");
    home.file("hooks/server.key", "key");
    home.file("projects/-a/0.jsonl", "{}");
    home
}

fn export(home: &Home) -> export_config::Report {
    let path = home.root().join("out.tar.gz");
    let plan = export_config::live(&dirs(home.path()), &path).unwrap();
    export_config::apply(plan).unwrap()
}

fn import(archive: &str, into: &Path, force: bool) -> Result<import_config::Report, Error> {
    let request = import_config::Request { archive: archive.into(), force };
    import_config::apply(import_config::plan(&dirs(into.to_owned()), &request)?)
}

fn archive_of(home: &Home, names: &[&str]) -> String {
    let files: Vec<_> =
        names.iter().map(|name| ((*name).to_owned(), home.file(name, "bad").into())).collect();
    let path = home.root().join("in.tar.gz");
    archive::write(&files, &path).unwrap();
    path.display().to_string()
}

#[test]
fn a_configuration_comes_out_and_in_again() {
    let home = configured();
    let report = export(&home);
    assert_eq!(report.exported.names, ["CLAUDE.md", "agents/one.md", "settings.json", "skills/a/SKILL.md"]);
    assert_eq!(report.exported.size_bytes, fs::metadata(&report.exported.path).unwrap().len());
    assert_eq!(report.exported.size, size_text(report.exported.size_bytes));

    let other = Home::new();
    let into = other.root().join("new/.claude");
    assert_eq!(import(&report.exported.path, &into, false).unwrap().imported.files, 4);
    for name in &report.exported.names {
        assert_eq!(fs::read(into.join(name)).unwrap(), fs::read(home.path().join(name)).unwrap());
    }
    let again = import(&report.exported.path, &into, false).unwrap();
    assert_eq!((again.imported.files, again.imported.identical.len()), (0, 4));
}

#[test]
fn secrets_are_named_by_place_and_kind_and_never_shown() {
    let report = export(&configured());
    let secret = report.warnings.iter().find(|warning| warning.kind == "secret").unwrap();
    assert_eq!((secret.file.as_str(), secret.line), ("settings.json", Some(2)));
    let withheld = report.warnings.iter().find(|warning| warning.kind == "withheld").unwrap();
    assert_eq!(withheld.file, "hooks/server.key");
    assert!(!serde_json::to_string(&report).unwrap().contains(&TOKEN[4..]));
}

#[test]
fn the_reports_have_the_keys_of_the_contract() {
    let home = configured();
    let report = serde_json::to_value(export(&home)).unwrap();
    assert_eq!((&report["ok"], &report["exported"]["files"]), (&true.into(), &4.into()));
    assert!(report["exported"]["path"].is_string() && report["exported"]["size"].is_string());
    assert!(report["exported"]["sizeBytes"].is_u64() && report["warnings"].is_array());
    let path = report["exported"]["path"].as_str().unwrap();
    let report = serde_json::to_value(import(path, &home.root().join("x"), false).unwrap()).unwrap();
    assert_eq!((&report["ok"], &report["imported"]["files"]), (&true.into(), &4.into()));
}

#[test]
fn a_dry_run_writes_nothing_and_says_what_the_real_one_would() {
    let home = configured();
    let path = home.root().join("dry.tar.gz");
    let plan = export_config::live(&dirs(home.path()), &path).unwrap();
    let preview = plan.clone().preview().unwrap();
    assert!(preview.dry_run && !path.exists());
    assert_eq!(export_config::apply(plan).unwrap().exported.size_bytes, preview.exported.size_bytes);

    let into = home.root().join("into");
    let request = import_config::Request { archive: path, force: false };
    let preview = import_config::plan(&dirs(into.clone()), &request).unwrap().preview();
    assert_eq!((preview.imported.new.len(), into.exists()), (4, false));
}

#[test]
fn files_that_differ_are_named_and_kept_unless_forced() {
    let home = configured();
    let archive = export(&home).exported.path;
    let other = Home::new();
    other.file("CLAUDE.md", "Mine.");
    let error = import(&archive, &other.path(), false).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Exists);
    assert!(error.to_string().contains("CLAUDE.md") && !error.to_string().contains("agents"), "{error}");
    assert!(!other.path().join("agents").exists());
    assert_eq!(import(&archive, &other.path(), true).unwrap().imported.overwritten, ["CLAUDE.md"]);
    assert_eq!(fs::read_to_string(other.path().join("CLAUDE.md")).unwrap(), "Be brief.");
}

#[test]
fn what_is_no_configuration_refuses_the_whole_archive() {
    for name in
        [".credentials.json", "projects/-a/s.jsonl", "history.jsonl", "x", "skills/a/id_rsa", ".claude.json"]
    {
        let home = Home::new();
        let archive = archive_of(&home, &["CLAUDE.md", name]);
        let into = home.root().join("into");
        let error = import(&archive, &into, true).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{name}");
        assert!(error.to_string().contains(name) && !into.exists(), "{error}");
    }
}

#[test]
fn only_an_archive_is_replaced_by_an_export() {
    let home = configured();
    let plan = |path: &str| export_config::live(&dirs(home.path()), Path::new(path));
    let path = export(&home).exported.path;
    assert!(plan(&path).is_ok());
    let settings = home.path().join("settings.json").display().to_string();
    assert_eq!(plan(&settings).unwrap_err().kind, ErrorKind::Exists);
    assert_eq!(plan(&home.root().display().to_string()).unwrap_err().kind, ErrorKind::Invalid);
}

#[test]
fn what_cannot_be_exported_is_said() {
    let home = Home::new();
    let path = home.root().join("out.tar.gz");
    assert_eq!(export_config::live(&dirs(home.path()), &path).unwrap_err().kind, ErrorKind::NotFound);
    let mut two = dirs(home.path());
    two.paths.push(home.path());
    assert_eq!(export_config::live(&two, &path).unwrap_err().kind, ErrorKind::Invalid);
    let missing = import("/nowhere/at/all.tar.gz", &home.path(), false).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn names_that_another_machine_could_not_write_are_left_out_and_said() {
    let home = configured();
    home.file("agents/ONE.md", "the same to some systems");
    home.file("agents/two\nlines.md", "");
    let report = export(&home);
    let odd: Vec<&str> =
        report.warnings.iter().filter(|one| one.kind == "odd-name").map(|one| &*one.file).collect();
    assert_eq!(odd, ["agents/one.md", "agents/two\nlines.md"]);
    assert!(import(&report.exported.path, &home.root().join("x"), false).is_ok());
}

#[test]
fn the_default_name_has_the_day() {
    assert_eq!(
        export_config::default_name(jiff::civil::date(2026, 2, 27)),
        "claude-config-2026-02-27.tar.gz"
    );
}
