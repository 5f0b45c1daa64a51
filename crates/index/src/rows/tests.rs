//! Rows that are there again, and what damage does to them.

use std::collections::BTreeMap;

use super::*;

fn known(body: &str) -> Known {
    Known { stamp: b"stamp".to_vec(), body: body.as_bytes().to_vec(), state: b"state".to_vec() }
}

fn put(rows: &mut Rows, key: &str, body: &str) {
    rows.put(Table::Accounts, [(key, &known(body))], []).unwrap();
}

/// The bodies in a table, by their keys.
fn bodies(rows: &Rows, table: Table) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut all = BTreeMap::new();
    rows.each(table, |seen| drop(all.insert(seen.key.to_owned(), seen.body.to_owned())))?;
    Ok(all)
}

#[test]
fn what_is_put_is_there_again() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, origin) = Rows::open(&home.path().join("index")).unwrap();
    assert_eq!(origin, Origin::New);
    put(&mut rows, "a", "one");
    put(&mut rows, "b", "two");
    put(&mut rows, "a", "three");
    drop(rows);
    let (mut rows, origin) = Rows::open(&home.path().join("index")).unwrap();
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
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    let ids = rows.ids(["a", "b", "a"]).unwrap();
    assert!(ids[0] == ids[2] && ids[0] != ids[1]);
    rows.mark(&ids).unwrap();
    assert_eq!(rows.marked().unwrap().len(), 2);
    let engine = rows.engine().unwrap();
    assert_eq!(rows.marked().unwrap(), [], "of no engine");
    rows.mark(&ids).unwrap();
    rows.settle((&engine, "one"), [("a", &known("text"))], []).unwrap();
    assert_eq!(rows.marked().unwrap(), []);
    assert_eq!(rows.get(Table::Texts, "a").unwrap().unwrap().0, ids[0]);
}

#[test]
fn rows_of_another_version_are_dropped() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    rows.connection.pragma_update(None, "user_version", 77).unwrap();
    drop(rows);
    let (rows, origin) = Rows::open(home.path()).unwrap();
    assert_eq!((origin, bodies(&rows, Table::Accounts).unwrap().len()), (Origin::OtherVersion, 0));
}

#[test]
fn a_row_with_a_broken_byte_is_none() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    rows.connection.execute("UPDATE accounts SET body = x'00'", []).unwrap();
    assert!(bodies(&rows, Table::Accounts).unwrap().is_empty());
    assert_eq!(rows.get(Table::Accounts, "a").unwrap(), None);
}

/// Whatever is done to the bytes of a database: it opens, perhaps empty, or says that it is damaged and opens then.
#[test]
fn no_damage_stops_it_or_makes_it_lie() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    let many: Vec<(String, Known)> = (0..300).map(|n| (format!("key {n}"), known(&"x".repeat(n)))).collect();
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
        Rows::remove(home.path()).unwrap();
        fs::write(&path, &bytes).unwrap();
        let (rows, _) = Rows::open(home.path()).unwrap();
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
                    let (mut rows, _) = Rows::open(path).unwrap();
                    put(&mut rows, &format!("{thread} {round}"), "body");
                }
            });
        }
    });
    assert_eq!(bodies(&Rows::open(home.path()).unwrap().0, Table::Accounts).unwrap().len(), 80);
}

#[test]
fn what_was_said_of_another_engine_does_not_count() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    let old = rows.engine().unwrap();
    assert_eq!(rows.engine().unwrap(), old);
    rows.settle((&old, "one"), [("a", &known("text"))], []).unwrap();
    assert_eq!(rows.engine_identity().unwrap().as_deref(), Some("one"));
    let new = rows.renew_engine(&old).unwrap();
    assert_eq!(rows.engine_identity().unwrap(), None);
    assert!(new != old && bodies(&rows, Table::Texts).unwrap().is_empty());
    assert_eq!(rows.renew_engine(&old).unwrap(), new, "another process was quicker");
    rows.settle((&old, "one"), [("a", &known("text"))], []).unwrap();
    assert!(bodies(&rows, Table::Texts).unwrap().is_empty());
}

#[test]
fn a_state_with_a_broken_byte_is_none() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
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
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    put(&mut rows, "a", "one");
    for (column, table) in [("stamp", "accounts"), ("body", "accounts"), ("key", "files")] {
        let strange = if column == "key" { "x'ff'" } else { "12345" };
        rows.connection.execute(&format!("UPDATE {table} SET {column} = {strange}"), []).unwrap();
        let (all, one) = (bodies(&rows, Table::Accounts), rows.get(Table::Accounts, "a"));
        assert!(matches!(all, Err(Error::Damaged { .. })), "{column}: {all:?}");
        assert!(column == "key" || matches!(one, Err(Error::Damaged { .. })), "{column}: {one:?}");
    }
}

/// Rows as a first look at a home makes them: of many lengths, some longer than a page.
fn many() -> Vec<(String, Known)> {
    (0..100_usize)
        .map(|number| (format!("file {number}"), known(&"x".repeat(number * 97 % 40_000))))
        .collect()
}

