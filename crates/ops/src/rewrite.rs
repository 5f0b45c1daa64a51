//! `--rewrite`: words → what becomes of paths. They mean the same in every command.

pub use steno_edit::rewrite::Rewrite;
use steno_edit::rewrite::{BadRewrite, Move};

use crate::error::{Error, ErrorKind};

/// What the words of a command line say, none of them in vain.
pub fn parse_all(words: &[impl AsRef<str>]) -> Result<Vec<Rewrite>, Error> {
    let rewrites: Vec<Rewrite> = words.iter().map(|word| parse(word.as_ref())).collect::<Result<_, _>>()?;
    let mut moves: Vec<&Move> = Vec::new();
    for rewrite in &rewrites {
        let Rewrite::Path(new) = rewrite else { continue };
        if let Some(old) = moves.iter().find(|old| old.is_of_same(new)) {
            return Err(twice(old, new));
        }
        moves.push(new);
    }
    Ok(rewrites)
}

pub fn parse(word: &str) -> Result<Rewrite, Error> {
    let rewrite = word.parse().map_err(|error: BadRewrite| {
        Error::new(ErrorKind::Invalid, error.to_string()).hint(BadRewrite::HINT)
    })?;
    match &rewrite {
        Rewrite::Path(path) if path.is_of_root() => {
            Err(Error::new(ErrorKind::Invalid, format!("'{word}': the root cannot be replaced"))
                .hint("name the directories below it, each in a --rewrite of its own"))
        }
        _ => Ok(rewrite),
    }
}

fn twice(old: &Move, new: &Move) -> Error {
    let message = format!("'{}' is rewritten twice, to '{}' and to '{}'", new.from, old.to, new.to);
    Error::new(ErrorKind::Invalid, message).hint("give each OLD once")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(words: &[&str]) -> (String, Vec<String>) {
        let error = parse_all(words).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid);
        (error.to_string(), error.hints)
    }

    #[test]
    fn different_paths_are_rewritten_together() {
        let words = ["/a=/x", "/a/b=/y", "strip", "strip", r"C:\=/c", "/x=/a"];
        let rewrites: Vec<_> = parse_all(&words).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(rewrites, words);
        assert!(parse_all(&[""; 0]).unwrap().is_empty());
    }

    #[test]
    fn a_path_cannot_become_two() {
        let (message, hints) = error(&["/a=/x", "strip", "/a/=/y"]);
        assert_eq!(message, "'/a/' is rewritten twice, to '/x' and to '/y'");
        assert_eq!(hints, ["give each OLD once"]);
        error(&[r"C:\a=/x", "c:/a=/y"]);
        error(&["/a=/x", "/a=/x"]);
    }

    #[test]
    fn the_root_stays() {
        let (message, hints) = error(&["strip", "/=/x"]);
        assert_eq!(message, "'/=/x': the root cannot be replaced");
        assert_eq!(hints.len(), 1);
    }

    #[test]
    fn a_word_that_is_none_says_so() {
        assert_eq!(
            error(&["/a=/b", "x"]),
            ("'x' is no rewrite".to_owned(), vec![BadRewrite::HINT.to_owned()])
        );
    }
}
