//! The skill's page → the command lines, flags, keys and pieces of JSON that it names, and the promises about the page
//! itself.
//!
//! Whatever stands in backquotes, or in a fence, is one of these; what is none of them fails.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

const OPEN: &str =
    "<!-- The table is written by cargo xtask docs, from the examples in the help of each command. -->\n";
const CLOSE: &str = "<!-- end of the table -->\n";
/// The program's name, and what stands for a session without being a placeholder.
const WORDS: [&str; 2] = ["steno", "last"];
/// Each placeholder with a value that means something in the homes of these tests.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("ID", "00000001-5e55-4000-8000-000000000001"),
    ("N", "1"),
    ("TOKENS", "50M"),
    ("NAME", "home"),
    ("TEXT", "Question"),
    ("QUERY", "Question"),
    ("ROLE", "user"),
    ("WHEN", "2w"),
    ("YYYY-MM-DD", "2026-11-30"),
    ("RECORD", "1"),
    ("PATH", "elsewhere"),
    ("OLD", "/home/dev/project"),
    ("NEW", "elsewhere"),
    ("FILE", "config.tar.gz"),
    ("URL", "remote.git"),
    ("TARGET", "remote.git"),
    ("WHAT", "key.txt"),
    ("COMMAND", "restore"),
];

/// What the page names.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// `steno …`, as they stand there.
    pub(crate) lines: BTreeSet<String>,
    /// `--flag`, alone.
    pub(crate) flags: BTreeSet<String>,
    /// `retention.atRisk`
    pub(crate) keys: BTreeSet<String>,
    /// `{"ok": false}`, with or without its braces.
    pub(crate) pieces: Vec<Value>,
    /// `cargo install …`
    installs: BTreeSet<String>,
}

impl Page {
    pub(crate) fn read() -> Self {
        let text = text();
        let mut page = Self::default();
        let mut is_fenced = false;
        for line in text.lines().filter(|line| !line.starts_with("<!--")) {
            if line.starts_with("```") {
                is_fenced = !is_fenced;
            } else if is_fenced {
                page.take(line);
            } else {
                line.split('`').skip(1).step_by(2).for_each(|span| page.take(span));
            }
        }
        page
    }

    fn take(&mut self, span: &str) {
        let is_key = |span: &str| {
            span.starts_with(|first: char| first.is_ascii_lowercase())
                && span.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.')
        };
        match span {
            _ if span.starts_with("steno ") => _ = self.lines.insert(span.to_owned()),
            _ if span.starts_with("--") => _ = self.flags.insert(span.to_owned()),
            _ if span.starts_with("cargo install ") => _ = self.installs.insert(span.to_owned()),
            _ if span.starts_with('{') => self.pieces.push(json(span, span)),
            _ if span.starts_with('"') => self.pieces.push(json(&format!("{{{span}}}"), span)),
            _ if WORDS.contains(&span) => {}
            _ if is_key(span) => _ = self.keys.insert(span.to_owned()),
            _ => panic!(
                "`{span}` in SKILL.md is no command line (`steno …`), flag, key of an answer or piece of JSON; \
                 write it without backquotes, or teach {} what it is",
                file!()
            ),
        }
    }
}

fn json(text: &str, span: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("`{span}` in SKILL.md is not JSON: {error}"))
}

/// The words of a line, with something in place of each placeholder.
pub(crate) fn filled(line: &str) -> Vec<&str> {
    let is_place = |word: &str| word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '-');
    let fill = |word| match PLACEHOLDERS.iter().find(|(place, _)| *place == word) {
        Some((_, value)) => *value,
        None if is_place(word) => {
            panic!("`{line}` in SKILL.md: nothing is known to put for {word}; give it a value in {}", file!())
        }
        None => word,
    };
    line.split_whitespace().map(fill).collect()
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn path() -> PathBuf {
    repository().join("skills/backup/SKILL.md")
}

pub(crate) fn text() -> String {
    // A checkout may have made line ends of two bytes.
    fs::read_to_string(path()).unwrap().replace("\r\n", "\n")
}

#[test]
fn the_table_is_fresh() {
    let text = text();
    let (before, rest) = text.split_once(OPEN).expect("SKILL.md has the comment that opens the table");
    let (_, after) = rest.split_once(CLOSE).expect("SKILL.md has the comment that closes the table");
    let fresh = format!("{before}{OPEN}{}{CLOSE}{after}", steno_cli::skill_table());
    if std::env::var_os("STENO_WRITE_DOCS").is_some() {
        fs::write(path(), fresh).unwrap();
    } else {
        assert!(fresh == text, "the table in skills/backup/SKILL.md is stale; run `cargo xtask docs`");
    }
}

/// Every line costs each agent that reads it.
#[test]
fn the_page_is_short() {
    let text = text();
    let lines = text.lines().count();
    assert!(
        lines <= 61,
        "SKILL.md has {lines} lines, 61 are enough; cut what `steno help --json` says anyway"
    );
    let described = text.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
    let letters = described.chars().count();
    assert!(letters <= 1024, "the description in SKILL.md has {letters} characters, the client takes 1024");
    assert!(text.starts_with("---\nname: backup\n"), "SKILL.md opens with its name, that of its directory");
}

#[test]
fn it_is_installed_as_the_readme_says() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let installs = Page::read().installs;
    assert!(!installs.is_empty(), "SKILL.md does not say how steno is installed");
    for line in installs {
        assert!(readme.contains(&line), "SKILL.md says `{line}`, README.md does not; let both say the same");
    }
}
