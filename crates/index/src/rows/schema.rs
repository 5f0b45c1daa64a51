//! The tables, and the version that they have.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::Origin;

/// Counted up whenever a table or what is stored in one changes.
const VERSION: i32 = 5;

const TABLES: [&str; 4] = ["accounts", "profiles", "heads", "texts"];

/// Makes the tables where they are missing or of another version, and says what there was. A database that is made gets
/// its journal with [`share`], once it is filled.
pub(super) fn prepare(connection: &mut Connection) -> rusqlite::Result<Origin> {
    // Bodies are kilobytes. Only a new database takes it.
    connection.pragma_update(None, "page_size", 16384)?;
    // Nothing is lost with a cache, and every row has a checksum: no need to wait for the disk.
    connection.pragma_update(None, "synchronous", "off")?;
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    if pages > 0 {
        share(connection)?;
    } else {
        connection.pragma_update(None, "journal_mode", "memory")?;
    }
    if stored(connection)? == version() {
        return Ok(Origin::Kept);
    }
    // Another process may have been quicker.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let stored = stored(&transaction)?;
    if stored != version() {
        for table in TABLES.iter().chain(&["engine", "pending", "files"]) {
            transaction.execute_batch(&format!("DROP TABLE IF EXISTS {table};"))?;
        }
        transaction.execute_batch(
            "CREATE TABLE files (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
             CREATE TABLE engine (name TEXT NOT NULL, identity TEXT);
             CREATE TABLE pending (file INTEGER PRIMARY KEY);",
        )?;
        for table in TABLES {
            transaction.execute_batch(&format!(
                "CREATE TABLE {table} (file INTEGER PRIMARY KEY, stamp BLOB NOT NULL, checksum INTEGER NOT NULL,
                 body BLOB NOT NULL, state BLOB NOT NULL);"
            ))?;
        }
        transaction.pragma_update(None, "user_version", version())?;
    }
    transaction.commit()?;
    Ok(match stored {
        0 => Origin::New,
        stored if stored == version() => Origin::Kept,
        _ => Origin::OtherVersion,
    })
}

/// From now on several processes may read and write at the same time, and none leaves anything half written.
pub(super) fn share(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "wal")
}

/// Writes into a database that was just made, all at once and without a journal, which would be as large as all of it.
/// What is broken off is noticed: the first page, which is written first, tells how many there are.
pub(super) fn fill<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    // No page is written before the others.
    connection.pragma_update(None, "cache_spill", false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let outcome = work(&transaction)?;
    transaction.commit()?;
    connection.pragma_update(None, "cache_spill", true)?;
    share(connection)?;
    Ok(outcome)
}

fn stored(connection: &Connection) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Checksums are part of it: another way of making them is another version.
fn version() -> i32 {
    let way = FixedState::default().hash_one("steno") & 0xf_ffff;
    i32::try_from(way).unwrap_or_default() + (VERSION << 20)
}
