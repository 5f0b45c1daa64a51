//! Nothing public shows the secret, however it is printed.

use std::fmt::Debug;

use steno_redact::Feed;

use crate::samples::{SCANNER, found, samples};

#[track_caller]
fn assert_silent(value: &impl Debug, secret: &str) {
    for shown in [format!("{value:?}"), format!("{value:#?}")] {
        let numbers: Vec<String> = secret.bytes().map(|byte| byte.to_string()).collect();
        assert!(!shown.contains(secret) && !shown.contains(&numbers.join(", ")), "{shown}");
    }
}

#[test]
fn debug_shows_kinds_and_places_only() {
    for sample in samples() {
        let mut feed = Feed::new(&SCANNER);
        feed.push(sample.text().as_bytes(), |place| assert_silent(&place, &sample.secret));
        assert_silent(&feed, &sample.secret);
        feed.finish(|place| assert_silent(&place, &sample.secret));
        found(sample.text()).iter().for_each(|finding| assert_silent(finding, &sample.secret));
    }
}
