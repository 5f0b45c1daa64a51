//! Work on many things at once, because most of the time goes by in waiting.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const THREADS: usize = 8;

/// One answer for each item, in their order.
pub(super) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = THREADS.min(items.len());
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else { break };
                    let answer = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((number, answer));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// The most that is held in memory at a time.
const BYTES: u64 = 64 << 20;
const FILES: usize = 512;

/// Cuts a list where it becomes too much to hold.
pub(super) fn portions<T>(items: Vec<T>, len: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    let mut portions: Vec<Vec<T>> = Vec::new();
    let mut bytes = 0_u64;
    for item in items {
        let size = len(&item);
        bytes = bytes.saturating_add(size);
        match portions.last_mut().filter(|portion| bytes <= BYTES && portion.len() < FILES) {
            Some(portion) => portion.push(item),
            None => {
                portions.push(vec![item]);
                bytes = size;
            }
        }
    }
    portions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_answered_in_its_place() {
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(each(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert!(each(&[] as &[u64], |item| *item).is_empty());
    }

    #[test]
    fn a_portion_fits_into_memory() {
        let cut =
            |lens: Vec<u64>| -> Vec<usize> { portions(lens, |len| *len).iter().map(Vec::len).collect() };
        assert_eq!(cut(vec![BYTES, 1, BYTES - 1, 1, u64::MAX, 1]), [1, 2, 1, 1, 1]);
        assert_eq!(cut(vec![0; FILES * 2 + 1]), [FILES, FILES, 1]);
        assert!(cut(Vec::new()).is_empty());
    }
}
