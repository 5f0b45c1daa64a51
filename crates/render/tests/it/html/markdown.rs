//! Markdown of people and agents.

use proptest::prelude::*;

use crate::html::reading::said;

/// The markup of the agent's text, without what stands around it.
fn markup(text: &str) -> String {
    let body = said(text).body;
    let (_, prose) = body.rsplit_once("<div class=\"prose\">").unwrap();
    prose.split_once("</div></article>").unwrap().0.to_owned()
}

#[test]
fn prose_lists_quotes_and_headings() {
    let text = "# A\n\ntwo\nlines *b* **c** ~~d~~ `e<f`\n\n3. g\n   - [x] h\n\n> i\n\n---";
    assert_eq!(
        markup(text),
        "<h3>A</h3><p>two<br>lines <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;f</code></p>\
         <ol dir=\"auto\" start=\"3\"><li>g<ul dir=\"auto\"><li>☑ h</li></ul></li></ol><blockquote><p>i</p></blockquote><hr>"
    );
}

#[test]
fn what_is_pasted_keeps_its_indentation() {
    assert_eq!(
        markup("if a {\n  b\n}\n\n- c\n  d"),
        "<p>if a {<br>  b<br>}</p><ul dir=\"auto\"><li>c<br>d</li></ul>"
    );
}

#[test]
fn raw_html_is_text() {
    assert_eq!(
        markup("<b>a</b>\n\n<div onclick=x>\n**b**\n</div>"),
        "<p>&lt;b&gt;a&lt;/b&gt;</p><p>&lt;div onclick=x&gt;\n**b**\n&lt;/div&gt;</p>"
    );
}

#[test]
fn code_keeps_its_fence_and_gets_its_colours() {
    assert_eq!(
        markup("```rust,no_run\nlet a = 1;\n```\n\n    plain"),
        "<pre data-lang=\"rust,no_run\"><code><span class=\"k\">let</span> a = <span class=\"n\">1</span>;</code></pre>\
         <pre><code>plain</code></pre>"
    );
    let long = "let a = 1;\n".repeat(7000);
    assert!(!markup(&format!("```rust\n{long}```")).contains("<span"));
    let block = format!("```rust\n{}```\n", "let a = 1;\n".repeat(5000));
    assert!(markup(&format!("{block}{block}")).ends_with("<span class=\"n\">1</span>;</code></pre>"));
}

#[test]
fn tables_are_aligned_by_class() {
    assert_eq!(
        markup("|a|b|\n|-|-:|\n|1|2|"),
        "<div class=\"scroll\"><table><thead><tr><th>a</th><th class=\"right\">b</th></tr></thead>\
         <tbody><tr><td>1</td><td class=\"right\">2</td></tr></tbody></table></div>"
    );
}

#[test]
fn cells_beyond_the_last_column_are_kept() {
    let table = markup("|a|b|\n|-|-|\n|1|`c | d`|\n|2|");
    assert!(table.contains("<td>1</td><td>`c</td><td>d`</td>"), "{table}");
    assert!(table.contains("<td>2</td><td></td></tr>"), "{table}");
}

#[test]
fn addresses_that_cannot_be_followed_are_shown() {
    assert_eq!(
        markup("[main](src/main.rs \"the start\") [same](same) ![pic](a.png)"),
        "<p>main <span class=\"to\">(src/main.rs)</span> <span class=\"to\">(the start)</span> same \
         image: pic <span class=\"to\">(a.png)</span></p>"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Colons are left out: they make definitions, which are seen only where they are used.
    #[test]
    fn no_word_is_lost(
        before in prop_oneof![Just("start "), Just("> - "), Just("|a|b|\n|-|-|\n|"), Just("```a\n")],
        text in "[a-e \n*_~>#.1|`\\[\\]()!<\"'\\\\=+-]{0,120}",
    ) {
        let page = said(&format!("{before}{text}"));
        let shown = page.tags.iter().flat_map(|tag| &tag.attributes).map(|(_, value)| value.as_str());
        let shown = format!("{} {}", page.text, shown.collect::<Vec<_>>().join(" "));
        for word in text.split(|character: char| !character.is_ascii_alphabetic()) {
            prop_assert!(shown.contains(word), "{word:?} of {text:?} in {}", page.body);
        }
    }
}
