//! An encrypted page: locked it says nothing and asks nobody, opened it is the page that it holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use steno_testkit::browser::{Page, Scheme};

use crate::browser::contrast::background_of_readable;
use crate::browser::hostile;
use crate::browser::reading::overhang;
use crate::browser::sessions;
use crate::browser::stage::{PASSPHRASE, Stage, count, picture, press, unfold};

/// Until the page says something that is not about its work, or is another one.
const ANSWER: &str = "new Promise(done => {
    const look = () => {
        const said = document.getElementById('said');
        if (!said) done(null);
        else if (said.classList.contains('bad')) done(said.textContent);
        else setTimeout(look, 20);
    };
    setTimeout(look, 20);
})";

/// Until every block of code that is not folded away has its button: that is done beside everything else.
const DRESSED: &str = "new Promise(done => {
    const look = () => {
        const bare = [...document.querySelectorAll('main pre')]
            .filter(code => !code.closest('.code, details:not([open])'));
        if (bare.length) setTimeout(look, 20);
        else done();
    };
    look();
})";

/// The page of such a session, made once: nobody optimises what tests run, and the key takes its time.
fn everything(stage: &Stage) -> PathBuf {
    static MADE: OnceLock<Vec<u8>> = OnceLock::new();
    let made = MADE.get_or_init(|| fs::read(stage.locked(&sessions::everything())).unwrap());
    stage.put("locked.html", made)
}

/// What the page says to a passphrase; none where it opens.
fn tried(page: &mut Page, passphrase: &str) -> Value {
    page.evaluate("document.getElementById('passphrase').value = ''");
    page.insert(passphrase);
    page.press_enter();
    page.evaluate(ANSWER)
}

fn open(page: &mut Page, path: &Path) {
    page.open(path);
    assert_eq!(tried(page, PASSPHRASE), Value::Null);
    page.evaluate(
        "new Promise(done => document.readyState == 'complete' ? done() : addEventListener('load', done))",
    );
}

fn is_quiet(page: &mut Page) {
    assert_eq!(page.complaints(), [""; 0]);
    assert_eq!(page.requests(), [""; 0]);
}

#[test]
fn opened_it_is_the_same_page() {
    let Some(mut stage) = Stage::set() else { return };
    let (plain, locked) = (stage.shared(&sessions::everything()), everything(&stage));
    let page = &mut stage.page;
    // All of it is in reach then: a block of code gets its button when it comes near.
    page.set_size(1280, 6000);
    let told = "[document.title, document.compatMode, document.characterSet, document.documentElement.lang, \
                document.querySelectorAll('*').length, location.pathname.length > 0]";
    page.open(&plain);
    page.evaluate(DRESSED);
    let (facts, text) = (page.evaluate(told), page.text());
    page.open(&locked);
    assert_eq!(page.evaluate("document.title"), "Encrypted page");
    is_quiet(page);
    open(page, &locked);
    page.evaluate(DRESSED);
    assert_eq!(page.evaluate(told), facts);
    assert_eq!(page.text(), text);
    is_quiet(page);
}

#[test]
fn its_scripts_links_and_policy_hold_when_it_is_open() {
    let Some(mut stage) = Stage::set() else { return };
    let path = everything(&stage);
    let page = &mut stage.page;
    open(page, &path);
    let folded = count(page, "main details");
    press(page, "Open all");
    assert_eq!(count(page, "main details[open]"), folded);
    let jumps = "[...document.querySelectorAll('nav a[href^=\"#\"]')].at(-1).click(), \
                 document.querySelector(':target').innerText";
    let reached = page.evaluate(jumps);
    assert!(reached.as_str().unwrap().contains("And after the summary?"), "{reached}");
    is_quiet(page);
    let refused = page.evaluate(
        "new Promise(done => {
            document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective));
            document.body.append(Object.assign(new Image(), {src: 'https://example.com/x.png'}));
            setTimeout(() => done('nothing'), 2000);
        })",
    );
    assert_eq!(refused, "img-src");
}

