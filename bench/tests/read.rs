//! Documents are measured as the table says, with stand-ins for the program and its peer.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use steno_bench::{Measured, Order, Plan, Report, run_read};

/// Writes `words` where it is told to; of a transcript it only sees whether it is there.
fn stand_in(path: &Path, words: &str) {
    let script = format!(
        "#!/bin/sh
        while [ $# -gt 0 ]; do
            case \"$1\" in
            -o) out=\"$2\" ;;
            *.jsonl) test -s \"$1\" || exit 3 ;;
            esac
            shift
        done
        {words}"
    );
    steno_testkit::executable(path, &script);
}

/// With `page` as what our program does, and a peer that makes a directory.
fn measure(page: &str) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let (programs, cache) = (directory.path().join("programs"), directory.path().join("cache"));
    fs::create_dir(&programs).unwrap();
    stand_in(&programs.join("steno"), page);
    stand_in(
        &programs.join("claude-code-transcripts"),
        "/bin/mkdir -p \"$out\" && echo page > \"$out/index.html\"",
    );
    let plan = Plan {
        steno: programs.join("steno"),
        // The limit is not what is tested here.
        itself: "true".into(),
        search_path: std::env::join_paths([programs.as_path(), Path::new("/usr/bin"), Path::new("/bin")])
            .unwrap(),
        cache: cache.clone(),
        order: Order { bytes: 300_000, files: 1, seed: 1 },
        rounds: 1,
    };
    let report = run_read(&plan, None).unwrap();
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 1, "only the session stays");
    report
}

fn row<'a>(report: &'a Report, name: &str) -> &'a Measured {
    report.rows.iter().find(|row| row.name == name).unwrap()
}

#[test]
fn every_document_is_measured_and_the_peer_beside_it() {
    let report = measure("echo a page > \"$out\"");
    assert!(report.bytes >= 300_000 && report.files == 1, "{report}");
    let groups: Vec<&str> = report.rows.iter().map(|row| row.group).collect();
    assert_eq!(groups, ["limit", "html", "html", "html", "html", "markdown", "json"]);
    assert!(report.rows.iter().all(|row| row.failed.is_none() && row.runs == 1), "{report}");
    assert_eq!(row(&report, "steno share").stored_bytes, Some(7));
    let peer = row(&report, "claude-code-transcripts json");
    assert!(!peer.ours && peer.stored_bytes == Some(5) && peer.ratio_to_ours.is_some(), "{report}");
    assert_eq!(report.absent, ["a browser"]);
    let medians: Vec<_> =
        report.rows.iter().filter(|row| row.group == "html").map(|row| row.median_ms).collect();
    assert!(medians.is_sorted(), "the quickest is first: {report}");
}

#[test]
fn who_writes_nothing_or_fails_is_named_with_the_reason() {
    let report = measure("case \"$out\" in *.md) echo 'no such format' >&2; exit 2 ;; esac");
    assert_eq!(row(&report, "steno share").failed.as_deref(), Some("nothing was written"));
    let markdown = row(&report, "steno dump --format markdown");
    assert_eq!(markdown.failed.as_deref(), Some("exit status: 2, no such format"));
    assert_eq!(row(&report, "claude-code-transcripts json").failed, None);
}
