//! A command line that is still being typed → what may come next, for the completion script of a shell.
//!
//! clap's engine knows commands, flags and their values, speaks the language of each shell, and reads the variables
//! that its scripts set. What it cannot know is added here: the sessions, projects and machines of the directories
//! that the line names. A shell shows whatever is printed, so nothing is said about an error: there is no candidate.

mod bash;
mod powershell;
mod typed;

use std::ffi::{OsStr, OsString};
use std::path::{Path, is_separator};
use std::sync::Arc;

use clap::{Arg, Command, ValueHint};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{Elvish, EnvCompleter, Fish, Shells, Zsh};
use steno_ops::names::{self, Among, Session};
use steno_ops::sealing::Keys;
use steno_ops::{ClaudeDirs, Workspace};
use steno_render::terminal::clean_line;
use steno_render::{one_line, project_name};

pub(crate) use bash::Bash;
pub(crate) use powershell::Powershell;
use typed::Typed;

use crate::args::{self, Color, Global};
use crate::config;
use crate::output::OutputMode;

/// By this variable a script says which shell asks.
pub(crate) const ASKED_BY: &str = "STENO_COMPLETE";

/// A title is cut here.
const LONGEST_HELP: usize = 60;

/// Answers a completion script; false for every other command line.
pub(crate) fn answered(line: &[OsString]) -> bool {
    // A variable that was set by accident must not silence a backup: only our completion scripts write `--` first.
    if line.get(1).is_none_or(|word| word != "--") {
        return false;
    }
    let (bash, line) =
        match line.split_at_checked(2).and_then(|(start, said)| Some((start, Bash::read(said)?))) {
            Some((start, (place, words))) => (place, [start, &words].concat()),
            None => (Bash::default(), line.to_vec()),
        };
    let words = with_flags_before_their_signs(&line);
    let shells: [&dyn EnvCompleter; 5] = [&bash, &Elvish, &Typed(&Fish), &Powershell, &Typed(&Zsh)];
    let engine =
        CompleteEnv::with_factory(|| tree(directories(&words))).var(ASKED_BY).shells(Shells(&shells));
    engine.try_complete(words.clone(), config::here().as_deref()).unwrap_or(true)
}

/// All commands, with candidates for what clap takes for any text.
pub(crate) fn tree(global: Global) -> Command {
    let global = Arc::new(global);
    args::tree().mut_args(|argument| completed(argument, Among::All, &global)).mut_subcommands(|command| {
        let reads_live = matches!(
            command.get_name(),
            "list" | "search" | "show" | "resume" | "diff" | "dump" | "share" | "clone" | "check"
        );
        let among = if reads_live { Among::All } else { Among::Kept };
        command.mut_args(|argument| completed(argument, among, &global))
    })
}

fn completed(argument: Arg, among: Among, global: &Arc<Global>) -> Arg {
    let global = Arc::clone(global);
    match argument.get_id().as_str() {
        "session" => argument.add(ArgValueCompleter::new(move |typed: &OsStr| {
            let is_path = among == Among::All && typed.to_string_lossy().contains(is_separator);
            if is_path {
                return paths(typed, |path| {
                    path.is_dir() || path.extension().is_some_and(|end| end == "jsonl")
                });
            }
            candidates(&global, typed, |workspace, typed| sessions(workspace, among, typed))
        })),
        "project" => argument.add(ArgValueCompleter::new(move |typed: &OsStr| {
            candidates(&global, typed, |workspace, typed| projects(workspace, among, typed))
        })),
        "machine" => argument.add(ArgValueCompleter::new(move |typed: &OsStr| {
            candidates(&global, typed, |workspace, typed| {
                let machines = names::machines(workspace).into_iter();
                machines.filter(|name| name.starts_with(typed)).map(|name| (name, String::new())).collect()
            })
        })),
        "rewrite" => argument.add(ArgValueCompleter::new(|typed: &OsStr| {
            let known = [
                ("wsl-to-win", "/mnt/c/… becomes C:\\…"),
                ("win-to-wsl", "C:\\… becomes /mnt/c/…"),
                ("strip", "absolute paths become <path>"),
            ];
            let fitting = known.into_iter().filter(|(name, _)| starts_with(name, typed));
            fitting.map(|(name, help)| candidate(name, help)).collect::<Vec<_>>()
        })),
        "target" => argument.add(ArgValueCompleter::new(|typed: &OsStr| {
            let known = [("github", "a private repository"), ("off", "nowhere")];
            let fitting = known.into_iter().filter(|(name, _)| starts_with(name, typed));
            fitting.map(|(name, help)| candidate(name, help)).collect::<Vec<_>>()
        })),
        // A public key may be in a file.
        "what" | "recipient" => argument.add(ArgValueCompleter::new(|typed: &OsStr| paths(typed, |_| true))),
        "claude_dir" | "vault" | "from" | "to" | "cwd" | "dir" => {
            argument.add(ArgValueCompleter::new(|typed: &OsStr| paths(typed, Path::is_dir)))
        }
        _ if matches!(
            argument.get_value_hint(),
            ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
        ) =>
        {
            argument.add(ArgValueCompleter::new(|typed: &OsStr| paths(typed, |_| true)))
        }
        _ => argument,
    }
}

