//! Secrets of every kind a security engineer would list, in every place and disguise, and what only looks like one:
//! how many are found, and how many are left alone. Changes of the rules are held against these numbers.

mod disguises;
mod draw;
mod kinds;
mod look_alikes;
mod places;
mod score;

use disguises::DISGUISES;
use draw::Drawer;
use kinds::{KINDS, Sign};
use look_alikes::LOOK_ALIKES;
use places::{Plant, planted};
use score::{Score, shown, survives};

/// Each draws other values.
const SEEDS: [u64; 3] = [1, 20_261_118, 0xC0FF_EE00];

/// Found, of a hundred; what is drawn is now and then a word by chance.
const RECALL: f64 = 99.0;
const RECALL_IN_DISGUISE: f64 = 95.0;
const PRECISION: f64 = 99.0;

#[test]
fn secrets_of_every_kind_are_found_in_every_place() {
    let mut score = Score::default();
    for seed in SEEDS {
        let mut drawer = Drawer::new(seed);
        for kind in KINDS {
            let value = drawer.fill(kind.form);
            for Plant { name, key, text, secret } in planted(kind, &value) {
                let shown = shown(&text, key.as_deref());
                score.add(!survives(&secret, &shown), || format!("{name}: {shown:?}"));
            }
        }
    }
    println!("{} kinds; recall: {score}", KINDS.len());
    assert!(KINDS.len() >= 150);
    score.assert_at_least(RECALL);
}

#[test]
fn a_disguise_hides_no_secret() {
    let mut score = Score::default();
    for seed in SEEDS {
        let mut drawer = Drawer::new(seed);
        for kind in KINDS.iter().filter(|kind| kind.sign == Sign::Form) {
            let value = drawer.fill(kind.form);
            for disguise in DISGUISES {
                let text = (disguise.put)(&value);
                let shown = shown(&text, None);
                let (before, after) = disguised_parts(disguise.put, &value);
                let is_hidden = !survives(&before, &shown) && !survives(&after, &shown);
                score.add(is_hidden, || format!("{} ({}): {shown:?}", disguise.name, kind.name));
            }
        }
    }
    println!("{} disguises; recall: {score}", DISGUISES.len());
    score.assert_at_least(RECALL_IN_DISGUISE);
}

/// Both halves of a token, spelled as they stand there.
fn disguised_parts(put: fn(&str) -> String, value: &str) -> (String, String) {
    let text = put(value);
    let plain = |part: &str| text.contains(part).then(|| part.to_owned());
    let (first, second) = value.split_at(value.len() / 2);
    let middle = text.len() / 3..text.len() / 2;
    let otherwise =
        || text[text.floor_char_boundary(middle.start)..text.floor_char_boundary(middle.end)].to_owned();
    (plain(first).unwrap_or_else(otherwise), plain(second).unwrap_or_else(otherwise))
}

#[test]
fn what_only_looks_like_a_secret_is_left_alone() {
    let mut score = Score::default();
    for seed in SEEDS {
        let mut drawer = Drawer::new(seed);
        for (key, form) in LOOK_ALIKES {
            let text = drawer.fill(form);
            let shown = shown(&text, *key);
            score.add(shown == text, || format!("{key:?} {text:?}: {shown:?}"));
        }
    }
    println!("{} look-alikes; precision: {score}", LOOK_ALIKES.len());
    assert!(LOOK_ALIKES.len() >= 80);
    score.assert_at_least(PRECISION);
}
