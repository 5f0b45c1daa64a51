//! Looks at the registry again and again → what changed, as observations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use steno_live::{Millis, Observation};

use crate::process::is_alive;
use crate::registry::{LiveEntry, live};
use crate::warning::Warning;

/// The registry of some Claude directories, as it was at the last look.
#[derive(Debug, Default)]
pub struct RegistryWatch {
    directories: Vec<PathBuf>,
    /// The entries of living clients.
    entries: BTreeMap<PathBuf, LiveEntry>,
    /// What was strange at the last look. The client rewrites an entry in place, so that one may be half written.
    pub warnings: Vec<Warning>,
}

impl RegistryWatch {
    pub fn new(directories: Vec<PathBuf>) -> Self {
        Self { directories, ..Self::default() }
    }

    /// The living clients.
    pub fn entries(&self) -> impl Iterator<Item = &LiveEntry> {
        self.entries.values()
    }

    pub fn look(&mut self, now: Millis) -> Vec<Observation> {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(now.unsigned_abs());
        let (mut present, mut half_written) = (BTreeMap::new(), Vec::new());
        self.warnings.clear();
        for registry in self.directories.iter().map(|directory| live(directory)) {
            present.extend(registry.entries.into_iter().map(|entry| (entry.path.clone(), entry)));
            half_written.extend(registry.warnings.iter().map(|warning| warning.path.clone()));
            self.warnings.extend(registry.warnings);
        }
        let mut seen = self.ended(&present, &half_written, time, now);
        for (path, entry) in present {
            if is_alive(&entry, time) && self.entries.get(&path) != Some(&entry) {
                seen.push(entry.observation());
                self.entries.insert(path, entry);
            }
        }
        seen
    }

    /// Clients that ran at the last look, and do no longer.
    fn ended(
        &mut self,
        present: &BTreeMap<PathBuf, LiveEntry>,
        half_written: &[PathBuf],
        time: SystemTime,
        now: Millis,
    ) -> Vec<Observation> {
        let mut seen = Vec::new();
        self.entries.retain(|path, known| {
            let left_entry = is_of(present.get(path), known) || is_half_written(half_written, path);
            if left_entry && is_alive(known, time) {
                return true;
            }
            seen.push(known.gone(now, left_entry));
            false
        });
        seen
    }
}

fn is_of(entry: Option<&LiveEntry>, client: &LiveEntry) -> bool {
    entry.is_some_and(|entry| entry.client() == client.client())
}

fn is_half_written(paths: &[PathBuf], path: &Path) -> bool {
    paths.iter().any(|half| half == path)
}

#[cfg(test)]
mod tests {
    use steno_live::What;

    use super::*;

    fn entry(pid: u32, start: &str, status: &str) -> String {
        format!(
            r#"{{"pid":{pid},"procStart":"{start}","sessionId":"s1","status":"{status}","updatedAt":5,"statusUpdatedAt":4}}"#
        )
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn changes_and_ends_are_seen_once() {
        let home = tempfile::tempdir().unwrap();
        let sessions = home.path().join("sessions");
        std::fs::create_dir(&sessions).unwrap();
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let start = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap().to_owned();
        let pid = std::process::id();
        let path = sessions.join("1.json");
        let write = |text: &str| std::fs::write(&path, text).unwrap();
        let mut watch = RegistryWatch::new(vec![home.path().to_owned()]);
        let mut look = || watch.look(9).into_iter().map(|seen| seen.what).collect::<Vec<_>>();

        assert!(look().is_empty());
        write(&entry(pid, &start, "busy"));
        assert!(matches!(look()[..], [What::Status(_)]));
        assert!(look().is_empty(), "nothing changed");
        write(&entry(pid, &start, "idle"));
        assert!(matches!(look()[..], [What::Status(_)]));
        write("{\"pid\":");
        assert!(look().is_empty(), "half an entry is read again");
        write(&entry(pid, "1", "idle"));
        assert_eq!(look(), [What::Gone { killed: false }], "the pid is another process's");
        write(&entry(pid, &start, "idle"));
        assert!(matches!(look()[..], [What::Status(_)]));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(look(), [What::Gone { killed: false }]);
        assert!(look().is_empty());
    }
}
