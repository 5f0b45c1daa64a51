//! How far the texts of files are indexed, and in which engine.
//!
//! Rows and postings cannot be written in one transaction. So the rows name the directory of the engine that they speak
//! of: an engine that is lost gets a successor of another name, and the rows about the old one are dropped. Files whose
//! text is on its way into the engine are pending: if that is interrupted, how much of them arrived is unknown.

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::{CacheRow, Database, Error, FileId, Table, id_from, id_to, put};

impl Database {
    /// The name of the engine that these rows speak of; a new database gets one.
    pub(crate) fn engine(&mut self) -> Result<String, Error> {
        // Read first: a writer of another process need not be waited for.
        if let Some(name) = name(&self.connection).map_err(|error| self.failed(&error))? {
            return Ok(name);
        }
        self.write(|transaction| match name(transaction)? {
            Some(name) => Ok(name),
            None => rename(transaction),
        })
    }

    /// Another engine, in which nothing is indexed yet. Does nothing where another process already replaced the lost one.
    pub(crate) fn renew_engine(&mut self, lost: &str) -> Result<String, Error> {
        self.write(|transaction| match name(transaction)? {
            Some(name) if name != lost => Ok(name),
            _ => rename(transaction),
        })
    }

    /// The identity of the engine when rows about it were last stored. An engine that was made anew in the same
    /// directory has another one.
    pub(crate) fn engine_identity(&self) -> Result<Option<String>, Error> {
        let read = self.connection.query_row("SELECT identity FROM engine", [], |row| row.get(0));
        read.optional().map(Option::flatten).map_err(|error| self.failed(&error))
    }

    /// Notes files whose text is about to be indexed.
    pub(crate) fn mark_pending(&mut self, files: &[FileId]) -> Result<(), Error> {
        self.write(|transaction| {
            let mut insert = transaction.prepare("INSERT OR IGNORE INTO pending (file) VALUES (?1)")?;
            files.iter().try_for_each(|file| insert.execute([id_to(*file)]).map(drop))
        })
    }

    /// Files whose indexing was interrupted.
    pub(crate) fn pending(&self) -> Result<Vec<FileId>, Error> {
        let read = || {
            let mut statement = self.connection.prepare("SELECT file FROM pending")?;
            let rows = statement.query_map([], |row| row.get(0).map(id_from))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// Stores how far texts are indexed, and that none is pending any more; unless there is another engine by now.
    pub(crate) fn put_texts<'k>(
        &mut self,
        (engine, identity): (&str, &str),
        rows: impl IntoIterator<Item = (&'k str, &'k CacheRow)>,
        gone: impl IntoIterator<Item = &'k str>,
    ) -> Result<(), Error> {
        self.write(|transaction| {
            if name(transaction)?.as_deref() != Some(engine) {
                return Ok(());
            }
            put(transaction, Table::Texts, rows, gone)?;
            transaction.execute("UPDATE engine SET identity = ?1", [identity])?;
            transaction.execute("DELETE FROM pending", []).map(drop)
        })
    }
}

fn name(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT name FROM engine", [], |row| row.get(0)).optional()
}

fn rename(transaction: &Transaction<'_>) -> rusqlite::Result<String> {
    transaction.execute_batch("DELETE FROM engine; DELETE FROM texts; DELETE FROM pending;")?;
    let insert = "INSERT INTO engine (name) VALUES (lower(hex(randomblob(8)))) RETURNING name";
    transaction.query_row(insert, [], |row| row.get(0))
}
