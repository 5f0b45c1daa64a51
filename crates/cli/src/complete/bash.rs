//! Candidates → words that bash can insert unchanged, whatever characters a name has.
//!
//! bash inserts the answer of a completion function unchanged, and passes words as typed, with their quotes. The library
//! for completions ignores both: a file called `$(…)` would run at the next Enter. So script and quoting are ours; the
//! candidates come from the library.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::env::EnvCompleter;

const SCRIPT: &str = r#"
_clap_complete_NAME() {
    local reply
    COMPREPLY=()
    while IFS= read -r reply; do
        if [[ -n $reply ]]; then COMPREPLY+=("$reply"); fi
    done <<< "$(VAR=bash COMPLETER -- bash \
        "$COMP_CWORD" "$2" "${COMP_LINE:COMP_POINT}" "${COMP_WORDS[@]}" 2> /dev/null)"
    if [[ ${COMPREPLY-} != *[=/:] ]]; then
        compopt +o nospace 2> /dev/null || true
    fi
}
if [[ ${BASH_VERSINFO[0]} -gt 4 || ${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _clap_complete_NAME BIN
else
    complete -o nospace -o bashdefault -F _clap_complete_NAME BIN
fi
"#;

/// The place in the command line where a candidate is inserted.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Bash {
    index: usize,
    /// The text before it in the same word, without quotes.
    kept: String,
    quote: Quote,
    /// The word has something that only the shell could expand.
    is_unclear: bool,
}

/// Which one is open.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) enum Quote {
    #[default]
    None,
    Single,
    Double,
}

impl Bash {
    /// What the script says after its `--`: the place, and the words as other shells say them.
    pub(super) fn read(said: &[OsString]) -> Option<(Self, Vec<OsString>)> {
        let [name, index, typed, after, words @ ..] = said else { return None };
        let index: usize = index.to_str().filter(|_| name == "bash")?.parse().ok()?;
        let texts = words.iter().map(|word| word.to_string_lossy());
        let mut bare: Vec<OsString> = texts.map(|word| without_quotes(&word).0.into()).collect();
        let word = words.get(index).map(|word| word.to_string_lossy()).unwrap_or_default();
        let typed = typed.to_string_lossy();
        let kept = before(&word, &typed, &after.to_string_lossy());
        // These part words, and are one.
        let kept = kept.filter(|kept| !matches!(*kept, "=" | ":"));
        if let Some(place) = bare.get_mut(index) {
            *place = without_quotes(&format!("{}{typed}", kept.unwrap_or_default())).0.into();
        }
        let is_unclear = kept.is_some_and(|kept| kept.contains(['$', '`']));
        let (kept, quote) = without_quotes(kept.unwrap_or_default());
        Some((Self { index, kept, quote, is_unclear }, bare))
    }

    /// What bash has to insert to get this value.
    fn inserted(&self, value: &str) -> Option<String> {
        let rest = value.strip_prefix(&self.kept).filter(|_| !self.is_unclear)?;
        match self.quote {
            // The user's home, and nothing else, if the engine says so.
            Quote::None if self.kept.is_empty() && rest.starts_with("~/") => {
                rest.strip_prefix('~').map(|rest| format!("~{}", escaped(rest, is_special)))
            }
            Quote::None => Some(escaped(rest, is_special)),
            Quote::Single => Some(rest.replace('\'', r"'\''")),
            // There is no way to write the sign of bash's history between these.
            Quote::Double if rest.contains('!') => None,
            Quote::Double => Some(escaped(rest, |letter| "$`\"\\".contains(letter))),
        }
    }
}

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let script = SCRIPT.replace("NAME", &name.replace('-', "_")).replace("BIN", bin).replace("VAR", var);
        writeln!(buf, "{}", script.replace("COMPLETER", completer))
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let found = clap_complete::engine::complete(cmd, args, self.index, current_dir)?;
        for word in found.iter().filter_map(|candidate| self.inserted(candidate.get_value().to_str()?)) {
            writeln!(buf, "{word}")?;
        }
        Ok(())
    }
}

