//! The SQLite database of a cache: facts of files ↔ rows.
//!
//! A row is believed only if its checksum is right: SQLite notices a broken page, not a broken byte in it.

mod engine;
mod schema;

use std::fs;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::time::Duration;

use foldhash::quality::FixedState;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use steno_index::{Error, FileId, Origin};

/// The name of the database in the cache's directory.
const DATABASE: &str = "rows.db";
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// What kinds of facts are stored of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// What each message used.
    Accounts,
    /// What a list shows.
    Profiles,
    /// How a subagent begins.
    Heads,
    /// How far the text of a file is indexed.
    Texts,
}

/// The row of one file in one table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CacheRow {
    /// The content of the file that it was made of.
    pub(crate) fingerprint: Vec<u8>,
    pub(crate) body: Vec<u8>,
    /// How to resume reading if the file grows; empty if reading cannot resume.
    pub(crate) state: Vec<u8>,
}

/// A row while it is read, without its state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowView<'r> {
    pub(crate) key: &'r str,
    pub(crate) file: FileId,
    pub(crate) fingerprint: &'r [u8],
    pub(crate) body: &'r [u8],
}

/// An open database. Several processes may have it open.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Connection,
    path: PathBuf,
}

impl Database {
    /// Opens the database in a directory, and creates both where they are missing. A database of another version, or
    /// one that cannot be read, is replaced by an empty one.
    pub(crate) fn open(directory: &Path) -> Result<(Self, Origin), Error> {
        steno_index::private_directory(directory)?;
        let path = directory.join(DATABASE);
        match Self::try_open(&path) {
            Ok(opened) => Ok(opened),
            Err(error) if is_damage(&error) => {
                Self::remove(directory)?;
                let (database, _) = Self::try_open(&path).map_err(|error| unwritable(&path, &error))?;
                Ok((database, Origin::Damaged))
            }
            Err(error) => Err(unwritable(&path, &error)),
        }
    }

    /// Removes the database, whatever its state.
    pub(crate) fn remove(directory: &Path) -> Result<(), Error> {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = directory.join(format!("{DATABASE}{suffix}"));
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::Unwritable { path, message: error.to_string() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn try_open(path: &Path) -> rusqlite::Result<(Self, Origin)> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        let origin = schema::prepare(&mut connection)?;
        Ok((Self { connection, path: path.to_owned() }, origin))
    }

    /// Shows every sound row of a table.
    pub(crate) fn each(&self, table: Table, mut visit: impl FnMut(RowView<'_>)) -> Result<(), Error> {
        let name = table.name();
        let mut read = || {
            let mut statement = self.connection.prepare(&format!(
                "SELECT files.key, files.id, known.fingerprint, known.body, known.checksum \
                 FROM {name} AS known JOIN files ON files.id = known.file"
            ))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                show(row, &mut visit)?;
            }
            Ok(())
        };
        read().map_err(|error| self.failed(&error))
    }

    /// The row of one file, with its state.
    pub(crate) fn get(&self, table: Table, key: &str) -> Result<Option<(FileId, CacheRow)>, Error> {
        let name = table.name();
        let read = || {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT files.id, known.fingerprint, known.body, known.state, known.checksum \
                 FROM files JOIN {name} AS known ON known.file = files.id WHERE files.key = ?1"
            ))?;
            let row = statement.query_row([key], |row| {
                let known = CacheRow { fingerprint: row.get(1)?, body: row.get(2)?, state: row.get(3)? };
                Ok((id_from(row.get(0)?), known, row.get::<_, i64>(4)?))
            });
            row.optional()
        };
        let found = read().map_err(|error| self.failed(&error))?;
        let sound = found.filter(|(_, row, sum)| checksum(key, &row.fingerprint, &row.body) == *sum);
        Ok(sound.map(|(id, row, _)| (id, CacheRow { state: checked(&row.state), ..row })))
    }

    /// The numbers of files; new ones for those that have none.
    pub(crate) fn ids<'k>(&mut self, keys: impl IntoIterator<Item = &'k str>) -> Result<Vec<FileId>, Error> {
        self.write(|transaction| keys.into_iter().map(|key| id_of(transaction, key)).collect())
    }

    /// Stores the rows of some files and drops those of others, all or nothing.
    pub(crate) fn put<'k>(
        &mut self,
        table: Table,
        rows: impl IntoIterator<Item = (&'k str, &'k CacheRow)>,
        gone: impl IntoIterator<Item = &'k str>,
    ) -> Result<(), Error> {
        self.write(|transaction| put(transaction, table, rows, gone))
    }

    fn write<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, Error> {
        let run = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let outcome = work(&transaction)?;
            transaction.commit()?;
            Ok(outcome)
        };
        run().map_err(|error| failure(&self.path, &error))
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        failure(&self.path, error)
    }
}

