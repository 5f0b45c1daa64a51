//! Not a bit of a header can change without being told, and each is put right again.

use crate::desk;

use std::fs::{self, File};

use desk::Desk;
use steno_vault::{Reason, RepairSource};

const TRANSCRIPT: &str = "projects/-a/s1.jsonl";
const OTHER: &str = "projects/-a/s2.jsonl";

struct Nobody;

impl RepairSource for Nobody {
    fn live(&self, _: &str, _: &str) -> Option<File> {
        None
    }

    fn sent(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

#[test]
fn every_byte_of_a_header_is_guarded_and_can_be_written_again() {
    let desk = Desk::new();
    desk.write(OTHER, b"the other session\n");
    for line in ["one\n", "two and\n", "three and more\n"] {
        desk.append(TRANSCRIPT, line.as_bytes());
        desk.keep();
    }
    let whole = desk.restore(TRANSCRIPT, None);
    let path = desk.vault_path(&format!("{TRANSCRIPT}.g1.000002.zst"));
    let good = fs::read(&path).unwrap();
    let header = 8 + u32::from_le_bytes(good[4..8].try_into().unwrap()) as usize;
    let now = "2026-12-02T00:00:00Z".parse().unwrap();
    for place in 0..header {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&path, &bytes).unwrap();
        let checked = desk.verify();
        assert_eq!(checked.missing, [], "byte {place}");
        assert_eq!(checked.damaged.len(), 1, "byte {place}: {:?}", checked.damaged);
        let damage = &checked.damaged[0];
        assert_eq!((damage.offset, damage.length), (Some(4), Some(8)), "byte {place}");
        assert_eq!((damage.session.as_deref(), damage.reason), (Some("s1"), Reason::Header), "byte {place}");
        assert!(desk.try_restore(TRANSCRIPT, None).is_err(), "byte {place}");
        assert_eq!(desk.restore(OTHER, None), b"the other session\n", "byte {place}");
        if place % 5 != 0 {
            continue;
        }
        let repaired = desk.writer().repair(&checked.damaged, &Nobody, now).unwrap();
        assert_eq!(repaired.remaining, [], "byte {place}");
        assert_eq!(fs::read(&path).unwrap(), good, "byte {place}");
    }
    fs::write(&path, &good).unwrap();
    assert_eq!(desk.restore(TRANSCRIPT, None), whole);
}
