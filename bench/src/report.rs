//! Measurements → a table for people and one JSON object for machines.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::Error;
use crate::rows::LIMIT;

/// Everything one run found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub home: String,
    pub bytes: u64,
    pub files: u64,
    pub rounds: usize,
    pub rows: Vec<Measured>,
    /// Peers that this machine does not have.
    pub absent: Vec<&'static str>,
    /// What the object store was, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<&'static str>,
}

/// One row, measured.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    pub group: &'static str,
    pub name: &'static str,
    /// Whether it is our own program.
    pub ours: bool,
    /// How often it was timed.
    pub runs: usize,
    pub median_ms: Option<f64>,
    pub min_ms: Option<f64>,
    /// Median against the median of the physical limit.
    pub ratio_to_limit: Option<f64>,
    /// Median against that of our row for the same job; above 1 it is slower than ours.
    pub ratio_to_ours: Option<f64>,
    pub peak_bytes: Option<u64>,
    /// What a first backup takes: the lengths of all files, without caches.
    pub stored_bytes: Option<u64>,
    pub growth: Option<Growth>,
    /// Bytes of the home in a second, where all of it is sent or fetched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
    /// How often a server was asked for something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// What ours is meant to reach; empty where nothing is.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub target: &'static str,
    /// Why a command failed; then no time is given.
    pub failed: Option<String>,
}

/// What a store has grown by, and for how much that was new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Growth {
    pub bytes: u64,
    pub new_bytes: u64,
}

impl Report {
    /// Takes more rows, and the names of peers that are not there, each once.
    pub(crate) fn join(&mut self, (rows, absent): (Vec<Measured>, Vec<&'static str>)) {
        self.rows.extend(rows);
        for peer in absent {
            if !self.absent.contains(&peer) {
                self.absent.push(peer);
            }
        }
        compare(&mut self.rows, LIMIT.group);
    }

    /// Whether every row of the group worked, with at most so much memory.
    pub fn check_memory(&self, group: &str, limit: u64) -> Result<(), Error> {
        for row in self.rows.iter().filter(|row| row.group == group) {
            if let Some(failed) = &row.failed {
                return Err(Error::Row(row.name, failed.clone()));
            }
            match row.peak_bytes {
                Some(peak) if peak <= limit => {}
                Some(peak) => return Err(Error::Memory(row.name, peak, limit)),
                None => return Err(Error::Unwatched(row.name)),
            }
        }
        Ok(())
    }
}

impl Measured {
    pub(crate) fn new(group: &'static str, name: &'static str) -> Self {
        Self { group, name, ..Self::default() }
    }

    pub(crate) fn set_times(&mut self, times: &mut [Duration]) {
        if self.failed.is_some() {
            return;
        }
        times.sort_unstable();
        self.runs = times.len();
        self.median_ms = times.get(times.len() / 2).map(millis);
        self.min_ms = times.first().map(millis);
    }

    /// Once the times are there.
    pub(crate) fn set_speed(&mut self, bytes: u64) {
        self.bytes_per_second = self.median_ms.map(|median| bytes as f64 / median * 1000.0);
    }

    /// Speed and requests, where there are any.
    fn network(&self) -> String {
        let speed = self.bytes_per_second.map(|speed| format!("{:.0} MB/s, ", speed / 1e6));
        let requests =
            self.requests.map(|count| format!("{count} request{}", if count == 1 { "" } else { "s" }));
        requests.map_or_else(String::new, |requests| format!("{}{requests}; ", speed.unwrap_or_default()))
    }

