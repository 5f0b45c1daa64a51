//! A profile and the files around its transcript → the profile as it is reported.

use jiff::Timestamp;
use steno_conversation::model::{Agent, Profile, TitleSource};
use steno_source::SessionFiles;

use crate::claude_dirs::{ClaudeDirs, Running};

/// What a transcript does not say of itself.
#[derive(Debug)]
pub struct Surroundings<'a> {
    pub session: &'a SessionFiles,
    pub dirs: &'a ClaudeDirs,
    pub running: &'a Running,
}

impl Surroundings<'_> {
    pub fn complete(&self, mut profile: Profile, is_unfinished: bool) -> Profile {
        let Self { session, dirs, running } = self;
        profile.project_hash.clone_from(&session.project_hash);
        profile.path = Some(session.transcript.display().to_string());
        profile.size_bytes = session.len;
        profile.cloned_from.clone_from(&session.cloned_from);
        profile.live = session.claude_dir.is_some();
        let is_at_work =
            || is_unfinished && dirs.is_fresh(session.modified) && self.is_told(profile.ended_at);
        profile.ongoing = running.contains(session) || is_at_work();
        if let Some(title) = &session.custom_title
            && profile.title_source != Some(TitleSource::Custom)
        {
            profile.title = Some(title.clone());
            profile.title_source = Some(TitleSource::Custom);
        }
        profile
    }

    /// Of the agents that their files leave at work, those that nothing says are running are not.
    pub fn complete_agents(&self, agents: &mut [Agent]) {
        if self.running.contains(self.session) {
            return;
        }
        for agent in agents {
            agent.ongoing &= self.is_told(agent.ended_at);
            self.complete_agents(&mut agent.agents);
        }
    }

    /// Whether records tell that the client wrote a short while ago. The time of a file does not: a restore, a move
    /// and a copy set it, too. A clone has the records of another session, so the registry alone decides.
    fn is_told(&self, ended_at: Option<Timestamp>) -> bool {
        self.session.cloned_from.is_none() && ended_at.is_some_and(|time| self.dirs.is_fresh(time.into()))
    }
}
