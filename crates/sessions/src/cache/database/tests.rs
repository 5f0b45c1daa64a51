//! Database that are there again, and what damage does to them.

use std::collections::BTreeMap;

use super::*;

fn known(body: &str) -> CacheRow {
    CacheRow { fingerprint: b"stamp".to_vec(), body: body.as_bytes().to_vec(), state: b"state".to_vec() }
}

fn put(rows: &mut Database, key: &str, body: &str) {
    rows.put(Table::Accounts, [(key, &known(body))], []).unwrap();
}

/// The bodies in a table, by their keys.
fn bodies(rows: &Database, table: Table) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut all = BTreeMap::new();
    rows.each(table, |seen| drop(all.insert(seen.key.to_owned(), seen.body.to_owned())))?;
    Ok(all)
}

#[test]
fn what_is_put_is_there_again() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, origin) = Database::open(&home.path().join("index")).unwrap();
    assert_eq!(origin, Origin::New);
    put(&mut rows, "a", "one");
    put(&mut rows, "b", "two");
    put(&mut rows, "a", "three");
    drop(rows);
    let (mut rows, origin) = Database::open(&home.path().join("index")).unwrap();
    assert_eq!(origin, Origin::Kept);
    let known_now = [("a", "three"), ("b", "two")].map(|(key, body)| (key.to_owned(), body.into()));
    assert_eq!(bodies(&rows, Table::Accounts).unwrap(), known_now.into());
    assert_eq!(rows.get(Table::Accounts, "a").unwrap().unwrap().1, known("three"));
    assert!(bodies(&rows, Table::Profiles).unwrap().is_empty());
    rows.put(Table::Accounts, [], ["a", "missing"]).unwrap();
    assert_eq!(rows.get(Table::Accounts, "a").unwrap(), None);
}

#[test]
fn a_file_keeps_its_number_and_no_other_gets_it() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    let ids = rows.ids(["a", "b", "a"]).unwrap();
    assert!(ids[0] == ids[2] && ids[0] != ids[1]);
    rows.mark_pending(&ids).unwrap();
    assert_eq!(rows.pending().unwrap().len(), 2);
    let engine = rows.engine().unwrap();
    assert_eq!(rows.pending().unwrap(), [], "of no engine");
    rows.mark_pending(&ids).unwrap();
    rows.put_texts((&engine, "one"), [("a", &known("text"))], []).unwrap();
    assert_eq!(rows.pending().unwrap(), []);
    assert_eq!(rows.get(Table::Texts, "a").unwrap().unwrap().0, ids[0]);
}

#[test]
fn rows_of_another_version_are_dropped() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    rows.connection.pragma_update(None, "user_version", 77).unwrap();
    drop(rows);
    let (rows, origin) = Database::open(home.path()).unwrap();
    assert_eq!((origin, bodies(&rows, Table::Accounts).unwrap().len()), (Origin::OtherVersion, 0));
}

#[test]
fn a_row_with_a_broken_byte_is_none() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    rows.connection.execute("UPDATE accounts SET body = x'00'", []).unwrap();
    assert!(bodies(&rows, Table::Accounts).unwrap().is_empty());
    assert_eq!(rows.get(Table::Accounts, "a").unwrap(), None);
}

/// Whatever is done to the bytes of a database: it opens, perhaps empty, or says that it is damaged and opens then.
#[test]
fn no_damage_stops_it_or_makes_it_lie() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    let many: Vec<(String, CacheRow)> =
        (0..300).map(|n| (format!("key {n}"), known(&"x".repeat(n)))).collect();
    rows.put(Table::Accounts, many.iter().map(|(key, known)| (key.as_str(), known)), []).unwrap();
    drop(rows);
    let path = home.path().join(DATABASE);
    let whole = fs::read(&path).unwrap();
    for step in 0..200 {
        let mut bytes = whole.clone();
        let place = step * 7919 * 13 % bytes.len();
        if step % 3 == 0 {
            bytes.truncate(place);
        } else {
            bytes[place..].iter_mut().take(64).for_each(|byte| *byte ^= 0x5a);
        }
        Database::remove(home.path()).unwrap();
        fs::write(&path, &bytes).unwrap();
        let (rows, _) = Database::open(home.path()).unwrap();
        let Ok(all) = bodies(&rows, Table::Accounts) else { continue };
        for (key, found) in all {
            let original = many.iter().find(|(known, _)| *known == key);
            assert!(original.is_none_or(|(_, known)| known.body == found), "step {step}");
        }
    }
}

