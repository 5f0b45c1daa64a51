//! Recorded observations → the states that they led to.
//!
//! A recording is one JSON object a line: when it was seen, and the observation. It shows a wrong state to others, without
//! the transcript.

use serde::{Deserialize, Serialize};
use steno_live::{Board, Millis, Observation};

use super::row::About;
use super::{Change, Changes, Row};

/// One line of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// When it was seen, which may be later than when it happened.
    pub seen: Millis,
    #[serde(flatten)]
    pub observation: Observation,
}

/// States change by themselves for a moment after the last observation: a hook counts for two seconds.
const SETTLED: Millis = 3_000;
const STEP: Millis = 50;

pub fn replay(mut recorded: Vec<Recorded>) -> Vec<Change> {
    recorded.sort_by_key(|line| line.seen);
    let (Some(first), Some(last)) =
        (recorded.first().map(|line| line.seen), recorded.last().map(|line| line.seen))
    else {
        return Vec::new();
    };
    let (mut board, mut changes, mut told) = (Board::default(), Changes::default(), Vec::new());
    let mut lines = recorded.into_iter().peekable();
    let mut now = first;
    while now <= last + SETTLED {
        while let Some(line) = lines.next_if(|line| line.seen <= now) {
            board.observe(line.observation);
        }
        let rows: Vec<Row> = board.sessions().filter_map(|id| row(&board, id, now)).collect();
        told.extend(changes.of(&rows, now));
        // A gap of hours is passed over.
        let next = lines.peek().map_or(now + STEP, |line| line.seen);
        now = if next > now + SETTLED { next } else { now + STEP };
    }
    told
}

fn row(board: &Board, id: &steno_transcript::SessionId, now: Millis) -> Option<Row> {
    let pids = board.clients(id).map(|client| client.pid).collect();
    Some(Row::new(id, board.state(id, now)?, About::default(), None, pids))
}
