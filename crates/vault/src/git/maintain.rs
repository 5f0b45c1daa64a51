//! Loose objects → packs, when there are many; and the end of whatever no name leads to.

use std::fs;

use super::error::Error;
use super::repository::Repository;

/// Names under which git keeps commits alive, or stays in the middle of something.
const LEFTOVERS: &[&str] = &[
    "FETCH_HEAD",
    "ORIG_HEAD",
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "AUTO_MERGE",
];

impl Repository {
    /// Does nothing most of the time; packs that have grown large are left alone.
    pub fn maintain(&self) -> Result<(), Error> {
        let settings =
            ["gc.auto=2000", "gc.autoPackLimit=50", "gc.autoDetach=false", "gc.bigPackThreshold=256m"];
        self.call_with(&settings.map(str::to_owned), ["gc", "--auto", "--quiet"]).done()
    }

    /// Every name but `kept` goes, and then every object that none of these leads to.
    pub(super) fn erase_all_but(&self, kept: &[String]) -> Result<(), Error> {
        let names = self.call(["for-each-ref", "--format=%(refname)"]).text()?;
        for name in names.lines().filter(|name| !kept.iter().any(|kept| kept == name)) {
            self.forget(name)?;
        }
        for name in LEFTOVERS {
            // Most of them are not there.
            let _ = fs::remove_file(self.directory.join(name));
        }
        for name in ["rebase-merge", "rebase-apply", "sequencer"] {
            let _ = fs::remove_dir_all(self.directory.join(name));
        }
        self.call(["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]).done()?;
        let settings =
            ["gc.bigPackThreshold=0", "gc.cruftPacks=false", "gc.reflogExpire=now"].map(str::to_owned);
        self.call_with(&settings, ["gc", "--prune=now", "--force", "--quiet"]).done()
    }
}
