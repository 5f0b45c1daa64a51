//! HTML in prose, in every disguise, is harmless afterwards; everything else is unchanged.

use super::*;

fn is_live(text: &str) -> bool {
    Parser::new(text).any(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_)))
}

#[test]
fn no_html_is_left_and_its_words_are() {
    for text in [
        "<script>alert(1)</script>",
        "<script>\nif (a < b) x('<div>')\n</script>",
        "so <b onclick=x()>bold</b> and <img src=x onerror=y()>",
        "<div>\n\n<script>x</script>\n\n</div>",
        "<!-- <script> -->\n<?php x ?>\n<![CDATA[<b>]]>",
        "- item <iframe src=x>\n> quoted <svg/onload=x>",
        "<details><summary>a</summary>\n\n`<b>`\n",
        "<a href=\"javascript:x\"\nclass=b>two lines</a>",
        "<pre>\n    <b>\n</pre>",
    ] {
        let shown = defused(text).unwrap();
        assert!(!is_live(&shown), "{text}: {shown}");
        assert_eq!(shown.replace("\\<", "<"), text);
    }
}

#[test]
fn code_addresses_and_prose_stay_as_they_are() {
    for text in [
        "`<script>` and ``<b>``",
        "```html\n<script>x</script>\n```",
        "    <script>x</script>",
        "see <https://acme.io/x> or <bob@acme.io>",
        "1 < 2 and a << b, x <- y, \\<b>",
        "no brackets",
    ] {
        assert_eq!(defused(text), None, "{text}");
    }
}
