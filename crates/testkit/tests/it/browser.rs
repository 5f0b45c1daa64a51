//! The browser, when `STENO_BROWSER` names one (`cargo xtask check` does): it sees what a page does that it must not.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use steno_testkit::browser::{Browser, Page, Scheme};
use tempfile::TempDir;

const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Stage {
    // Before the browser, which ends its pages.
    page: Page,
    directory: TempDir,
    _browser: Browser,
}

impl Stage {
    fn set() -> Option<Self> {
        let browser = Browser::from_environment()?;
        Some(Self { page: browser.page(), directory: TempDir::new().unwrap(), _browser: browser })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn open(&mut self, body: &str) -> &mut Page {
        let path = self.file("a page.html");
        fs::write(&path, format!("<!doctype html><meta charset=utf-8><title>t</title><body>{body}")).unwrap();
        self.page.open(&path);
        &mut self.page
    }
}

#[test]
fn a_quiet_page_is_found_quiet() {
    let Some(mut stage) = Stage::set() else { return };
    let page = stage.open(&format!("<p>héllo</p><img src='{PIXEL}'>"));
    assert_eq!(page.complaints(), [""; 0]);
    assert_eq!(page.requests(), [""; 0]);
    assert_eq!(page.text().trim(), "héllo");
    assert_eq!(page.evaluate("document.images[0].naturalWidth"), 1);
    assert_eq!(page.evaluate("Promise.resolve([1, 'two', null])"), json!([1, "two", null]));
}

#[test]
fn what_a_page_asks_for_and_complains_about_is_seen() {
    let Some(mut stage) = Stage::set() else { return };
    let body = "<img src='http://127.0.0.1:9/a.png'><link rel=stylesheet href='beside.css'>\
                <script>console.error('bad'); undefinedFunction()</script>";
    let page = stage.open(body);
    let requests = page.requests();
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert!(requests.iter().any(|url| url == "http://127.0.0.1:9/a.png"), "{requests:?}");
    assert!(requests.iter().any(|url| url.ends_with("/beside.css")), "{requests:?}");
    let complaints = page.complaints().join("\n");
    for expected in ["bad", "undefinedFunction", "a.png"] {
        assert!(complaints.contains(expected), "{expected} is missing in {complaints}");
    }
    // What the page before did is not held against the next.
    let page = stage.open("quiet");
    assert_eq!((page.complaints(), page.requests()), (Vec::new(), Vec::new()));
}

#[test]
fn scripts_run_only_where_they_may() {
    let Some(mut stage) = Stage::set() else { return };
    let body = "<p>before</p><script>document.querySelector('p').textContent = 'after'</script>";
    assert_eq!(stage.open(body).text().trim(), "after");
    stage.page.set_javascript(false);
    assert_eq!(stage.open(body).text().trim(), "before");
    assert_eq!(stage.page.complaints(), [""; 0]);
}

#[test]
fn it_looks_as_the_person_has_it() {
    let Some(mut stage) = Stage::set() else { return };
    let body =
        "<style>body{background:#fff} @media (prefers-color-scheme: dark){body{background:#000}}</style>";
    let background = "getComputedStyle(document.body).backgroundColor";
    stage.page.set_scheme(Scheme::Dark);
    stage.page.set_size(390, 800);
    assert_eq!(stage.open(body).evaluate(background), "rgb(0, 0, 0)");
    assert_eq!(stage.page.evaluate("innerWidth"), 390);
    stage.page.set_scheme(Scheme::Light);
    assert_eq!(stage.page.evaluate(background), "rgb(255, 255, 255)");
}

#[test]
fn it_is_pictured_printed_and_timed() {
    let Some(mut stage) = Stage::set() else { return };
    let picture = stage.file("page.png");
    let page = stage.open("words");
    page.screenshot(&picture);
    assert!(page.print().starts_with(b"%PDF-"));
    assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    let path = stage.file("a page.html");
    let opened = stage.page.time(&path);
    assert!(opened.load > Duration::ZERO && opened.text > Duration::ZERO, "{opened:?}");
    assert!(opened.first_paint.is_some(), "{opened:?}");
}
