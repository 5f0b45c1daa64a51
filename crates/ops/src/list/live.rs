//! Live files → rows.

use steno_conversation::Gathered;
use steno_conversation::model::Session;
use steno_source::SessionFiles;

use super::agents::{self, Agent};
use super::{Listed, Request};
use crate::cache::{Cache, Profiles};
use crate::claude_dirs::ClaudeDirs;
use crate::file::SessionFile;
use crate::sessions::{ListedFile, Sessions};
use crate::surroundings::Surroundings;

pub(super) fn sessions(
    dirs: &ClaudeDirs,
    all_sessions: &Sessions,
    request: &Request,
    cache: &mut Cache,
) -> Listed {
    let live_sessions = &all_sessions.live_sessions;
    let running = dirs.running();
    let warnings = live_sessions.warnings.len() + running.warnings.len();
    let mut listed = Listed { warnings: warnings as u64, ..Listed::default() };
    let items: Vec<ListedFile<'_>> = live_sessions.sessions.iter().map(ListedFile::of_session).collect();
    let learnt = cache.learn::<Profiles>(&items);
    let mut gathered: Vec<(&SessionFiles, Gathered)> = Vec::new();
    for (session, learnt) in live_sessions.sessions.iter().zip(learnt) {
        match learnt {
            Ok(learnt) => {
                listed.warnings += learnt.warnings;
                gathered.push((session, learnt.value));
            }
            // The one warning that doctor has for it.
            Err(_) => listed.warnings += 1,
        }
    }
    let files: Vec<Vec<Agent<'_>>> = gathered.iter().map(|(session, _)| of_session(session)).collect();
    let heard = agents::heard(&files, gathered.iter().map(|(_, gathered)| gathered), request, cache);
    listed.warnings += heard.warnings;
    for ((session, gathered), found) in gathered.into_iter().zip(heard.sessions) {
        let surroundings = Surroundings { session, dirs, running: &running };
        let profile = surroundings.complete(gathered.profile, gathered.is_unfinished);
        listed.sessions.push(Session {
            profile,
            agents: gathered.inline_agents + found.count,
            subagents: found.rows,
            machine: None,
        });
    }
    listed
}

fn of_session(session: &SessionFiles) -> Vec<Agent<'_>> {
    let agents = session.agents.iter();
    let agent = agents.map(|agent| Agent {
        id: agent.id.clone(),
        item: ListedFile::of_agent(session, agent),
        meta: agent.meta.as_deref().map(SessionFile::unmeasured),
    });
    agent.collect()
}
