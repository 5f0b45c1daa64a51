//! What is known of each file → rows of a database, and back.
//!
//! A row is believed only where its checksum is right: the database notices a broken page, not a broken byte in it.

mod roll;
mod schema;
mod texts;

use std::fs;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::time::Duration;

use foldhash::quality::FixedState;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::error::Error;
use crate::private;

pub use roll::Edition;

/// The name of the database in the index's directory.
const DATABASE: &str = "rows.db";
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file by a number that stays the same as long as the index does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u64);

impl FileId {
    fn of(stored: i64) -> Self {
        Self(stored.cast_unsigned())
    }

    fn stored(self) -> i64 {
        self.0.cast_signed()
    }
}

/// What kinds of things are known of files.
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

/// One thing that is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Known {
    /// Says which content of the file it was made of.
    pub stamp: Vec<u8>,
    pub body: Vec<u8>,
    /// What is needed to read on where the file grew; empty where nothing is.
    pub state: Vec<u8>,
}

/// A row as it stands in a table, without its state.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'r> {
    pub key: &'r str,
    pub file: FileId,
    pub stamp: &'r [u8],
    pub body: &'r [u8],
}

/// Where an index comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was there.
    Kept,
    /// There was none.
    New,
    /// There was one of another version.
    OtherVersion,
    /// There was one that could not be read.
    Damaged,
}

/// The rows of an index. Several processes may have them open.
#[derive(Debug)]
pub struct Rows {
    connection: Connection,
    path: PathBuf,
    /// It was made just now, and is to be filled.
    is_new: bool,
    /// Others may write at the same time.
    is_shared: bool,
}

impl Rows {
    /// The rows in a directory, which is made where it is missing. Rows of another version, or that cannot be read, are
    /// dropped.
    pub fn open(directory: &Path) -> Result<(Self, Origin), Error> {
        private::directory(directory)?;
        let path = directory.join(DATABASE);
        match Self::try_open(&path) {
            Ok(opened) => Ok(opened),
            Err(error) if is_damage(&error) => {
                Self::remove(directory)?;
                let (rows, _) = Self::try_open(&path).map_err(|error| unwritable(&path, &error))?;
                Ok((rows, Origin::Damaged))
            }
            Err(error) => Err(unwritable(&path, &error)),
        }
    }

    /// Drops everything, whatever its state.
    pub fn remove(directory: &Path) -> Result<(), Error> {
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
        let before = schema::prepare(&mut connection, path)?;
        let is_new = before == Origin::New;
        Ok((Self { connection, path: path.to_owned(), is_new, is_shared: !is_new }, before))
    }

    /// Shows every row of a table that is sound.
    pub fn each(&self, table: Table, mut visit: impl FnMut(Seen<'_>)) -> Result<(), Error> {
        let name = table.name();
        let mut read = || {
            let mut statement = self.connection.prepare(&format!(
                "SELECT files.key, files.id, known.stamp, known.body, known.checksum \
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

    /// Shows the row of one file, if there is one that is sound.
    pub fn see(&self, table: Table, key: &str, visit: impl FnOnce(Seen<'_>)) -> Result<(), Error> {
        let name = table.name();
        let read = || {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT files.key, files.id, known.stamp, known.body, known.checksum \
                 FROM files JOIN {name} AS known ON known.file = files.id WHERE files.key = ?1"
            ))?;
            let mut rows = statement.query([key])?;
            rows.next()?.map_or(Ok(()), |row| show(row, visit))
        };
        read().map_err(|error| self.failed(&error))
    }

    /// What a table knows of one file, its state included.
    pub fn get(&self, table: Table, key: &str) -> Result<Option<(FileId, Known)>, Error> {
        let name = table.name();
        let read = || {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT files.id, known.stamp, known.body, known.state, known.checksum \
                 FROM files JOIN {name} AS known ON known.file = files.id WHERE files.key = ?1"
            ))?;
            let row = statement.query_row([key], |row| {
                let known = Known { stamp: row.get(1)?, body: row.get(2)?, state: row.get(3)? };
                Ok((FileId::of(row.get(0)?), known, row.get::<_, i64>(4)?))
            });
            row.optional()
        };
        let found = read().map_err(|error| self.failed(&error))?;
        let sound = found.filter(|(_, known, sum)| checksum(key, &known.stamp, &known.body) == *sum);
        Ok(sound.map(|(id, known, _)| (id, Known { state: opened(&known.state), ..known })))
    }

    /// The numbers of files, new ones for those that have none.
    pub fn ids<'k>(&mut self, keys: impl IntoIterator<Item = &'k str>) -> Result<Vec<FileId>, Error> {
        self.write(|transaction| keys.into_iter().map(|key| id_of(transaction, key)).collect())
    }

    /// Remembers what is known of some files and forgets it of others, all or nothing.
    pub fn put<'k>(
        &mut self,
        table: Table,
        known: impl IntoIterator<Item = (&'k str, &'k Known)>,
        gone: impl IntoIterator<Item = &'k str>,
    ) -> Result<(), Error> {
        let name = table.name();
        let known: Vec<(&str, &Known)> = known.into_iter().collect();
        let gone: Vec<&str> = gone.into_iter().collect();
        if std::mem::take(&mut self.is_new) && self.fill(name, &known, &gone)? {
            return Ok(());
        }
        self.write(|transaction| put(transaction, name, known, gone))
    }

