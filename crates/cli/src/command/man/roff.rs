//! Sections of a manual page → roff, with everything in the text that roff would obey taken as text.

/// A section of terms, each with what it means below.
pub(super) fn pairs(heading: &str, pairs: &[(String, String)]) -> String {
    let pair = |(term, means): &(String, String)| {
        let means = if means.is_empty() { String::new() } else { format!("{}\n", line(means)) };
        format!(".TP\n\\fB{}\\fR\n{means}", escaped(term))
    };
    section(heading, pairs.iter().map(pair).collect())
}

pub(super) fn paragraphs(heading: &str, paragraphs: &[&str]) -> String {
    let paragraphs: Vec<String> = paragraphs.iter().map(|text| format!("{}\n", line(text))).collect();
    section(heading, paragraphs.join(".PP\n"))
}

/// Nothing where there is nothing to say.
fn section(heading: &str, body: String) -> String {
    if body.is_empty() { body } else { format!(".SH \"{heading}\"\n{body}") }
}

/// A whole line: roff obeys those that begin with a dot.
fn line(text: &str) -> String {
    let text = escaped(text);
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\e"),
            // Else typeset as a hyphen, quotes and accents, which break when pasted.
            '-' => escaped.push_str("\\-"),
            '`' => escaped.push_str("\\(ga"),
            '\'' => escaped.push_str("\\(aq"),
            '~' => escaped.push_str("\\(ti"),
            '^' => escaped.push_str("\\(ha"),
            '\n' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// What clap wrote, without its definition of an apostrophe, which every section repeats, and with space where it has
/// empty lines between breaks.
pub(super) fn tidy(text: &str) -> String {
    let text = text.replace("\\*(Aq", "\\(aq").replace(".br\n\n.br\n", ".sp\n");
    let is_definition = |line: &str| line.starts_with(".ie \\n(.g .ds Aq") || line.starts_with(".el .ds Aq");
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !is_definition(line));
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_a_request() {
        let section = paragraphs("NOTES", &[".so /etc/passwd", "'x \\n a-b `c` ~/d"]);
        let expected = ".SH \"NOTES\"\n\\&.so /etc/passwd\n.PP\n\\(aqx \\en a\\-b \\(gac\\(ga \\(ti/d\n";
        assert_eq!(section, expected);
        assert_eq!(pairs("FILES", &[]), "");
        assert_eq!(pairs("FILES", &[("a".into(), String::new())]), ".SH \"FILES\"\n.TP\n\\fBa\\fR\n");
    }
}