/// Directories lead to the others, and are always there.
fn paths(typed: &OsStr, is_wanted: fn(&Path) -> bool) -> Vec<CompletionCandidate> {
    let Some(here) = config::here() else { return Vec::new() };
    let found = PathCompleter::any().current_dir(here).filter(is_wanted).complete(typed);
    found.into_iter().filter(|path| path.get_value().to_str().is_some_and(is_word)).collect()
}

/// A value with what is said of it.
type Offer = (String, String);

fn candidates(
    global: &Global,
    typed: &OsStr,
    offers: impl FnOnce(&Workspace, &str) -> Vec<Offer>,
) -> Vec<CompletionCandidate> {
    let (Some(workspace), Some(typed)) = (workspace(global), typed.to_str()) else { return Vec::new() };
    let words = offers(&workspace, typed).into_iter().filter(|(value, _)| is_word(value));
    words.map(|(value, help)| candidate(&value, &help)).collect()
}

fn sessions(workspace: &Workspace, among: Among, typed: &str) -> Vec<Offer> {
    let found = names::sessions(workspace, among, typed);
    let last = (!found.is_empty() || !typed.is_empty()) && "last".starts_with(typed);
    let last = last.then(|| ("last".to_owned(), "the latest session".to_owned()));
    last.into_iter().chain(found.into_iter().map(|session| (session.id.clone(), about(&session)))).collect()
}

fn about(session: &Session) -> String {
    let project = || project_name(session.cwd.as_deref(), Some(&session.project_hash));
    session.title.clone().unwrap_or_else(project)
}

/// By their last name, or by the whole path where that is what is being typed.
fn projects(workspace: &Workspace, among: Among, typed: &str) -> Vec<Offer> {
    let wants_path = typed.contains(is_separator);
    let offer = |project: Session| {
        let name = project_name(project.cwd.as_deref(), Some(&project.project_hash));
        let path = project.cwd.unwrap_or(project.project_hash);
        if wants_path { (path, String::new()) } else { (name, path) }
    };
    let offers = names::projects(workspace, among).into_iter().map(offer);
    let mut offers: Vec<Offer> =
        offers.filter(|(value, _)| value.to_lowercase().starts_with(&typed.to_lowercase())).collect();
    let mut seen = std::collections::HashSet::new();
    offers.retain(|(value, _)| seen.insert(value.clone()));
    offers
}

fn candidate(value: &str, help: &str) -> CompletionCandidate {
    let help: String = one_line(help).chars().take(LONGEST_HELP).collect();
    CompletionCandidate::new(value).help(Some(help).filter(|help| !help.is_empty()).map(Into::into))
}

/// Nothing in it acts on a terminal, and it would not be read as a flag. Quotes are for the shells to set.
fn is_word(value: &str) -> bool {
    !value.starts_with('-') && clean_line(value) == value
}