impl Table {
    const ALL: [Self; 4] = [Self::Accounts, Self::Profiles, Self::Heads, Self::Texts];

    fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Profiles => "profiles",
            Self::Heads => "heads",
            Self::Texts => "texts",
        }
    }
}

fn put<'k>(
    transaction: &Transaction<'_>,
    table: Table,
    rows: impl IntoIterator<Item = (&'k str, &'k CacheRow)>,
    gone: impl IntoIterator<Item = &'k str>,
) -> rusqlite::Result<()> {
    let name = table.name();
    let mut insert = transaction.prepare(&format!(
        "INSERT OR REPLACE INTO {name} (file, fingerprint, checksum, body, state) VALUES (?1, ?2, ?3, ?4, ?5)"
    ))?;
    for (key, row) in rows {
        let id = id_to(id_of(transaction, key)?);
        let sum = checksum(key, &row.fingerprint, &row.body);
        insert.execute(params![id, row.fingerprint, sum, row.body, with_checksum(&row.state)])?;
    }
    let of_key = format!("DELETE FROM {name} WHERE file = (SELECT id FROM files WHERE key = ?1)");
    let mut delete = transaction.prepare(&of_key)?;
    gone.into_iter().try_for_each(|key| delete.execute([key]).map(drop))
}

fn id_of(transaction: &Transaction<'_>, key: &str) -> rusqlite::Result<FileId> {
    let mut find = transaction.prepare_cached("SELECT id FROM files WHERE key = ?1")?;
    let Some(id) = find.query_row([key], |row| row.get::<_, i64>(0)).optional()? else {
        return transaction.prepare_cached("INSERT INTO files (key) VALUES (?1)")?.insert([key]).map(id_from);
    };
    // SQLite found it by its list of keys, which has its own copy. A row stored under a broken key would be lost.
    let mut check = transaction.prepare_cached("SELECT key = ?2 FROM files WHERE id = ?1")?;
    match check.query_row(params![id, key], |row| row.get(0))? {
        true => Ok(id_from(id)),
        false => Err(corrupt("a key is not what it was")),
    }
}

fn id_from(stored: i64) -> FileId {
    FileId(stored.cast_unsigned())
}

fn id_to(file: FileId) -> i64 {
    file.0.cast_signed()
}

/// A state is read without its row, so it has a checksum of its own before it.
fn with_checksum(state: &[u8]) -> Vec<u8> {
    [&FixedState::default().hash_one(state).to_le_bytes()[..], state].concat()
}

/// Nothing where the checksum is wrong: then the file is read again.
fn checked(stored: &[u8]) -> Vec<u8> {
    let parts = stored.split_first_chunk();
    let sound =
        parts.filter(|(sum, state)| FixedState::default().hash_one(*state) == u64::from_le_bytes(**sum));
    sound.map(|(_, state)| state.to_vec()).unwrap_or_default()
}

/// Of a key, its number, fingerprint, body and checksum.
fn show(row: &Row<'_>, visit: impl FnOnce(RowView<'_>)) -> rusqlite::Result<()> {
    let bytes = |column| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_blob()?);
    let (key, fingerprint, body) = (row.get_ref(0)?.as_str()?, bytes(2)?, bytes(3)?);
    if checksum(key, fingerprint, body) == row.get::<_, i64>(4)? {
        visit(RowView { key, file: id_from(row.get(1)?), fingerprint, body });
    }
    Ok(())
}

/// Of all but the state.
fn checksum(key: &str, fingerprint: &[u8], body: &[u8]) -> i64 {
    FixedState::default().hash_one((key, fingerprint, body)).cast_signed()
}

fn corrupt(message: &str) -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(code, Some(message.to_owned()))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let is_strange = matches!(
        error,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::SqlInputError { .. }
    );
    is_strange
        || matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
        || matches!(error, rusqlite::Error::SqliteFailure(failure, _) if failure.code == rusqlite::ErrorCode::Unknown)
}

fn failure(path: &Path, error: &rusqlite::Error) -> Error {
    if is_damage(error) {
        Error::Damaged { path: path.to_owned(), message: error.to_string() }
    } else {
        unwritable(path, error)
    }
}

fn unwritable(path: &Path, error: &rusqlite::Error) -> Error {
    Error::Unwritable { path: path.to_owned(), message: error.to_string() }
}

#[cfg(test)]
mod tests;
