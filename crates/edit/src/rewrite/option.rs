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
mod tests;
