//! What somebody notes of all texts at once, for as long as no row about them changes.
//!
//! Mostly nothing has changed since the last question. To find that out from a row for each of thousands of files takes
//! longer than the answer, so that whoever found it out may leave a note: the roll. It goes with the first change.

use std::time::Duration;

use rusqlite::{Transaction, TransactionBehavior, params};

use super::{PATIENCE, Rows, opened, sealed};
use crate::error::Error;

/// A state of the rows about texts: another one after each change. Those of one database are none of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edition(i64);

impl Rows {
    /// The state that the rows about texts are in, and what was noted of it.
    pub fn roll(&self) -> Result<(Edition, Option<Vec<u8>>), Error> {
        let read = self.connection.query_row("SELECT edition, body FROM roll", [], |row| {
            Ok((Edition(row.get(0)?), row.get::<_, Option<Vec<u8>>>(1)?))
        });
        let (edition, body) = read.map_err(|error| self.failed(&error))?;
        let sound = body.map(|body| opened(&body)).filter(|body| !body.is_empty());
        Ok((edition, sound))
    }

    /// Notes something of all rows about texts, as they were read in this state or later. Nothing happens where they are in
    /// another one by now, or where somebody else is writing: it is not worth to wait for.
    pub fn note_roll(&mut self, edition: Edition, body: &[u8]) -> Result<(), Error> {
        let note = |rows: &mut Self| {
            rows.connection.busy_timeout(Duration::ZERO)?;
            let transaction = rows.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction
                .execute("UPDATE roll SET body = ?1 WHERE edition = ?2", params![sealed(body), edition.0])?;
            transaction.commit()
        };
        let noted = note(self);
        self.connection.busy_timeout(PATIENCE).map_err(|error| self.failed(&error))?;
        match noted {
            Err(error) if super::schema::is_busy(&error) => Ok(()),
            noted => noted.map_err(|error| self.failed(&error)),
        }
    }
}

/// What was noted is not true any more.
pub(super) fn forget(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute("UPDATE roll SET edition = edition + 1, body = NULL", []).map(drop)
}
