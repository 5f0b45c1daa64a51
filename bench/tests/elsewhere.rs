//! Without a server nothing is sent, and the table says what is missing.

#![allow(clippy::unwrap_used)]

use steno_bench::{Order, Plan, run_elsewhere};

#[test]
fn servers_that_are_not_there_are_named() {
    let cache = tempfile::tempdir().unwrap();
    let report = run_elsewhere(&Plan {
        steno: "there is none".into(),
        // The limit is not what is tested here.
        itself: std::env::current_exe().unwrap(),
        search_path: cache.path().into(),
        cache: cache.path().to_owned(),
        order: Order { bytes: 300_000, files: 21, seed: 1 },
        rounds: 0,
    });
    let report = report.unwrap();
    assert_eq!(report.rows.iter().map(|row| row.group).collect::<Vec<_>>(), ["limit"]);
    assert_eq!(report.absent, ["s3s-fs", "moto_server"]);
    assert!(report.to_string().contains("not on this machine: s3s-fs, moto_server"));
}
