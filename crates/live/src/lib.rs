//! Observations of running clients → the state of each session: who waits for the person, since when, for what.
//!
//! Pure: observations carry their own times, and the present is a parameter. [`Board::observe`] takes observations in any
//! order, [`Board::state`] derives a state from them. Three sources see a session: the client's registry, its hooks and its
//! transcripts. `docs/live.md` says what each of them can and cannot know.

mod board;
mod client;
mod decide;
mod mark;
mod observation;
mod session;
mod state;
mod turn;
mod wait;

pub use board::Board;
pub use observation::{
    Background, CallKey, ClientId, ClientStatus, Millis, Observation, SeenBy, StartedBy, Status, TaskId, What,
};
pub use state::{Because, State, StateOf, WaitingFor};
