//! A program's path → a word of a shell that means that path and nothing else, whatever the path holds.
//!
//! The engine's own quotes are for words that stand alone, and it puts them inside of others.

use super::Shell;

impl Shell {
    /// As a word of a line; as it is where nothing in it means anything to a shell.
    pub(crate) fn quoted(self, word: &str) -> String {
        if word.chars().all(|letter| letter.is_ascii_alphanumeric() || "/_-.+".contains(letter)) {
            word.to_owned()
        } else {
            self.in_quotes(word)
        }
    }

    /// As a word that is one in any case.
    pub(super) fn in_quotes(self, word: &str) -> String {
        let inside = match self {
            Self::Bash | Self::Zsh => word.replace('\'', r"'\''"),
            Self::Fish => escaped(word, r"\'", '\\'),
            Self::Elvish => word.replace('\'', "''"),
            Self::Powershell => doubled(word),
        };
        format!("'{inside}'")
    }

    /// As a word of the line that stands in the engine's script: two of the shells read that one twice.
    pub(super) fn quoted_in_script(self, word: &str) -> String {
        let quoted = self.quoted(word);
        match self {
            // Between double quotes.
            Self::Fish => escaped(&quoted, "\\\"$", '\\'),
            // In a here-string.
            Self::Powershell => escaped(&quoted, "`$", '`'),
            Self::Bash | Self::Zsh | Self::Elvish => quoted,
        }
    }
}

fn escaped(word: &str, special: &str, escape: char) -> String {
    let letters = word.chars().flat_map(|letter| {
        let before = special.contains(letter).then_some(escape);
        before.into_iter().chain([letter])
    });
    letters.collect()
}

/// PowerShell takes typographers' quotes for the plain one.
fn doubled(word: &str) -> String {
    let is_quote = |letter| matches!(letter, '\'' | '\u{2018}'..='\u{201b}');
    word.chars()
        .flat_map(|letter| std::iter::repeat_n(letter, if is_quote(letter) { 2 } else { 1 }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_nothing_to_a_shell_stays() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Powershell, Shell::Elvish] {
            assert_eq!(shell.quoted("/usr/local/bin/claude-backup"), "/usr/local/bin/claude-backup");
        }
    }

    /// The shells that tests run are asked themselves, in `tests/completions.rs`.
    #[test]
    fn quotes_of_shells_that_are_seldom_here() {
        assert_eq!(Shell::Elvish.quoted_in_script("/it's/$x"), "'/it''s/$x'");
        assert_eq!(Shell::Powershell.quoted(r"C:\it's\$x"), r"'C:\it''s\$x'");
        assert_eq!(Shell::Powershell.quoted_in_script(r"C:\it's\$x`\’"), r"'C:\it''s\`$x``\’’'");
    }
}
