//! A profile and the files around its transcript → the profile as it is reported.

use steno_conversation::model::{Profile, TitleSource};
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
        profile.ongoing = running.contains(session) || is_unfinished && dirs.is_fresh(session.modified);
        if let Some(title) = &session.custom_title
            && profile.title_source != Some(TitleSource::Custom)
        {
            profile.title = Some(title.clone());
            profile.title_source = Some(TitleSource::Custom);
        }
        profile
    }
}
