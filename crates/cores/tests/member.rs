//! Alone in its process: its main thread is one of the pool from the beginning.

use std::thread;

fn squares(of: std::ops::Range<u64>) -> Vec<u64> {
    let items: Vec<u64> = of.collect();
    steno_cores::map(&items, |number| *number, |number| number * number)
}

#[test]
fn a_thread_of_the_pool_and_one_of_nobody_are_both_answered() {
    steno_cores::join_in();
    steno_cores::join_in();
    let expected: Vec<u64> = (0..500).map(|number| number * number).collect();
    assert_eq!(squares(0..500), expected);
    thread::scope(|scope| {
        let others: Vec<_> = (0..8).map(|_| scope.spawn(|| squares(0..500))).collect();
        // Meanwhile this one asks, too, and waits for nothing of theirs.
        assert_eq!(steno_cores::beside(|| squares(0..500), || squares(0..500)).0, expected);
        assert!(others.into_iter().all(|other| other.join().unwrap() == expected));
    });
}
