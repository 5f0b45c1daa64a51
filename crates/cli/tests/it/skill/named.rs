//! The commands and flags of the program against those that the skill names, both ways.

use std::collections::BTreeSet;

use clap::Command;

use crate::skill::page::{Page, filled};

/// What the program has and the skill does not name: command, flag (none: the command with all its flags), reason. The
/// program itself is the command without a name.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("resume", "", "it opens the client, which is for the user to type"),
    ("pick", "", "for people, on a terminal"),
    ("watch", "", "it follows until it is interrupted; `list --ongoing` says what runs"),
    ("hook", "", "the client runs it, by the plugin's hooks"),
    ("completions", "", "for the user's shell"),
    ("man", "", "for people; `steno help --json` tells agents the same"),
    ("", "--version", "whoever needs it tries it; no intent of a user"),
    ("", "--help", "for people; `steno help --json` tells agents the same"),
    ("", "--claude-dir", "an agent runs where the client's own variable says where its files are"),
    ("", "--vault", "one vault is enough; another one is the user's own arrangement"),
    ("init", "--recipient", "whom else to encrypt for is the user's own arrangement"),
    ("init", "--protect", "a passphrase is for the user to type"),
    ("init", "--endpoint", "where an object store answers is the user's own arrangement"),
    ("init", "--region", "as for `--endpoint`"),
    ("remote", "--recipient", "as for `init`"),
    ("remote", "--protect", "as for `init`"),
    ("remote", "--endpoint", "as for `init`"),
    ("remote", "--region", "as for `init`"),
    ("", "--quiet", "an agent reads stdout alone"),
    ("", "--color", "JSON has none"),
    ("init", "--no-sync", "a vault without a backup helps nobody"),
    ("list", "--agents", "`show` has the whole tree"),
    ("restore", "--to", "another Claude directory is the user's own arrangement"),
    ("restore", "--rewrite", "changes what was said; `--cwd` is what moves a session"),
    ("move", "--rewrite", "as for `restore`"),
    ("clone", "--rewrite", "as for `restore`"),
    ("clone", "--to", "as for `restore`"),
    ("clone", "--truncate", "`steno help clone --json` has it; a preset is what somebody wants"),
    ("clone", "--summary", "`steno help clone --json` has it"),
    ("clone", "--summarize", "runs another program; the user's own arrangement"),
    ("clone", "--at", "`steno help clone --json` has it"),
    ("clone", "--messages", "long; for who wants to know exactly what is sent"),
    ("restore", "--generation", "`steno peek` names it, and it means the same here"),
    ("restore", "--original-times", "the client would delete the session again"),
    ("export-config", "--machine", "`next` has it where it is needed, after `restore --all --machine`"),
    ("show", "--full-results", "changes text for people only; JSON is whole"),
    ("dump", "--system-events", "the client's notes about its own work"),
    ("dump", "--exclude-compact-summaries", "`steno help --json` has it"),
    ("dump", "--rewrite-report", "JSON has `rewritten` always"),
    ("dump", "--redact-emails", "`steno help --json` has it"),
    ("dump", "--thinking", "thinking is seldom what somebody wants to carry on"),
    ("dump", "--agents", "`steno help --json` has it"),
    ("share", "--format", "as for `dump`; others want a page"),
    ("share", "--tail", "as for `dump`"),
    ("share", "--thinking", "as for `dump`"),
    ("share", "--full-results", "as for `dump`"),
    ("share", "--agents", "as for `dump`"),
    ("share", "--system-events", "as for `dump`"),
    ("share", "--exclude-compact-summaries", "as for `dump`"),
    ("share", "--all", "as for `dump`"),
    ("share", "--rewrite", "as for `dump`"),
    ("share", "--rewrite-report", "as for `dump`"),
    ("share", "--redact-emails", "`steno help --json` has it"),
    ("share", "--passphrase-file", "a passphrase of the user's own is for the user to type"),
    ("share", "--no-redact", "an agent never shows secrets"),
    ("search", "--tool", "`steno help search --json` has it"),
    ("search", "--model", "`steno help search --json` has it"),
    ("search", "--branch", "`steno help search --json` has it"),
    ("search", "--file", "`steno help search --json` has it"),
    ("search", "--each", "three of each session are enough to choose one"),
    ("stats", "--timezone", "the system's own is the user's"),
    ("stats", "--prices", "a table of prices is the user's own arrangement; `hints` of people name it"),
    ("stats", "--csv", "JSON has the same rows"),
    ("doctor", "--strict", "JSON has `ok`"),
    ("list", "--ongoing", "`steno help --json` has it; sessions that run are in no danger"),
];

/// Flags that the page names without a command, and the commands that have them. It means all of these: whoever gives
/// such a flag to another command, or takes it from one, reads what the page says of it and changes this.
const ALONE: &[(&str, &[&str])] = &[
    ("--json", &[""]),
    ("--project", &["restore", "peek", "list", "search", "stats"]),
    ("--date", &["restore"]),
    ("--cwd", &["restore", "clone"]),
    ("--machine", &["restore", "peek"]),
    ("--grep", &["list"]),
    ("--since", &["list", "search", "stats"]),
    ("--until", &["list", "search", "stats"]),
    ("--force", &["restore", "remote", "dump", "share", "import-config"]),
    ("--remove-originals", &["move"]),
    ("--push", &["init", "sync", "remote"]),
    ("--replace-original", &["schedule"]),
    ("--local", &["", "init"]),
    ("--no-schedule", &["", "init"]),
    (
        "--dry-run",
        &[
            "restore",
            "dump",
            "share",
            "schedule",
            "export-config",
            "import-config",
            "purge",
            "clone",
            "check",
            "move",
            "uninstall",
        ],
    ),
];

