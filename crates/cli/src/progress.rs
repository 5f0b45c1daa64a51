//! Long work → a bar on the terminal.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use steno_ops::Progress;

const SHAPE: &str = "{msg} [{bar:32}] {bytes}/{total_bytes} {eta}";

/// One bar at a time, on stderr, that goes away when its work is done.
#[derive(Debug, Default)]
pub(crate) struct Bar {
    bar: Mutex<Option<ProgressBar>>,
}

impl Bar {
    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.bar.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn begin(&self, what: &str, bytes: u64) {
        let bar = ProgressBar::new(bytes).with_message(what.to_owned());
        if let Ok(style) = ProgressStyle::with_template(SHAPE) {
            bar.set_style(style.progress_chars("=> "));
        }
        self.with(|place| *place = Some(bar));
    }

    fn advance(&self, bytes: u64) {
        self.with(|place| {
            if let Some(bar) = place {
                bar.inc(bytes);
            }
        });
    }

    fn end(&self) {
        self.with(|place| {
            if let Some(bar) = place.take() {
                bar.finish_and_clear();
            }
        });
    }
}
