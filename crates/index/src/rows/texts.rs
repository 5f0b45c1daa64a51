//! How far the texts of files are indexed, and in which engine.
//!
//! Rows and postings cannot be written in one go. So rows say which engine they speak of, by the name of its directory:
//! an engine that is lost gets a successor of another name, and nothing that was said of the old one counts. Files whose
//! text is on its way into the engine are marked before: where that is broken off, nobody knows how much of it arrived.

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::{FileId, Known, Rows, Table, put, roll};
use crate::error::Error;

impl Rows {
    /// The name of the engine that these rows speak of; a new one gets one.
    pub fn engine(&mut self) -> Result<String, Error> {
        // Mostly there is one, and nobody has to wait for a writer to be told.
        if let Some(name) = name(&self.connection).map_err(|error| self.failed(&error))? {
            return Ok(name);
        }
        self.write(|transaction| match name(transaction)? {
            Some(name) => Ok(name),
            None => rename(transaction),
        })
    }

    /// Another engine, in which nothing is indexed yet. Nothing happens where another process was quicker.
    pub fn renew_engine(&mut self, lost: &str) -> Result<String, Error> {
        self.write(|transaction| match name(transaction)? {
            Some(name) if name != lost => Ok(name),
            _ => rename(transaction),
        })
    }

    /// Which index the engine was when something was last remembered of it: one that was made anew in its place is
    /// another one.
    pub fn engine_identity(&self) -> Result<Option<String>, Error> {
        let read = self.connection.query_row("SELECT identity FROM engine", [], |row| row.get(0));
        read.optional().map(Option::flatten).map_err(|error| self.failed(&error))
    }

    /// Files whose text is about to be indexed.
    pub fn mark(&mut self, files: &[FileId]) -> Result<(), Error> {
        self.write(|transaction| {
            roll::forget(transaction)?;
            let mut insert = transaction.prepare("INSERT OR IGNORE INTO pending (file) VALUES (?1)")?;
            files.iter().try_for_each(|file| insert.execute([file.stored()]).map(drop))
        })
    }

    /// Files whose text was about to be indexed when that was broken off.
    pub fn marked(&self) -> Result<Vec<FileId>, Error> {
        let read = || {
            let mut statement = self.connection.prepare("SELECT file FROM pending")?;
            let rows = statement.query_map([], |row| row.get(0).map(FileId::of))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// Remembers how far texts are indexed, and that none is on its way any more; unless it is another engine by now.
    pub fn settle<'k>(
        &mut self,
        (engine, identity): (&str, &str),
        known: impl IntoIterator<Item = (&'k str, &'k Known)>,
        gone: impl IntoIterator<Item = &'k str>,
    ) -> Result<(), Error> {
        self.write(|transaction| {
            if name(transaction)?.as_deref() != Some(engine) {
                return Ok(());
            }
            put(transaction, Table::Texts.name(), known, gone)?;
            transaction.execute("UPDATE engine SET identity = ?1", [identity])?;
            transaction.execute("DELETE FROM pending", []).map(drop)
        })
    }
}

fn name(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT name FROM engine", [], |row| row.get(0)).optional()
}

fn rename(transaction: &Transaction<'_>) -> rusqlite::Result<String> {
    roll::forget(transaction)?;
    transaction.execute_batch("DELETE FROM engine; DELETE FROM texts; DELETE FROM pending;")?;
    let insert = "INSERT INTO engine (name) VALUES (lower(hex(randomblob(8)))) RETURNING name";
    transaction.query_row(insert, [], |row| row.get(0))
}
