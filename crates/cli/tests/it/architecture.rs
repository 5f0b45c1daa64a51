//! The architecture as a test: who may depend on whom, what pure crates may not touch, and how long a file may be.
//!
//! Dependencies are read by cargo itself, which knows every way of writing them down.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Each crate with the crates it may depend on; some of them are still to come.
const EDGES: &[(&str, &[&str])] = &[
    ("transcript", &[]),
    ("vault", &[]),
    ("redact", &[]),
    ("conversation", &["transcript"]),
    ("source", &["transcript", "live"]),
    ("edit", &["transcript", "conversation"]),
    ("render", &["transcript", "conversation", "redact"]),
    ("index", &["conversation", "transcript"]),
    ("sessions", &["source", "vault", "index", "conversation", "transcript"]),
    ("live", &["transcript"]),
    (
        "ops",
        &[
            "transcript",
            "vault",
            "redact",
            "conversation",
            "source",
            "edit",
            "render",
            "index",
            "sessions",
            "live",
        ],
    ),
    ("web", &["ops", "render", "live"]),
    ("mcp", &["ops", "render", "live"]),
    ("cli", &["ops", "render", "web", "mcp"]),
    ("testkit", &["transcript", "vault"]),
    // Programs for developers, which no crate depends on.
    ("bench", &["testkit"]),
    ("xtask", &[]),
];

/// Crates that touch no file, network, environment, clock or thread.
const PURE: &[&str] = &["transcript", "conversation", "edit", "redact", "render", "live"];
const IMPURE_MODULES: &[&str] = &["fs", "env", "net", "thread"];
const CLOCKS: &[&str] = &["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"];

const LONGEST_FILE: usize = 600;

#[test]
fn crates_depend_only_on_those_they_may() {
    let mut broken = Vec::new();
    for package in packages() {
        let Some(allowed) = allowed(&package.name) else {
            broken.push(format!("{} has no place in the architecture", package.name));
            continue;
        };
        for (dependency, is_dev) in &package.internal {
            let is_test_kit = *is_dev && dependency == "testkit" && package.name != "testkit";
            // For its own features.
            let is_itself = *is_dev && *dependency == package.name;
            if !is_test_kit && !is_itself && !allowed.contains(&dependency.as_str()) {
                broken.push(format!("{} may not depend on {dependency}", package.name));
            }
        }
    }
    assert_eq!(broken, [""; 0], "see ARCHITECTURE.md; change it first if the new edge is right");
}

#[test]
fn the_allowed_edges_have_no_circle() {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    while done.len() < EDGES.len() {
        let ready =
            EDGES.iter().filter(|(name, to)| !done.contains(name) && to.iter().all(|to| done.contains(to)));
        let ready: Vec<&str> = ready.map(|(name, _)| *name).collect();
        assert!(!ready.is_empty(), "a circle among the crates that are not {done:?}");
        done.extend(ready);
    }
}

#[test]
fn the_modules_of_ops_have_no_circle() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources("crates/ops/src") {
        let below = source.path.trim_start_matches("crates/ops/src/").trim_end_matches(".rs");
        let module = below.split('/').next().unwrap_or_default().to_owned();
        uses.entry(module).or_default().extend(modules_used(&source.code()));
    }
    uses.remove("lib");
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    for (module, used) in &mut uses {
        used.retain(|name| name != module && modules.contains(name));
    }
    assert!(uses["sync"].contains("send"), "the modules are read");
    // Modules that use only those that are gone already go, until none does.
    loop {
        let left: BTreeSet<String> = uses.keys().cloned().collect();
        uses.retain(|_, used| used.iter().any(|name| left.contains(name)));
        if uses.len() == left.len() {
            break;
        }
    }
    assert!(uses.is_empty(), "these modules of ops use each other in circles, or such as do: {uses:?}");
}

