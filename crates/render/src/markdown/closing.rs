//! What was said, in markdown → what it leaves open at its end: a fence, a comment, elements of HTML. Without an end
//! of their own, all that follows in the document would become part of them.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::element;

/// The ends of those blocks of HTML that an empty line does not end.
const ENDS: [&str; 8] = ["-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">"];

/// What stands behind a text to see whether it is read as what it is.
const PROBE: &str = "# end\n";

/// What closes a text, on lines of its own, where it needs that.
pub(super) fn closing(text: &str) -> Option<String> {
    let has_html = text.contains('<');
    let may_be_open = text.contains("```") || text.contains("~~~") || has_html;
    let block = Some(text).filter(|text| may_be_open && is_open(text)).and_then(end_of_block);
    let elements = if has_html { element::closing(text) } else { String::new() };
    // A tag on its own starts a block only behind an empty line.
    match (block, elements.is_empty()) {
        (None, true) => None,
        (None, false) => Some(format!("\n{elements}")),
        (Some(end), true) => Some(end),
        // The element was its own block.
        (Some(end), false) if elements.starts_with(&end) => Some(elements),
        (Some(end), false) => Some(format!("{end}\n\n{elements}")),
    }
}

fn end_of_block(text: &str) -> Option<String> {
    let ends = fence(text).into_iter().chain(ENDS.map(str::to_owned));
    ends.into_iter().find(|end| !is_open(&format!("{text}\n{end}")))
}

fn is_open(text: &str) -> bool {
    let probed = format!("{text}\n\n{PROBE}");
    let place = probed.len() - PROBE.len();
    let is_probe = |event: &Event<'_>| matches!(event, Event::Start(Tag::Heading { .. }));
    !Parser::new(&probed).into_offset_iter().any(|(event, range)| range.start == place && is_probe(&event))
}

/// The fence of the last block of code.
fn fence(text: &str) -> Option<String> {
    let is_fenced =
        |event: &Event<'_>| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))));
    let events = Parser::new(text).into_offset_iter();
    let (_, range) = events.filter(|(event, _)| is_fenced(event)).last()?;
    let start = text.get(range.start..)?;
    let mark = start.chars().next()?;
    Some(start.chars().take_while(|character| *character == mark).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(text: &str) -> String {
        closing(text).unwrap_or_default().trim().to_owned()
    }

    #[test]
    fn elements_are_closed_from_the_inside_out() {
        assert_eq!(closed("<details><summary>a</summary>\n\n<div class='x>'>b"), "</div></details>");
        assert_eq!(closed("See\n\n<table>\n<tr><td>a\n"), "</table>");
        assert_eq!(closed("so <b>bold <br> <img src=a>"), "</b>");
        assert_eq!(closed("<details>\n\na </DETAILS> b"), "");
        assert_eq!(closed("<div>a</div></div>"), "");
    }

    #[test]
    fn what_is_no_element_is_left_alone() {
        for text in
            ["`<div>`", "```html\n<div>\n```", "a Vec<String> b", "<!-- <div> -->", "1 < 2", "    <div>"]
        {
            assert_eq!(closed(text), "", "{text}");
        }
    }

    #[test]
    fn a_block_and_an_element_are_both_closed() {
        assert_eq!(closed("<div>\n\n```rust\na"), "```\n\n</div>");
        assert_eq!(closed("<script>\nif (a < b) x('<div>')"), "</script>");
        assert_eq!(closed("<div class=\"a\n\nb"), "<div \"></div>");
    }
}
