//! A part of the catalogue: read alone, it says the same of what is in it as the whole does.

use crate::desk;

use std::fs;

use desk::Desk;
use proptest::prelude::*;
use steno_vault::Catalog;

/// Windows knows no quotes in names.
const THIRD: &str =
    if cfg!(windows) { "projects/-a/third '1c9e'.jsonl" } else { "projects/-a/third \"1c9e\".jsonl" };
const NAMES: &str = if cfg!(windows) { "[a-c !%-]{1,12}" } else { "[a-c -\"%\\\\\n]{1,12}" };

/// As the whole catalogue tells it.
fn expected(desk: &Desk, piece: &str) -> Vec<String> {
    let catalog = desk.catalog();
    let is_about = |path: &str, session: Option<&String>| {
        path.starts_with("plans/")
            || path.contains(piece)
            || session.is_some_and(|session| session.contains(piece))
    };
    let wanted = catalog.streams().filter(|(_, _, stream)| is_about(&stream.path, stream.session.as_ref()));
    wanted.map(|(machine, name, stream)| format!("{machine} {name} {stream:?}")).collect()
}

fn streams(catalog: &Catalog) -> Vec<String> {
    catalog.streams().map(|(machine, name, stream)| format!("{machine} {name} {stream:?}")).collect()
}

fn filled() -> Desk {
    let desk = Desk::new();
    for path in [
        "projects/-a/1c9e-one.jsonl",
        "projects/-a/1c9e-one/subagents/agent-2.jsonl",
        "projects/-b/1c9e-two.jsonl",
        "projects/-1c9e-/other.jsonl",
        THIRD,
        "todos/1c9e-one-agent-1.json",
        "file-history/1c9e-two/a@v1",
        "plans/a-plan.md",
        "history.jsonl",
    ] {
        desk.write(path, format!("bytes of {path}\n").as_bytes());
    }
    desk.keep();
    desk.append("projects/-a/1c9e-one.jsonl", b"more\n");
    desk.write("projects/-b/1c9e-two.jsonl", b"something else\n");
    desk.keep();
    desk
}

#[test]
fn a_part_has_every_stream_that_is_about_the_session() {
    let desk = filled();
    for piece in ["1c9e", "1c9e-one", "1c9e-two", "third", "nothing", "jsonl"] {
        let part = desk.cached().catalog_about(piece, "plans").unwrap();
        assert_eq!(streams(&part), expected(&desk, piece), "{piece}");
        assert_eq!(part.machines.len(), 1, "every machine is named, also one that has nothing of it");
    }
}

#[test]
fn only_plain_text_is_looked_for_in_a_part() {
    let desk = filled();
    for piece in ["", "third \"1c9e\"", "a/b", "é", "100%25", "a.b"] {
        assert!(desk.cached().catalog_about(piece, "plans").is_none(), "{piece}");
    }
}

#[test]
fn no_part_is_believed_that_may_be_out_of_date() {
    let desk = filled();
    fs::remove_file(desk.vault_path("projects/-b/1c9e-two.jsonl.g1.000001.zst")).unwrap();
    assert!(desk.cached().catalog_about("1c9e-one", "plans").is_none());
    desk.drop_cache();
    assert!(desk.cached().catalog_about("1c9e-one", "plans").is_none());
}

/// The rest of a file that was cut off says nothing, wherever it was.
#[test]
fn no_part_is_read_from_a_torn_cache() {
    let desk = filled();
    let path = desk.root().join(".cache/catalog.jsonl");
    let whole = fs::read(&path).unwrap();
    for len in (0..whole.len()).step_by(7) {
        fs::write(&path, whole.get(..len).unwrap()).unwrap();
        assert!(desk.cached().catalog_about("1c9e-one", "plans").is_none(), "{len} of {} bytes", whole.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn a_part_is_a_part_of_the_whole(
        names in prop::collection::vec(NAMES, 1..8),
        piece in "[a-c-]{1,3}",
    ) {
        let desk = Desk::new();
        for name in &names {
            desk.write(&format!("projects/-p/{name}.jsonl"), name.as_bytes());
        }
        desk.keep();
        let part = desk.cached().catalog_about(&piece, "plans").unwrap();
        let whole = streams(&desk.catalog());
        let part = streams(&part);
        prop_assert!(part.iter().all(|stream| whole.contains(stream)));
        for stream in expected(&desk, &piece) {
            prop_assert!(part.contains(&stream), "{stream} is not among {part:?}");
        }
    }
}