    fn size(&self) -> String {
        match (self.stored_bytes, self.growth) {
            (Some(bytes), _) => format!("{:.1} MB", megabytes(bytes)),
            (None, Some(Growth { bytes, new_bytes })) => {
                format!("+{:.2} MB, {:.2}×", megabytes(bytes), bytes as f64 / new_bytes.max(1) as f64)
            }
            (None, None) => "-".to_owned(),
        }
    }
}

/// Fills in what only all rows together tell.
pub(crate) fn compare(rows: &mut [Measured], limit: &str) {
    let median = |rows: &[Measured], wanted: &dyn Fn(&Measured) -> bool| {
        rows.iter().find(|row| wanted(row)).and_then(|row| row.median_ms)
    };
    let limit = median(rows, &|row| row.group == limit);
    let ours: Vec<Option<f64>> =
        rows.iter().map(|row| median(rows, &|other| other.ours && other.group == row.group)).collect();
    for (row, ours) in rows.iter_mut().zip(ours) {
        let against = |reference: Option<f64>| Some(row.median_ms? / reference?);
        (row.ratio_to_limit, row.ratio_to_ours) = (against(limit), against(ours));
    }
}

fn millis(time: &Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { home, files, rounds, .. } = self;
        writeln!(out, "{home}: {:.0} MB in {files} files, {rounds} rounds\n", megabytes(self.bytes))?;
        writeln!(
            out,
            "{:<9} {:<44} {:>5} {:>10} {:>10} {:>7} {:>7} {:>7} {:>16}  target",
            "group", "row", "runs", "median", "min", "×limit", "×ours", "memory", "size"
        )?;
        for row in &self.rows {
            writeln!(out, "{row}")?;
        }
        writeln!(out, "\n{NOTES}")?;
        if let Some(server) = self.server {
            writeln!(out, "\nobject store: {server}; requests are of one run, MB/s of the home's own bytes")?;
        }
        if !self.absent.is_empty() {
            writeln!(out, "\nnot on this machine: {}", self.absent.join(", "))?;
        }
        Ok(())
    }
}

const NOTES: &str = "\
×ours   above 1 it is slower than steno at the same job
memory  of the largest process
size    the lengths of all files that a tool keeps or writes, without its caches; after an append, what they grew by,
        and that against the bytes that were new; of an index, its files against all transcripts
target  on 1.05 GB in 2,000 transcripts, or on one session of 20 MB where documents are written; two quiet cores that
        reach the limit in 105 ms, and a release build; nothing depends on it";

impl fmt::Display for Measured {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:<9} {:<44} ", self.group, self.name)?;
        if let Some(failed) = &self.failed {
            return write!(out, "failed: {failed}");
        }
        let time = |value| or_dash(value, |value: f64| format!("{value:.1} ms"));
        let ratio = |value| or_dash(value, |value: f64| format!("{value:.2}"));
        let (median, min) = (time(self.median_ms), time(self.min_ms));
        let (limit, ours) = (ratio(self.ratio_to_limit), ratio(self.ratio_to_ours));
        let memory = or_dash(self.peak_bytes, |bytes| format!("{} MB", bytes / 1_000_000));
        let (runs, size, target) = (self.runs, self.size(), self.network() + self.target);
        let line =
            format!("{runs:>5} {median:>10} {min:>10} {limit:>7} {ours:>7} {memory:>7} {size:>16}  {target}");
        write!(out, "{}", line.trim_end().trim_end_matches(';'))
    }
}

fn or_dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), show)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(peak_bytes: Option<u64>, failed: Option<String>) -> Report {
        let row = Measured { peak_bytes, failed, ..Measured::new("huge", "a row") };
        Report {
            home: String::new(),
            bytes: 0,
            files: 0,
            rounds: 1,
            rows: vec![row],
            absent: Vec::new(),
            server: None,
        }
    }

    #[test]
    fn rows_are_compared_with_the_limit_and_with_ours_of_the_same_group() {
        let row =
            |group, ours, median| Measured { ours, median_ms: Some(median), ..Measured::new(group, "a row") };
        let mut rows = vec![row("limit", false, 2.0), row("first", true, 4.0), row("first", false, 10.0)];
        compare(&mut rows, "limit");
        let ratios: Vec<_> = rows.iter().map(|row| (row.ratio_to_limit, row.ratio_to_ours)).collect();
        assert_eq!(ratios, [(Some(1.0), None), (Some(2.0), Some(1.0)), (Some(5.0), Some(2.5))]);
    }

    #[test]
    fn a_size_is_what_is_stored_or_what_was_added() {
        let stored = Measured { stored_bytes: Some(203_000_000), ..Measured::default() };
        let growth = Some(Growth { bytes: 250_000, new_bytes: 1_000_000 });
        let grown = Measured { growth, ..Measured::default() };
        assert_eq!([stored.size(), grown.size()], ["203.0 MB", "+0.25 MB, 0.25×"]);
    }

    #[test]
    fn too_much_memory_a_failure_and_ignorance_are_all_errors() {
        assert!(report(Some(100), None).check_memory("huge", 100).is_ok());
        assert!(report(Some(101), None).check_memory("huge", 100).is_err());
        assert!(report(None, None).check_memory("huge", 100).is_err());
        assert!(report(Some(1), Some("exit status: 2".into())).check_memory("huge", 100).is_err());
    }
}
