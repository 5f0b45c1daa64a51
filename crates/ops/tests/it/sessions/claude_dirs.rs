//! A home as a library, and the few things that tests do to its files.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use steno_ops::doctor::{self, Finding};
use steno_ops::schedule::Tools;
use steno_ops::{ClaudeDirs, Program, Silent, Workspace, list, show};
use steno_testkit::Home;

pub(crate) const NOW: &str = "2026-12-01T12:00:00Z";

pub(crate) fn dirs(home: &Home) -> ClaudeDirs {
    ClaudeDirs { paths: vec![home.path()], is_default: false, now: NOW.parse().unwrap() }
}

pub(crate) fn listed(home: &Home) -> list::Report {
    list::run(&dirs(home), &list::Request::default()).unwrap()
}

pub(crate) fn ids(report: &list::Report) -> Vec<&str> {
    report.sessions.iter().map(|session| session.profile.id.as_str()).collect()
}

/// A machine without a vault and without a scheduler.
pub(crate) fn workspace(home: &Home) -> Workspace {
    Workspace {
        dirs: dirs(home),
        vault: home.root().join("vault"),
        is_default_vault: true,
        cache: None,
        machine: "box".to_owned(),
        version: String::new(),
        zone: TimeZone::UTC,
        patience: Duration::ZERO,
        room: None,
        git: Program::default(),
        gh: Program::default(),
        schedule: Tools::default(),
        managed_settings: None,
        project: None,
        progress: Arc::new(Silent),
        keys: steno_ops::sealing::Keys::default(),
        access: steno_ops::s3::Access::default(),
    }
}

pub(crate) fn examined(home: &Home) -> doctor::Report {
    doctor::run(&workspace(home), &doctor::Request::default()).unwrap()
}

/// What doctor finds in the files: not that they are not kept, or lie elsewhere than where they were made.
pub(crate) fn faults(home: &Home) -> Vec<Finding> {
    let around = ["no-vault", "at-risk", "missing-cwd", "moved"];
    let findings = examined(home).findings.into_iter();
    findings.filter(|finding| !around.contains(&finding.kind.as_str())).collect()
}

/// The same by kind.
pub(crate) fn kinds(home: &Home) -> Vec<String> {
    faults(home).into_iter().map(|finding| finding.kind).collect()
}

pub(crate) fn shown(home: &Home, session: &str) -> show::Report {
    show::run(&workspace(home), &show::Request { session: session.to_owned(), at: None }).unwrap()
}

/// Makes the file look as if it was last written so many seconds before now.
pub(crate) fn written(path: &Path, seconds_ago: u64) {
    let now = SystemTime::from(NOW.parse::<jiff::Timestamp>().unwrap());
    let file = File::options().append(true).open(path).unwrap();
    file.set_modified(now - Duration::from_secs(seconds_ago)).unwrap();
}

/// Takes away the right to read; false where that means nothing, as for root.
#[cfg(unix)]
pub(crate) fn forbid(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
    File::open(path).is_err()
}
