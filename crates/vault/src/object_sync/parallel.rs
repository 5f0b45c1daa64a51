//! Work on many things at once, because most of the time goes by in waiting.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

const THREADS: usize = 8;

/// One answer for each item, in their order.
pub(super) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let answers = try_each(items, THREADS, |item| Ok::<R, Infallible>(work(item)));
    answers.into_iter().flatten().map(|Ok(answer)| answer).collect()
}

/// The same, of so many at a time; once one fails, nothing more is begun.
pub(super) fn try_each<T: Sync, R: Send, E: Send>(
    items: &[T],
    width: usize,
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Vec<Option<Result<R, E>>> {
    let next = AtomicUsize::new(0);
    let is_broken = AtomicBool::new(false);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        while !is_broken.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { break };
            let answer = work(item);
            is_broken.fetch_or(answer.is_err(), Ordering::Relaxed);
            locked(&done).push((number, answer));
        }
    };
    match width.min(items.len()) {
        0 | 1 => run(),
        threads => thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run)))),
    }
    let mut answers: Vec<_> = items.iter().map(|_| None).collect();
    for (number, answer) in done.into_inner().unwrap_or_else(PoisonError::into_inner) {
        answers.get_mut(number).map(|place| place.replace(answer));
    }
    answers
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes that all threads together may hold in memory at a time.
#[derive(Debug)]
pub(super) struct Room {
    whole: u64,
    free: Mutex<u64>,
    freed: Condvar,
}

impl Room {
    pub(super) fn new(bytes: u64) -> Self {
        Self { whole: bytes, free: Mutex::new(bytes), freed: Condvar::new() }
    }

    /// Waits for so many bytes. A request beyond the whole gets the whole.
    pub(super) fn take(&self, bytes: u64) -> Held<'_> {
        let bytes = bytes.min(self.whole);
        let free = self.freed.wait_while(locked(&self.free), |free| *free < bytes);
        *free.unwrap_or_else(PoisonError::into_inner) -= bytes;
        Held { room: self, bytes }
    }
}

/// A part of it, until it is dropped.
#[derive(Debug)]
pub(super) struct Held<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *locked(&self.room.free) += self.bytes;
        self.room.freed.notify_all();
    }
}

/// Cuts a list where it becomes more than so many bytes or files.
pub(super) fn portions<T>(
    items: Vec<T>,
    (most_bytes, most_files): (u64, usize),
    len: impl Fn(&T) -> u64,
) -> Vec<Vec<T>> {
    let mut portions: Vec<Vec<T>> = Vec::new();
    let mut bytes = 0_u64;
    for item in items {
        let size = len(&item);
        bytes = bytes.saturating_add(size);
        match portions.last_mut().filter(|portion| bytes <= most_bytes && portion.len() < most_files) {
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
    fn nothing_is_begun_after_a_failure() {
        let items: Vec<usize> = (0..1000).collect();
        let answers = try_each(&items, 1, |item| if *item == 10 { Err(()) } else { Ok(()) });
        assert!(answers.iter().take(10).all(|answer| *answer == Some(Ok(()))));
        assert_eq!(answers.get(10), Some(&Some(Err(()))));
        assert_eq!(answers.iter().flatten().count(), 11);
        // What was begun beside it is finished.
        let answers = try_each(&items, 4, |item| if *item == 10 { Err(()) } else { Ok(()) });
        assert!(answers.iter().take(10).all(|answer| *answer == Some(Ok(()))));
    }

    #[test]
    fn no_more_is_held_than_there_is_room_for() {
        let (room, held, most) = (Room::new(100), Mutex::new(0_u64), Mutex::new(0_u64));
        let lens: Vec<u64> = (0..300).map(|number| number % 150).collect();
        each(&lens, |len| {
            let _held = room.take(*len);
            *locked(&held) += len.min(&100);
            let now = *locked(&held);
            let mut most = locked(&most);
            *most = now.max(*most);
            drop(most);
            *locked(&held) -= len.min(&100);
        });
        assert!(*locked(&most) <= 100 && *locked(&most) > 0);
        assert_eq!(*locked(&room.free), 100);
    }

    #[test]
    fn a_portion_fits_into_memory() {
        let most = (100, 10);
        let cut = |lens: Vec<u64>| -> Vec<usize> {
            portions(lens, most, |len| *len).iter().map(Vec::len).collect()
        };
        assert_eq!(cut(vec![100, 1, 99, 1, u64::MAX, 1]), [1, 2, 1, 1, 1]);
        assert_eq!(cut(vec![0; 21]), [10, 10, 1]);
        assert!(cut(Vec::new()).is_empty());
    }
}
