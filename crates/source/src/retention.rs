//! Settings files → how long the client lets a session live, by which file, and the faults of the others.
//!
//! The client deletes by a file's last modification. Which settings count depends on where it is started, so the
//! caller names the project, if there is one, and where managed settings are on this system.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::warning::Warning;

mod settings;

use settings::Settings;

/// What the client goes by where nothing is set.
pub const DEFAULT_CLEANUP_PERIOD_DAYS: u64 = 30;

const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;
/// The last second of the year 9999: no later one can be written as a time in a report.
const END_OF_TIME: Duration = Duration::from_secs(253_402_300_799);

#[derive(Debug, Clone, Copy)]
pub struct RetentionRequest<'a> {
    pub claude_dir: &'a Path,
    /// Where a client is, or would be, started.
    pub project_dir: Option<&'a Path>,
    /// `managed-settings.json`; the files in the `managed-settings.d` beside it count more.
    pub managed_settings: Option<&'a Path>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    pub cleanup_period_days: u64,
    pub source: Source,
    /// `None` for the default.
    pub path: Option<PathBuf>,
    /// A settings file does not load: current clients delete nothing until it does, older ones go by the period
    /// given here.
    pub suspended: bool,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    Default,
    User,
    Project,
    Local,
    Managed,
}

impl Source {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }
}

impl Retention {
    /// When a file of that age is deleted: at the first start of a client from then on.
    pub fn deletion_of(&self, modified: SystemTime) -> SystemTime {
        let period = Duration::from_secs(self.cleanup_period_days.saturating_mul(SECONDS_OF_A_DAY));
        let end = SystemTime::UNIX_EPOCH.checked_add(END_OF_TIME).unwrap_or(modified);
        modified.checked_add(period).map_or(end, |deletion| deletion.min(end))
    }
}

/// The first file that sets a period counts, in the client's order. `settings.local.json` in the Claude directory
/// is not among them.
pub fn retention(request: &RetentionRequest<'_>) -> Retention {
    let mut retention = Retention {
        cleanup_period_days: DEFAULT_CLEANUP_PERIOD_DAYS,
        source: Source::Default,
        path: None,
        suspended: false,
        warnings: Vec::new(),
    };
    for (source, path) in candidates(request, &mut retention.warnings) {
        let settings = Settings::read(&path, source, &mut retention.warnings);
        retention.suspended |= settings == Settings::NotLoaded;
        if let (Settings::Period(days), Source::Default) = (settings, retention.source) {
            retention.cleanup_period_days = days;
            retention.source = source;
            retention.path = Some(path);
        }
    }
    retention
}

/// All of them, the one that counts most first.
fn candidates(request: &RetentionRequest<'_>, warnings: &mut Vec<Warning>) -> Vec<(Source, PathBuf)> {
    let mut found = Vec::new();
    if let Some(managed) = request.managed_settings {
        let additions = settings::additions(managed, warnings).into_iter().rev();
        found.extend(additions.chain([managed.to_owned()]).map(|path| (Source::Managed, path)));
    }
    if let Some(directory) = request.project_dir {
        let own = directory.join(".claude");
        found.push((Source::Local, own.join("settings.local.json")));
        // In the home directory, the project's settings and the user's are one file.
        if own != request.claude_dir {
            found.push((Source::Project, own.join("settings.json")));
        }
    }
    found.push((Source::User, request.claude_dir.join("settings.json")));
    found
}
