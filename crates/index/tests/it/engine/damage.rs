//! Files that somebody cut, garbled or took away.

use std::fs;
use std::path::Path;

use steno_index::{Engine, Error, FileId, Origin, Query};

use crate::engine::ground::{Ground, files, names, question, said};

/// What became of a file.
type Damage = fn(&[u8]) -> Vec<u8>;

fn filled() -> Ground {
    let ground = Ground::new();
    for round in 0..2 {
        let texts: Vec<String> =
            (0..200).map(|number| format!("needle{number} common straw {round}")).collect();
        let passages =
            texts.iter().enumerate().map(|(number, text)| (round * 1000 + number as u64, said(text)));
        ground.feed(passages.collect());
    }
    let feeder = ground.engine.feeder(0).unwrap().unwrap();
    feeder.forget(FileId(7));
    feeder.commit().unwrap();
    ground
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in names(from) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

/// The answer is right, or there is none.
fn is_right(engine: &Engine) -> bool {
    let ask = |typed: &str| engine.search(&question(&Query::parse(typed)));
    match (ask("needle3"), ask("common")) {
        (Ok(one), Ok(all)) => {
            assert_eq!((one.files.len(), all.files.len()), (2, 399));
            true
        }
        (Err(Error::Damaged { .. }), _) | (_, Err(Error::Damaged { .. })) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_is_checked_and_kept() {
    let ground = filled();
    let other = tempfile::tempdir().unwrap();
    copy(&ground.inside(), &other.path().join("text"));
    let (engine, origin) = Engine::open(other.path()).unwrap();
    assert_eq!(origin, Origin::Kept);
    assert!(is_right(&engine));
}

#[test]
fn whatever_file_is_damaged_no_answer_is_wrong() {
    let ground = filled();
    let cut: Damage = |bytes| bytes[..bytes.len() / 2].to_vec();
    let emptied: Damage = |_| Vec::new();
    let garbled: Damage = |bytes| bytes.iter().map(|byte| byte ^ 0x5a).collect();
    let flipped: Damage = |bytes| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        if let Some(byte) = bytes.get_mut(middle) {
            *byte ^= 1;
        }
        bytes
    };
    let ways: [(&str, Damage); 4] =
        [("cut", cut), ("emptied", emptied), ("garbled", garbled), ("flipped", flipped)];
    let other = tempfile::tempdir().unwrap();
    let inside = other.path().join("text");
    for name in names(&ground.inside()) {
        for (way, damage) in ways {
            let _ = fs::remove_dir_all(&inside);
            copy(&ground.inside(), &inside);
            let whole = fs::read(inside.join(&name)).unwrap();
            fs::write(inside.join(&name), damage(&whole)).unwrap();
            let (engine, origin) = Engine::open(other.path()).unwrap();
            match origin {
                Origin::Kept => assert!(is_right(&engine), "{name} {way}"),
                Origin::Damaged | Origin::OtherVersion => {
                    assert_eq!(files(&engine, "common"), [0; 0], "{name} {way}");
                }
                Origin::New => panic!("{name} {way}"),
            }
            if !name.ends_with(".json") && !whole.is_empty() {
                assert_eq!(origin, Origin::Damaged, "{name} {way}");
            }
        }
    }
}

#[test]
fn a_missing_file_is_damage() {
    let ground = filled();
    for name in names(&ground.inside()) {
        let other = tempfile::tempdir().unwrap();
        copy(&ground.inside(), &other.path().join("text"));
        fs::remove_file(other.path().join("text").join(&name)).unwrap();
        let (engine, origin) = Engine::open(other.path()).unwrap();
        // Only what nobody needs may be missing.
        if origin == Origin::Kept {
            assert!(name == ".managed.json" && is_right(&engine), "{name}");
        } else {
            assert_eq!(origin, Origin::Damaged, "{name}");
        }
    }
}

#[test]
fn what_breaks_later_is_said_and_mended_by_opening_again() {
    let ground = filled();
    fs::remove_dir_all(ground.inside()).unwrap();
    assert!(!is_right(&ground.engine));
    let (engine, origin) = Engine::open(ground.directory.path()).unwrap();
    assert_eq!((origin, files(&engine, "common")), (Origin::New, vec![]));
    assert_eq!(ground.files("common"), [0; 0], "the one that was open sees the new one");
}

#[test]
fn another_version_is_thrown_away() {
    let ground = filled();
    let identity = ground.engine.identity().unwrap();
    let seal = ground.inside().join("seal.json");
    fs::write(&seal, r#"{"version":999999,"anything":["else"]}"#).unwrap();
    let (engine, origin) = Engine::open(ground.directory.path()).unwrap();
    assert_eq!((origin, files(&engine, "common")), (Origin::OtherVersion, vec![]));
    let (again, origin) = Engine::open(ground.directory.path()).unwrap();
    assert_eq!(origin, Origin::Kept);
    assert_eq!(again.identity().unwrap(), engine.identity().unwrap());
    assert_ne!(again.identity().unwrap(), identity);
}

#[test]
fn where_nothing_can_be_written_is_said() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("text"), "a file in the way").unwrap();
    assert!(matches!(Engine::open(directory.path()), Err(Error::Unwritable { .. })));
}
