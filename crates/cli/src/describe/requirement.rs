//! A flag → what must stand beside it.
//!
//! clap checks that and does not tell of it, so each flag is tried alone, and what clap then misses is what it needs.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args;

/// What only the operation refuses, because it has more to say about it.
const OPERATIONS: [(&str, &str, &[&str]); 1] = [("uninstall", "--delete-vault", &["--yes", "--dry-run"])];
/// It passes for a number, a path and a word.
const ANY_VALUE: &str = "1";

/// Names, one of which has to be there; none, where the flag needs nothing that its command does not need anyway.
pub(super) fn requires(command: &clap::Command, flag: &clap::Arg) -> Vec<String> {
    let Some(long) = flag.get_long().map(|name| format!("--{name}")) else { return Vec::new() };
    let known = OPERATIONS.iter().find(|(name, known, _)| *name == command.get_name() && *known == long);
    if let Some((_, _, needed)) = known {
        return needed.iter().map(|name| (*name).to_owned()).collect();
    }
    let value = flag.get_action().takes_values().then(|| value(flag));
    let always = missing(command, Vec::new());
    let missing = missing(command, std::iter::once(long).chain(value).collect());
    missing.iter().filter(|one| !always.contains(one)).flat_map(|one| names(one)).collect()
}

/// A conflict, with what its flags need: that they exclude each other is only half of the explanation.
pub(crate) fn explained(mut error: clap::Error, line: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::ArgumentConflict {
        return error;
    }
    let mut tree = args::tree();
    tree.build();
    let command = line.iter().skip(1).find_map(|word| tree.find_subcommand(word));
    let Some(command) = command else { return error };
    let clashing: Vec<String> = [ContextKind::InvalidArg, ContextKind::PriorArg]
        .into_iter()
        .filter_map(|kind| error.get(kind))
        .flat_map(strings)
        .flat_map(|text| names(&text))
        .collect();
    let is_clashing = |flag: &&clap::Arg| {
        flag.get_long().is_some_and(|long| clashing.iter().any(|name| name.strip_prefix("--") == Some(long)))
    };
    let tips = command.get_arguments().filter(is_clashing).filter_map(|flag| tip(command, flag)).collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

fn tip(command: &clap::Command, flag: &clap::Arg) -> Option<clap::builder::StyledStr> {
    let needed = requires(command, flag);
    let name = flag.get_long().filter(|_| !needed.is_empty())?;
    Some(format!("'--{name}' needs {}", needed.join(" or ")).into())
}

fn value(flag: &clap::Arg) -> String {
    let values = flag.get_possible_values();
    values.first().map_or_else(|| ANY_VALUE.to_owned(), |value| value.get_name().to_owned())
}

/// What clap finds missing, as it writes that: `<ID|--all>`, `--dir <DIR>`.
fn missing(command: &clap::Command, words: Vec<String>) -> Vec<String> {
    let line = std::iter::once(command.get_name().to_owned()).chain(words);
    let Err(error) = command.clone().try_get_matches_from(line) else { return Vec::new() };
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return Vec::new();
    }
    error.get(ContextKind::InvalidArg).map(strings).unwrap_or_default()
}

fn strings(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::String(text) => vec![text.clone()],
        ContextValue::Strings(texts) => texts.clone(),
        _ => Vec::new(),
    }
}

/// Each without its value.
fn names(written: &str) -> Vec<String> {
    let written = written.trim_matches(['<', '>', '[', ']']);
    let one = |name: &str| name.split(' ').next().unwrap_or_default().to_owned();
    written.split('|').map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_out_of_what_clap_writes() {
        assert_eq!(names("<ID|--all>"), ["ID", "--all"]);
        assert_eq!(names("--dir <DIR>"), ["--dir"]);
        assert_eq!(names("<ID>"), ["ID"]);
    }

    /// Else its trial would end before clap looks for missing ones; and two needs would look like a choice.
    #[test]
    fn every_flag_can_be_tried() {
        let mut tree = args::tree();
        tree.build();
        for command in tree.get_subcommands() {
            for flag in command.get_arguments().filter(|flag| !flag.is_positional()) {
                let Some(long) = flag.get_long().filter(|long| *long != "help") else { continue };
                let value = flag.get_action().takes_values().then(|| value(flag));
                let words: Vec<String> = std::iter::once(format!("--{long}")).chain(value).collect();
                let always = missing(command, Vec::new()).len();
                let count = missing(command, words.clone()).len();
                assert!(count <= always + 1, "{} {words:?}", command.get_name());
                let line = std::iter::once(command.get_name().to_owned()).chain(words.clone());
                let refusal = command.clone().try_get_matches_from(line).err().map(|error| error.kind());
                let is_expected = refusal.is_none_or(|kind| kind == ErrorKind::MissingRequiredArgument);
                assert!(is_expected, "{} {words:?}: {refusal:?}", command.get_name());
            }
        }
    }
}
