//! Many files → one answer, on all cores.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` makes of each, in their order.
pub(crate) fn map<I: Sync, T: Send>(
    items: &[I],
    size: impl Fn(&I) -> u64,
    work: impl Fn(&I) -> T + Sync,
) -> Vec<T> {
    let parts = fold(items, size, |done: &mut Vec<(usize, T)>, place, item| done.push((place, work(item))));
    let mut done: Vec<(usize, T)> = parts.into_iter().flatten().collect();
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Each thread gathers into one value of its own. The largest items go first, so that none is left over at the end;
/// `work` is told the place that an item has among all.
pub(crate) fn fold<I: Sync, A: Default + Send>(
    items: &[I],
    size: impl Fn(&I) -> u64,
    work: impl Fn(&mut A, usize, &I) + Sync,
) -> Vec<A> {
    let mut order: Vec<(usize, &I)> = items.iter().enumerate().collect();
    order.sort_by_key(|(_, item)| Reverse(size(item)));
    let next = AtomicUsize::new(0);
    let gather = || {
        let mut gathered = A::default();
        while let Some((place, item)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(&mut gathered, *place, item);
        }
        gathered
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    std::thread::scope(|scope| {
        // This thread is one of them, and the only one where there can be no other.
        let another = |_| std::thread::Builder::new().spawn_scoped(scope, gather).ok();
        let others: Vec<_> = (1..threads).filter_map(another).collect();
        let mut gathered = vec![gather()];
        for other in others {
            gathered.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        gathered
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        let items: Vec<u64> = (0..1000).map(|number| number * 7919 % 1000).collect();
        assert_eq!(
            map(&items, |number| *number, |number| number + 1),
            items.iter().map(|number| number + 1).collect::<Vec<_>>()
        );
        assert!(map(&[], |_: &u64| 0, |number| *number).is_empty());
    }

    #[test]
    fn there_is_one_value_for_each_thread_at_most() {
        let items: Vec<u64> = (0..1000).collect();
        let parts = fold(&items, |_| 0, |sum: &mut u64, _, number| *sum += number);
        assert!(parts.len() <= std::thread::available_parallelism().map_or(1, usize::from));
        assert_eq!(parts.iter().sum::<u64>(), 499_500);
    }
}