/// The names after `crate::`, alone or in braces.
fn modules_used(code: &str) -> BTreeSet<String> {
    let name =
        |text: &str| text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let step = |letter| i32::from(letter == '{') - i32::from(letter == '}');
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(rest) = rest.strip_prefix('{') else {
            used.insert(name(rest));
            continue;
        };
        let (mut outer, mut inner) = (1, 0);
        let group = rest.split(|letter| {
            outer += step(letter);
            outer == 0
        });
        let parts = group.take(1).flat_map(|group| {
            group
                .split(|letter| {
                    inner += step(letter);
                    inner == 0 && letter == ','
                })
                .collect::<Vec<_>>()
        });
        used.extend(parts.map(|part| name(part.trim())));
    }
    used
}

#[test]
fn modules_are_read_from_paths_and_groups() {
    let code =
        "use crate::a::{B, c};\nuse crate::{d, e::{self, F}, g};\ncrate::h::i(); use crate::{j::k, l};";
    let modules = ["a", "d", "e", "g", "h", "j", "l"].map(str::to_owned);
    assert!(modules_used(code).is_superset(&modules.into()), "{:?}", modules_used(code));
    assert!(["c", "F", "self", "k"].iter().all(|name| !modules_used(code).contains(*name)));
}

/// Code that opens the vault's kept sessions itself, or restores them in order to read them.
const OPENERS: &[&str] = &[
    "KeptSessions::open",
    "with_session(",
    ".cached()",
    "Volume",
    ".salvage()",
    ".volume(",
    "kept_sessions.latest(",
    " one::run(",
    " all::run(",
];

/// Modules whose commands handle the vault itself: what it holds, how it is kept, what leaves it.
const OF_THE_VAULT: &[&str] = &[
    "compare", "doctor", "peek", "purge", "relocate", "rescue", "restore", "resume", "send", "status",
    "verify",
];

#[test]
fn kept_sessions_are_opened_by_one_door() {
    let mut broken = Vec::new();
    let mut used = BTreeSet::new();
    for source in ["crates/ops/src", "crates/cli/src"].into_iter().flat_map(sources) {
        let below = source.path.split_once("/src/").unwrap().1.trim_start_matches("command/");
        let module = below.trim_end_matches(".rs").split('/').next().unwrap_or_default().to_owned();
        let code = source.code();
        for opener in OPENERS.iter().filter(|opener| code.contains(**opener)) {
            match OF_THE_VAULT.iter().find(|name| **name == module) {
                Some(name) => drop(used.insert(*name)),
                None => broken.push(format!("{} says {opener}", source.path)),
            }
        }
    }
    assert_eq!(
        broken, [""; 0],
        "read sessions by `OpenSession` or `Sessions`, whether they are live or kept"
    );
    assert_eq!(used, OF_THE_VAULT.iter().copied().collect(), "a module that opens nothing needs no leave to");
}

#[test]
fn every_directory_of_crates_is_a_member_with_its_own_name() {
    let members: BTreeSet<String> = packages().into_iter().map(|package| package.name).collect();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let directory = entry.unwrap().file_name().into_string().unwrap();
        assert!(members.contains(&directory), "crates/{directory} should hold the package steno-{directory}");
    }
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for package in packages() {
        let manifest = fs::read_to_string(&package.manifest).unwrap();
        let mut lines = manifest.lines().skip_while(|line| line.trim() != "[lints]").skip(1);
        let first = lines.next().unwrap_or_default().replace(' ', "");
        assert_eq!(first, "workspace=true", "[lints] of {}", package.manifest.display());
    }
}

#[test]
fn pure_crates_touch_nothing_outside() {
    let mut broken = Vec::new();
    for source in PURE.iter().flat_map(|name| sources(&format!("crates/{name}/src"))) {
        let code = source.code();
        for module in IMPURE_MODULES.iter().filter(|module| uses_module(&code, module)) {
            broken.push(format!("{} uses std::{module}", source.path));
        }
        for clock in CLOCKS.iter().filter(|clock| code.contains(**clock)) {
            broken.push(format!("{} reads the clock: {clock}", source.path));
        }
    }
    assert_eq!(broken, [""; 0]);
}

