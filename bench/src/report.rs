//! Measurements → a table for people and one JSON object for machines.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::Error;

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
}

/// One row, measured.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    pub group: &'static str,
    pub name: &'static str,
    pub median_ms: Option<f64>,
    pub min_ms: Option<f64>,
    /// Median against the median of the physical limit.
    pub ratio_to_limit: Option<f64>,
    pub peak_bytes: Option<u64>,
    /// The exit code of a command that failed; then nothing was timed.
    pub failed: Option<String>,
}

impl Report {
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
    pub(crate) fn set_times(&mut self, times: &mut [Duration]) {
        times.sort_unstable();
        self.median_ms = times.get(times.len() / 2).map(millis);
        self.min_ms = times.first().map(millis);
    }
}

fn millis(time: &Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = self.bytes as f64 / 1e6;
        writeln!(out, "{}: {megabytes:.0} MB in {} files, {} rounds\n", self.home, self.files, self.rounds)?;
        writeln!(
            out,
            "{:<8} {:<44} {:>10} {:>10} {:>8} {:>9}",
            "group", "row", "median", "min", "×limit", "memory"
        )?;
        for row in &self.rows {
            writeln!(out, "{row}")?;
        }
        if !self.absent.is_empty() {
            writeln!(out, "\nnot on this machine: {}", self.absent.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:<8} {:<44} ", self.group, self.name)?;
        if let Some(failed) = &self.failed {
            return write!(out, "failed: {failed}");
        }
        let time =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1} ms"));
        let ratio = self.ratio_to_limit.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        let memory =
            self.peak_bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000));
        write!(out, "{:>10} {:>10} {ratio:>8} {memory:>9}", time(self.median_ms), time(self.min_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(peak_bytes: Option<u64>, failed: Option<String>) -> Report {
        let row = Measured {
            group: "huge",
            name: "a row",
            median_ms: None,
            min_ms: None,
            ratio_to_limit: None,
            peak_bytes,
            failed,
        };
        Report { home: String::new(), bytes: 0, files: 0, rounds: 1, rows: vec![row], absent: Vec::new() }
    }

    #[test]
    fn too_much_memory_a_failure_and_ignorance_are_all_errors() {
        assert!(report(Some(100), None).check_memory("huge", 100).is_ok());
        assert!(report(Some(101), None).check_memory("huge", 100).is_err());
        assert!(report(None, None).check_memory("huge", 100).is_err());
        assert!(report(Some(1), Some("exit status: 2".into())).check_memory("huge", 100).is_err());
    }
}