#[test]
fn wherever_the_first_filling_is_broken_off_nothing_false_is_read() {
    const PAGE: usize = 16384;
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    let before = fs::read(home.path().join(DATABASE)).unwrap();
    let many = many();
    let all = || many.iter().map(|(key, known)| (key.as_str(), known));
    rows.put(Table::Accounts, all(), []).unwrap();
    drop(rows);
    let mut after = fs::read(home.path().join(DATABASE)).unwrap();
    // As it is before others share it.
    after[18..20].copy_from_slice(&[1, 1]);
    let pages = after.len() / PAGE;
    assert!(pages > 30 && before.len() < pages * PAGE / 2, "{pages}");
    let mut whole = 0;
    for written in (0..=after.len()).step_by(PAGE / 4) {
        let mut image = after[..written].to_vec();
        image.extend(before.get(image.len()..).unwrap_or_default());
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join(DATABASE), image).unwrap();
        let (mut rows, origin) = Rows::open(place.path()).unwrap();
        let found = bodies(&rows, Table::Accounts).unwrap_or_default();
        assert!(matches!(origin, Origin::Kept | Origin::Damaged), "{written}: {origin:?}");
        assert!(found.is_empty() || found.len() == many.len(), "{written}: {}", found.len());
        whole += usize::from(!found.is_empty());
        if rows.put(Table::Accounts, all(), []).is_err() {
            // As whoever is told of damage does.
            drop(rows);
            Rows::remove(place.path()).unwrap();
            rows = Rows::open(place.path()).unwrap().0;
            rows.put(Table::Accounts, all(), []).unwrap();
        }
        assert_eq!(bodies(&rows, Table::Accounts).unwrap().len(), many.len());
    }
    assert_eq!(whole, 1, "only what is whole is believed");
}

#[test]
fn two_that_make_an_index_at_the_same_time_both_remember() {
    let home = tempfile::tempdir().unwrap();
    let barrier = std::sync::Barrier::new(4);
    let remember = |number: usize| {
        barrier.wait();
        let (mut rows, origin) = Rows::open(home.path()).unwrap();
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
    let (rows, origin) = Rows::open(home.path()).unwrap();
    assert_eq!((origin, bodies(&rows, Table::Accounts).unwrap().len()), (Origin::Kept, 80));
}

#[test]
fn what_is_noted_of_all_texts_goes_with_the_first_change() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    let engine = rows.engine().unwrap();
    let files = rows.ids(["a"]).unwrap();
    let changes: [fn(&mut Rows, &str, &[FileId]); 4] = [
        |rows, _, files| rows.mark(files).unwrap(),
        |rows, engine, _| rows.settle((engine, "one"), [], ["a"]).unwrap(),
        |rows, _, _| rows.put(Table::Texts, [("a", &known("text"))], []).unwrap(),
        |rows, engine, _| drop(rows.renew_engine(engine).unwrap()),
    ];
    for (number, change) in changes.iter().enumerate() {
        let (edition, before) = rows.roll().unwrap();
        assert_eq!(before, None, "{number}");
        rows.note_roll(edition, b"noted").unwrap();
        put(&mut rows, "a", "another table");
        assert_eq!(rows.roll().unwrap(), (edition, Some(b"noted".to_vec())), "{number}");
        change(&mut rows, &engine, &files);
        let (next, after) = rows.roll().unwrap();
        assert!(next != edition && after.is_none(), "{number}");
        rows.note_roll(edition, b"too late").unwrap();
        assert_eq!(rows.roll().unwrap(), (next, None), "{number}");
    }
}

#[test]
fn a_note_that_is_broken_or_comes_at_a_bad_time_is_none() {
    let home = tempfile::tempdir().unwrap();
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    rows.engine().unwrap();
    let (edition, _) = rows.roll().unwrap();
    let (mut other, _) = Rows::open(home.path()).unwrap();
    let writing = other.connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    rows.note_roll(edition, b"noted").unwrap();
    drop(writing);
    assert_eq!(rows.roll().unwrap(), (edition, None), "nobody waits for it");
    rows.note_roll(edition, b"noted").unwrap();
    assert!(rows.roll().unwrap().1.is_some());
    rows.connection.execute("UPDATE roll SET body = CAST(body || x'00' AS BLOB)", []).unwrap();
    assert_eq!(rows.roll().unwrap(), (edition, None));
}

#[test]
fn a_key_with_a_broken_byte_loses_nothing_for_good() {
    let home = tempfile::tempdir().unwrap();
    let key = "a-key-that-stands-nowhere-else";
    let (mut rows, _) = Rows::open(home.path()).unwrap();
    put(&mut rows, key, "one");
    drop(rows);
    let database = home.path().join(DATABASE);
    let whole = fs::read(&database).unwrap();
    let places: Vec<usize> = memchr::memmem::find_iter(&whole, key).collect();
    assert!(places.len() >= 2, "in the table, and in the list of keys");
    for place in places {
        let mut bytes = whole.clone();
        bytes[place + 3] ^= 1;
        Rows::remove(home.path()).unwrap();
        fs::write(&database, bytes).unwrap();
        let again = |rows: &mut Rows| rows.put(Table::Accounts, [(key, &known("two"))], []);
        let (mut rows, _) = Rows::open(home.path()).unwrap();
        if let Err(error) = again(&mut rows) {
            assert!(matches!(error, Error::Damaged { .. }), "{error}");
            drop(rows);
            Rows::remove(home.path()).unwrap();
            rows = Rows::open(home.path()).unwrap().0;
            again(&mut rows).unwrap();
        }
        assert_eq!(bodies(&rows, Table::Accounts).unwrap().get(key).map(Vec::as_slice), Some(&b"two"[..]));
    }
}
