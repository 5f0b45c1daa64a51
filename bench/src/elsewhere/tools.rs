//! The ways to keep a home in an object store that are measured beside each other, each with its defaults.
//!
//! Ours is there twice: the peer encrypts always, so that the encrypted one is its equal.

use crate::keep::tools::{Command, Tool, Within};

pub(crate) const BUCKET: &str = "bench";
pub(crate) const KEY: &str = "benchmark";
pub(crate) const SECRET: &str = "key of the benchmark";

pub(crate) const TOOLS: &[Tool] = &[STENO, ENCRYPTED, RESTIC];

/// Sets up on a machine that has nothing: `$0` steno, `$1` its home, `$2` the address, `$3` the endpoint.
const TAKE: &str = "
    unset CLAUDE_CONFIG_DIR
    export HOME=\"$1\" STENO_VAULT=\"$1/vault\" STENO_MACHINE=new
    \"$0\" init --no-schedule --remote \"$2\" --endpoint \"$3\" && [ -n \"$(ls \"$1/vault/machines\")\" ]";
/// The same, and then everything into `$4`.
const TAKE_AND_RESTORE: &str = "
    unset CLAUDE_CONFIG_DIR
    export HOME=\"$1\" STENO_VAULT=\"$1/vault\" STENO_MACHINE=newer
    \"$0\" init --no-schedule --remote \"$2\" --endpoint \"$3\" &&
        \"$0\" restore --all --machine bench --to \"$4\"";

const STENO: Tool = Tool {
    slug: "steno",
    ours: true,
    needs: &[],
    environment: &[
        ("CLAUDE_CONFIG_DIR", "{home}"),
        ("STENO_VAULT", "{store}"),
        ("STENO_MACHINE", "bench"),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
    ],
    prepare: &[
        "{steno}",
        "init",
        "--no-schedule",
        "--no-sync",
        "--remote",
        "s3://bench/steno",
        "--endpoint",
        "{endpoint}",
    ],
    backup: command("steno sync", &["{steno}", "sync"]),
    restore_one: None,
    take: Some(command(
        "steno init --remote",
        &["sh", "-c", TAKE, "{steno}", "{fresh}", "s3://bench/steno", "{endpoint}"],
    )),
    restore_all: command(
        "steno init --remote, restore",
        &["sh", "-c", TAKE_AND_RESTORE, "{steno}", "{fresh}", "s3://bench/steno", "{endpoint}", "{target}"],
    ),
    incremental: true,
};

const ENCRYPTED: Tool = Tool {
    slug: "encrypted",
    environment: &[
        ("CLAUDE_CONFIG_DIR", "{home}"),
        ("STENO_VAULT", "{store}"),
        ("STENO_MACHINE", "bench"),
        // The new machine has nothing but this and the address.
        ("STENO_IDENTITY", "{store}.key"),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
    ],
    prepare: &[
        "{steno}",
        "init",
        "--no-schedule",
        "--no-sync",
        "--encrypt",
        "--remote",
        "s3://bench/encrypted",
        "--endpoint",
        "{endpoint}",
    ],
    backup: command("steno sync, encrypted", &["{steno}", "sync"]),
    take: Some(command(
        "steno init --remote, encrypted",
        &["sh", "-c", TAKE, "{steno}", "{fresh}", "s3://bench/encrypted", "{endpoint}"],
    )),
    restore_all: command(
        "steno init --remote, restore, encrypted",
        &[
            "sh",
            "-c",
            TAKE_AND_RESTORE,
            "{steno}",
            "{fresh}",
            "s3://bench/encrypted",
            "{endpoint}",
            "{target}",
        ],
    ),
    ..STENO
};

const RESTIC: Tool = Tool {
    slug: "restic",
    ours: false,
    needs: &["restic"],
    environment: &[
        ("RESTIC_REPOSITORY", "s3:{endpoint}/bench/restic"),
        ("RESTIC_PASSWORD", "benchmark"),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
    ],
    prepare: &["restic", "init", "--quiet"],
    backup: command("restic backup", &["restic", "backup", "--quiet", "projects"]),
    restore_one: None,
    take: None,
    // A machine that has nothing has no cache either.
    restore_all: command(
        "restic restore",
        &["restic", "restore", "latest", "--quiet", "--target", "{target}", "--cache-dir", "{fresh}"],
    ),
    incremental: true,
};

const fn command(name: &'static str, words: &'static [&'static str]) -> Command {
    Command { name, within: Within::Home, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_the_bucket_and_the_tools_own_prefix() {
        for tool in TOOLS {
            let place = format!("{BUCKET}/{}", tool.slug);
            let words = tool.prepare.iter().chain(tool.environment.iter().map(|(_, value)| value));
            assert!(words.into_iter().any(|word| word.ends_with(&place)), "{}", tool.slug);
        }
    }
}
