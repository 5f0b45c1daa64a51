//! The sessions that run, and what each of them waits for.
//!
//! A [`Watcher`] looks at the registry and at the transcripts of running sessions whenever it is asked to; nothing has to
//! be installed for it. `live` turns what was seen into states.

mod change;
mod follow;
mod record;
mod replay;
mod row;

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_live::{Board, Millis, Observation};
use steno_source::RegistryWatch;
use steno_transcript::SessionId;

use crate::claude_dirs::ClaudeDirs;

pub use change::{Change, Changes};
pub use replay::{Recorded, replay};
pub use row::Row;
pub use steno_live::{Because, SeenBy, State, StateOf, WaitingFor};

use follow::Followed;
use row::About;

/// The board at one moment.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Those that wait for the person first.
    pub sessions: Vec<Row>,
    /// What hinders watching: odd registry entries, transcripts that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// Follows the sessions of some Claude directories.
#[derive(Debug)]
pub struct Watcher {
    dirs: ClaudeDirs,
    registry: RegistryWatch,
    board: Board,
    followed: BTreeMap<SessionId, Followed>,
    about: BTreeMap<SessionId, About>,
}

impl Watcher {
    pub fn new(dirs: &ClaudeDirs) -> Self {
        Self {
            registry: RegistryWatch::new(dirs.paths.clone()),
            dirs: dirs.clone(),
            board: Board::default(),
            followed: BTreeMap::new(),
            about: BTreeMap::new(),
        }
    }

    /// Looks once, and returns what was seen since the last look.
    pub fn look(&mut self, now: Timestamp) -> Vec<Observation> {
        let now = now.as_millisecond();
        let mut seen = self.registry.look(now);
        for entry in self.registry.entries() {
            let followed = self.followed.entry(entry.session_id.clone());
            followed.or_insert_with(|| Followed::new(entry, &self.dirs.paths));
            let about = self.about.entry(entry.session_id.clone()).or_default();
            about.opened_in(entry);
        }
        for (id, followed) in &mut self.followed {
            seen.extend(followed.read(id, now));
        }
        for observation in &seen {
            self.board.observe(observation.clone());
        }
        self.forget_ended(now);
        seen
    }

    /// A board may stay open for weeks.
    fn forget_ended(&mut self, now: Millis) {
        let is_forgotten = |id: &&SessionId| self.row(id, now).is_some_and(|row| !row.is_shown(now));
        let forgotten: Vec<SessionId> = self.board.sessions().filter(is_forgotten).cloned().collect();
        for id in forgotten {
            self.board.forget(&id);
            self.followed.remove(&id);
            self.about.remove(&id);
        }
    }

    /// All sessions that run, and those that ended a short while ago.
    pub fn report(&self, now: Timestamp) -> Report {
        let now = now.as_millisecond();
        let mut sessions: Vec<Row> = self.board.sessions().filter_map(|id| self.row(id, now)).collect();
        sessions.retain(|row| row.is_shown(now));
        sessions.sort_by_key(|row| (row.urgency(), row.state.since));
        Report { sessions, hints: self.troubles() }
    }

    /// Registry entries that make no sense, and transcripts that cannot be read.
    fn troubles(&self) -> Vec<String> {
        let entries = self.registry.warnings.iter();
        let entries = entries.map(|warning| format!("{}: {}", warning.path.display(), warning.message));
        entries.chain(self.followed.values().filter_map(|followed| followed.trouble.clone())).collect()
    }

    fn row(&self, id: &SessionId, now: Millis) -> Option<Row> {
        let state = self.board.state(id, now)?;
        let mut about = self.about.get(id).cloned().unwrap_or_default();
        let followed = self.followed.get(id);
        about.title = followed.and_then(|followed| followed.title.clone());
        let said = followed.and_then(|followed| followed.last_text.clone());
        Some(Row::new(id, state, about, said, self.board.clients(id).map(|client| client.pid).collect()))
    }
}

#[cfg(test)]
mod tests {
    use steno_testkit::{Home, Session};

    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_session_that_ended_is_shown_for_a_while_and_then_forgotten() {
        let home = Home::new();
        let entry = home.registry(&Session::numbered(1), std::process::id(), "idle");
        let at = |minutes: i64| Timestamp::from_second(1_794_800_000 + minutes * 60).unwrap();
        let dirs = ClaudeDirs { paths: vec![home.path()], is_default: false, now: at(1) };
        let mut watcher = Watcher::new(&dirs);
        watcher.look(at(1));
        std::fs::remove_file(&entry).unwrap();
        watcher.look(at(2));
        assert_eq!(watcher.report(at(11)).sessions.len(), 1);
        assert_eq!(watcher.report(at(13)).sessions.len(), 0);
        watcher.look(at(13));
        assert_eq!(
            (watcher.board.sessions().count(), watcher.followed.len(), watcher.about.len()),
            (0, 0, 0)
        );
    }
}
