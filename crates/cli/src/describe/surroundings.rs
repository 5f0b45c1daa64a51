//! What clap does not know of the program: exit codes, kinds of errors, the environment.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_ops::ErrorKind as Kind;

use crate::failure;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ExitCode {
    pub code: u8,
    pub means: String,
}

/// The `kind` of an error in JSON.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ErrorKind {
    pub kind: String,
    /// What the program exits with.
    pub code: u8,
    pub means: String,
}

/// A variable of the environment.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    pub name: String,
    pub means: String,
}

const EXIT_CODES: [(u8, &str); 5] = [
    (0, "done; also where nothing was found"),
    (1, "your mistake: a bad flag, an unknown session, something that exists already"),
    (2, "the system failed: files, git, the network, a damaged vault"),
    (3, "done in part; the report has \"ok\":false and names what was not done"),
    (130, "interrupted"),
];

/// Those that `config` reads.
const ENVIRONMENT: [(&str, &str); 32] = [
    ("CLAUDE_CONFIG_DIR", "the Claude directory, where there is no --claude-dir"),
    ("STENO_VAULT", "where sessions are kept, where there is no --vault"),
    ("STENO_IDENTITY", "the key of an encrypted vault, where there is no --identity"),
    ("STENO_MACHINE", "what this machine is called in a new vault, instead of its host name"),
    ("STENO_WAIT", "seconds to wait for another process that uses the vault; 10 by default"),
    ("STENO_MEMORY", "megabytes for a session that is shown, checked or cloned; 256 by default"),
    ("STENO_CACHE", "where the index lies, instead of steno in the usual place for caches"),
    ("STENO_MANAGED_SETTINGS", "where the client's managed settings lie; empty: nowhere"),
    ("STENO_PASSPHRASE", "the passphrase of the vault's key"),
    ("STENO_SHARE_PASSPHRASE", "that of share --encrypt"),
    ("STENO_NOW", "the time, for tests"),
    ("STENO_NEW_ID", "the id of a clone, for tests"),
    ("STENO_PAGER", "the pager for text longer than the terminal; cat for none"),
    ("PAGER", "the same, where there is no STENO_PAGER; less by default"),
    ("LESS", "options of less, instead of ours"),
    ("NO_COLOR", "no colours, where it is not empty"),
    ("TERM", "no colours, where it is dumb"),
    ("COLUMNS", "the width of text"),
    ("XDG_CACHE_HOME", "where caches lie, instead of ~/.cache"),
    ("XDG_CONFIG_HOME", "where systemd's units and the key lie, instead of ~/.config"),
    ("AWS_ACCESS_KEY_ID", "who asks the object store"),
    ("AWS_SECRET_ACCESS_KEY", "the secret that goes with it"),
    ("AWS_SESSION_TOKEN", "and a token, if any"),
    ("AWS_PROFILE", "a profile of these files, where those are not set"),
    ("AWS_SHARED_CREDENTIALS_FILE", "instead of ~/.aws/credentials"),
    ("AWS_CONFIG_FILE", "instead of ~/.aws/config"),
    ("AWS_REGION", "its region, where there is no --region"),
    ("AWS_DEFAULT_REGION", "the same"),
    ("AWS_ENDPOINT_URL_S3", "its URL, where there is no --endpoint"),
    ("AWS_ENDPOINT_URL", "the same"),
    ("HTTPS_PROXY", "the way to it by https; https_proxy, too"),
    ("NO_PROXY", "hosts without it; no_proxy, too"),
];

pub(super) fn exit_codes() -> Vec<ExitCode> {
    EXIT_CODES.iter().map(|(code, means)| ExitCode { code: *code, means: (*means).to_owned() }).collect()
}

pub(super) fn environment() -> Vec<Variable> {
    let variable = |(name, means): &(&str, &str)| Variable { name: (*name).into(), means: (*means).into() };
    ENVIRONMENT.iter().map(variable).collect()
}

/// Those of operations, and the one of a command line that means nothing.
pub(super) fn error_kinds() -> Vec<ErrorKind> {
    let usage =
        ErrorKind { kind: "usage".into(), code: 1, means: "a command line that means nothing".into() };
    let kind = |kind: Kind| ErrorKind {
        kind: kind.name().into(),
        code: failure::exit_code(kind),
        means: meaning(kind).into(),
    };
    std::iter::once(usage).chain(Kind::ALL.into_iter().map(kind)).collect()
}

fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::NotFound => "what was asked for is not there",
        Kind::Ambiguous => "a prefix of several sessions; the hints name them",
        Kind::Invalid => "a request that makes no sense",
        Kind::Exists => "something stands where the result should go",
        Kind::Running => "the session is running, and is not touched",
        Kind::Busy => "another process uses the vault",
        Kind::Damaged => "the vault does not hold what it should",
        Kind::Incompatible => "the vault was written by a newer version",
        Kind::NoVault => "there is no vault yet; the hint says how to make one",
        Kind::Locked => "no key that opens the vault was found",
        Kind::Outside => "git, gh, a scheduler or a remote is missing, failed or said no",
        Kind::Io => "a file cannot be read or written",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The system sets these; they are no settings of ours.
    const SYSTEM: [&str; 9] =
        ["PATH", "COMPUTERNAME", "APPDATA", "LOCALAPPDATA", "TZ", "HOME", "USER", "LOGNAME", "USERNAME"];

    #[test]
    fn every_variable_that_is_read_is_told_of() {
        let is_name = |text: &&str| {
            text.len() > 1 && text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
        };
        let texts = include_str!("../config.rs").split('"').filter(is_name);
        // The build's, the launcher's, and that of builds for tests.
        let is_own = |name: &&str| {
            !name.starts_with("CARGO_") && !["STENO_CALLED_AS", "STENO_FAULT_AT"].contains(name)
        };
        let names = texts.filter(|name| !SYSTEM.contains(name)).filter(is_own);
        let told = ENVIRONMENT.iter().map(|(name, _)| *name);
        assert_eq!(names.collect::<BTreeSet<_>>(), told.collect::<BTreeSet<_>>());
    }
}
