//! What the browser is told about the page.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use steno_render::Detail;
use steno_render::html::{EncryptedPage, LOCKED_SCRIPT, LOCKED_STYLE, SCRIPT, STYLE, locked};
use steno_testkit::Session;

use crate::html::reading::page;

fn hash(text: &str) -> String {
    BASE64.encode(&Sha256::digest(text))
}

/// After a change to app.css or app.js, the hash that this test names goes to html.rs.
#[test]
fn the_policy_allows_our_style_and_script_and_nothing_else() {
    let page = page(&Session::numbered(1).user("hello"), &Detail::default());
    let policy = page.all("meta").find(|tag| tag.get("http-equiv") == Some("Content-Security-Policy"));
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

/// After a change to locked.css or locked.js, the hash that this test names goes to locked.rs.
#[test]
fn an_encrypted_page_allows_its_own_and_those_of_the_page_inside() {
    let page = locked(EncryptedPage { terms: "{\"a\":\"<\"}", content: "AAAA" });
    let sources = |own: &str, inside: &str| format!("'sha256-{}' 'sha256-{}'", hash(own), hash(inside));
    let policy = format!(
        "default-src 'none'; img-src data:; style-src {}; script-src {}; form-action 'none'; base-uri 'none'",
        sources(LOCKED_STYLE, STYLE),
        sources(LOCKED_SCRIPT, SCRIPT)
    );
    assert!(page.contains(&format!("content=\"{policy}\"")), "{policy}");
    assert!(page.contains("data-terms=\"{&quot;a&quot;:&quot;&lt;&quot;}\">AAAA</template>"));
}

#[test]
fn an_encrypted_page_asks_for_nothing_and_looks_like_the_others() {
    for text in [LOCKED_STYLE, LOCKED_SCRIPT] {
        assert!(!text.contains("</") && !text.contains("<!--") && !text.contains('\r'));
    }
    for word in ["innerHTML", "insertAdjacent", "eval", "fetch(", "XMLHttp", "import(", "http:", "https:"] {
        assert!(!LOCKED_SCRIPT.contains(word), "{word}");
    }
    let colours = |style: &str| -> Vec<String> {
        let lines = style.lines().map(str::trim).filter(|line| line.contains("light-dark("));
        lines.filter_map(|line| Some(line.split_once("light-dark(")?.1.to_owned())).collect()
    };
    let known = colours(STYLE).concat();
    for colour in colours(LOCKED_STYLE).iter().flat_map(|pair| pair.split([',', ' ', ')', ';'])) {
        assert!(known.contains(colour), "{colour} is no colour of other pages");
    }
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
