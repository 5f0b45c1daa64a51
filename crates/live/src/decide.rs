//! What was observed → the state. Read from top to bottom: the order of the questions is the order of trust.
//!
//! 1. Is the session open in a client at all?
//! 2. The registry, where the client writes a status, follows the screen. A hook may lead it by a moment, no longer: a
//!    prompt that another hook refused, or a permission that a rule gave, never reaches the screen.
//! 3. Without a registry the hooks and the transcript tell.
//! 4. A transcript alone tells what was said, not whether a client still runs: unknown.

use steno_transcript::SessionId;

use crate::client::Client;
use crate::mark::{Mark, at};
use crate::observation::{ClientId, ClientStatus, Millis, SeenBy, Status};
use crate::session::Session;
use crate::state::{Because, State, StateOf, WaitingFor};

/// A hook counts against the registry if it is this much later: hooks are stamped when their process starts.
const HOOK_LAG: Millis = 250;
/// For how long a hook counts against the registry.
const HOOK_LEADS: Millis = 2_000;
/// An entry that is this much older than the start of the session was written for the session before.
const ENTRY_LAG: Millis = 300;
/// A client that said it ends the session still writes its entry for a moment.
const ENDING: Millis = 3_000;

#[derive(Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) id: &'a SessionId,
    pub(crate) session: &'a Session,
    /// Every client that had the session open.
    pub(crate) clients: Vec<(&'a ClientId, &'a Client)>,
    pub(crate) now: Millis,
}

pub(crate) fn decide(seen: &Seen<'_>) -> StateOf {
    if let Some(ended) = seen.ended() {
        return ended;
    }
    match seen.status() {
        Some((status, word)) => seen.by_registry(status, word),
        None if seen.session.hooks.is_some() => seen.by_hooks(),
        None => state(State::Unknown, last(seen), "no client and no hook tells"),
    }
}

impl<'a> Seen<'a> {
    fn open_in(&self) -> impl Iterator<Item = &(&'a ClientId, &'a Client)> {
        self.clients.iter().filter(|(_, client)| client.is_on(self.id) && client.lives())
    }

    fn ended(&self) -> Option<StateOf> {
        let opened = self.session.opened_at().max(at(self.session.turn.prompted));
        if let Some(end) = self.session.ended.as_ref().filter(|end| end.mark.at >= opened) {
            let (reason, by) = &end.value;
            let open_elsewhere = |(id, client): &&(&ClientId, &Client)| {
                by.as_ref().is_some_and(|by| by != *id) || client.last_said_at() > end.mark.at + ENDING
            };
            if self.open_in().find(open_elsewhere).is_none() {
                return Some(state(
                    State::Ended { reason: reason.clone() },
                    end.mark,
                    "the client ended the session",
                ));
            }
        }
        if self.clients.is_empty() || self.open_in().next().is_some() {
            return None;
        }
        Some(self.left_or_killed())
    }

    /// No client has the session open any more, and none said why.
    fn left_or_killed(&self) -> StateOf {
        let gone = self.clients.iter().filter(|(_, client)| client.is_on(self.id));
        let gone = gone.filter_map(|(_, client)| client.gone.as_ref()).max_by_key(|gone| gone.mark);
        match gone {
            Some(gone) if gone.value => state(
                State::Ended { reason: "killed".into() },
                gone.mark,
                "the client's process no longer runs",
            ),
            Some(gone) => {
                state(State::Ended { reason: "exit".into() }, gone.mark, "the client left the registry")
            }
            None => {
                let moved =
                    self.clients.iter().filter_map(|(_, client)| Some(client.session.as_ref()?.mark)).max();
                let moved = moved.unwrap_or_else(|| last(self));
                state(State::Ended { reason: "left".into() }, moved, "its client opened another session")
            }
        }
    }

    /// The most urgent status among the clients that have the session open.
    fn status(&self) -> Option<(&'a ClientStatus, Status)> {
        let oldest = self.session.opened_at().saturating_sub(ENTRY_LAG);
        let statuses = self.open_in().filter_map(|(_, client)| {
            let status = &client.status.as_ref()?.value;
            Some((status, status.status?)).filter(|(status, _)| status.since >= oldest)
        });
        statuses.max_by_key(|(status, word)| (urgency(*word), status.since))
    }

    fn by_registry(&self, status: &ClientStatus, word: Status) -> StateOf {
        let registry = Mark { at: status.since, seen_by: SeenBy::Registry };
        let turn = &self.session.turn;
        let opened = self.session.opened_at();
        if word == Status::Waiting {
            return self.waiting_by_registry(status, registry);
        }
        let ask = self.session.calls.open_ask(turn, opened).filter(|ask| self.leads(ask.asked, registry));
        if let Some(ask) = ask.filter(|_| !status.headless) {
            return self.waiting(WaitingFor::of_tool(&ask.tool), ask.asked, "a hook says the client asks");
        }
        let prompted = turn.prompted.filter(|prompted| self.leads(*prompted, registry));
        match (word, prompted) {
            (Status::Idle | Status::Shell, Some(prompted)) => self.working(prompted, "a prompt was sent"),
            (Status::Idle, None) => state(State::Idle, registry, "the registry says idle"),
            (Status::Shell, None) => self.background(registry, "the registry says shell"),
            _ => self.busy(registry),
        }
    }