#[test]
fn only_the_configuration_reads_the_environment() {
    let mut broken = Vec::new();
    for source in sources("crates") {
        let is_library = source.path.contains("/src/") && !source.path.starts_with("crates/testkit/");
        // The arguments are no setting, and the program starts with them.
        let code = source.code().replace("std::env::args_os()", "");
        // The launcher looks for the program beside itself.
        let may_read = ["crates/cli/src/config.rs", "crates/cli/src/bin/claude-backup.rs"];
        if is_library && !may_read.contains(&source.path.as_str()) && uses_module(&code, "env") {
            broken.push(source.path);
        }
    }
    assert_eq!(broken, [""; 0]);
}

#[test]
fn every_file_says_what_it_is_for_and_is_not_too_long() {
    let mut broken = Vec::new();
    for source in ["crates", "bench", "xtask", "fuzz/fuzz_targets"].into_iter().flat_map(sources) {
        if !source.text.starts_with("//! ") {
            broken.push(format!("{} does not open with `//!`", source.path));
        }
        let lines = source.text.lines().count();
        if lines > LONGEST_FILE {
            broken.push(format!("{} has {lines} lines", source.path));
        }
    }
    assert_eq!(broken, [""; 0]);
}

/// A package of the workspace, by the names of directories.
struct Package {
    name: String,
    manifest: PathBuf,
    /// The crates of ours that it depends on, and whether only its tests do.
    internal: Vec<(String, bool)>,
}

fn packages() -> Vec<Package> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages: Vec<Package> = list(&metadata["packages"]).iter().map(package).collect();
    assert!(packages.len() > 8, "the whole workspace");
    packages
}

fn package(package: &Value) -> Package {
    let internal = list(&package["dependencies"]).iter().filter(|dependency| dependency["path"].is_string());
    Package {
        name: short(&package["name"]),
        manifest: package["manifest_path"].as_str().unwrap().into(),
        internal: internal.map(|to| (short(&to["name"]), to["kind"] == "dev")).collect(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn short(name: &Value) -> String {
    let name = name.as_str().unwrap();
    name.strip_prefix("steno-").unwrap_or(name).to_owned()
}

fn allowed(name: &str) -> Option<&'static [&'static str]> {
    EDGES.iter().find(|(from, _)| *from == name).map(|(_, to)| *to)
}

struct Source {
    /// Below the root, with slashes.
    path: String,
    text: String,
}

impl Source {
    /// Without comments that have a line to themselves.
    fn code(&self) -> String {
        let lines = self.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Whether the code names a module of the standard library: by its path, in a group, or by a function of it.
fn uses_module(code: &str, module: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let grouped = code.split("std::{").skip(1).filter_map(|rest| rest.split(';').next());
    let in_group =
        grouped.flat_map(|group| group.split(|letter| !is_word(letter))).any(|word| word == module);
    let named = code
        .match_indices(&format!("std::{module}"))
        .any(|(at, found)| !code[at + found.len()..].starts_with(is_word));
    let called = ["var(", "var_os(", "vars(", "vars_os(", "home_dir(", "current_dir("];
    in_group || named || module == "env" && called.iter().any(|call| code.contains(&format!("env::{call}")))
}

#[test]
fn a_module_is_found_however_it_is_imported() {
    for code in [
        "use std::fs;",
        "use std::{io, fs::File};",
        "std::fs::read(path)",
        "use std::{\n    env,\n    fs,\n};",
    ] {
        assert!(uses_module(code, "fs"), "{code}");
    }
    assert!(uses_module("let home = env::var(name);", "env"));
    assert!(!uses_module("use std::fsync; let fs = 1; use std::io::{self};", "fs"));
}

fn sources(folder: &str) -> Vec<Source> {
    let root = root();
    let mut files = BTreeMap::new();
    find(&root.join(folder), &mut files);
    let source = |(path, text): (PathBuf, String)| {
        let path = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        Source { path, text }
    };
    files.into_iter().map(source).collect()
}

fn find(folder: &Path, files: &mut BTreeMap<PathBuf, String>) {
    // A crate that is still to come has no folder.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path.clone(), fs::read_to_string(&path).unwrap());
        }
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.unwrap().to_owned()
}
