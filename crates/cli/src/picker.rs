//! All sessions on a terminal → the one that a person picks.
//!
//! Drawn on stderr, so that stdout has the answer alone. Sessions are in memory and matched in one pass over their
//! titles at each key; what was said in a session is read beside that, for the row under the cursor only.

mod draw;
mod glances;
mod keys;
mod matching;
mod screen;
mod state;

use std::time::Duration;

use ratatui::crossterm::event;
use steno_ops::list::{self, Request};
use steno_ops::{Error, ErrorKind, Workspace};

use crate::config;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use draw::View;
use glances::Glances;
use screen::Screen;
use state::{Candidate, Decision, State};

/// How long to wait for a key before what was read meanwhile is drawn.
const TICK: Duration = Duration::from_millis(40);
/// The same where nothing is being read.
const IDLE: Duration = Duration::from_secs(5);

/// The id of the session that was picked.
pub(crate) fn pick(workspace: &Workspace, output: &Output) -> Result<String, Failure> {
    if !output.is_attended() || config::is_dumb() {
        let error = Error::new(ErrorKind::Invalid, "a session can be picked only on a terminal");
        return Err(error.hint("`steno list` shows all sessions; name one by its id, or `last`").into());
    }
    let sessions = list::joined(workspace, &Request::default())?.sessions;
    if sessions.is_empty() {
        return Err(Error::new(ErrorKind::NotFound, "there is no session yet")
            .hint(workspace.dirs.none_here())
            .into());
    }
    let page = output.page();
    let candidates = sessions.iter().map(|session| Candidate::of(session, page)).collect();
    let mut state = State::new(candidates);
    let mut glances = Glances::new(workspace);
    let mut screen = Screen::open()?;
    loop {
        let glance = state.current().and_then(|current| glances.of(current));
        screen.draw(&mut View { state: &mut state, glance })?;
        let patience = if glances.is_reading() { TICK } else { IDLE };
        if !event::poll(patience)? {
            continue;
        }
        // All that was typed meanwhile, before it is drawn once.
        loop {
            match keys::action(&event::read()?).and_then(|action| state.apply(action)) {
                Some(Decision::Chosen(id)) => return Ok(id),
                Some(Decision::Left) => return Err(Failure::Reported(Outcome::Interrupted)),
                None => {}
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
}