    /// Busy is what the client says while it works, and also while only subagents run in the background.
    fn busy(&self, registry: Mark) -> StateOf {
        let turn = &self.session.turn;
        let opened = self.session.opened_at();
        let (began, over) = (turn.began(opened), turn.over(opened));
        let Some(over) = over.filter(|over| Some(*over) > began) else {
            return StateOf {
                since: began.unwrap_or(registry).at,
                ..self.working(registry, "the registry says busy")
            };
        };
        if turn.pending(opened) > 0 {
            return self.background(over, "the turn ended, its subagents run");
        }
        if self.leads(over, registry) {
            return state(State::Idle, over, "the turn ended");
        }
        self.working(registry, "the registry says busy")
    }

    fn waiting_by_registry(&self, status: &ClientStatus, registry: Mark) -> StateOf {
        let because = "the registry says waiting";
        match status.waiting_for.as_deref() {
            Some("permission prompt") => {
                let about = self.asked_tool(status.since).map_or(self.about_by_mode(), WaitingFor::of_tool);
                self.waiting(about, registry, because)
            }
            Some("input needed") => self.waiting(WaitingFor::Question, registry, because),
            other => {
                let detail = other.filter(|text| *text != "dialog open").map(str::to_owned);
                state(
                    State::Waiting { waiting_for: WaitingFor::Dialog, tool: None, detail },
                    registry,
                    because,
                )
            }
        }
    }

    fn by_hooks(&self) -> StateOf {
        let turn = &self.session.turn;
        let opened = self.session.opened_at();
        if let Some(ask) = self.session.calls.open_ask(turn, opened) {
            return self.waiting(WaitingFor::of_tool(&ask.tool), ask.asked, "a hook says the client asks");
        }
        let (began, over) = (turn.began(opened), turn.over(opened));
        if let Some(began) = began.filter(|began| Some(*began) > over) {
            return self.working(began, "a turn began and has not ended");
        }
        let since = over.or(self.session.started).unwrap_or_else(|| last(self));
        if turn.pending(opened) > 0 {
            return self.background(since, "the turn ended, its tasks run");
        }
        state(State::Idle, since, if over.is_some() { "the turn ended" } else { "the session was opened" })
    }

    /// The tool that a dialog is about: as the hook asked, else the call without a result.
    fn asked_tool(&self, since: Millis) -> Option<&str> {
        let opened = self.session.opened_at();
        let calls = &self.session.calls;
        let asked = calls.open_ask(&self.session.turn, opened).map(|ask| ask.tool.as_str());
        let called = || calls.open_tool(opened, false).map(|tool| tool.name.as_str());
        asked.or_else(called).or_else(|| calls.named_around(since))
    }

    /// Where no source names the tool: in plan mode it is the plan that is to be approved.
    fn about_by_mode(&self) -> WaitingFor {
        let is_plan = self.session.mode.as_ref().is_some_and(|mode| mode.value == "plan");
        if is_plan { WaitingFor::Plan } else { WaitingFor::Permission }
    }

    fn waiting(&self, waiting_for: WaitingFor, since: Mark, because: &str) -> StateOf {
        let opened = self.session.opened_at();
        let calls = &self.session.calls;
        let asked =
            calls.open_ask(&self.session.turn, opened).map(|ask| (ask.tool.clone(), ask.detail.clone()));
        let called = || calls.open_tool(opened, false).map(|tool| (tool.name.clone(), tool.detail.clone()));
        let named = || calls.named_around(since.at).map(|tool| (tool.to_owned(), None));
        let (tool, detail) = asked.or_else(called).or_else(named).unzip();
        state(State::Waiting { waiting_for, tool, detail: detail.flatten() }, since, because)
    }

    fn working(&self, since: Mark, because: &str) -> StateOf {
        let opened = self.session.opened_at();
        let tool = self.session.calls.open_tool(opened.max(at(self.session.turn.prompted)), true);
        let (tool, detail) = tool.map(|tool| (tool.name.clone(), tool.detail.clone())).unzip();
        let agents = self.session.turn.agents(opened);
        state(State::Working { tool, detail: detail.flatten(), agents }, since, because)
    }

    fn background(&self, since: Mark, because: &str) -> StateOf {
        let tasks = self.session.turn.pending(self.session.opened_at());
        state(State::Background { tasks: Some(tasks).filter(|tasks| *tasks > 0) }, since, because)
    }

    fn leads(&self, hook: Mark, registry: Mark) -> bool {
        hook.at > registry.at + HOOK_LAG && self.now - hook.at <= HOOK_LEADS
    }
}

fn urgency(status: Status) -> u8 {
    match status {
        Status::Waiting => 3,
        Status::Busy => 2,
        Status::Shell => 1,
        Status::Idle => 0,
    }
}

fn last(seen: &Seen<'_>) -> Mark {
    seen.session.last.unwrap_or(Mark { at: seen.now, seen_by: SeenBy::Transcript })
}

fn state(state: State, since: Mark, because: &str) -> StateOf {
    StateOf {
        state,
        since: since.at,
        because: Because { seen_by: since.seen_by, at: since.at, what: because.to_owned() },
    }
}
