//! One page: open it, ask it, look at it, and what it did meanwhile.

use std::path::Path;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::wire::Wire;

/// In pixels.
const TALLEST: f64 = 6000.0;

#[derive(Debug)]
pub struct Page {
    wire: Wire,
    /// What was opened last; a page may load itself, and nothing else.
    url: String,
    /// Events before this one belong to what was open before.
    since: usize,
}

/// What a person has set the system to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

/// How long it took to open a page, from the start of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// Until something of its content was painted; none where nothing was.
    pub first_paint: Option<Duration>,
    /// Until everything in it was loaded.
    pub load: Duration,
    /// Until its whole text could be read, by our clock.
    pub text: Duration,
}

impl Page {
    pub(super) fn new(mut wire: Wire) -> Self {
        for domain in ["Page", "Runtime", "Log", "Network", "Inspector"] {
            wire.call(&format!("{domain}.enable"), json!({}));
        }
        Self { wire, url: String::new(), since: 0 }
    }

    /// Whether scripts of pages that are opened from now on run; ours, through [`Page::evaluate`], always do.
    pub fn set_javascript(&mut self, runs: bool) {
        self.wire.call("Emulation.setScriptExecutionDisabled", json!({"value": !runs}));
    }

    /// Whether what a page forbids itself is forbidden; without, only its escaping protects it.
    pub fn set_policy(&mut self, holds: bool) {
        self.wire.call("Page.setBypassCSP", json!({"enabled": !holds}));
    }

    pub fn set_scheme(&mut self, scheme: Scheme) {
        let value = if scheme == Scheme::Dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.wire.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// The size of its window, in pixels of the style sheet.
    pub fn set_size(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.wire.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens a file and waits until all of it is loaded.
    pub fn open(&mut self, file: &Path) {
        let path = file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.open_url(&file_url(&path));
    }

    pub fn open_url(&mut self, url: &str) {
        self.since = self.wire.events().len();
        self.url = url.to_owned();
        let answer = self.wire.call("Page.navigate", json!({"url": url}));
        assert!(answer["errorText"].is_null(), "{url}: {}", answer["errorText"]);
        self.wire.wait_for("Page.loadEventFired", self.since);
    }

    /// Opens a file and says how long that took. Its scripts must be allowed to run.
    pub fn time(&mut self, file: &Path) -> Opened {
        let start = Instant::now();
        self.open(file);
        self.evaluate("document.body.innerText.length");
        let text = start.elapsed();
        self.settle();
        let entry = |kind: &str| format!("performance.getEntriesByType('{kind}')");
        let load = self.evaluate(&format!("{}[0].loadEventEnd", entry("navigation")));
        let paints = entry("paint");
        let paint = self
            .evaluate(&format!("{paints}.find(paint => paint.name == 'first-contentful-paint')?.startTime"));
        let duration = |value: &Value| value.as_f64().map(|millis| Duration::from_secs_f64(millis / 1000.0));
        Opened { first_paint: duration(&paint), load: duration(&load).expect("it is loaded"), text }
    }

    /// The value of an expression in the page, if need be after a promise; panics with what it throws.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let wish = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.wire.call("Runtime.evaluate", wish);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {}", thrown["exception"]["description"]);
        answer["result"]["value"].take()
    }

    /// Types a text into what has the focus.
    pub fn insert(&mut self, text: &str) {
        self.wire.call("Input.insertText", json!({"text": text}));
    }

    /// Presses Enter.
    pub fn press_enter(&mut self) {
        let key = json!({"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"});
        for kind in ["keyDown", "keyUp"] {
            let mut event = key.clone();
            event["type"] = kind.into();
            self.wire.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Lays out the parts that wait until a reader scrolls there; folded parts stay folded.
    pub fn lay_out(&mut self) {
        self.add_style("* { content-visibility: visible !important }");
    }

    /// Adds a style for all elements, also for those that come later.
    pub fn add_style(&mut self, style: &str) {
        let style = Value::from(style);
        self.evaluate(&format!(
            "{{
                const sheet = new CSSStyleSheet();
                sheet.replaceSync({style});
                document.adoptedStyleSheets.push(sheet);
            }}"
        ));
    }

    /// What a reader sees and could copy.
    pub fn text(&mut self) -> String {
        self.lay_out();
        self.evaluate("document.body.innerText").as_str().unwrap_or_default().to_owned()
    }

    /// Errors, warnings and exceptions since the page was opened, one line each.
    pub fn complaints(&mut self) -> Vec<String> {
        self.settle();
        self.seen().filter_map(complaint).collect()
    }

    /// Every address that was asked for since the page was opened, but the page itself and what it carries inside.
    pub fn requests(&mut self) -> Vec<String> {
        self.settle();
        let own = self.url.clone();
        let asked = self.seen().filter(|event| event["method"] == "Network.requestWillBeSent");
        let urls = asked.filter_map(|event| event["params"]["request"]["url"].as_str());
        urls.filter(|url| *url != own && !url.starts_with("data:")).map(str::to_owned).collect()
    }

    /// The page from its top to its end, or as far as a picture is still good to look at.
    pub fn screenshot(&mut self, file: &Path) {
        let size = &self.wire.call("Page.getLayoutMetrics", json!({}))["cssContentSize"];
        let height = size["height"].as_f64().map_or(TALLEST, |height| height.min(TALLEST));
        let clip = json!({"x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1});
        let wish = json!({"format": "png", "clip": clip, "captureBeyondViewport": true});
        let picture = self.wire.call("Page.captureScreenshot", wish);
        std::fs::write(file, bytes(&picture)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }

    /// As printed on paper: a PDF.
    pub fn print(&mut self) -> Vec<u8> {
        bytes(&self.wire.call("Page.printToPDF", json!({})))
    }

    /// Waits for a frame: what loading has set going has been reported then. Works without scripts too.
    fn settle(&mut self) {
        let clip = json!({"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1});
        self.wire.call("Page.captureScreenshot", json!({"format": "png", "clip": clip}));
    }

    fn seen(&self) -> impl Iterator<Item = &Value> {
        self.wire.events().iter().skip(self.since)
    }
}

/// A large page left open would slow down the next.
impl Drop for Page {
    fn drop(&mut self) {
        self.wire.tell("Page.close");
    }
}

fn complaint(event: &Value) -> Option<String> {
    let parameters = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(format!("exception: {}", parameters["exceptionDetails"])),
        "Runtime.consoleAPICalled" if is_bad(&parameters["type"]) => {
            Some(format!("console: {}", parameters["args"]))
        }
        "Log.entryAdded" if is_bad(&parameters["entry"]["level"]) => {
            Some(format!("log: {} {}", parameters["entry"]["text"], parameters["entry"]["url"]))
        }
        _ => None,
    }
}

fn is_bad(level: &Value) -> bool {
    ["error", "warning", "assert"].iter().any(|bad| level == bad)
}

fn bytes(answer: &Value) -> Vec<u8> {
    let data = answer["data"].as_str().expect("data");
    BASE64.decode(data.as_bytes()).expect("base64")
}

/// As the browser itself would write it, so that the two can be compared.
fn file_url(path: &Path) -> String {
    let text = path.to_str().expect("a path in Unicode").replace('\\', "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte);
    let mut url = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        if plain(byte) { url.push(char::from(byte)) } else { url.push_str(&format!("%{byte:02X}")) }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_an_address() {
        assert_eq!(file_url(Path::new("/tmp/.a/b c#1.html")), "file:///tmp/.a/b%20c%231.html");
        assert_eq!(file_url(Path::new("C:\\a\\b.html")), "file:///C:/a/b.html");
    }
}
