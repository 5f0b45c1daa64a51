//! What was said in the session under the cursor, read in a thread of its own: a long transcript must not stop the keys.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use steno_ops::peek::{Preview, glance};
use steno_ops::sealing::Keys;
use steno_ops::{Error, Silent, Workspace};
use steno_render::terminal::clean_line;

use super::state::Candidate;

/// Of each message.
const LETTERS: usize = 400;

/// The first and the last messages: who, and what.
#[derive(Debug, Clone, Default)]
pub(super) struct Glance {
    pub(super) first: Vec<(String, String)>,
    pub(super) last: Vec<(String, String)>,
}

pub(super) struct Glances {
    asked: Sender<String>,
    /// Nothing for one that was passed over.
    read: Receiver<(String, Option<Glance>)>,
    /// Nothing for one that is being read.
    known: HashMap<String, Option<Glance>>,
}

impl Glances {
    /// The thread ends with the picker, once it has read what it is at.
    pub(super) fn new(workspace: &Workspace) -> Self {
        // No passphrase can be asked for, and no progress be shown, over the picker.
        let keys = Keys { passphrase: Keys::default().passphrase, ..workspace.keys.clone() };
        let workspace = Workspace { progress: Arc::new(Silent), keys, ..workspace.clone() };
        let (asked, questions) = channel::<String>();
        let (answers, read) = channel();
        thread::spawn(move || {
            while let Ok(mut name) = questions.recv() {
                // The cursor has moved on from the earlier ones.
                while let Ok(later) = questions.try_recv() {
                    let _ = answers.send((mem::replace(&mut name, later), None));
                }
                let glance = Glance::of(glance(&workspace, &name, LETTERS));
                if answers.send((name, Some(glance))).is_err() {
                    break;
                }
            }
        });
        Self { asked, read, known: HashMap::new() }
    }

    /// What is known of a session by now.
    pub(super) fn of(&mut self, candidate: &Candidate) -> Option<&Glance> {
        for (name, glance) in self.read.try_iter() {
            match glance {
                Some(glance) => drop(self.known.insert(name, Some(glance))),
                None => drop(self.known.remove(&name)),
            }
        }
        if !self.known.contains_key(&candidate.name) {
            self.known.insert(candidate.name.clone(), None);
            let _ = self.asked.send(candidate.name.clone());
        }
        self.known.get(&candidate.name)?.as_ref()
    }

    pub(super) fn is_reading(&self) -> bool {
        self.known.values().any(Option::is_none)
    }
}

impl Glance {
    fn of(read: Result<[Vec<Preview>; 2], Error>) -> Self {
        let lines = |said: Vec<Preview>| {
            let line = |one: Preview| (one.role, clean_line(&one.preview).into_owned());
            said.into_iter().map(line).collect()
        };
        match read {
            Ok([first, last]) => Self { first: lines(first), last: lines(last) },
            Err(error) => {
                let message = clean_line(&error.to_string()).into_owned();
                Self { first: vec![("unreadable".to_owned(), message)], last: Vec::new() }
            }
        }
    }
}
