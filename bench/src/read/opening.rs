//! A page → how long a browser takes to open it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use steno_testkit::browser::{Browser, Opened};

use crate::report::Measured;

use crate::read::rows::Opens;

const GROUP: &str = "open";
const TARGET: &str = "≤ 3 s";

pub(crate) struct Opening {
    browser: Browser,
    page: PathBuf,
    names: Opens,
    opened: Vec<Opened>,
}

impl Opening {
    /// Opens it once: that fills the browser's caches, and shows whether it can be opened at all.
    pub(crate) fn new(browser: &Path, page: PathBuf, names: Opens) -> Self {
        let opening = Self { browser: Browser::start(browser), page, names, opened: Vec::new() };
        opening.open();
        opening
    }

    pub(crate) fn time(&mut self) {
        self.opened.push(self.open());
    }

    pub(crate) fn into_measured(self) -> impl Iterator<Item = Measured> {
        let load: Vec<Duration> = self.opened.iter().map(|opened| opened.load).collect();
        let text: Vec<Duration> = self.opened.iter().map(|opened| opened.text).collect();
        let paint: Vec<Duration> = self.opened.iter().filter_map(|opened| opened.first_paint).collect();
        [(self.names.first_paint, paint), (self.names.load, load), (self.names.text, text)].into_iter().map(
            |(name, mut times)| {
                let mut measured = Measured { target: TARGET, ..Measured::new(GROUP, name) };
                measured.set_times(&mut times);
                measured
            },
        )
    }

    /// In a page of its own, as when a person clicks on the file.
    fn open(&self) -> Opened {
        self.browser.page().time(&self.page)
    }
}
