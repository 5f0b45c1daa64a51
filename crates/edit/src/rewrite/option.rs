//! `--rewrite`: a word of the command line ↔ what becomes of paths.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::path::{Rule, moved_text};

/// One path that becomes another, as the file system spells them. With an empty `from`, nothing is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    pub from: String,
    pub to: String,
}

/// What becomes of paths in what was said and done.
///
/// Where several match, the one that says more of the path counts: a move by its length, then a change of system, then
/// [`Rewrite::Strip`]. None applies twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    Path(Move),
    /// `/mnt/c/x` becomes `C:\x`, for any drive.
    WslToWin,
    /// `C:\x` and `C:/x` become `/mnt/c/x`, and `\\wsl$\Ubuntu\home` becomes `/home`; no other share can be mapped.
    WinToWsl,
    /// Every absolute path becomes `<path>`, but for the part of it below the directory that the session works in.
    Strip,
}

impl Move {
    /// Whether it is about the root of everything, which is in every path and therefore stays.
    pub fn is_of_root(&self) -> bool {
        Rule::new(&self.from, &self.to).is_of_root()
    }

    /// A directory after the move: `from`, or one below it; nothing for one elsewhere.
    pub fn of_directory(&self, directory: &str) -> Option<String> {
        moved_text(directory, &Rule::new(&self.from, &self.to))
    }

    /// Whether both are about the same path, however they spell it.
    pub fn is_of_same(&self, other: &Self) -> bool {
        Rule::new(&self.from, &self.to).is_of(&other.from)
            || Rule::new(&other.from, &other.to).is_of(&self.from)
    }
}

const NAMED: [(&str, Rewrite); 3] =
    [("wsl-to-win", Rewrite::WslToWin), ("win-to-wsl", Rewrite::WinToWsl), ("strip", Rewrite::Strip)];

/// A word that is no rewrite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRewrite(pub String);

impl BadRewrite {
    /// What to say instead.
    pub const HINT: &str = "give it as wsl-to-win, win-to-wsl, strip, or OLD=NEW, two paths";
}

impl fmt::Display for BadRewrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "'{}' is no rewrite", self.0)
    }
}

impl Error for BadRewrite {}

impl FromStr for Rewrite {
    type Err = BadRewrite;

    fn from_str(word: &str) -> Result<Self, BadRewrite> {
        if let Some((_, named)) = NAMED.iter().find(|(name, _)| *name == word) {
            return Ok(named.clone());
        }
        let pair = word.split_once('=').filter(|(old, _)| !old.is_empty());
        let (from, to) = pair.ok_or_else(|| BadRewrite(word.to_owned()))?;
        Ok(Self::Path(Move { from: from.to_owned(), to: to.to_owned() }))
    }
}

/// As the command line has it.
impl fmt::Display for Rewrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(_, named)| named == self)) {
            (Self::Path(Move { from, to }), _) => write!(formatter, "{from}={to}"),
            (_, named) => formatter.write_str(named.map_or("", |(name, _)| name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(from: &str) -> Move {
        Move { from: from.to_owned(), to: "/x".to_owned() }
    }

    #[test]
    fn the_same_path_is_the_same_however_it_is_spelled() {
        for (one, other) in
            [("/a", "/a"), ("/a", "/a/"), (r"C:\a", "c:/a/"), (r"C:\a", r"C:\\a"), (r"C:\", "c:")]
        {
            assert!(of(one).is_of_same(&of(other)) && of(other).is_of_same(&of(one)), "{one} {other}");
        }
        for (one, other) in
            [("/a", "/a/b"), ("/a", "/A"), ("/a", "a"), (r"C:\a", r"D:\a"), ("/", "/a"), (r"C:\a", r"C:\A")]
        {
            assert!(!of(one).is_of_same(&of(other)) && !of(other).is_of_same(&of(one)), "{one} {other}");
        }
    }

    #[test]
    fn directories_below_move_along_and_others_stay() {
        let moved = |from: &str, to: &str, directory: &str| {
            Move { from: from.to_owned(), to: to.to_owned() }.of_directory(directory)
        };
        assert_eq!(moved("/a", "/x", "/a").unwrap(), "/x");
        assert_eq!(moved("/a/", "/x/", "/a/b c").unwrap(), "/x/b c");
        assert_eq!(moved("/mnt/c/a", r"C:\a", "/mnt/c/a/b/c").unwrap(), r"C:\a\b\c");
        assert_eq!(moved(r"C:\a", "/mnt/c/a", r"c:\a\b").unwrap(), "/mnt/c/a/b");
        assert_eq!(moved("/a", "/", "/a/b").unwrap(), "/b");
        assert_eq!(moved("/a", "/x", "/ab"), None);
        assert_eq!(moved("/a", "/x", "/b/a"), None);
    }

    #[test]
    fn only_the_root_is_the_root() {
        assert!(["/", "//", r"\"].iter().all(|root| of(root).is_of_root()));
        assert!(!["/a", "C:", r"C:\", "C:/", r"\\a"].iter().any(|path| of(path).is_of_root()));
    }

    #[test]
    fn words_are_rewrites_and_back() {
        for word in ["wsl-to-win", "win-to-wsl", "strip", "/a=/b", "/a==b", "strip=", "C:\\a=/b c"] {
            assert_eq!(word.parse::<Rewrite>().unwrap().to_string(), word);
        }
        for word in ["", "=", "=/a", "Strip", "wsl", "/a"] {
            assert_eq!(word.parse::<Rewrite>(), Err(BadRewrite(word.to_owned())));
        }
    }
}
