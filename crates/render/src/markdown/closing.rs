//! What was said, in markdown → what it leaves open at its end: a fence, a comment, a block of HTML. Without an end
//! of their own, all that follows in the document would become part of them.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// The ends of those blocks of HTML that an empty line does not end.
const ENDS: [&str; 8] = ["-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">"];

/// What stands behind a text to see whether it is read as what it is.
const PROBE: &str = "# end\n";

/// The line that closes a text, where it needs one.
pub(super) fn closing(text: &str) -> Option<String> {
    let may_be_open = text.contains("```") || text.contains("~~~") || text.contains('<');
    if !may_be_open || !is_open(text) {
        return None;
    }
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
