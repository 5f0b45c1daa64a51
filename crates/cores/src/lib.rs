//! Many items → one answer, on all cores.
//!
//! More threads than cores make a quick command slow: a thread that is started while others are busy waits for its
//! turn, and whoever needs it waits with it. So there is one pool for all, no larger than there are cores, and a thread
//! that waits for others does meanwhile what nobody has begun.
//!
//! That may be anything. So whoever holds a lock, and calls something that may come here, works [`alone`]: else the thread
//! could begin what waits for the same lock.

mod away;
mod gate;

use std::cell::Cell;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::away::Away;
pub use crate::gate::gate;

/// However many cores there are: each thread takes a moment to start, and all read from the same disk.
const MOST: usize = 16;
/// So many things that take some microseconds each are given to a thread at a time, as it takes some more to give them.
const PORTION: usize = 64;
/// Fewer than that are done sooner than another thread would begin.
const FEW: usize = 4 * PORTION;

/// How many threads work at most. The system takes several files to tell, so it is asked once.
pub fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from).min(MOST))
}

/// Nothing where one thread has to do it all, because there are no others, or none are to be had.
static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// Tells when the first of the other threads is where it should be.
static ARRIVAL: Mutex<Option<mpsc::Receiver<()>>> = Mutex::new(None);

/// Makes the calling thread one of the pool, and starts the others before there is something to do for them. For a
/// program whose main thread asks for everything; nothing happens where there is a pool already.
pub fn call_in() {
    POOL.get_or_init(|| {
        let (away, (here, first)) = (Away::from_here(), mpsc::channel());
        let arrive = move |_| {
            away.go();
            here.send(()).ok();
        };
        let pool = start(builder().use_current_thread().start_handler(arrive))?;
        *ARRIVAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(first);
        Some(pool)
    });
}

/// The same, and waits for the first of them: as long as the calling thread works, one that is not away yet may not even
/// get so far.
pub fn join_in() {
    call_in();
    let arrival = ARRIVAL.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(first) = arrival {
        first.recv().ok();
    }
}

fn builder() -> ThreadPoolBuilder {
    ThreadPoolBuilder::new().num_threads(count())
}

fn start(builder: ThreadPoolBuilder) -> Option<ThreadPool> {
    if count() > 1 { builder.build().ok() } else { None }
}

thread_local! {
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Asks no other thread of the pool for help, whatever is called here. Threads that it starts itself do not know.
pub fn alone<T>(work: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }
    let _before = Before(IS_ALONE.replace(true));
    work()
}

/// Runs on a thread of the pool, which the calling one may be; told whether there are others.
fn inside<T: Send>(work: impl FnOnce(bool) -> T + Send) -> T {
    if IS_ALONE.get() {
        return work(false);
    }
    match POOL.get_or_init(|| start(builder())) {
        None => work(false),
        Some(pool) if pool.current_thread_index().is_some() => work(true),
        Some(pool) => pool.install(|| work(true)),
    }
}

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

/// The same for many that take little each: they are shared out in portions, and where they are few, nobody is asked for
/// help.
pub fn portion<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    if items.len() < FEW {
        return items.into_iter().map(work).collect();
    }
    let mut items = items.into_iter();
    let next = || Some(items.by_ref().take(PORTION).collect()).filter(|portion: &Vec<I>| !portion.is_empty());
    let portions: Vec<Vec<I>> = std::iter::from_fn(next).collect();
    let done = spread(portions, |portion| portion.into_iter().map(&work).collect::<Vec<T>>());
    done.into_iter().flatten().collect()
}

/// Works on what is next until nothing is, on at most so many threads. Each gathers into one value.
pub fn share<I, A: Send>(
    most: usize,
    start: impl Fn() -> A + Sync,
    next: impl Fn() -> Option<I> + Sync,
    work: impl Fn(&mut A, I) + Sync,
) -> Vec<A> {
    let all = Mutex::new(Vec::new());
    let run = || {
        let mut gathered = None;
        while let Some(item) = next() {
            work(gathered.get_or_insert_with(&start), item);
        }
        all.lock().unwrap_or_else(PoisonError::into_inner).extend(gathered);
    };
    // One item is nothing to share, and nobody has to be asked for help.
    if most > 1 {
        inside(|has_others| match has_others {
            false => run(),
            true => rayon::scope(|scope| {
                (1..most.min(count())).for_each(|_| scope.spawn(|_| run()));
                run();
            }),
        });
    } else {
        run();
    }
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does both, at the same time where a thread is free.
pub fn beside<A: Send, B: Send>(here: impl FnOnce() -> A + Send, there: impl FnOnce() -> B + Send) -> (A, B) {
    inside(|has_others| if has_others { rayon::join(here, there) } else { (here(), there()) })
}

/// Drops what is large while others go on. A program that is done meanwhile does not wait for it, so nothing may depend
/// on that it is dropped.
pub fn discard<T: Send + 'static>(value: T) {
    match POOL.get() {
        Some(Some(pool)) => pool.spawn(|| drop(value)),
        _ => drop(value),
    }
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
        assert_eq!(spread(items.clone(), |number| number + 1), expected);
        for count in [0, 1, FEW - 1, FEW, FEW + 1, 1000] {
            assert_eq!(portion(items[..count].to_vec(), |number| number + 1), expected[..count]);
        }
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
    fn whoever_is_alone_does_nothing_of_others() {
        let here = || std::thread::current().id();
        let lock = Mutex::new(());
        let many: Vec<u64> = (0..64).collect();
        let work = |_: &u64| {
            let _held = lock.lock().unwrap();
            alone(|| beside(|| map(&many, |_| 0, |_| here()), here)) == (vec![here(); 64], here())
        };
        assert!(map(&many, |_| 0, work).into_iter().all(|is_alone| is_alone));
        let after = std::panic::catch_unwind(|| alone(|| panic!("alone")));
        assert!(after.is_err() && !IS_ALONE.get());
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
