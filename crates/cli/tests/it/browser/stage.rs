//! The program, a browser, and pages that go from the one to the other.

use std::path::{Path, PathBuf};

use serde_json::Value;
use steno_testkit::browser::{Browser, Page};
use steno_testkit::{App, Session};

/// Opens what [`Stage::locked`] makes.
pub(crate) const PASSPHRASE: &str = "correct horse battery staple";

pub(crate) struct Stage {
    app: App,
    pub(crate) page: Page,
    _browser: Browser,
}

impl Stage {
    /// None, with a note, where there is no browser to test with.
    pub(crate) fn set() -> Option<Self> {
        let browser = Browser::from_environment()?;
        let mut page = browser.page();
        page.set_size(1280, 900);
        Some(Self { app: App::new(env!("CARGO_BIN_EXE_steno")), page, _browser: browser })
    }

    /// The page that `steno share` makes of the session.
    pub(crate) fn shared(&self, session: &Session) -> PathBuf {
        self.written(session, &["share"])
    }

    /// The page that `steno dump` makes of the session, with everything in it.
    pub(crate) fn dumped(&self, session: &Session) -> PathBuf {
        self.written(
            session,
            &["dump", "--format", "html", "--all", "--thinking", "--full-results", "--agents"],
        )
    }

    /// The same page, encrypted.
    pub(crate) fn locked(&self, session: &Session) -> PathBuf {
        let file = self.app.home().root().join("passphrase");
        std::fs::write(&file, PASSPHRASE).unwrap();
        self.written(session, &["share", "--encrypt", "--passphrase-file", file.to_str().unwrap()])
    }

    pub(crate) fn open_shared(&mut self, session: &Session) -> &mut Page {
        let path = self.shared(session);
        self.page.open(&path);
        &mut self.page
    }

    pub(crate) fn put(&self, name: &str, page: &[u8]) -> PathBuf {
        let path = self.app.home().root().join(name);
        std::fs::write(&path, page).unwrap();
        path
    }

    /// A page that escapes nothing.
    pub(crate) fn open_markup(&mut self, markup: &str) {
        let page = format!("<!doctype html><title>t</title><body>{markup}");
        let path = self.put("markup.html", page.as_bytes());
        self.page.open(&path);
    }

    fn written(&self, session: &Session, command: &[&str]) -> PathBuf {
        self.app.write(session);
        let id = session.id().to_string();
        let name = command.iter().take(2).copied().collect::<String>();
        let path = self.app.home().root().join(format!("{name}-{id}.html"));
        let output = self.app.output(&[command, &[&id, "--force", "-o", path.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{command:?}: {output:?}");
        path
    }
}

/// Opens everything that is closed: what is folded away is not part of a page's text.
pub(crate) fn unfold(page: &mut Page) {
    page.lay_out();
    page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)");
}

/// How many elements the selector finds.
pub(crate) fn count(page: &mut Page, selector: &str) -> u64 {
    let selector = Value::from(selector);
    page.evaluate(&format!("document.querySelectorAll({selector}).length")).as_u64().unwrap()
}

/// Clicks on the button that says so.
pub(crate) fn press(page: &mut Page, label: &str) {
    let label = Value::from(label);
    page.evaluate(&format!(
        "[...document.querySelectorAll('button')].find(button => button.innerText == {label}).click()"
    ));
}

/// A picture for people, where they want one.
pub(crate) fn picture(page: &mut Page, name: &str) {
    if let Some(directory) = std::env::var_os("STENO_SCREENSHOTS").filter(|named| !named.is_empty()) {
        std::fs::create_dir_all(&directory).unwrap();
        page.lay_out();
        page.screenshot(&Path::new(&directory).join(format!("{name}.png")));
    }
}
