//! The tables, and the version that they have.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use rusqlite::{Connection, TransactionBehavior};

use super::Origin;

/// Counted up whenever a table or what is stored in one changes.
const VERSION: i32 = 5;

const TABLES: [&str; 4] = ["accounts", "profiles", "heads", "texts"];

/// Makes the tables where they are missing or of another version, and says what there was.
pub(super) fn prepare(connection: &mut Connection) -> rusqlite::Result<Origin> {
    // Bodies are kilobytes. Only a new database takes it.
    connection.pragma_update(None, "page_size", 16384)?;
    // Nothing is lost with a cache, and every row has a checksum: no need to wait for the disk. Said first, since to
    // change the journal is a write, too.
    connection.pragma_update(None, "synchronous", "off")?;
    connection.pragma_update(None, "journal_mode", "wal")?;
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

fn stored(connection: &Connection) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Checksums are part of it: another way of making them is another version.
fn version() -> i32 {
    let way = FixedState::default().hash_one("steno") & 0xf_ffff;
    i32::try_from(way).unwrap_or_default() + (VERSION << 20)
}