#[test]
fn several_processes_write_at_once() {
    let home = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = home.path();
            scope.spawn(move || {
                for round in 0..20 {
                    let (mut rows, _) = Database::open(path).unwrap();
                    put(&mut rows, &format!("{thread} {round}"), "body");
                }
            });
        }
    });
    assert_eq!(bodies(&Database::open(home.path()).unwrap().0, Table::Accounts).unwrap().len(), 80);
}

#[test]
fn what_was_said_of_another_engine_does_not_count() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    let old = rows.engine().unwrap();
    assert_eq!(rows.engine().unwrap(), old);
    rows.put_texts((&old, "one"), [("a", &known("text"))], []).unwrap();
    assert_eq!(rows.engine_identity().unwrap().as_deref(), Some("one"));
    let new = rows.renew_engine(&old).unwrap();
    assert_eq!(rows.engine_identity().unwrap(), None);
    assert!(new != old && bodies(&rows, Table::Texts).unwrap().is_empty());
    assert_eq!(rows.renew_engine(&old).unwrap(), new, "another process was quicker");
    rows.put_texts((&old, "one"), [("a", &known("text"))], []).unwrap();
    assert!(bodies(&rows, Table::Texts).unwrap().is_empty());
}

#[test]
fn a_state_with_a_broken_byte_is_none() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    let break_one =
        "UPDATE accounts SET state = CAST(substr(state, 1, 9) || x'00' || substr(state, 11) AS BLOB)";
    rows.connection.execute(break_one, []).unwrap();
    let (_, found) = rows.get(Table::Accounts, "a").unwrap().unwrap();
    assert_eq!((&found.body[..], &found.state[..]), (&b"one"[..], &b""[..]));
}

#[test]
fn a_column_of_another_kind_is_damage() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Database::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    for (column, table) in [("fingerprint", "accounts"), ("body", "accounts"), ("key", "files")] {
        let strange = if column == "key" { "x'ff'" } else { "12345" };
        rows.connection.execute(&format!("UPDATE {table} SET {column} = {strange}"), []).unwrap();
        let (all, one) = (bodies(&rows, Table::Accounts), rows.get(Table::Accounts, "a"));
        assert!(matches!(all, Err(Error::Damaged { .. })), "{column}: {all:?}");
        assert!(column == "key" || matches!(one, Err(Error::Damaged { .. })), "{column}: {one:?}");
    }
}

/// Database as a first look at a home makes them: of many lengths, some longer than a page.
fn many() -> Vec<(String, CacheRow)> {
    (0..100_usize)
        .map(|number| (format!("file {number}"), known(&"x".repeat(number * 97 % 40_000))))
        .collect()
}

#[test]
fn two_that_make_an_index_at_the_same_time_both_remember() {
    let home = tempfile::tempdir().unwrap();
    let barrier = std::sync::Barrier::new(4);
    let remember = |number: usize| {
        barrier.wait();
        let (mut rows, origin) = Database::open(home.path()).unwrap();
        for (key, known) in many().iter().take(20) {
            rows.put(Table::Accounts, [(format!("{number} {key}").as_str(), known)], []).unwrap();
        }
        origin
    };
    let origins = std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|number| scope.spawn(move || remember(number))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(origins.iter().filter(|origin| **origin == Origin::New).count(), 1, "{origins:?}");
    let (rows, origin) = Database::open(home.path()).unwrap();
    assert_eq!((origin, bodies(&rows, Table::Accounts).unwrap().len()), (Origin::Kept, 80));
}

#[test]
fn a_key_with_a_broken_byte_loses_nothing_for_good() {
    let home = tempfile::tempdir().unwrap();
    let key = "a-key-that-stands-nowhere-else";
    let (mut rows, _) = Database::open(home.path()).unwrap();
    put(&mut rows, key, "one");
    drop(rows);
    let database = home.path().join(DATABASE);
    let whole = fs::read(&database).unwrap();
    let places: Vec<usize> = memchr::memmem::find_iter(&whole, key).collect();
    assert!(places.len() >= 2, "in the table, and in the list of keys");
    for place in places {
        let mut bytes = whole.clone();
        bytes[place + 3] ^= 1;
        Database::remove(home.path()).unwrap();
        fs::write(&database, bytes).unwrap();
        let again = |rows: &mut Database| rows.put(Table::Accounts, [(key, &known("two"))], []);
        let (mut rows, _) = Database::open(home.path()).unwrap();
        if let Err(error) = again(&mut rows) {
            assert!(matches!(error, Error::Damaged { .. }), "{error}");
            drop(rows);
            Database::remove(home.path()).unwrap();
            rows = Database::open(home.path()).unwrap().0;
            again(&mut rows).unwrap();
        }
        assert_eq!(bodies(&rows, Table::Accounts).unwrap().get(key).map(Vec::as_slice), Some(&b"two"[..]));
    }
}