    /// Fills what was just made; false where another process was quicker.
    fn fill(&mut self, name: &str, known: &[(&str, &Known)], gone: &[&str]) -> Result<bool, Error> {
        let path = self.path.clone();
        let mut run = || match schema::filling(&mut self.connection)? {
            None => Ok(false),
            Some(transaction) => {
                put(&transaction, name, known.iter().copied(), gone.iter().copied())?;
                transaction.commit().map(|()| true)
            }
        };
        let is_filled = run().map_err(|error| failure(&path, &error))?;
        if is_filled {
            // What is written is; whoever writes next tries again.
            self.is_shared = schema::share(&self.connection).is_ok();
        }
        Ok(is_filled)
    }

    fn write<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, Error> {
        let path = self.path.clone();
        self.is_new = false;
        let run = || {
            if !self.is_shared {
                schema::share(&self.connection)?;
                self.is_shared = true;
            }
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let outcome = work(&transaction)?;
            transaction.commit()?;
            Ok(outcome)
        };
        run().map_err(|error| failure(&path, &error))
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        failure(&self.path, error)
    }
}

impl Table {
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
    name: &str,
    known: impl IntoIterator<Item = (&'k str, &'k Known)>,
    gone: impl IntoIterator<Item = &'k str>,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare(&format!(
        "INSERT OR REPLACE INTO {name} (file, stamp, checksum, body, state) VALUES (?1, ?2, ?3, ?4, ?5)"
    ))?;
    let is_first = transaction.query_row("SELECT NOT EXISTS (SELECT 1 FROM files)", [], |row| row.get(0))?;
    // In the order of their keys they find their places faster.
    let mut known: Vec<(&str, &Known)> = known.into_iter().collect();
    known.sort_by_key(|(key, _)| *key);
    known.dedup_by_key(|(key, _)| *key);
    for (key, known) in known {
        let id = if is_first { new_id(transaction, key)? } else { id_of(transaction, key)? };
        let sum = checksum(key, &known.stamp, &known.body);
        insert.execute(params![id.stored(), known.stamp, sum, known.body, sealed(&known.state)])?;
    }
    if name == Table::Texts.name() {
        roll::forget(transaction)?;
    }
    let of_key = format!("DELETE FROM {name} WHERE file = (SELECT id FROM files WHERE key = ?1)");
    let mut delete = transaction.prepare(&of_key)?;
    gone.into_iter().try_for_each(|key| delete.execute([key]).map(drop))
}

fn id_of(transaction: &Transaction<'_>, key: &str) -> rusqlite::Result<FileId> {
    let mut find = transaction.prepare_cached("SELECT id FROM files WHERE key = ?1")?;
    if let Some(id) = find.query_row([key], |row| row.get::<_, i64>(0)).optional()? {
        // It was found by a list of keys, which has its own bytes. What is remembered under another key is lost for good.
        let mut check = transaction.prepare_cached("SELECT key = ?2 FROM files WHERE id = ?1")?;
        return match check.query_row(params![id, key], |row| row.get(0))? {
            true => Ok(FileId::of(id)),
            false => Err(corrupt("a key is not what it was")),
        };
    }
    new_id(transaction, key)
}

/// Of a file that has none.
fn new_id(transaction: &Transaction<'_>, key: &str) -> rusqlite::Result<FileId> {
    // RETURNING makes a table of its own for each.
    transaction.prepare_cached("INSERT INTO files (key) VALUES (?1)")?.insert([key]).map(FileId::of)
}

/// A state is read without its row, and has a checksum of its own before it.
fn sealed(state: &[u8]) -> Vec<u8> {
    [&FixedState::default().hash_one(state).to_le_bytes()[..], state].concat()
}

/// Nothing where the checksum is wrong: then the file is read again.
fn opened(sealed: &[u8]) -> Vec<u8> {
    let parts = sealed.split_first_chunk();
    let sound =
        parts.filter(|(sum, state)| FixedState::default().hash_one(*state) == u64::from_le_bytes(**sum));
    sound.map(|(_, state)| state.to_vec()).unwrap_or_default()
}

/// Of a key, its number, stamp, body and checksum.
fn show(row: &Row<'_>, visit: impl FnOnce(Seen<'_>)) -> rusqlite::Result<()> {
    let bytes = |column| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_blob()?);
    let (key, stamp, body) = (row.get_ref(0)?.as_str()?, bytes(2)?, bytes(3)?);
    if checksum(key, stamp, body) == row.get::<_, i64>(4)? {
        visit(Seen { key, file: FileId::of(row.get(1)?), stamp, body });
    }
    Ok(())
}

/// Of all but the state.
fn checksum(key: &str, stamp: &[u8], body: &[u8]) -> i64 {
    FixedState::default().hash_one((key, stamp, body)).cast_signed()
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
