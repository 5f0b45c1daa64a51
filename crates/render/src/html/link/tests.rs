//! Addresses that become links, and those that must not.

use super::*;

#[test]
fn only_three_schemes_pass_and_in_no_disguise() {
    for address in ["https://a.b/c?d=e&f#g", "HTTP://a", "mailto:a@b.c"] {
        assert_eq!(allowed(address), Some(address));
    }
    for address in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        " https://a",
        "\u{1}javascript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//a.b",
        "/a",
        "#a",
        "https:/a",
        "https:a",
        "",
        "http://a b",
        "http://a\u{202e}b",
        "ftp://a",
        "blob:https://a",
        "view-source:https://a",
    ] {
        assert_eq!(allowed(address), None, "{address:?}");
    }
}

#[test]
fn bare_addresses_become_links_without_the_stop_behind_them() {
    let shown = |text| Linked(text).render().into_string();
    assert_eq!(
        shown("see https://a.b/c_(d), or (http://e)."),
        "see <a href=\"https://a.b/c_(d)\" rel=\"noopener noreferrer\">https://a.b/c_(d)</a>, or \
         (<a href=\"http://e\" rel=\"noopener noreferrer\">http://e</a>)."
    );
    assert_eq!(shown("xhttp://a http:// https http<b>"), "xhttp://a http:// https http&lt;b&gt;");
}
