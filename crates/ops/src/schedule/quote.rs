//! Text → the same text as a crontab, unit, XML document or Windows command line writes it.

/// In a crontab `%` ends the command unless a backslash precedes it, and cron takes that one away whatever the
/// shell's quotes are. A backslash that was there already must not be taken for it.
pub(super) fn crontab(command: &str) -> String {
    command.replace(r"\%", r"\''%").replace('%', r"\%")
}

/// One word of `ExecStart=`, within quotes. The program's own path knows no variables, so a `$` in it stays single.
pub(super) fn unit(word: &str, has_variables: bool) -> String {
    let escaped = word.replace('\\', r"\\").replace('"', "\\\"").replace('%', "%%");
    let escaped = if has_variables { escaped.replace('$', "$$") } else { escaped };
    format!("\"{escaped}\"")
}

pub(super) fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(super) fn from_xml(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

/// One argument as programs on Windows take their command line apart: backslashes mean themselves, except before a
/// quote.
pub(super) fn windows(argument: &str) -> String {
    if !argument.is_empty() && !argument.contains([' ', '\t', '"']) {
        return argument.to_owned();
    }
    let mut quoted = String::from("\"");
    let mut backslashes = 0;
    for character in argument.chars() {
        match character {
            '\\' => backslashes += 1,
            '"' => {
                quoted.push_str(&"\\".repeat(backslashes + 1));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        quoted.push(character);
    }
    quoted.push_str(&"\\".repeat(backslashes));
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::quoted;

    /// How cron reads a command: up to the first `%` without a backslash, taking backslashes before `%` away.
    fn as_cron_reads(line: &str) -> String {
        let mut read = String::new();
        let mut is_escaped = false;
        for character in line.chars() {
            match character {
                '%' if is_escaped => {
                    read.pop();
                    read.push('%');
                }
                '%' => break,
                _ => read.push(character),
            }
            is_escaped = character == '\\' && !is_escaped;
        }
        read
    }

    #[test]
    fn cron_hands_the_shell_what_was_meant() {
        for word in ["50%", "%", "a%%b", r"a\%b", r"a\\%b", r"%\", "it's 100%", r"\\\%"] {
            let read = as_cron_reads(&crontab(&quoted(word)));
            let output =
                std::process::Command::new("sh").arg("-c").arg(format!("printf %s {read}")).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word, "{read}");
        }
    }

    #[test]
    fn a_unit_has_no_specifiers_left() {
        assert_eq!(unit(r#"/a b/50%/"q"\$x"#, true), r#""/a b/50%%/\"q\"\\$$x""#);
        assert_eq!(unit("/a$b", false), "\"/a$b\"");
    }

    #[test]
    fn xml_comes_back() {
        let text = r#"<a & "b">'&lt;'"#;
        assert_eq!(from_xml(&xml(text)), text);
        assert!(!xml(text).contains(['<', '>', '"']));
    }

    #[test]
    fn windows_keeps_backslashes_and_quotes() {
        assert_eq!(windows(r"C:\Users\me"), r"C:\Users\me");
        assert_eq!(windows(r"C:\My Files\"), r#""C:\My Files\\""#);
        assert_eq!(windows(r#"a\"b"#), r#""a\\\"b""#);
        assert_eq!(windows(""), "\"\"");
    }
}
