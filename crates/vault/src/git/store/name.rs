//! Which names git can hold.

use super::super::admission::is_invisible;
use crate::error::Error;

pub(super) fn check(name: &str) -> Result<(), Error> {
    if is_name(name) { Ok(()) } else { Err(Error::BadName { name: name.to_owned() }) }
}

pub(super) fn is_name(name: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    name.split('/').all(|part| is_plain(part) && !part.split('\\').any(is_gits))
}

/// What some file system takes for `.git`; git refuses all of them everywhere.
fn is_gits(part: &str) -> bool {
    let seen: String = part.chars().filter(|letter| !is_invisible(*letter)).collect();
    let plain = seen.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']).to_lowercase();
    matches!(plain.as_str(), ".git" | "git~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_gits_own_are_none() {
        for name in [".git", "a/.GIT/b", ".git. .", "git~1/a", ".g\u{200c}it", ".git::$DATA", "a\\.git\\b"] {
            assert!(!is_name(name), "{name}");
        }
        for name in [".gitignore", "git", "a.git", "git~10", "x/..git", "a\\b", "a:b", "👩\u{200d}🚀"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "a//b", "a/", "/a", "a/./b", "a/..", "a\0"] {
            assert!(!is_name(name), "{name:?}");
        }
    }
}
