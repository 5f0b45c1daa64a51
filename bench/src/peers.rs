//! Other tools that do the same jobs, measured beside us where the machine has them.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::rows::{Program, Row};

pub(crate) const PEERS: &[Row] = &[
    Row {
        group: "census",
        name: "wc -l, every transcript",
        program: Program::Peer("wc"),
        arguments: &["sh", "-c", "find \"$0\" -name '*.jsonl' -exec wc -l {} + >/dev/null", "{projects}"],
        target: "",
    },
    Row {
        group: "census",
        name: "ripgrep, count assistant records",
        program: Program::Peer("rg"),
        arguments: &["rg", "--no-config", "-uuu", "--count", "\"type\":\"assistant\"", "{projects}"],
        target: "",
    },
    Row {
        group: "census",
        name: "jq, types of all records",
        program: Program::Peer("jq"),
        arguments: &[
            "sh",
            "-c",
            "find \"$0\" -name '*.jsonl' -exec jq -r .type {} + >/dev/null",
            "{projects}",
        ],
        target: "",
    },
    Row {
        group: "census",
        name: "duckdb, records by type",
        program: Program::Peer("duckdb"),
        arguments: &[
            "sh",
            "-c",
            "duckdb -c \"select type, count(*) from read_json('$0/**/*.jsonl', format='newline_delimited', \
             columns={type:'VARCHAR'}, ignore_errors=true, maximum_object_size=100000000) group by 1\"",
            "{projects}",
        ],
        target: "",
    },
];

/// The path of a program on the search path, if it is there.
pub(crate) fn on_path(program: &str, search_path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search_path).map(|directory| directory.join(program)).find(|path| path.is_file())
}
