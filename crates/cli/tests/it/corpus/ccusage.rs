//! ccusage beside `stats`, on all real transcripts at once and in several time zones, when `STENO_CCUSAGE` names one
//! (`cargo xtask check` does).
//!
//! Both are held against a count of our own: it must give our days, and with the known deviations the days of ccusage.
//! So whatever they differ in has its reasons, and `--explain` must have a rule for each of these. A day that the count
//! cannot explain is a bug: ours, or one of ccusage that nobody has named yet.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::process::Command;

use jiff::tz::TimeZone;
use serde_json::Value;
use steno_testkit::{App, Home};

use super::days::{Counts, Deviation, Sightings};
use super::stats::put;
use super::{is_history, list};

const ZONES: [&str; 3] = ["UTC", "Asia/Tokyo", "America/Los_Angeles"];
/// Of a dollar: both add up in their own order.
const ROUNDING: f64 = 1e-6;

type Days<T> = BTreeMap<String, T>;

/// What ccusage tells apart.
#[derive(Debug, Clone, Copy)]
struct Day {
    tokens: [u64; 4],
    cost: f64,
}

#[test]
fn ccusage_and_stats_agree_on_each_day_that_no_rule_excepts() {
    let Some(program) = std::env::var_os("STENO_CCUSAGE").filter(|named| !named.is_empty()) else {
        println!("left out: STENO_CCUSAGE names no ccusage");
        return;
    };
    let Some(mut files) = steno_testkit::real_transcripts() else { return };
    files.retain(|file| !is_history(file));
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    // ccusage reads files in the order of their paths, and so does the count.
    for (number, file) in files.iter().enumerate() {
        put(app.home(), &format!("-project-{number:05}"), file);
    }
    let sightings = Sightings::read(&files);
    let wrong: Vec<String> =
        ZONES.iter().flat_map(|zone| Trial::new(&app, &program, &sightings, zone).judge()).collect();
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same days from four sides.
struct Trial<'a> {
    zone: &'a str,
    ours: Days<(Counts, Day)>,
    theirs: Days<Day>,
    counted: Days<Counts>,
    deviant: Days<Counts>,
    /// What the count gives with each deviation alone.
    alone: Vec<(Deviation, Days<Counts>)>,
    rules: Vec<String>,
}

impl<'a> Trial<'a> {
    fn new(app: &App, program: &OsString, sightings: &Sightings, zone: &'a str) -> Self {
        let report = app.json(&format!("stats daily --json --timezone {zone}"));
        let explained = app.json(&format!("stats daily --json --explain --timezone {zone}"));
        let rules = list(&explained["explain"]["rules"]).map(|rule| rule.as_str().unwrap().to_owned());
        let place = TimeZone::get(zone).unwrap();
        let alone = Deviation::ALL.map(|deviation| (deviation, sightings.days(&place, &[deviation])));
        Self {
            zone,
            ours: ours(&report),
            theirs: theirs(&ask(program, app.home(), zone)),
            counted: sightings.days(&place, &[]),
            deviant: sightings.days(&place, &Deviation::ALL),
            alone: alone.into(),
            rules: rules.collect(),
        }
    }

    /// What nothing explains.
    fn judge(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let (mut alike, mut reasons) = (0_usize, BTreeMap::<Deviation, usize>::new());
        let days = self.days();
        for day in &days {
            wrong.extend(self.differences(day));
            if self.is_alike(day) {
                alike += 1;
                wrong.extend(self.costs(day));
                continue;
            }
            let found = self.reasons(day);
            if found.is_empty() {
                wrong.push(format!("{} {day}: no deviation that is known changes it", self.zone));
            }
            found.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1);
        }
        wrong.extend(reasons.keys().filter_map(|reason| self.unnamed(*reason)));
        println!(
            "{}: {alike} of {} days are alike; the others have reasons: {reasons:?}",
            self.zone,
            days.len()
        );
        wrong
    }

    fn days(&self) -> BTreeSet<&String> {
        let counted = self.counted.keys().chain(self.deviant.keys());
        self.ours.keys().chain(self.theirs.keys()).chain(counted).collect()
    }

    /// Where the count is not what it should be.
    fn differences(&self, day: &str) -> Vec<String> {
        let zone = self.zone;
        let counted = self.counted.get(day).copied().unwrap_or_default();
        let ours = self.ours.get(day).map(|(counts, _)| *counts).unwrap_or_default();
        let deviant = self.deviant.get(day).map(joined).unwrap_or_default();
        let theirs = self.theirs.get(day).map(|day| day.tokens).unwrap_or_default();
        let mut found = Vec::new();
        if ours != counted {
            found.push(format!("{zone} {day}: steno has {ours:?} but counted {counted:?}"));
        }
        if theirs != deviant {
            found.push(format!("{zone} {day}: ccusage has {theirs:?} but by its rules counted {deviant:?}"));
        }
        found
    }

    fn is_alike(&self, day: &str) -> bool {
        let ours = self.ours.get(day).map(|(_, day)| day.tokens);
        ours == self.theirs.get(day).map(|day| day.tokens)
    }

    /// The same tokens have the same price; what has none costs nothing with both.
    fn costs(&self, day: &str) -> Option<String> {
        let ((_, ours), theirs) = self.ours.get(day).zip(self.theirs.get(day))?;
        let is_other = (ours.cost - theirs.cost).abs() > ROUNDING;
        is_other.then(|| format!("{} {day}: steno says ${}, ccusage ${}", self.zone, ours.cost, theirs.cost))
    }

    fn reasons(&self, day: &str) -> Vec<Deviation> {
        let counted = self.counted.get(day);
        let changed = self.alone.iter().filter(|(_, days)| days.get(day) != counted);
        changed.map(|(deviation, _)| *deviation).collect()
    }

    fn unnamed(&self, reason: Deviation) -> Option<String> {
        let is_named = self.rules.iter().any(|rule| rule.contains(reason.words()));
        (!is_named).then(|| format!("{}: no rule of --explain says “{}”", self.zone, reason.words()))
    }
}

/// With nothing of this machine but what starts programs.
fn ask(program: &OsString, home: &Home, zone: &str) -> Value {
    let mut command = Command::new(program);
    command.args(["daily", "--json", "--offline", "--timezone", zone]).current_dir(home.root());
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("HOME", home.root()).env("CLAUDE_CONFIG_DIR", home.path()).env("TZ", "UTC");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "ccusage: {} {said}", output.status);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn ours(report: &Value) -> Days<(Counts, Day)> {
    let kinds = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"];
    let rows = list(&report["rows"]).map(|row| {
        let counts = kinds.map(|kind| row["tokens"][kind].as_u64().unwrap());
        let cost = row["costUsd"].as_f64().unwrap_or_default();
        (row["key"].as_str().unwrap().to_owned(), (counts, Day { tokens: joined(&counts), cost }))
    });
    rows.filter(|(_, (counts, _))| *counts != Counts::default()).collect()
}

fn theirs(report: &Value) -> Days<Day> {
    let kinds = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"];
    let rows = list(&report["daily"]).map(|row| {
        let tokens = kinds.map(|kind| row[kind].as_u64().unwrap());
        (row["period"].as_str().unwrap().to_owned(), Day { tokens, cost: row["totalCost"].as_f64().unwrap() })
    });
    rows.filter(|(_, day)| day.tokens != [0; 4]).collect()
}

/// With cache writes of both lifetimes in one.
fn joined(counts: &Counts) -> [u64; 4] {
    let [input, output, read, five_minutes, hour] = *counts;
    [input, output, read, five_minutes + hour]
}
