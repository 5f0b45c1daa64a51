//! Many items → one answer, on the cores that are free.
//!
//! More threads than cores make a quick command slow: a thread that is started while others are busy waits for its
//! turn, and whoever needs it waits with it. So a thread works only on a core that nobody else works on; where there is
//! none, it waits for one as long as there is something to do.

mod core;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};

use crate::core::{Core, End, Lent, Work};

pub use crate::core::count;

/// What `work` makes of each, in their order.
pub fn map<I: Sync, T: Send>(items: &[I], size: impl Fn(&I) -> u64, work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let parts = fold(items, size, |done: &mut Vec<(usize, T)>, place, item| done.push((place, work(item))));
    in_order(parts)
}

/// Each thread gathers into one value of its own. The largest items go first, so that none is left over at the end;
/// `work` is told the place that an item has among all.
pub fn fold<I: Sync, A: Default + Send>(
    items: &[I],
    size: impl Fn(&I) -> u64,
    work: impl Fn(&mut A, usize, &I) + Sync,
) -> Vec<A> {
    let mut order: Vec<(usize, &I)> = items.iter().enumerate().collect();
    order.sort_by_key(|(_, item)| Reverse(size(item)));
    let next = AtomicUsize::new(0);
    let next = || order.get(next.fetch_add(1, Ordering::Relaxed));
    share(items.len(), A::default, next, |gathered, (place, item)| work(gathered, *place, item))
}

/// What `work` makes of each, in their order, where it needs them as its own.
pub fn spread<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let most = items.len();
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    in_order(share(most, Vec::new, next, |done, (place, item)| done.push((place, work(item)))))
}

/// Works on what is next until nothing is, here and on at most so many cores, those included that become free
/// meanwhile. Each thread gathers into one value.
pub fn share<I, A: Send>(
    most: usize,
    start: impl Fn() -> A + Sync,
    next: impl Fn() -> Option<I> + Sync,
    work: impl Fn(&mut A, I) + Sync,
) -> Vec<A> {
    let help = |core: Option<Core>| {
        let mut gathered = None;
        while let Some(item) = core.as_ref().and_then(|_| next()) {
            work(gathered.get_or_insert_with(&start), item);
        }
        drop(core);
        gathered
    };
    let over = Work::default();
    thread::scope(|scope| {
        let end = End(&over);
        let mut helpers = Vec::new();
        let mut gathered = start();
        while let Some(item) = next() {
            // Where no thread is to be had it takes longer, that is all.
            while helpers.len() + 1 < most
                && let Some(core) = Core::free()
                && let Ok(helper) = Builder::new().spawn_scoped(scope, || help(Some(core)))
            {
                helpers.push(helper);
            }
            if helpers.is_empty() && most.min(count()) > 1 {
                // Somebody is there when a core becomes free, however long this one item takes.
                let wait = || help(Core::next(&over));
                helpers.extend(Builder::new().spawn_scoped(scope, wait));
            }
            work(&mut gathered, item);
        }
        drop(end);
        let _lent = Lent::new();
        let others = helpers.into_iter().filter_map(finished);
        std::iter::once(gathered).chain(others).collect()
    })
}

/// Does both, at the same time where a core is free. Who is done first lends its core to the other, or does what that
/// has not begun.
pub fn beside<A, B: Send>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + Send) -> (A, B) {
    let there = Mutex::new(Some(there));
    let run = || {
        let there = there.lock().unwrap_or_else(PoisonError::into_inner).take();
        there.map(|there| there())
    };
    let helped = |core: Core| {
        let done = run();
        drop(core);
        done
    };
    thread::scope(|scope| {
        let core = Core::free();
        let other = core.and_then(|core| Builder::new().spawn_scoped(scope, || helped(core)).ok());
        let here = here();
        let done = run().or_else(|| {
            let _lent = Lent::new();
            other.and_then(finished)
        });
        (here, done.unwrap_or_else(|| unreachable!("either the other thread has done it, or this one")))
    })
}

fn finished<T>(helper: ScopedJoinHandle<'_, T>) -> T {
    helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn in_order<T>(parts: Vec<Vec<(usize, T)>>) -> Vec<T> {
    let mut done: Vec<(usize, T)> = parts.into_iter().flatten().collect();
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        let items: Vec<u64> = (0..1000).map(|number| number * 7919 % 1000).collect();
        let expected: Vec<u64> = items.iter().map(|number| number + 1).collect();
        assert_eq!(map(&items, |number| *number, |number| number + 1), expected);
        assert_eq!(spread(items, |number| number + 1), expected);
        assert!(map(&[], |_: &u64| 0, |number| *number).is_empty());
        assert!(spread(Vec::<u64>::new(), |number| number).is_empty());
    }

    #[test]
    fn everything_is_gathered_once() {
        let items: Vec<u64> = (0..1000).collect();
        let parts = fold(&items, |_| 0, |sum: &mut u64, _, number| *sum += number);
        assert_eq!(parts.iter().sum::<u64>(), 499_500);
    }

    #[test]
    fn both_are_done_whether_a_core_is_free_or_not() {
        let both = || beside(|| 1, || 2);
        assert_eq!(both(), (1, 2));
        // All cores are busy with this.
        let many: Vec<u64> = (0..64).collect();
        assert!(map(&many, |_| 0, |_| both()).iter().all(|both| *both == (1, 2)));
    }

    #[test]
    fn whoever_asks_while_others_work_is_answered() {
        let inner = |number: &u64| map(&[1, 2, 3], |_| 0, |factor| factor * number).iter().sum::<u64>();
        let many: Vec<u64> = (0..64).collect();
        let sums = map(&many, |_| 0, inner);
        assert_eq!(sums, many.iter().map(|number| 6 * number).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_elsewhere_is_one_here() {
        let outcome = std::panic::catch_unwind(|| beside(|| 1, || panic!("elsewhere")));
        assert!(outcome.is_err());
        let outcome = std::panic::catch_unwind(|| spread(vec![1, 2, 3], |_| panic!("everywhere")));
        assert!(outcome.is_err());
        assert_eq!(beside(|| 1, || 2), (1, 2), "and nothing is held for ever");
    }
}
