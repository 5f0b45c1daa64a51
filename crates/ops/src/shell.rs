//! Words → a line for a POSIX shell.

use std::path::Path;

/// One word, quoted where a shell would read it otherwise.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:=@+,-".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Resumes a session in the client, in the directory `cwd` and with the Claude directory `home`, where these are named.
pub(crate) fn resume(cwd: Option<&str>, home: Option<&Path>, id: Option<&str>) -> String {
    let go = cwd.map(|cwd| format!("cd {} && ", quoted(cwd))).unwrap_or_default();
    let home = home.map(|home| format!("CLAUDE_CONFIG_DIR={} ", quoted(&home.to_string_lossy())));
    let id = id.map(|id| format!(" {}", quoted(id))).unwrap_or_default();
    format!("{go}{}claude --resume{id}", home.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_reads_the_words_that_were_meant() {
        for word in ["a", "", "it's", "a b", "$HOME", "`x`", "-x", "a\nb", "é*?", "a=b", r"\", "~", "#", "!"]
        {
            let printed = Command::new("sh").arg("-c").arg(format!("printf %s {}", quoted(word))).output();
            assert_eq!(String::from_utf8(printed.unwrap().stdout).unwrap(), word);
        }
    }

    #[test]
    fn a_session_is_resumed_where_it_worked() {
        assert_eq!(
            resume(Some("/home/ann/api"), None, Some("0b5f")),
            "cd /home/ann/api && claude --resume 0b5f"
        );
        assert_eq!(
            resume(Some("/home/it's $HOME"), Some(Path::new("/a b")), Some("x;y")),
            r"cd '/home/it'\''s $HOME' && CLAUDE_CONFIG_DIR='/a b' claude --resume 'x;y'"
        );
    }
}
