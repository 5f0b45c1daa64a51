//! Text that can be read on what is behind it, in light and in dark.

use serde_json::Value;
use steno_testkit::browser::{Page, Scheme};

use crate::browser::sessions;
use crate::browser::stage::{Stage, picture, unfold};

/// What guidelines ask of text of any size.
const LEAST: f64 = 4.5;

/// Everything behind a text is painted over each other, then the text, and the last two colours are compared.
const MEASURE: &str = r"
(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const painted = colors => {
        for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = pixel => {
        const [red, green, blue] = pixel.map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = element => {
        const colors = [];
        for (let at = element; at; at = at.parentElement) colors.unshift(getComputedStyle(at).backgroundColor);
        return ['Canvas', ...colors];
    };
    const worst = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent.trim();
        if (!text || !element.checkVisibility() || ['SCRIPT', 'STYLE'].includes(element.tagName)) continue;
        const color = getComputedStyle(element).color;
        const back = painted(behind(element));
        const front = painted([color]);
        const [dark, bright] = [light(back), light(front)].sort((a, b) => a - b);
        const key = `${back} ${front}`;
        const where = element.tagName.toLowerCase() + '.' + element.className;
        if (!worst.has(key)) worst.set(key, {ratio: (bright + 0.05) / (dark + 0.05), where, text: text.slice(0, 40), key});
    }
    return {found: [...worst.values()], background: String(painted(behind(document.body)))};
})()";

#[test]
fn all_text_stands_out_in_light_and_in_dark() {
    let Some(mut stage) = Stage::set() else { return };
    let path = stage.dumped(&sessions::everything());
    let page = &mut stage.page;
    let backgrounds = [Scheme::Light, Scheme::Dark].map(|scheme| {
        page.set_scheme(scheme);
        page.open(&path);
        picture(page, &format!("folded-{scheme:?}").to_lowercase());
        unfold(page);
        picture(page, &format!("unfolded-{scheme:?}").to_lowercase());
        background_of_readable(page, scheme)
    });
    assert_ne!(backgrounds.first(), backgrounds.last(), "dark is as light");
}

pub(crate) fn background_of_readable(page: &mut Page, scheme: Scheme) -> Value {
    let mut measured = page.evaluate(MEASURE);
    let colours = measured["found"].as_array().unwrap();
    assert!(colours.len() > 2, "{measured}");
    let faint: Vec<&Value> =
        colours.iter().filter(|colour| colour["ratio"].as_f64().unwrap() < LEAST).collect();
    assert!(faint.is_empty(), "too faint in {scheme:?}: {faint:#?}");
    measured["background"].take()
}
