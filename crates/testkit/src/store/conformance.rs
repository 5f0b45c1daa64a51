//! What the vault expects of a store, one promise after the other.

use steno_vault::{Entry, Error, Existing, Store};

/// Everything that the vault expects of a store. `make` gives an empty one each time.
pub fn conformance(make: impl Fn() -> Box<dyn Store>) {
    for promise in [
        what_is_put_is_there,
        nothing_is_there_before_the_commit,
        a_dropped_batch_leaves_nothing,
        what_is_withdrawn_was_never_put,
        what_is_removed_is_gone,
        what_is_there_is_refused,
        what_is_there_is_replaced,
        a_removal_comes_after_what_is_put,
        odd_names_are_names,
        bad_names_are_refused,
        a_list_is_ordered_and_ends_at_names,
        threads_share_a_batch,
        an_open_reader_reads_on,
    ] {
        promise(make().as_ref());
    }
}

fn put(store: &dyn Store, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let batch = store.batch()?;
    batch.put(name, bytes, Existing::Refuse)?;
    batch.commit()
}

fn names(store: &dyn Store, below: &str) -> Vec<String> {
    store.list(below).unwrap().into_iter().map(|entry| entry.name).collect()
}

fn what_is_put_is_there(store: &dyn Store) {
    assert_eq!(names(store, ""), [""; 0], "a new store is empty");
    let large: Vec<u8> = (0..3_u32 << 18).flat_map(u32::to_le_bytes).collect();
    for bytes in [b"".as_slice(), b"bytes", &large] {
        let name = format!("deep/er/{}", bytes.len());
        put(store, &name, bytes).unwrap();
        assert!(store.read(&name).unwrap() == bytes, "{name}");
        let listed = store.list("deep").unwrap();
        let is_listed = |entry: &Entry| (&entry.name, entry.len) == (&name, bytes.len() as u64);
        assert!(listed.iter().any(is_listed), "{listed:?}");
    }
    store.batch().unwrap().commit().unwrap();
}

fn nothing_is_there_before_the_commit(store: &dyn Store) {
    let batch = store.batch().unwrap();
    batch.put("a/b", b"bytes", Existing::Refuse).unwrap();
    assert_eq!(names(store, ""), [""; 0]);
    assert!(matches!(store.open("a/b").err(), Some(Error::Missing { .. })));
    batch.commit().unwrap();
    assert_eq!(names(store, ""), ["a/b"]);
}

fn a_dropped_batch_leaves_nothing(store: &dyn Store) {
    put(store, "a", b"kept").unwrap();
    let batch = store.batch().unwrap();
    batch.put("b", b"bytes", Existing::Refuse).unwrap();
    batch.put("a", b"other", Existing::Replace).unwrap();
    batch.remove("a").unwrap();
    drop(batch);
    assert_eq!(names(store, ""), ["a"]);
    assert_eq!(store.read("a").unwrap(), b"kept");
}

fn what_is_withdrawn_was_never_put(store: &dyn Store) {
    let batch = store.batch().unwrap();
    batch.put("a", b"bytes", Existing::Refuse).unwrap();
    batch.put("b", b"bytes", Existing::Refuse).unwrap();
    batch.withdraw("a").unwrap();
    batch.withdraw("never put").unwrap();
    batch.commit().unwrap();
    assert_eq!(names(store, ""), ["b"]);
}

fn what_is_removed_is_gone(store: &dyn Store) {
    put(store, "a/b", b"bytes").unwrap();
    put(store, "a/c", b"bytes").unwrap();
    let batch = store.batch().unwrap();
    batch.remove("a/b").unwrap();
    batch.remove("never there").unwrap();
    assert_eq!(names(store, ""), ["a/b", "a/c"]);
    batch.commit().unwrap();
    assert_eq!(names(store, ""), ["a/c"]);
    assert!(matches!(store.open("a/b").err(), Some(Error::Missing { .. })));
    put(store, "a/b", b"again").unwrap();
    assert_eq!(store.read("a/b").unwrap(), b"again");
}

fn what_is_there_is_refused(store: &dyn Store) {
    put(store, "a", b"first").unwrap();
    let refused = put(store, "a", b"second");
    assert!(matches!(&refused, Err(Error::Exists { name }) if name == "a"), "{refused:?}");
    assert_eq!(store.read("a").unwrap(), b"first");
}

