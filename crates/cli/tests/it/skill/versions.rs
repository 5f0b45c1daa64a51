//! One version and one name, in every file that has them.

use std::fs;

use serde_json::Value;
use steno_testkit::App;

use crate::skill::page::repository;

fn json(path: &str) -> Value {
    let text = fs::read_to_string(repository().join(path)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// That of the section for all crates, which each of them takes.
fn workspace() -> String {
    let text = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let section = text.split("[workspace.package]").nth(1).unwrap();
    let line = section.lines().find_map(|line| line.strip_prefix("version = ")).unwrap();
    line.trim_matches('"').to_owned()
}

#[test]
fn all_versions_are_one() {
    let version = workspace();
    let (plugin, marketplace) = (json(".claude-plugin/plugin.json"), json(".claude-plugin/marketplace.json"));
    let program = App::new(env!("CARGO_BIN_EXE_steno")).json("--version --json");
    let others = [
        ("steno --version", &program["version"]),
        (".claude-plugin/plugin.json", &plugin["version"]),
        (".claude-plugin/marketplace.json", &marketplace["plugins"][0]["version"]),
    ];
    for (place, other) in others {
        assert_eq!(other, &*version, "{place} has another version than Cargo.toml; they change together");
    }
}

/// In a heading, or as what the changes that are not released yet will be.
#[test]
fn the_changelog_knows_the_version() {
    let (version, text) = (workspace(), fs::read_to_string(repository().join("CHANGELOG.md")).unwrap());
    let places = [format!("\n## [{version}]"), format!("\nWhat will become {version},")];
    assert!(
        places.iter().any(|place| text.contains(place)),
        "CHANGELOG.md says nothing of {version}, the version in Cargo.toml; they change together"
    );
}

#[test]
fn the_plugin_has_one_name_that_the_client_takes() {
    let (plugin, marketplace) = (json(".claude-plugin/plugin.json"), json(".claude-plugin/marketplace.json"));
    let listed = marketplace["plugins"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "the repository is one plugin");
    for key in ["name", "description"] {
        assert_eq!(listed[0][key], plugin[key], "plugin.json and marketplace.json differ in {key}");
    }
    for name in [&plugin["name"], &marketplace["name"]] {
        assert!(!name.as_str().unwrap().starts_with("claude-"), "the client refuses the name {name}");
    }
}