#[test]
fn an_address_leads_to_its_place_after_the_passphrase() {
    let Some(mut stage) = Stage::set() else { return };
    let path = everything(&stage);
    let page = &mut stage.page;
    open(page, &path);
    let hash = page.evaluate("[...document.querySelectorAll('nav a[href^=\"#\"]')].at(-1).hash");
    page.open(&path);
    page.evaluate(&format!("location.hash = {hash}"));
    assert_eq!(tried(page, PASSPHRASE), Value::Null);
    let reached = page.evaluate("document.querySelector(':target')?.innerText");
    assert!(reached.as_str().unwrap_or_default().contains("And after the summary?"), "{reached}");
    assert_ne!(page.evaluate("scrollY"), 0);
}

#[test]
fn a_wrong_passphrase_is_told_and_may_be_tried_again() {
    let Some(mut stage) = Stage::set() else { return };
    let path = everything(&stage);
    let page = &mut stage.page;
    page.open(&path);
    for wrong in ["correct horse battery stapler", "CORRECT HORSE BATTERY STAPLE", "x"] {
        let said = tried(page, wrong);
        assert!(said.as_str().unwrap().contains("not the passphrase"), "{said}");
        let field = "[document.activeElement.id, document.activeElement.getAttribute('aria-invalid'), \
                     document.activeElement.readOnly, document.body.innerText.includes('parser')]";
        assert_eq!(page.evaluate(field), json!(["passphrase", "true", false, false]));
    }
    is_quiet(page);
    // As it is pasted from a message.
    assert_eq!(tried(page, &format!(" {PASSPHRASE} ")), Value::Null);
    assert!(page.text().contains("Fix the parser, please."));
}

#[test]
fn nothing_is_asked_where_nothing_could_be_opened() {
    let Some(mut stage) = Stage::set() else { return };
    let path = everything(&stage);
    let page = &mut stage.page;
    let torn = path.with_extension("torn.html");
    let whole = fs::read(&path).unwrap();
    fs::write(&torn, &whole[..whole.len() * 2 / 3]).unwrap();
    page.open(&torn);
    let said = tried(page, PASSPHRASE);
    assert!(said.as_str().unwrap().contains("breaks off"), "{said}");

    page.open(&path);
    page.evaluate("Object.defineProperty(crypto, 'subtle', {value: undefined})");
    let said = tried(page, PASSPHRASE);
    assert!(said.as_str().unwrap().contains("no cryptography"), "{said}");

    page.set_javascript(false);
    page.open(&path);
    let text = page.text();
    assert!(text.contains("Allow JavaScript") && !text.contains("Passphrase"), "{text}");
}

#[test]
fn a_hostile_transcript_is_text_in_it_too() {
    let Some(mut stage) = Stage::set() else { return };
    let path = stage.locked(&hostile::session());
    for policy in [true, false] {
        stage.page.set_policy(policy);
        open(&mut stage.page, &path);
        unfold(&mut stage.page);
        hostile::provoke(&mut stage.page);
        is_quiet(&mut stage.page);
        assert_eq!(stage.page.evaluate("String(window.canary)"), "undefined", "policy {policy}");
        hostile::nothing_is_planted(&mut stage.page);
    }
}

#[test]
fn it_can_be_read_in_light_and_dark_and_in_a_narrow_window() {
    let Some(mut stage) = Stage::set() else { return };
    let path = everything(&stage);
    let page = &mut stage.page;
    for scheme in [Scheme::Light, Scheme::Dark] {
        page.set_scheme(scheme);
        for (width, height) in [(1280, 900), (390, 844)] {
            page.set_size(width, height);
            page.open(&path);
            let name = format!("locked-{scheme:?}-{width}").to_lowercase();
            picture(page, &name);
            background_of_readable(page, scheme);
            assert_eq!(overhang(page), json!([]), "{name}");
            tried(page, "wrong");
            picture(page, &format!("{name}-wrong"));
            background_of_readable(page, scheme);
            assert_eq!(overhang(page), json!([]), "{name}, wrong");
        }
    }
}