fn what_is_there_is_replaced(store: &dyn Store) {
    put(store, "a", b"first and longer").unwrap();
    for bytes in [b"second".as_slice(), b""] {
        let batch = store.batch().unwrap();
        batch.put("a", bytes, Existing::Replace).unwrap();
        batch.commit().unwrap();
        assert_eq!(store.read("a").unwrap(), bytes);
    }
}

fn a_removal_comes_after_what_is_put(store: &dyn Store) {
    put(store, "piece", b"bytes").unwrap();
    let batch = store.batch().unwrap();
    batch.remove("piece").unwrap();
    batch.put("whole", b"bytes", Existing::Refuse).unwrap();
    batch.commit().unwrap();
    assert_eq!(names(store, ""), ["whole"]);
    // A place that refuses writing refuses removal too.
    let batch = store.batch().unwrap();
    batch.put("whole", b"other", Existing::Refuse).unwrap();
    batch.remove("whole").unwrap();
    assert!(batch.commit().is_err());
    assert_eq!(store.read("whole").unwrap(), b"bytes");
}

fn odd_names_are_names(store: &dyn Store) {
    let long = "n".repeat(240);
    let mut odd = vec!["with space", "100%", "%2e%2e", "ä/日本/🦀", ".hidden", "a..b", "-dash", &long];
    // Other systems have none such.
    if cfg!(unix) {
        odd.extend(["line\nbreak", "q?*[]\"'\\"]);
    }
    for name in &odd {
        put(store, name, name.as_bytes()).unwrap();
    }
    for name in &odd {
        assert_eq!(store.read(name).unwrap(), name.as_bytes(), "{name}");
    }
    let mut ordered = odd;
    ordered.sort_unstable();
    assert_eq!(names(store, ""), ordered);
    assert_eq!(names(store, "ä"), ["ä/日本/🦀"]);
}

fn bad_names_are_refused(store: &dyn Store) {
    for name in ["", "/", "/a", "..", "../a", "a/../b", "a/..", "./a", "a\0b"] {
        let is_bad = |error: Option<Error>| matches!(error, Some(Error::BadName { .. }));
        let batch = store.batch().unwrap();
        assert!(is_bad(batch.put(name, b"bytes", Existing::Replace).err()), "put {name:?}");
        assert!(is_bad(batch.remove(name).err()), "remove {name:?}");
        batch.commit().unwrap();
        assert!(is_bad(store.open(name).err()), "open {name:?}");
        assert!(name.is_empty() || is_bad(store.list(name).err()), "list {name:?}");
    }
    assert_eq!(names(store, ""), [""; 0]);
}

fn a_list_is_ordered_and_ends_at_names(store: &dyn Store) {
    let all = ["a/1", "a/b/2", "a/b.x", "a-", "ab/3", "b"];
    for name in all {
        put(store, name, b"").unwrap();
    }
    let mut ordered = all.to_vec();
    ordered.sort_unstable();
    assert_eq!(names(store, ""), ordered);
    assert_eq!(names(store, "a"), ["a/1", "a/b.x", "a/b/2"]);
    assert_eq!(names(store, "a/b"), ["a/b/2"]);
    assert_eq!(names(store, "nothing/there"), [""; 0]);
}

fn threads_share_a_batch(store: &dyn Store) {
    let batch = store.batch().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let batch = batch.as_ref();
            scope.spawn(move || {
                for number in 0..20 {
                    let name = format!("{thread}/{number:02}");
                    batch.put(&name, name.as_bytes(), Existing::Refuse).unwrap();
                }
                batch.withdraw(&format!("{thread}/07")).unwrap();
            });
        }
    });
    batch.commit().unwrap();
    let there = names(store, "");
    assert_eq!(there.len(), 8 * 19);
    for name in there {
        assert_eq!(store.read(&name).unwrap(), name.as_bytes());
    }
}

fn an_open_reader_reads_on(store: &dyn Store) {
    put(store, "a", b"bytes").unwrap();
    let mut reader = store.open("a").unwrap();
    let batch = store.batch().unwrap();
    batch.remove("a").unwrap();
    batch.commit().unwrap();
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, b"bytes");
}
