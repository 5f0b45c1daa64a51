//! The table of what is measured on a home that stays as it is. A new command to measure is a new row here; a peer is a row in
//! `peers.rs`; what writes is in `keep`, what answers from a cache in `find`.

/// One measured command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Rows of one group do the same job.
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    /// `{home}` is the Claude directory, `{projects}` its transcripts, `{largest}` the id of the largest session.
    pub(crate) arguments: &'static [&'static str],
    /// What ours is meant to reach, for the reader; nothing is decided by it.
    pub(crate) target: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    Steno,
    /// This program: the physical limit.
    Itself,
    /// Looked for on the PATH; absent ones are named as absent.
    Peer(&'static str),
}

/// The row that all ratios refer to.
pub(crate) const LIMIT: Row = Row {
    group: "limit",
    name: "read and scan for newlines, 2 threads",
    program: Program::Itself,
    arguments: &["scan", "{projects}"],
    target: "",
};

/// The cost of listing the files: no command that reports the present state can do without it.
pub(crate) const WALK: Row = Row {
    group: "walk",
    name: "walk and look at every file, 1 thread",
    program: Program::Itself,
    arguments: &["walk", "{projects}"],
    target: "",
};

pub(crate) const OURS: &[Row] = &[
    Row {
        group: "start",
        name: "steno --version",
        program: Program::Steno,
        arguments: &["--version"],
        target: "≤ 2 ms",
    },
    Row {
        group: "census",
        name: "steno doctor --census",
        program: Program::Steno,
        arguments: &["doctor", "--census", "--json", "--claude-dir", "{home}"],
        target: "",
    },
    Row {
        group: "show",
        name: "steno show, the largest session",
        program: Program::Steno,
        arguments: &["show", "{largest}", "--json", "--claude-dir", "{home}"],
        target: "",
    },
];

/// The rows for memory on one very large transcript.
pub(crate) const HUGE: &[Row] = &[
    Row {
        group: "huge",
        name: "steno list, one huge transcript",
        program: Program::Steno,
        arguments: &["list", "--json", "--claude-dir", "{home}"],
        target: "",
    },
    Row {
        group: "huge",
        name: "steno doctor --census, one huge transcript",
        program: Program::Steno,
        arguments: &["doctor", "--census", "--json", "--claude-dir", "{home}"],
        target: "",
    },
];

/// The rows for memory on a transcript beyond all measure.
pub(crate) const EXTREME: &[Row] = &[
    Row {
        group: "extreme",
        name: "steno list",
        program: Program::Steno,
        arguments: &["list", "--json"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno stats",
        program: Program::Steno,
        arguments: &["stats", "--json"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno doctor",
        program: Program::Steno,
        arguments: &["doctor", "--json"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno search",
        program: Program::Steno,
        arguments: &["search", "parser", "--json"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno search --literal",
        program: Program::Steno,
        arguments: &["search", "--literal", "for it", "--json"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno search --regex",
        program: Program::Steno,
        arguments: &["search", "--regex", "pa.ser", "--json"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno show",
        program: Program::Steno,
        arguments: &["show", "{largest}"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno share",
        program: Program::Steno,
        arguments: &["share", "{largest}", "--output", "-"],
        target: "",
    },
    Row {
        group: "extreme",
        name: "steno init, with a first sync",
        program: Program::Steno,
        arguments: &["init", "--local", "--no-schedule"],
        target: "",
    },
    Row { group: "extreme", name: "steno sync", program: Program::Steno, arguments: &["sync"], target: "" },
    Row {
        group: "extreme",
        name: "steno verify",
        program: Program::Steno,
        arguments: &["verify"],
        target: "",
    },
];
