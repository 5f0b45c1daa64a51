//! An entry of the live registry → whether its client still runs.
//!
//! A pid alone proves nothing, since pids are used again: the process has to have started when the entry says.

use std::time::{Duration, SystemTime};

use crate::registry::LiveEntry;

/// Without a look at the process the entry's own age has to do. Clients write it on every change of status; one
/// that has said nothing for this long is gone, or idle enough to be taken for gone.
const FRESH: Duration = Duration::from_hours(12);

pub fn is_alive(entry: &LiveEntry, now: SystemTime) -> bool {
    runs(entry).unwrap_or_else(|| is_fresh(entry, now))
}

fn is_fresh(entry: &LiveEntry, now: SystemTime) -> bool {
    let Some(said) = entry.updated_at_ms.or(entry.started_at_ms).and_then(|ms| u64::try_from(ms).ok()) else {
        return false;
    };
    // A time to come is a clock that was set back: fresh.
    let said = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(said)).unwrap_or(now);
    now.duration_since(said).map_or(true, |age| age < FRESH)
}

/// Asking for a process takes unsafe code outside Linux; this crate has none.
#[cfg(not(target_os = "linux"))]
fn runs(_: &LiveEntry) -> Option<bool> {
    None
}

/// `None` when the process table cannot tell: another container's, not mounted, or no start time to compare.
#[cfg(target_os = "linux")]
fn runs(entry: &LiveEntry) -> Option<bool> {
    if !is_own_namespace(entry) {
        return None;
    }
    match std::fs::read(format!("/proc/{}/stat", entry.pid)) {
        Ok(stat) => {
            let process = Process::from_stat(&stat)?;
            let expected = entry.proc_start.as_deref()?;
            Some(!process.ended && process.start == expected)
        }
        Err(_) if std::path::Path::new("/proc/self/stat").exists() => Some(false),
        Err(_) => None,
    }
}

/// The domain ends in the name of the pid namespace, `pid:[4026531836]`. Clients that write none share ours.
#[cfg(target_os = "linux")]
fn is_own_namespace(entry: &LiveEntry) -> bool {
    match (&entry.pid_domain, std::fs::read_link("/proc/self/ns/pid")) {
        (Some(domain), Ok(own)) => domain.ends_with(own.to_string_lossy().as_ref()),
        _ => true,
    }
}

#[cfg(any(target_os = "linux", test))]
#[derive(Debug, PartialEq, Eq)]
struct Process {
    /// Dead, and its parent has not looked yet.
    ended: bool,
    start: String,
}

#[cfg(any(target_os = "linux", test))]
impl Process {
    /// The second field is the program's name in parentheses, which may hold spaces and parentheses itself: only
    /// what follows the last one can be counted. State is field 3, the start time field 22.
    fn from_stat(stat: &[u8]) -> Option<Self> {
        let stat = String::from_utf8_lossy(stat);
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace();
        let state = fields.next()?;
        let start = fields.nth(18)?.to_owned();
        Some(Self { ended: matches!(state, "Z" | "X" | "x"), start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_700_000_000;

    fn entry(pid: u32, proc_start: Option<&str>) -> LiveEntry {
        LiveEntry {
            pid,
            proc_start: proc_start.map(str::to_owned),
            pid_domain: None,
            session_id: "s1".into(),
            cwd: None,
            status: None,
            waiting_for: None,
            status_updated_at_ms: None,
            entrypoint: None,
            version: None,
            started_at_ms: None,
            updated_at_ms: None,
            path: "1.json".into(),
        }
    }

    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(NOW)
    }

    #[test]
    fn names_with_spaces_and_parentheses_do_not_shift_the_fields() {
        let stat = |name: &str, state: &str| {
            let numbers = (4..=52).map(|field| if field == 22 { "777".into() } else { field.to_string() });
            format!("42 ({name}) {state} {}\n", numbers.collect::<Vec<_>>().join(" "))
        };
        for name in ["node", "a b", "x) S 1 (y", ")"] {
            let process = Process::from_stat(stat(name, "S").as_bytes()).unwrap();
            assert_eq!(process, Process { ended: false, start: "777".into() }, "{name}");
        }
        assert!(Process::from_stat(stat("node", "Z").as_bytes()).unwrap().ended);
        assert_eq!(Process::from_stat(b"42 (node) S 1 2"), None);
        assert_eq!(Process::from_stat(b""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_lives_when_pid_and_start_agree() {
        let pid = std::process::id();
        let own = Process::from_stat(&std::fs::read("/proc/self/stat").unwrap()).unwrap();
        assert!(is_alive(&entry(pid, Some(&own.start)), now()));
        assert!(!is_alive(&entry(pid, Some("1")), now()), "the pid was given to another process");
        assert!(!is_alive(&entry(u32::MAX, Some(&own.start)), now()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_namespace_s_pid_is_not_looked_up_here() {
        let elsewhere =
            LiveEntry { pid_domain: Some("linux:1f:pid:[1]".into()), ..entry(u32::MAX, Some("1")) };
        assert!(!is_alive(&elsewhere, now()));
        let spoke = LiveEntry { updated_at_ms: Some((NOW * 1000).cast_signed()), ..elsewhere };
        assert!(is_alive(&spoke, now()));
    }

    #[test]
    fn an_entry_is_fresh_for_half_a_day() {
        let hours_ago = |hours: u64| {
            let said = (NOW - hours * 3600) * 1000;
            LiveEntry { updated_at_ms: Some(said.cast_signed()), ..entry(1, None) }
        };
        assert!(is_fresh(&hours_ago(11), now()));
        assert!(!is_fresh(&hours_ago(13), now()));
        assert!(!is_fresh(&entry(1, None), now()));
        assert!(is_fresh(&LiveEntry { updated_at_ms: Some(i64::MAX), ..entry(1, None) }, now()));
    }
}
