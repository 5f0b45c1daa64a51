//! What was said, in markdown → the fence that it leaves open at its end. Without an end of its own, all that follows in
//! the document would become part of it.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// A heading behind the text: the parser does not see it while a fence is open.
const PROBE: &str = "# end\n";

/// What closes a text without HTML, on a line of its own, where it needs that.
pub(super) fn closing(text: &str) -> Option<String> {
    let may_be_open = text.contains("```") || text.contains("~~~");
    let fence = Some(text).filter(|text| may_be_open && is_open(text)).and_then(fence)?;
    (!is_open(&format!("{text}\n{fence}"))).then_some(fence)
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
    use super::closing;

    #[test]
    fn an_open_fence_is_closed_and_nothing_else() {
        assert_eq!(closing("so:\n```rust\na").as_deref(), Some("```"));
        assert_eq!(closing("~~~~\n```\na").as_deref(), Some("~~~~"));
        for text in ["```\na\n```", "a ``` b", "`<div>`"] {
            assert_eq!(closing(text), None, "{text}");
        }
    }
}
