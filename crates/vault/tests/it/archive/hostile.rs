//! Archives that are refused as a whole.

use steno_vault::archive::{Error, Trouble};
use tar::EntryType;

use super::*;

fn trouble(entries: &[Entry]) -> Trouble {
    let directory = TempDir::new().unwrap();
    match plan_of(&directory, &gzip(&tar(entries))) {
        Err(Error::Entry { trouble, .. }) => trouble,
        other => panic!("{:?}: {other:?}", entries.iter().map(|entry| &entry.name).collect::<Vec<_>>()),
    }
}

#[test]
fn one_bad_name_refuses_everything() {
    for (name, expected) in [
        ("/etc/cron.d/x", Trouble::Absolute),
        ("C:/x", Trouble::Absolute),
        ("../x", Trouble::Parent),
        ("agents/../../x", Trouble::Parent),
        ("", Trouble::Nameless),
        ("agents//x", Trouble::OddName),
        ("a\u{1b}[2Jb", Trouble::OddName),
    ] {
        assert_eq!(trouble(&[file("CLAUDE.md", "good"), file(name, "bad")]), expected, "{name:?}");
    }
}

#[test]
fn a_name_that_is_no_text_is_refused() {
    let mut bytes = tar(&[file("x", "bad")]);
    bytes[0] = 0xff;
    // The checksum of the header is the sum of its bytes.
    let sum: u32 =
        bytes[..148].iter().chain(&bytes[156..512]).map(|byte| u32::from(*byte)).sum::<u32>() + 8 * 32;
    bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let refused = plan_of(&TempDir::new().unwrap(), &gzip(&bytes)).unwrap_err();
    assert!(matches!(refused, Error::Entry { trouble: Trouble::OddName, .. }), "{refused}");
}

#[test]
fn only_files_and_directories_are_taken() {
    for (kind, expected) in [
        (EntryType::Symlink, Trouble::Link),
        (EntryType::Link, Trouble::Link),
        (EntryType::Char, Trouble::Device),
        (EntryType::Block, Trouble::Device),
        (EntryType::Fifo, Trouble::Pipe),
        (EntryType::XGlobalHeader, Trouble::OtherKind),
        (EntryType::new(b'V'), Trouble::OtherKind),
    ] {
        assert_eq!(trouble(&[file("CLAUDE.md", "good"), entry(kind, "agents/x", "")]), expected, "{kind:?}");
    }
}

#[test]
fn a_name_comes_once() {
    assert_eq!(trouble(&[file("a", "1"), file("a", "2")]), Trouble::Twice);
    assert_eq!(trouble(&[file("a", "1"), file("./A", "2")]), Trouble::Twice);
    assert_eq!(trouble(&[file("a", "1"), file("a/b", "2")]), Trouble::FileAndDirectory);
    assert_eq!(trouble(&[file("A/b", "1"), file("a", "2")]), Trouble::FileAndDirectory);
    assert_eq!(trouble(&[entry(EntryType::Directory, "a/", ""), file("a", "2")]), Trouble::FileAndDirectory);
}

#[test]
fn what_is_too_large_is_not_unpacked() {
    let directory = TempDir::new().unwrap();
    let large = vec![0; 100_001];
    assert_eq!(trouble(&[file("a", &large)]), Trouble::TooLarge { limit: 100_000 });
    let four: Vec<Entry> = ["a", "b", "c", "d"].map(|name| file(name, &large[..100_000])).into();
    assert!(matches!(plan_of(&directory, &gzip(&tar(&four))), Err(Error::TooManyBytes { .. })));
    let many: Vec<Entry> = (0..101).map(|number| file(&format!("f{number}"), "")).collect();
    assert!(matches!(plan_of(&directory, &gzip(&tar(&many))), Err(Error::TooManyEntries { .. })));
}

#[test]
fn a_bomb_is_put_down_at_the_limit() {
    let directory = TempDir::new().unwrap();
    let zeros = vec![0; 64 << 20];
    // Where the size is not the file's: in a name, and behind the end.
    let long_name = tar(&[entry(EntryType::GNULongName, "././@LongLink", &zeros), file("a", "")]);
    assert!(matches!(plan_of(&directory, &gzip(&long_name)), Err(Error::TooManyBytes { .. })));
    let padded = [tar(&[file("a", "1")]), zeros].concat();
    assert!(matches!(plan_of(&directory, &gzip(&padded)), Err(Error::TooManyBytes { .. })));
}

#[test]
fn a_torn_archive_is_refused_wherever_it_was_torn() {
    let directory = TempDir::new().unwrap();
    let plain = tar(&[file("a", "x".repeat(700)), file("b/c", "two")]);
    let whole = gzip(&plain);
    for end in 0..whole.len() {
        assert!(plan_of(&directory, &whole[..end]).is_err(), "torn at {end} of {}", whole.len());
    }
    for end in (0..plain.len() - 1024).step_by(256) {
        assert!(plan_of(&directory, &gzip(&plain[..end])).is_err(), "tar torn at {end} of {}", plain.len());
    }
}

#[test]
fn a_flipped_bit_never_changes_what_comes_out() {
    let directory = TempDir::new().unwrap();
    let whole = gzip(&tar(&[file("a", "x".repeat(700)), file("b/c", "two")]));
    let good = plan_of(&directory, &whole).unwrap().files;
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            if let Ok(plan) = plan_of(&directory, &bytes) {
                assert_eq!(plan.files, good, "bit {bit} of byte {place}");
            }
        }
    }
}

#[test]
fn what_follows_the_end_is_refused() {
    let directory = TempDir::new().unwrap();
    let good = tar(&[file("a", "1")]);
    let hidden = [good.clone(), tar(&[file("b", "2")])].concat();
    assert!(matches!(plan_of(&directory, &gzip(&hidden)), Err(Error::Damaged { .. })));
    let trailing = [gzip(&good), b"and more".to_vec()].concat();
    assert!(matches!(plan_of(&directory, &trailing), Err(Error::Damaged { .. })));
}

#[test]
fn what_is_no_archive_is_said_to_be_none() {
    let directory = TempDir::new().unwrap();
    for bytes in [b"".to_vec(), b"{}".to_vec(), gzip(&b"plain text ".repeat(100)), tar(&[file("a", "1")])] {
        let refused = plan_of(&directory, &bytes).unwrap_err();
        assert!(matches!(refused, Error::NotAnArchive { .. }), "{refused}");
    }
    // Windows does not even open a directory.
    #[cfg(unix)]
    assert!(matches!(archive::plan(directory.path(), LIMITS), Err(Error::NotAnArchive { .. })));
    assert!(matches!(archive::plan(&directory.path().join("none"), LIMITS), Err(Error::Read { .. })));
}
