//! The ways to keep a home that are measured beside each other: ours, those of peers, and the original tool's.
//!
//! Each works as it does for a person who takes its defaults and the compression that it shares with ours.

/// A tool and its command lines. In them `{steno}` is our program, `{store}` where the tool keeps what it has,
/// `{archive}` a name for one backup (`first`, then others), `{target}` an empty directory to restore to,
/// `{session}` an id and `{prefix}` how the paths of that session's files begin, from the home. Where things are sent,
/// `{endpoint}` is the server's and `{fresh}` the home of a machine that has nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    /// A word for its directory.
    pub(crate) slug: &'static str,
    /// What is ours, against which others are compared.
    pub(crate) ours: bool,
    /// What must stand on the search path.
    pub(crate) needs: &'static [&'static str],
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// Makes an empty store; not timed.
    pub(crate) prepare: &'static [&'static str],
    pub(crate) backup: Command,
    /// Not asked for where nothing is measured but all.
    pub(crate) restore_one: Option<Command>,
    /// What is elsewhere comes to an empty home, if that is a step of its own.
    pub(crate) take: Option<Command>,
    pub(crate) restore_all: Command,
    /// Whether a second backup costs less than the first; one that does not is not asked for it.
    pub(crate) incremental: bool,
}

/// A command line and what its row is called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Command {
    pub(crate) name: &'static str,
    /// Where it runs.
    pub(crate) within: Within,
    pub(crate) words: &'static [&'static str],
}

/// A directory to run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    Home,
    Target,
}

const fn command(name: &'static str, within: Within, words: &'static [&'static str]) -> Command {
    Command { name, within, words }
}

pub(crate) const TOOLS: &[Tool] = &[STENO, RESTIC, BORG, TAR, ORIGINAL];

const STENO: Tool = Tool {
    slug: "steno",
    ours: true,
    needs: &[],
    environment: &[("CLAUDE_CONFIG_DIR", "{home}"), ("STENO_VAULT", "{store}")],
    prepare: &["{steno}", "init", "--local", "--no-schedule", "--no-sync"],
    backup: command("steno sync", Within::Home, &["{steno}", "sync"]),
    restore_one: Some(command(
        "steno restore ID",
        Within::Home,
        &["{steno}", "restore", "{session}", "--to", "{target}"],
    )),
    take: None,
    restore_all: command(
        "steno restore --all",
        Within::Home,
        &["{steno}", "restore", "--all", "--to", "{target}"],
    ),
    incremental: true,
};

const RESTIC: Tool = Tool {
    slug: "restic",
    ours: false,
    needs: &["restic"],
    environment: &[("RESTIC_REPOSITORY", "{store}"), ("RESTIC_PASSWORD", "benchmark")],
    prepare: &["restic", "init", "--quiet"],
    backup: command("restic backup", Within::Home, &["restic", "backup", "--quiet", "projects"]),
    restore_one: Some(command(
        "restic restore --include",
        Within::Home,
        &["restic", "restore", "latest", "--quiet", "--target", "{target}", "--include", "/{prefix}*"],
    )),
    take: None,
    restore_all: command(
        "restic restore",
        Within::Home,
        &["restic", "restore", "latest", "--quiet", "--target", "{target}"],
    ),
    incremental: true,
};

const BORG: Tool = Tool {
    slug: "borg",
    ours: false,
    needs: &["borg"],
    environment: &[("BORG_REPO", "{store}"), ("BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK", "yes")],
    prepare: &["borg", "init", "--encryption", "none"],
    backup: command(
        "borg create, zstd 3",
        Within::Home,
        &["borg", "create", "--compression", "zstd,3", "::{archive}", "projects"],
    ),
    restore_one: Some(command(
        "borg extract, by path",
        Within::Target,
        &["borg", "extract", "::first", "re:^{prefix}"],
    )),
    take: None,
    restore_all: command("borg extract", Within::Target, &["borg", "extract", "::first"]),
    incremental: true,
};

const TAR: Tool = Tool {
    slug: "tar",
    ours: false,
    needs: &["tar", "zstd"],
    environment: &[],
    prepare: &["mkdir", "{store}"],
    // Ours, restic and borg are durable when they return; a pipe is so only when it is told to.
    backup: command(
        "tar | zstd -3 -T2, then fsync",
        Within::Home,
        &[
            "sh",
            "-c",
            "tar -cf - projects | zstd -q -3 -T2 -o \"$0/a.tar.zst\" && sync \"$0/a.tar.zst\"",
            "{store}",
        ],
    ),
    restore_one: Some(command(
        "zstd -d | tar, by path",
        Within::Target,
        &["sh", "-c", "zstd -dc \"$0/a.tar.zst\" | tar -xf - --wildcards \"$1*\"", "{store}", "{prefix}"],
    )),
    take: None,
    restore_all: command(
        "zstd -d | tar",
        Within::Target,
        &["sh", "-c", "zstd -dc \"$0/a.tar.zst\" | tar -xf -", "{store}"],
    ),
    incremental: false,
};

/// What claude-backup does: every transcript to a file of its own with gzip, and all of them into git.
const ORIGINAL: Tool = Tool {
    slug: "original",
    ours: false,
    needs: &["gzip", "git"],
    environment: &[
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "benchmark"),
        ("GIT_AUTHOR_EMAIL", "benchmark@example.org"),
        ("GIT_COMMITTER_NAME", "benchmark"),
        ("GIT_COMMITTER_EMAIL", "benchmark@example.org"),
    ],
    prepare: &["git", "init", "--quiet", "{store}"],
    backup: command(
        "gzip each, git add, git commit",
        Within::Home,
        &[
            "sh",
            "-c",
            "find projects -name '*.jsonl' | while read -r file; do
                 copy=\"$0/$file.gz\"
                 [ \"$copy\" -nt \"$file\" ] && continue
                 mkdir -p \"${copy%/*}\" && gzip -c \"$file\" >\"$copy\" || exit 1
             done
             cd \"$0\" && git add --all && { git diff --cached --quiet || git commit --quiet --message sync; }",
            "{store}",
        ],
    ),
    restore_one: Some(command(
        "gzip -d, one",
        Within::Target,
        &["sh", "-c", "gzip -dc \"$0/$1.jsonl.gz\" >\"$2.jsonl\"", "{store}", "{prefix}", "{session}"],
    )),
    take: None,
    restore_all: command(
        "gzip -d, each",
        Within::Target,
        &[
            "sh",
            "-c",
            "(cd \"$0\" && find projects -name '*.gz') | while read -r file; do
                 mkdir -p \"${file%/*}\" && gzip -dc \"$0/$file\" >\"${file%.gz}\" || exit 1
             done",
            "{store}",
        ],
    ),
    incremental: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_tool_is_ours_and_all_have_names_of_their_own() {
        assert_eq!(
            TOOLS.iter().filter(|tool| tool.ours).map(|tool| tool.slug).collect::<Vec<_>>(),
            ["steno"]
        );
        let mut slugs: Vec<_> = TOOLS.iter().map(|tool| tool.slug).collect();
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), TOOLS.len());
    }
}
