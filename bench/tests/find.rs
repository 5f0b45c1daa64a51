//! Lists, sums and searches are measured as the table says, with stand-ins for the program and one of its peers.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use steno_bench::{Measured, Order, Plan, Report, run_find};

/// Caches ten bytes when it searches, and finds only what was planted; `list` does as it is told.
fn stand_in(path: &Path, list: &str) {
    let script = format!(
        "#!/bin/sh
        case \"$1\" in
        list) {list} ;;
        stats) mkdir -p \"$HOME/.cache/steno\" ;;
        search) mkdir -p \"$HOME/.cache/steno\" && printf 0123456789 > \"$HOME/.cache/steno/index\"
            grep -rho 'xylograph lantern' \"$CLAUDE_CONFIG_DIR/projects\" ;;
        esac"
    );
    steno_testkit::executable(path, &script);
}

fn measure(list: &str) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let (programs, cache) = (directory.path().join("programs"), directory.path().join("cache"));
    fs::create_dir(&programs).unwrap();
    stand_in(&programs.join("steno"), list);
    // A peer without a cache, that wants to see no other's.
    steno_testkit::executable(
        &programs.join("ccusage"),
        "#!/bin/sh\ntest ! -e \"$HOME/.cache\" && test -d \"$CLAUDE_CONFIG_DIR/projects\"",
    );
    let plan = Plan {
        steno: programs.join("steno"),
        // The limit is not what is tested here.
        itself: "true".into(),
        search_path: std::env::join_paths([programs.as_path(), Path::new("/usr/bin"), Path::new("/bin")])
            .unwrap(),
        cache: cache.clone(),
        order: Order { bytes: 300_000, files: 21, seed: 1 },
        rounds: 1,
    };
    let report = run_find(&plan).unwrap();
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 1, "only the home stays");
    report
}

fn row<'a>(report: &'a Report, name: &str) -> &'a Measured {
    report.rows.iter().find(|row| row.name == name).unwrap()
}

#[test]
fn every_question_is_asked_and_the_peer_beside_it() {
    let report = measure("true");
    let ours: Vec<&Measured> = report.rows.iter().filter(|row| row.ours).collect();
    assert!(ours.len() >= 11 && ours.iter().all(|row| row.failed.is_none() && row.runs == 1), "{report}");
    let peer = row(&report, "ccusage daily");
    assert!(peer.failed.is_none() && peer.ratio_to_ours.is_some(), "{report}");
    assert!(report.absent.contains(&"ccstats"), "{report}");
    let index = row(&report, "steno search, first use").growth.unwrap();
    assert!(index.bytes == 10 && index.new_bytes >= 300_000, "{index:?}");
}

#[test]
fn who_fails_is_named_with_the_reason() {
    let report = measure("echo 'no such index' >&2; exit 2");
    let list = row(&report, "steno list, again");
    assert_eq!(list.failed.as_deref(), Some("exit status: 2, no such index"));
    assert_eq!(row(&report, "steno stats, again").failed, None);
}
