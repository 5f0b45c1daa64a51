//! A page as a reader has it: it opens quietly, leads to every turn, folds and unfolds, fits and prints.

use serde_json::json;
use steno_testkit::browser::Page;

use crate::browser::sessions::{self, PICTURES};
use crate::browser::stage::{Stage, count, picture, press, unfold};

#[test]
fn every_session_opens_without_a_word_and_without_the_network() {
    let Some(mut stage) = Stage::set() else { return };
    let sessions = [vec![("everything", sessions::everything())], sessions::others()].concat();
    for scripts in [true, false] {
        stage.page.set_javascript(scripts);
        for (name, session) in &sessions {
            for path in [stage.shared(session), stage.dumped(session)] {
                stage.page.open(&path);
                unfold(&mut stage.page);
                let shown = format!("{name}, scripts {scripts}, {}", path.display());
                assert_eq!(stage.page.complaints(), [""; 0], "{shown}");
                assert_eq!(stage.page.requests(), [""; 0], "{shown}");
            }
        }
    }
}

#[test]
fn a_page_says_the_same_without_scripts() {
    let Some(mut stage) = Stage::set() else { return };
    let path = stage.shared(&sessions::everything());
    let [with, without] = [true, false].map(|scripts| {
        stage.page.set_javascript(scripts);
        stage.page.open(&path);
        unfold(&mut stage.page);
        // They would do nothing without, and some are still to come.
        stage.page.add_style("button { display: none !important }");
        stage.page.text()
    });
    for said in
        ["Fix the parser, please.", "The loop ends where it should", "One pixel.", "All is well there."]
    {
        assert!(without.contains(said), "{said} is missing in {without}");
    }
    assert_eq!(with, without);
}

#[test]
fn the_contents_lead_to_every_turn() {
    let Some(mut stage) = Stage::set() else { return };
    let page = stage.open_shared(&sessions::everything());
    let labels = "[...document.querySelectorAll('nav a[href^=\"#\"]')].map(link => link.textContent)";
    assert_eq!(page.evaluate(labels), json!(sessions::CONTENTS));
    let lost = "[...document.querySelectorAll('a[href^=\"#\"]')].map(link => link.hash.slice(1))
        .filter(id => !document.getElementById(decodeURIComponent(id)))";
    assert_eq!(page.evaluate(lost), json!([]));
    let twice = "[...document.querySelectorAll('[id]')].map(element => element.id).filter((id, at, all) => all.indexOf(id) != at)";
    assert_eq!(page.evaluate(twice), json!([]));
    let jumps = "[...document.querySelectorAll('nav a[href^=\"#\"]')].at(-1).click(), \
                 document.querySelector(':target').innerText";
    let reached = page.evaluate(jumps);
    assert!(reached.as_str().unwrap().contains("And after the summary?"), "{reached}");
}

#[test]
fn details_are_folded_until_somebody_wants_them() {
    let Some(mut stage) = Stage::set() else { return };
    let page = stage.open_shared(&sessions::everything());
    let folded = count(page, "main details");
    assert!(folded >= 8, "{folded}");
    assert_eq!(count(page, "main details[open]:not(.change)"), 0);
    assert_eq!(count(page, "main details.change[open]"), 1, "a small diff");
    assert!(!page.text().contains("error: one test failed"));
    press(page, "Open all");
    assert_eq!(count(page, "main details[open]"), folded);
    assert!(page.text().contains("error: one test failed"));
    press(page, "Close all");
    assert_eq!(count(page, "main details[open]"), 0);
}

#[test]
fn a_page_can_be_narrowed_to_prompts_and_to_edits() {
    let Some(mut stage) = Stage::set() else { return };
    let page = stage.open_shared(&sessions::everything());
    let seen = |page: &mut Page, selector: &str| {
        let all = format!(
            "[...document.querySelectorAll('main {selector}')].filter(one => one.checkVisibility()).length"
        );
        page.evaluate(&all).as_u64().unwrap()
    };
    let (prompts, said) = (seen(page, ".user"), seen(page, ".agent-said > .prose"));
    press(page, "Prompts");
    assert_eq!((seen(page, ".user"), seen(page, ".agent-said")), (prompts, 0));
    press(page, "Edits");
    assert_eq!((seen(page, ".agent-said > .prose"), seen(page, ".agent-said > .change") > 0), (0, true));
    press(page, "All");
    assert_eq!(seen(page, ".agent-said > .prose"), said);
}

#[test]
fn verdicts_of_plans_are_seen_at_once() {
    let Some(mut stage) = Stage::set() else { return };
    let text = stage.open_shared(&sessions::everything()).text();
    let lower = text.to_lowercase();
    for expected in ["approved", "rejected", "smaller, please", "pending"] {
        assert!(lower.contains(expected), "{expected} is missing in {text}");
    }
}

#[test]
fn pictures_are_shown() {
    let Some(mut stage) = Stage::set() else { return };
    let page = stage.open_shared(&sessions::everything());
    unfold(page);
    let widths = page.evaluate(
        // Far below, they wait until somebody scrolls there.
        "Promise.all([...document.images].map(image => {
            image.loading = 'eager';
            return image.decode().then(() => image.naturalWidth);
        }))",
    );
    assert_eq!(widths, json!(PICTURES));
}

#[test]
fn nothing_sticks_out_of_a_narrow_window() {
    let Some(mut stage) = Stage::set() else { return };
    stage.page.set_size(390, 844);
    let sessions = [vec![("everything", sessions::everything())], sessions::others()].concat();
    for (name, session) in &sessions {
        let page = stage.open_shared(session);
        assert_eq!(overhang(page), json!([]), "{name}, folded");
        unfold(page);
        picture(page, &format!("narrow-{name}"));
        assert_eq!(overhang(page), json!([]), "{name}, unfolded");
    }
    assert_eq!(count(&mut stage.page, "meta[name=viewport][content*='width=device-width']"), 1);
}

/// Nothing, or the elements that make the page wider than its window.
pub(crate) fn overhang(page: &mut Page) -> serde_json::Value {
    let wide = "document.documentElement.scrollWidth <= innerWidth ? [] : \
                [...document.querySelectorAll('body *')].filter(element => element.getBoundingClientRect().right > innerWidth + 1)\
                .slice(0, 5).map(element => element.outerHTML.slice(0, 100)).concat(document.documentElement.scrollWidth)";
    page.evaluate(wide)
}

#[test]
fn it_prints() {
    let Some(mut stage) = Stage::set() else { return };
    let printed = stage.open_shared(&sessions::everything()).print();
    assert!(printed.starts_with(b"%PDF-") && printed.len() > 10_000, "{} bytes", printed.len());
}
