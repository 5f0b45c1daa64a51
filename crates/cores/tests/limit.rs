//! Alone in its process, because the cores are those of the whole process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How many work at the same time, and how many did at most.
#[derive(Default)]
struct Crowd {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Crowd {
    fn work(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(1));
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn no_more_threads_work_than_there_are_cores() {
    let (crowd, items) = (Crowd::default(), [(); 40]);
    let both = steno_cores::beside(
        || steno_cores::map(&items[..10], |()| 0, |()| crowd.work()),
        || steno_cores::spread(items.to_vec(), |()| crowd.work()),
    );
    assert_eq!((both.0.len(), both.1.len()), (10, 40));
    let most = crowd.most.load(Ordering::SeqCst);
    assert!(most <= steno_cores::count(), "{most} of {}", steno_cores::count());
    assert!(most >= steno_cores::count().min(2), "{most}: nobody helped");
}
