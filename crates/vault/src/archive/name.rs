//! The names in an archive, held to what every system can write and to being there once.

use std::collections::BTreeMap;

use super::error::Trouble;
use crate::name::is_odd_on_windows;

/// The limits of file systems, in bytes.
const LONGEST_PART: usize = 255;
const LONGEST_NAME: usize = 1024;

/// Names that were seen, as a file system without upper and lower case knows them.
#[derive(Debug, Default)]
pub struct Names {
    seen: BTreeMap<String, Seen>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    File,
    Directory,
}

impl Names {
    /// The name as it is used, if it clashes with none before it.
    pub fn add_file(&mut self, name: &str) -> Result<String, Trouble> {
        let parts = parts(name)?;
        if parts.is_empty() {
            return Err(Trouble::Nameless);
        }
        self.add(&parts, Seen::File)
    }

    /// A directory may be named any number of times, and be the root.
    pub(super) fn add_directory(&mut self, name: &str) -> Result<(), Trouble> {
        let name = name.strip_suffix('/').filter(|name| !name.is_empty()).unwrap_or(name);
        let parts = parts(name)?;
        if parts.is_empty() { Ok(()) } else { self.add(&parts, Seen::Directory).map(drop) }
    }

    fn add(&mut self, parts: &[&str], last: Seen) -> Result<String, Trouble> {
        let mut folded = String::new();
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                folded.push('/');
            }
            folded.extend(part.chars().flat_map(fold));
            let kind = if place + 1 == parts.len() { last } else { Seen::Directory };
            match (self.seen.insert(folded.clone(), kind), kind) {
                (None, _) | (Some(Seen::Directory), Seen::Directory) => {}
                (Some(Seen::File), Seen::File) => return Err(Trouble::Twice),
                _ => return Err(Trouble::FileAndDirectory),
            }
        }
        Ok(parts.join("/"))
    }
}

/// Case as file systems compare it: letter by letter, through upper case, where `ſ` and `s` become one.
fn fold(character: char) -> impl Iterator<Item = char> {
    let mut upper = character.to_uppercase();
    let single = if upper.len() == 1 { upper.next() } else { None };
    single.unwrap_or(character).to_lowercase()
}

/// A leading `./` is how `tar` names what was given to it as `.`.
fn parts(name: &str) -> Result<Vec<&str>, Trouble> {
    if name.is_empty() {
        return Err(Trouble::Nameless);
    }
    if name.starts_with('/') || starts_with_drive(name) || cfg!(windows) && name.starts_with('\\') {
        return Err(Trouble::Absolute);
    }
    if name.len() > LONGEST_NAME {
        return Err(Trouble::LongName);
    }
    let name = if name == "." { "" } else { name.strip_prefix("./").unwrap_or(name) };
    if name.is_empty() {
        return Ok(Vec::new());
    }
    name.split('/').map(|part| check(part).map(|()| part)).collect()
}

fn check(part: &str) -> Result<(), Trouble> {
    match part {
        ".." => Err(Trouble::Parent),
        "" | "." => Err(Trouble::OddName),
        _ if part.len() > LONGEST_PART => Err(Trouble::LongName),
        _ if part.chars().any(char::is_control) => Err(Trouble::OddName),
        _ if cfg!(windows) && is_odd_on_windows(part) => Err(Trouble::OddName),
        _ => Ok(()),
    }
}

fn starts_with_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_names_are_taken_as_they_are() {
        let mut names = Names::default();
        for name in ["CLAUDE.md", "agents/a b.md", "skills/ü/…/x", "a..b"] {
            assert_eq!(names.add_file(name).as_deref(), Ok(name));
        }
        for name in ["...", "commands/git:commit.md"] {
            assert_eq!(names.add_file(name).is_ok(), !cfg!(windows), "{name}");
        }
        assert_eq!(names.add_file("./rules/one.md").as_deref(), Ok("rules/one.md"));
        for directory in ["./", ".", "agents/", "agents", "./new/"] {
            assert_eq!(names.add_directory(directory), Ok(()), "{directory}");
        }
    }

    #[test]
    fn bad_names_are_refused() {
        let refused = |name: &str| Names::default().add_file(name).unwrap_err();
        assert_eq!(refused(""), Trouble::Nameless);
        assert_eq!(refused("."), Trouble::Nameless);
        for name in ["/etc/passwd", "//x", "C:/x", "c:x"] {
            assert_eq!(refused(name), Trouble::Absolute, "{name}");
        }
        for name in ["..", "../x", "a/../../x", "./..", "a/.."] {
            assert_eq!(refused(name), Trouble::Parent, "{name}");
        }
        for name in ["a//b", "a/", "a/./b", "././a", "a\0b", "a\nb", "\u{1b}[2J"] {
            assert_eq!(refused(name), Trouble::OddName, "{name:?}");
        }
        assert_eq!(refused(&"x".repeat(256)), Trouble::LongName);
        assert_eq!(refused(&"x/".repeat(600)), Trouble::LongName);
    }

    #[test]
    fn a_name_stands_once_whatever_its_case() {
        let mut names = Names::default();
        names.add_file("agents/One.md").unwrap();
        assert_eq!(names.add_file("Agents/one.MD"), Err(Trouble::Twice));
        assert_eq!(names.add_file("./agents/One.md"), Err(Trouble::Twice));
        assert_eq!(names.add_file("AGENTS"), Err(Trouble::FileAndDirectory));
        let mut names = Names::default();
        names.add_file("agents").unwrap();
        assert_eq!(names.add_file("Agents/one.md"), Err(Trouble::FileAndDirectory));
        assert_eq!(Names::default().add_directory("a/../b/"), Err(Trouble::Parent));
    }

    #[test]
    fn letters_that_some_systems_take_for_one_clash() {
        for (one, other) in [("É", "é"), ("ſ", "S"), ("\u{212a}", "k"), ("Σ", "ς")] {
            let mut names = Names::default();
            names.add_file(one).unwrap();
            assert_eq!(names.add_file(other), Err(Trouble::Twice), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn a_name_that_is_taken_leads_below_its_root(name in "[./\\\\a-cA-C:\0 ]{0,12}") {
            if let Ok(name) = Names::default().add_file(&name) {
                let parts: Vec<Component<'_>> = Path::new(&name).components().collect();
                prop_assert!(!parts.is_empty() && parts.iter().all(|part| matches!(part, Component::Normal(_))));
                prop_assert_eq!(parts.len(), name.split('/').count());
            }
        }
    }
}
