//! A parser of markdown reads back what was escaped.

use pulldown_cmark::{Event, Options, Parser};

use super::*;

/// What a reader of markdown sees of a line.
fn read(markdown: &str) -> String {
    let events = Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION);
    let text = events.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => Some(text.to_string()),
        _ => None,
    });
    text.collect()
}

#[test]
fn names_and_paths_stay_as_they_are() {
    for line in ["mcp__forge__get_issue", "~/.claude/a_b.rs", "C & A", "issue #3 (1-2)", "a-b + c"] {
        assert_eq!(escape(line), line);
    }
}

#[test]
fn an_item_starts_nothing_else() {
    let lines = ["1. a", "12) a", "1.", "> a", ">a", "-", "+", "---", "- a", "# a", "1.5 s", "1 a", "=="];
    for line in lines {
        let item = format!("- {}", escape_item(line));
        assert_eq!(read(&item), line);
        let starts = Parser::new(&item).filter(|event| matches!(event, Event::Start(_)));
        assert_eq!(starts.count(), 2, "a list and its item: {item}");
    }
    assert_eq!([escape_item("1.5 s"), escape_item("v1. a")], ["1.5 s", "v1. a"]);
}

#[test]
fn a_line_is_read_as_it_was() {
    let lines =
        ["*a* **b**", "_a_ __b", "<b>a</b> &amp; &", "[a](b) ![c]", "`a``b`", "~~a~~", "a \\* b", "# a #"];
    for line in lines {
        assert_eq!(read(&format!("## {}", escape(line))), line);
        assert_eq!(read(&format!("- {}", escape(line))), line);
        assert_eq!(read(&format!("x {} y", code_span(line))), format!("x {line} y"));
    }
}
