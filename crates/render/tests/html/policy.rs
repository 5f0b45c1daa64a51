//! What the browser is told about the page.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use steno_render::Detail;
use steno_render::html::{SCRIPT, STYLE};
use steno_testkit::Session;

use crate::reading::page;

/// After a change to app.css or app.js, the hash that this test names goes to html.rs.
#[test]
fn the_policy_allows_our_style_and_script_and_nothing_else() {
    let page = page(&Session::numbered(1).user("hello"), &Detail::default());
    let policy = page.all("meta").find(|tag| tag.get("http-equiv") == Some("Content-Security-Policy"));
    let hash = |text: &str| BASE64.encode(&Sha256::digest(text));
    assert_eq!(
        policy.unwrap().get("content").unwrap(),
        format!(
            "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; form-action 'none'; \
             base-uri 'none'",
            hash(STYLE),
            hash(SCRIPT)
        )
    );
}

#[test]
fn style_and_script_stay_in_their_elements_and_ask_for_nothing() {
    for text in [STYLE, SCRIPT] {
        assert!(!text.contains("</") && !text.contains("<!--") && !text.contains('\r'));
    }
    for word in ["@import", "url(", "expression"] {
        assert!(!STYLE.contains(word), "{word}");
    }
    for word in
        ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "fetch(", "XMLHttp", "import"]
    {
        assert!(!SCRIPT.contains(word), "{word}");
    }
}
