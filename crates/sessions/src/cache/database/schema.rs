//! The tables, and their version.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use steno_index::Origin;

use super::Table;

/// Incremented whenever a table, or the content of its rows, changes.
const VERSION: i32 = 10;

/// Rows are long. Only a new database takes the size.
const PAGE: u32 = 16_384;

/// Makes the tables where they are missing or of another version, and says what there was.
pub(super) fn prepare(connection: &mut Connection) -> rusqlite::Result<Origin> {
    connection.pragma_update(None, "page_size", PAGE)?;
    // A cache may lose its last rows in a power failure: no need to wait for the disk.
    connection.pragma_update(None, "synchronous", "off")?;
    if stored(connection)? == version() {
        return Ok(Origin::Kept);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    // Another process may have made them meanwhile.
    let origin = match stored(&transaction)? {
        stored if stored == version() => Origin::Kept,
        0 => Origin::New,
        _ => Origin::OtherVersion,
    };
    if origin != Origin::Kept {
        make(&transaction)?;
    }
    transaction.commit()?;
    Ok(origin)
}

fn make(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for table in Table::ALL.map(Table::name).iter().chain(&["engine", "pending", "files"]) {
        transaction.execute_batch(&format!("DROP TABLE IF EXISTS {table};"))?;
    }
    transaction.execute_batch(
        "CREATE TABLE files (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
         CREATE TABLE engine (name TEXT NOT NULL, identity TEXT);
         CREATE TABLE pending (file INTEGER PRIMARY KEY);",
    )?;
    for table in Table::ALL.map(Table::name) {
        transaction.execute_batch(&format!(
            "CREATE TABLE {table} (file INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL, checksum INTEGER NOT NULL,
             body BLOB NOT NULL, state BLOB NOT NULL);"
        ))?;
    }
    transaction.pragma_update(None, "user_version", version())
}

fn stored(connection: &Connection) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Depends on how checksums are computed, too: rows with other checksums are of another version.
fn version() -> i32 {
    let way = FixedState::default().hash_one("steno") & 0xf_ffff;
    i32::try_from(way).unwrap_or_default() + (VERSION << 20)
}