fn starts_with(name: &str, typed: &OsStr) -> bool {
    typed.to_str().is_some_and(|typed| name.starts_with(typed))
}

fn workspace(global: &Global) -> Option<Workspace> {
    let dirs: ClaudeDirs = config::dirs(global, config::now().ok()?).ok()?;
    let mut workspace = config::workspace(global, dirs, &OutputMode::new(global, config::terminal())).ok()?;
    // Completion never asks for a passphrase.
    workspace.keys.passphrase = Keys::default().passphrase;
    Some(workspace)
}

/// bash makes three words of `--flag=value`; the engine knows two. Their number stays, because a variable says which
/// one is being typed.
fn with_flags_before_their_signs(line: &[OsString]) -> Vec<OsString> {
    let mut words = line.to_vec();
    for at in 2..words.len().saturating_sub(1) {
        let is_flag =
            words.get(at - 1).and_then(|word| word.to_str()).is_some_and(|word| word.starts_with("--"));
        if is_flag && words.get(at).is_some_and(|word| word == "=") {
            words.swap(at - 1, at);
            if let Some(sign) = words.get_mut(at - 1) {
                *sign = "--quiet".into();
            }
        }
    }
    words
}

/// The directories that a line names; the other flags of every command change no candidate.
pub(crate) fn directories(words: &[OsString]) -> Global {
    let mut global = Global {
        json: true,
        claude_dir: Vec::new(),
        vault: None,
        identity: None,
        quiet: true,
        color: Color::Never,
    };
    let mut words = words.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        let (flag, value) = word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
        if !matches!(flag, "--claude-dir" | "--vault" | "--identity") {
            continue;
        }
        let Some(value) = value.or_else(|| words.next()).filter(|value| !value.is_empty()) else { continue };
        let path = config::unquoted(value);
        match flag {
            "--vault" => global.vault = Some(path),
            "--identity" => global.identity = Some(path),
            _ => global.claude_dir.push(path),
        }
    }
    global
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_directories_of_a_line() {
        let global = directories(&words(
            "steno -- steno peek --vault '/a' --identity /k --claude-dir=/b --claude-dir /c 1c",
        ));
        assert_eq!(global.vault.as_deref(), Some("/a".as_ref()));
        assert_eq!(global.identity.as_deref(), Some("/k".as_ref()));
        assert_eq!(global.claude_dir, ["/b", "/c"].map(std::path::PathBuf::from));
        assert!(directories(&words("steno -- steno list --vault")).vault.is_none());
    }

    #[test]
    fn three_words_of_bash_are_two() {
        let said = |line: &str| with_flags_before_their_signs(&words(line)).join(" ".as_ref());
        assert_eq!(said("s -- s list --project = ap"), "s -- s list --quiet --project ap");
        assert_eq!(said("s -- s list --project ="), "s -- s list --project =");
        assert_eq!(said("s -- s list a = b"), "s -- s list a = b");
    }

    #[test]
    fn no_other_line_is_answered() {
        assert!(!answered(&words("steno list")) && !answered(&words("steno")) && !answered(&[]));
    }

    #[test]
    fn what_acts_on_a_terminal_or_looks_like_a_flag_is_not_offered() {
        assert!(is_word("1c9e-4") && is_word("日本") && is_word("a b") && is_word("$(rm)"));
        assert!(!is_word("-home-ann") && !is_word("a\u{1b}[2J") && !is_word("a\nb") && !is_word("a\tb"));
    }

    /// The engine, on every line of up to three of these words.
    #[test]
    fn no_line_makes_the_engine_panic() {
        let some = ["", "-", "--", "--vault", "=", "--vault=", "-q", "show", "help", "--project", "é", "-x"];
        let mut tree = tree(directories(&words("--vault /nowhere --claude-dir /nowhere")));
        for one in some {
            for two in some {
                for three in some {
                    let line = ["steno", one, two, three].map(OsString::from).to_vec();
                    let _ = clap_complete::engine::complete(&mut tree, line, 3, None);
                }
            }
        }
    }
}
