//! Many directories → one answer, on all cores: a walk waits for the kernel more than it computes.

use std::sync::{Mutex, PoisonError};

/// What `work` makes of each, in their order.
pub(crate) fn spread<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let gather = || {
        let mut done = Vec::new();
        while let Some((place, item)) = next() {
            done.push((place, work(item)));
        }
        done
    };
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        // This thread is one of them, and the only one where there can be no other.
        let another = |_| std::thread::Builder::new().spawn_scoped(scope, gather).ok();
        let others: Vec<_> = (1..threads).filter_map(another).collect();
        let mut done = gather();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(
            spread(items.clone(), |number| number * 2),
            items.iter().map(|n| n * 2).collect::<Vec<_>>()
        );
        assert!(spread(Vec::<u64>::new(), |number| number).is_empty());
    }
}