/// Of a word with the cursor in it, what stands before what bash takes for typed; a quote, for instance.
fn before<'a>(word: &'a str, typed: &str, after: &str) -> Option<&'a str> {
    let cuts = (0..=word.len()).filter_map(|at| word.split_at_checked(at));
    let mut to_cursor = cuts.filter(|(_, rest)| after.starts_with(rest)).map(|(head, _)| head);
    to_cursor.find_map(|head| head.strip_suffix(typed))
}

/// A word as the shell reads it, but for what it would put in place of something; and the quote that is still open.
pub(super) fn without_quotes(word: &str) -> (String, Quote) {
    let (mut bare, mut quote) = (String::new(), Quote::None);
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        quote = match (quote, letter) {
            (Quote::None, '\'') => Quote::Single,
            (Quote::None, '"') => Quote::Double,
            (Quote::Single, '\'') | (Quote::Double, '"') => Quote::None,
            (Quote::None, '\\') => {
                bare.extend(letters.next());
                quote
            }
            (Quote::Double, '\\') => {
                bare.push(letters.next_if(|next| "$`\"\\".contains(*next)).unwrap_or(letter));
                quote
            }
            _ => {
                bare.push(letter);
                quote
            }
        };
    }
    (bare, quote)
}

fn is_special(letter: char) -> bool {
    !letter.is_alphanumeric() && !"/_-.+,:@%=".contains(letter)
}

fn escaped(text: &str, is_special: impl Fn(char) -> bool) -> String {
    let letters =
        text.chars().flat_map(|letter| is_special(letter).then_some('\\').into_iter().chain([letter]));
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(typed: &str, after: &str, words: &[&str]) -> (Bash, String) {
        let index = (words.len() - 1).to_string();
        let said = ["bash", &index, typed, after].into_iter().chain(words.iter().copied());
        let (place, words) = Bash::read(&said.map(OsString::from).collect::<Vec<_>>()).unwrap();
        (place, words.last().unwrap().to_str().unwrap().to_owned())
    }

    fn inserted(typed: &str, word: &str, value: &str) -> Option<String> {
        place(typed, "", &["steno", "show", word]).0.inserted(value)
    }

    #[test]
    fn words_are_read_without_their_quotes() {
        for (word, bare, quote) in [
            (r"a\ b\\\'", r"a b\'", Quote::None),
            ("'a\\ \"", "a\\ \"", Quote::Single),
            (r#"x"a\ \$\"b"#, r#"xa\ $"b"#, Quote::Double),
            (r#"'a'"b"\"#, "ab", Quote::None),
        ] {
            assert_eq!(without_quotes(word), (bare.to_owned(), quote), "{word}");
        }
    }

    #[test]
    fn a_candidate_fits_to_what_stands_before_it() {
        assert_eq!(inserted("a", "a", "a $(b)").unwrap(), r"a\ \$\(b\)");
        assert_eq!(inserted("a", "'a", "a'$(b)").unwrap(), r"a'\''$(b)");
        assert_eq!(inserted("a", "\"a", "a\"$(b) `\\").unwrap(), r#"a\"\$(b) \`\\"#);
        assert_eq!(inserted("a", "\"a", "a!b"), None);
        assert_eq!(inserted("", "'a b'", "a b;c").unwrap(), r"\;c");
        assert_eq!(inserted("~/", "~/", "~/a b").unwrap(), r"~/a\ b");
        assert_eq!(inserted("", "", "~a").unwrap(), r"\~a");
        assert_eq!(inserted("a", "$'a", "a"), None, "quotes of another kind");
        assert_eq!(inserted("sh", "--project=sh", "--project=shop").unwrap(), "shop", "before version 4");
    }

    #[test]
    fn the_word_that_is_asked_about() {
        assert_eq!(place(r"a\ b", "", &["steno", r"a\ b"]).1, "a b");
        assert_eq!(place("a b", "", &["steno", "'a b"]).1, "a b");
        assert_eq!(place("", "", &["steno", "--project", "="]).1, "");
        assert_eq!(place("a", "a x", &["steno", "aa"]).1, "a", "before the cursor");
    }
}
