//! One writer at a time, and nobody waits for one that is dead.

use crate::desk;
use crate::other;

use std::time::{Duration, Instant};

use desk::{Desk, MACHINE};
use steno_vault::{Error, Lock, Outcome, Owners, VaultStore, Writer};

const SHORT: Duration = Duration::from_millis(120);
const LONG: Duration = Duration::from_secs(60);

fn open(desk: &Desk, patience: Duration) -> Result<Writer, Error> {
    Writer::open(VaultStore::plain(desk.root()), "id", Owners::alone(MACHINE), "the second one", patience)
}

#[test]
fn a_second_writer_waits_and_then_says_who_holds_it() {
    let desk = Desk::new();
    let first = desk.writer();
    let start = Instant::now();
    let refused = open(&desk, SHORT).unwrap_err();
    assert!(start.elapsed() >= SHORT);
    let Error::Busy { holder } = &refused else { panic!("{refused}") };
    assert_eq!(*holder, format!("process {}, a test", std::process::id()));
    assert!(refused.to_string().contains("a test"), "{refused}");
    assert_eq!(Lock::holder(&desk.root()).as_ref(), Some(holder), "also who only looks is told");
    drop(first);
    assert_eq!(Lock::holder(&desk.root()), None);
    assert!(open(&desk, LONG).is_ok());
}

#[test]
fn a_second_writer_gets_it_as_soon_as_the_first_is_done() {
    let desk = Desk::new();
    let first = desk.writer();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| open(&desk, LONG).map(drop));
        assert!(matches!(open(&desk, SHORT), Err(Error::Busy { .. })));
        drop(first);
        second.join().unwrap().unwrap();
    });
}

#[test]
fn a_long_name_of_a_short_one_is_not_mixed_with_it() {
    let desk = Desk::new();
    drop(Lock::take(&desk.root(), &"long ".repeat(50), Duration::ZERO).unwrap());
    let _held = Lock::take(&desk.root(), "short", LONG).unwrap();
    let Err(Error::Busy { holder }) = Lock::take(&desk.root(), "third", Duration::ZERO) else { panic!() };
    assert!(holder.ends_with(", short"), "{holder}");
}

#[cfg(unix)]
#[test]
fn whoever_waits_at_a_lock_that_was_removed_waits_at_its_successor() {
    let desk = Desk::new();
    let first = desk.writer();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| open(&desk, Duration::from_millis(500)).map(drop));
        // It has the first file open by now, or finds the second one: neither may let it in.
        std::thread::sleep(SHORT);
        std::fs::remove_file(desk.root().join(".lock")).unwrap();
        let second = desk.writer();
        drop(first);
        assert!(matches!(waits.join().unwrap(), Err(Error::Busy { .. })));
        drop(second);
    });
}

#[test]
fn readers_never_wait() {
    let desk = Desk::new();
    desk.write("projects/-a/s1.jsonl", b"one\n");
    desk.keep();
    let _writer = desk.writer();
    assert_eq!(desk.restore("projects/-a/s1.jsonl", None), b"one\n");
    desk.drop_cache();
    assert_eq!(desk.restore("projects/-a/s1.jsonl", None), b"one\n");
    assert!(desk.verify().damaged.is_empty());
}

#[test]
fn a_vault_that_is_not_there_is_an_error() {
    let desk = Desk::new();
    std::fs::remove_dir_all(desk.root()).unwrap();
    assert!(matches!(open(&desk, LONG), Err(Error::Write { .. })));
    assert!(!desk.root().exists());
}

#[test]
fn a_killed_holder_frees_it() {
    if let Some(arguments) = other::role("hold") {
        let _writer = Writer::open(
            VaultStore::plain(&arguments[0]),
            "id",
            Owners::alone(MACHINE),
            "the child",
            Duration::ZERO,
        )
        .unwrap();
        other::say("held");
        other::wait_to_be_killed();
    }
    let desk = Desk::new();
    desk.write("projects/-a/s1.jsonl", b"one\n");
    let mut child =
        other::start("locking::a_killed_holder_frees_it", "hold", &[desk.root().to_str().unwrap()]);
    assert_eq!(child.next_line().unwrap(), "held");
    let Err(Error::Busy { holder }) = open(&desk, SHORT) else { panic!("the child holds nothing") };
    assert_eq!(holder, format!("process {}, the child", child.id()));
    child.kill();
    assert_eq!(desk.keep(), [Outcome::Added { bytes: 4 }]);
}
