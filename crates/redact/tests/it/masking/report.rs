//! The report says how many of what kind and where, and nothing shows a secret.

use steno_redact::{Identity, MaskedPlace, Spot};

use crate::masking::redactor;

#[test]
fn kinds_counts_and_places_are_reported() {
    let mut redactor = redactor();
    for (line, text) in
        [(7, "password=hunter22 in /home/alice"), (3, "password=hunter22"), (3, "pwd=otherpw1")]
    {
        redactor.masked(&Spot { text, key: None, file: 2, line }).unwrap();
    }
    // Without a place it is masked, and not counted.
    redactor.masked(&Spot { text: "password=hunter22", key: None, file: 0, line: 0 }).unwrap();
    let report = redactor.report();
    assert_eq!((report.total, report.distinct), (4, 3));
    let kinds: Vec<_> =
        report.kinds.iter().map(|kind| (kind.kind.as_str(), kind.count, kind.distinct)).collect();
    assert_eq!(kinds, [("home", 1, 1), ("password", 3, 2)]);
    let place = |line| MaskedPlace { file: 2, line };
    assert_eq!(report.kinds[1].places, [place(3), place(7)]);
}

#[test]
fn nothing_shows_a_secret() {
    let mut redactor = redactor();
    let spot = Spot { text: "password=hunter22 of alice", key: None, file: 0, line: 1 };
    redactor.masked(&spot).unwrap();
    let identity = Identity { homes: vec!["/home/alice".to_owned()], users: vec!["alice".to_owned()] };
    let shown = format!("{redactor:?} {redactor:#?} {spot:?} {identity:?} {:?}", redactor.report());
    assert!(!shown.contains("hunter22") && !shown.contains("alice"), "{shown}");
}
