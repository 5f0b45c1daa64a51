//! The tables, and the version that they have.

use std::hash::BuildHasher;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use foldhash::quality::FixedState;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use super::{Origin, PATIENCE, corrupt};

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Counted up whenever a table or what is stored in one changes.
const VERSION: i32 = 7;

const TABLES: [&str; 4] = ["accounts", "profiles", "heads", "texts"];

/// As large as a body mostly is. Only a new database takes it.
const PAGE: u32 = 16384;

/// Makes the tables where they are missing or of another version, and says what there was. A database that is made gets
/// its journal with [`share`], once it is filled.
pub(super) fn prepare(connection: &mut Connection, path: &Path) -> rusqlite::Result<Origin> {
    connection.pragma_update(None, "page_size", PAGE)?;
    // Nothing is lost with a cache, and every row has a checksum: no need to wait for the disk.
    connection.pragma_update(None, "synchronous", "off")?;
    let is_made = has_tables(connection, path)?;
    if !is_made {
        connection.pragma_update(None, "journal_mode", "memory")?;
    }
    let is_current = stored(connection)? == version();
    if is_made || is_current {
        share(connection)?;
    }
    if is_current {
        return Ok(Origin::Kept);
    }
    // Another process may have been quicker.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let stored = stored(&transaction)?;
    if stored != version() {
        make(&transaction)?;
    }
    transaction.commit()?;
    Ok(match stored {
        0 => Origin::New,
        stored if stored == version() => {
            share(connection)?;
            Origin::Kept
        }
        _ => Origin::OtherVersion,
    })
}

fn make(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for table in TABLES.iter().chain(&["engine", "pending", "files", "roll"]) {
        transaction.execute_batch(&format!("DROP TABLE IF EXISTS {table};"))?;
    }
    transaction.execute_batch(
        "CREATE TABLE files (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
         CREATE TABLE engine (name TEXT NOT NULL, identity TEXT);
         CREATE TABLE pending (file INTEGER PRIMARY KEY);
         CREATE TABLE roll (edition INTEGER NOT NULL, body BLOB);
         INSERT INTO roll (edition) VALUES (random() / 2);",
    )?;
    for table in TABLES {
        transaction.execute_batch(&format!(
            "CREATE TABLE {table} (file INTEGER PRIMARY KEY, stamp BLOB NOT NULL, checksum INTEGER NOT NULL,
             body BLOB NOT NULL, state BLOB NOT NULL);"
        ))?;
    }
    transaction.pragma_update(None, "user_version", version())
}

/// From now on several processes may read and write at the same time, and none leaves anything half written.
pub(super) fn share(connection: &Connection) -> rusqlite::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        // SQLite does not wait here itself.
        match connection.pragma_update(None, "journal_mode", "wal") {
            Err(error) if is_busy(&error) && Instant::now() < until => thread::sleep(PAUSE),
            outcome => return outcome,
        }
    }
}

pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// A transaction over a database that is still as it was made. It is written all at once and without a journal, which
/// would be as large as all of it. What is broken off is noticed: the first page, which is written first, tells how
/// many there are, and [`is_cut`] sees the rest.
pub(super) fn filling(connection: &mut Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    // No page is written before the others.
    connection.pragma_update(None, "cache_spill", false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let is_filled: bool =
        transaction.query_row("SELECT EXISTS (SELECT 1 FROM files)", [], |row| row.get(0))?;
    Ok(if is_filled { None } else { Some(transaction) })
}

/// False of a database that is yet to be made. One that was broken off is an error.
fn has_tables(connection: &mut Connection, path: &Path) -> rusqlite::Result<bool> {
    // As long as this reads, nobody fills it.
    let reading = connection.transaction()?;
    let has_tables =
        reading.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_master)", [], |row| row.get(0))?;
    if is_cut(&reading, path)? {
        return Err(corrupt("it ends within a page"));
    }
    Ok(has_tables)
}

/// Whether a database without a journal ends within a page, which SQLite takes for a whole one. The file is not opened:
/// to close it would take SQLite's locks on it.
fn is_cut(reading: &Transaction<'_>, path: &Path) -> rusqlite::Result<bool> {
    let journal: String = reading.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    let len = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    Ok(journal != "wal" && !len.is_multiple_of(PAGE.into()))
}

fn stored(connection: &Connection) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Checksums are part of it: another way of making them is another version.
fn version() -> i32 {
    let way = FixedState::default().hash_one("steno") & 0xf_ffff;
    i32::try_from(way).unwrap_or_default() + (VERSION << 20)
}