/// A flag of a command; no flag is the command itself.
type Name = (String, String);

fn tree() -> Command {
    let mut tree = steno_cli::tree();
    tree.build();
    tree
}

/// Everything that can be named; what all commands understand is the program's own.
fn existing() -> BTreeSet<Name> {
    let tree = tree();
    let mut names: BTreeSet<Name> = flags(&tree, "").collect();
    for command in tree.get_subcommands() {
        names.insert((command.get_name().to_owned(), String::new()));
        names.extend(flags(command, command.get_name()).filter(|(_, flag)| {
            let global = |known: &clap::Arg| known.is_global_set() || known.get_id() == "help";
            !tree.get_arguments().any(|known| global(known) && known.get_long() == flag.strip_prefix("--"))
        }));
    }
    names
}

fn flags(command: &Command, name: &str) -> impl Iterator<Item = Name> {
    let longs = command.get_arguments().filter(|flag| !flag.is_hide_set()).filter_map(clap::Arg::get_long);
    longs.map(move |long| (name.to_owned(), format!("--{long}")))
}

/// What the page names: in a line, for its command; alone, for those that it is known to mean.
fn named() -> BTreeSet<Name> {
    let (page, existing) = (Page::read(), existing());
    let mut names = BTreeSet::new();
    for line in &page.lines {
        let command =
            line.split_whitespace().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
        names.insert((command.to_owned(), String::new()));
        for flag in line.split_whitespace().filter_map(|word| long(command, word)) {
            let own = (command.to_owned(), flag.clone());
            names.insert(if existing.contains(&own) { own } else { (String::new(), flag) });
        }
    }
    for (flag, commands) in ALONE.iter().filter(|(flag, _)| page.flags.contains(*flag)) {
        names.extend(commands.iter().map(|command| ((*command).to_owned(), (*flag).to_owned())));
    }
    names
}

/// By itself, or with its command.
fn is_left_out(command: &str, flag: &str) -> bool {
    LEFT_OUT.iter().any(|(of, left, _)| *of == command && (*left == flag || left.is_empty()))
}

/// The long name of a flag that may stand there in short.
fn long(command: &str, word: &str) -> Option<String> {
    let letter = word.strip_prefix('-')?;
    let tree = tree();
    let of = tree.find_subcommand(command).unwrap_or(&tree);
    let short = of.get_arguments().find(|flag| flag.get_short().map(String::from).as_deref() == Some(letter));
    let long = short.and_then(clap::Arg::get_long).map(|long| format!("--{long}"));
    Some(long.unwrap_or_else(|| word.to_owned()))
}

#[test]
fn every_command_line_of_the_skill_is_one() {
    for line in Page::read().lines {
        assert!(line.ends_with(" --json"), "`{line}` in SKILL.md: an agent always passes --json");
        if let Err(error) = steno_cli::tree().try_get_matches_from(filled(&line)) {
            panic!(
                "`{line}` in SKILL.md is no command line of steno any more; change the skill with the program\n{error}"
            );
        }
    }
}

#[test]
fn every_flag_that_stands_alone_belongs_to_the_commands_that_are_meant() {
    let existing = existing();
    let flags = Page::read().flags;
    let listed: BTreeSet<String> = ALONE.iter().map(|(flag, _)| (*flag).to_owned()).collect();
    assert_eq!(flags, listed, "the flags that SKILL.md names without a command, and those in ALONE");
    for (flag, commands) in ALONE {
        let has = existing.iter().filter(|(command, known)| known == flag && !is_left_out(command, known));
        let has: BTreeSet<&str> = has.map(|(command, _)| command.as_str()).collect();
        let meant: BTreeSet<&str> = commands.iter().copied().collect();
        assert_eq!(
            has,
            meant,
            "the commands that have {flag}, and those that SKILL.md means; is what it says true of all of them? \
             Then correct ALONE in {}",
            file!()
        );
    }
}

#[test]
fn every_command_and_flag_is_in_the_skill_or_left_out_for_a_reason() {
    let named = named();
    let missing: Vec<String> = existing()
        .iter()
        .filter(|name| !named.contains(*name) && !is_left_out(&name.0, &name.1))
        .map(|(command, flag)| format!("steno {command} {flag}"))
        .collect();
    assert!(
        missing.is_empty(),
        "SKILL.md does not name {missing:?}: give each an example in the help of its command and run `cargo xtask \
         docs`, or write it into the skill, or into LEFT_OUT in {} with a reason",
        file!()
    );
}

#[test]
fn what_is_left_out_exists_and_is_left_out() {
    let (named, existing) = (named(), existing());
    for (command, flag, reason) in LEFT_OUT {
        let name = ((*command).to_owned(), (*flag).to_owned());
        assert!(!reason.is_empty(), "steno {command} {flag} is left out without a reason");
        assert!(
            existing.contains(&name),
            "there is no steno {command} {flag} any more; take it out of LEFT_OUT"
        );
        assert!(!named.contains(&name), "SKILL.md names steno {command} {flag}; take it out of LEFT_OUT");
    }
}
