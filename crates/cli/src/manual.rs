//! The description of the program → docs/cli.md, so that the page and the program agree.

use std::fmt::Write;

use crate::describe::{Argument, Command, Description, Flag, describe};

const OPENING: &str = "\
<!-- Written by `cargo xtask docs` from the program itself; a test fails where it is stale. -->

# The command line

What `steno help` says, on one page; `steno help --json` says it to programs. The same program is installed as `claude-backup`.
[contract.md](contract.md) says what holds for the answers.
";

/// The page about all commands.
pub fn manual() -> String {
    let program = describe();
    let mut page = format!("{OPENING}\n{}", contents(&program));
    let _ = write!(page, "\n## Every command\n\n{}", lines(&program.notes));
    let _ = write!(
        page,
        "\n{}\nOf the program itself:\n\n{}",
        flags(&program.global_flags),
        flags(&program.flags)
    );
    let codes = program.exit_codes.iter().map(|code| [code.code.to_string(), text(&code.means)]);
    let _ = write!(page, "\n### Exit codes\n\n{}", table(["code", "means"], codes));
    let kinds = program.error_kinds.iter();
    let kinds = kinds.map(|kind| [code(&kind.kind), kind.code.to_string(), text(&kind.means)]);
    let _ = write!(page, "\n### Kinds of errors\n\n{}", table(["kind", "exit code", "means"], kinds));
    let variables = program.environment.iter().map(|variable| [code(&variable.name), text(&variable.means)]);
    let _ = write!(page, "\n### Environment\n\n{}", table(["variable", "means"], variables));
    page.extend(program.commands.iter().map(section));
    page
}

/// Each command in a line, with a link.
fn contents(program: &Description) -> String {
    let row = |command: &Command| {
        let link = format!("[`{0}`](#steno-{0})", command.name);
        [link, command.group.clone(), text(&command.about)]
    };
    table(["command", "group", "does"], program.commands.iter().map(row))
}

fn section(command: &Command) -> String {
    let mut section = format!("\n## steno {}\n\n{}.\n", command.name, text(&command.about));
    let _ = write!(section, "\n```\n{}\n```\n", command.usage);
    for part in
        [arguments(&command.arguments), flags(&command.flags), examples(command), lines(&command.notes)]
    {
        if !part.is_empty() {
            let _ = write!(section, "\n{part}");
        }
    }
    let links: Vec<String> = command.schemas.iter().map(|schema| link(schema)).collect();
    let _ = write!(section, "\nWith `--json`: {}. [Exit codes](#exit-codes).\n", links.join(", "));
    section
}

fn arguments(arguments: &[Argument]) -> String {
    let row = |argument: &Argument| {
        let needed = if argument.required { "needed" } else { "" };
        let default = argument.default.as_deref();
        [code(&argument.name), needed.to_owned(), text(&argument.help) + &limits(&argument.values, default)]
    };
    table(["argument", "", "means"], arguments.iter().map(row))
}

fn flags(flags: &[Flag]) -> String {
    let row = |flag: &Flag| {
        let names: Vec<&str> = [&flag.short, &flag.long].into_iter().flatten().map(String::as_str).collect();
        let value = flag.value.as_ref().map(|value| format!(" {value}")).unwrap_or_default();
        let limits = limits(&flag.values, flag.default.as_deref());
        [code(&(names.join(", ") + &value)), text(&flag.help) + &limits + &beside(flag)]
    };
    table(["flag", "means"], flags.iter().map(row))
}

/// The allowed values, and the default.
fn limits(values: &[String], default: Option<&str>) -> String {
    let values: Vec<String> = values.iter().map(|value| code(value)).collect();
    let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    let default = default.map(|default| format!("; default {}", code(default))).unwrap_or_default();
    values + &default
}

/// The flags that it excludes, and those that it requires.
fn beside(flag: &Flag) -> String {
    let codes = |names: &[String]| names.iter().map(|name| code(name)).collect::<Vec<_>>();
    let (apart, needed) = (codes(&flag.conflicts), codes(&flag.requires));
    let needed =
        if needed.is_empty() { String::new() } else { format!("; only with {}", needed.join(" or ")) };
    if apart.is_empty() { needed } else { format!("{needed}; not with {}", apart.join(", ")) }
}

fn examples(command: &Command) -> String {
    let rows = command.examples.iter().map(|example| [code(&example.command), text(&example.does)]);
    table(["example", "does"], rows)
}

fn lines(notes: &[String]) -> String {
    notes.iter().map(|note| format!("- {}\n", text(note))).collect()
}

/// From docs/ to a file that is named from the root.
fn link(path: &str) -> String {
    let path = path.trim_start_matches("docs/");
    format!("[{path}]({path})")
}

/// Nothing where there are no rows.
fn table<const N: usize>(heading: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: String = rows.map(|row| format!("| {} |\n", row.join(" | "))).collect();
    if rows.is_empty() {
        return rows;
    }
    format!("| {} |\n|{}\n{rows}", heading.join(" | "), "---|".repeat(N))
}

fn code(words: &str) -> String {
    format!("`{}`", words.replace('|', "\\|"))
}

/// Words of ours, with what Markdown would take for its own. Between backticks it takes nothing but a bar.
fn text(words: &str) -> String {
    let escape = |(place, part): (usize, &str)| {
        let part = part.replace('|', "\\|");
        if place % 2 == 0 { part.replace('<', "\\<").replace('*', "\\*") } else { part }
    };
    words.split('`').enumerate().map(escape).collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        assert_eq!(text("a <date> | `b <c> | d` *"), r"a \<date> \| `b <c> \| d` \*");
        assert_eq!(code("a|b"), r"`a\|b`");
        assert_eq!(table(["a", "b"], std::iter::empty()), "");
    }
}
