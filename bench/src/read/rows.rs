//! The documents that are written, and the peer that writes one from the same file.

use crate::rows::{Program, Row};

const SHARED: &str = "steno share";
const WHOLE: &str = "steno share, results and thinking in full";

/// A page that the browser opens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opens {
    /// The name of the row that writes it.
    pub(crate) row: &'static str,
    pub(crate) first_paint: &'static str,
    pub(crate) load: &'static str,
    pub(crate) text: &'static str,
}

pub(crate) const OPENS: [Opens; 2] = [
    Opens {
        row: SHARED,
        first_paint: "Chromium, the shared page, first paint",
        load: "Chromium, the shared page, load event",
        text: "Chromium, the shared page, can be read",
    },
    Opens {
        row: WHOLE,
        first_paint: "Chromium, all in full, first paint",
        load: "Chromium, all in full, load event",
        text: "Chromium, all in full, can be read",
    },
];

/// `{output}` is a file or directory of the row's own, that is not there yet.
pub(crate) const ROWS: &[Row] = &[
    Row {
        group: "html",
        name: SHARED,
        program: Program::Steno,
        arguments: &["share", "{largest}", "-o", "{output}.html", "--claude-dir", "{home}"],
        target: "≤ 2 s, redacted",
    },
    // As much as the peer shows.
    Row {
        group: "html",
        name: WHOLE,
        program: Program::Steno,
        arguments: &[
            "share",
            "{largest}",
            "--full-results",
            "--thinking",
            "-o",
            "{output}.html",
            "--claude-dir",
            "{home}",
        ],
        target: "≤ 2 s, redacted",
    },
    Row {
        group: "html",
        name: "steno dump --format html",
        program: Program::Steno,
        arguments: &[
            "dump",
            "{largest}",
            "--format",
            "html",
            "-o",
            "{output}.html",
            "--claude-dir",
            "{home}",
        ],
        target: "≤ 2 s",
    },
    Row {
        group: "html",
        name: "claude-code-transcripts json",
        program: Program::Peer("claude-code-transcripts"),
        arguments: &["claude-code-transcripts", "json", "{transcript}", "-o", "{output}"],
        target: "",
    },
    Row {
        group: "markdown",
        name: "steno dump --format markdown",
        program: Program::Steno,
        arguments: &[
            "dump",
            "{largest}",
            "--format",
            "markdown",
            "-o",
            "{output}.md",
            "--claude-dir",
            "{home}",
        ],
        target: "",
    },
    Row {
        group: "json",
        name: "steno dump --format json",
        program: Program::Steno,
        arguments: &[
            "dump",
            "{largest}",
            "--format",
            "json",
            "-o",
            "{output}.json",
            "--claude-dir",
            "{home}",
        ],
        target: "",
    },
];
