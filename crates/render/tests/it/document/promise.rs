//! Promises: the same bytes every time, nothing that was said is lost or changed, and nothing breaks out of its fence.

use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::{Value, json};
use steno_render::Detail;
use steno_testkit::{Session, random_session};

use super::{session, text, whole};

/// Everything.
fn full() -> Detail {
    Detail { thinking: true, full_results: true, agents: true, all: true, ..Detail::default() }
}

/// The texts that people and the agent said, as they stand in the records.
fn said(session: &Session) -> Vec<String> {
    let mut texts = Vec::new();
    for line in session.build().lines() {
        let Ok(record) = serde_json::from_slice::<Value>(line) else { continue };
        if !matches!(record["type"].as_str(), Some("user" | "assistant")) {
            continue;
        }
        match &record["message"]["content"] {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(blocks) => {
                let text = blocks.iter().filter(|block| block["type"] == "text");
                texts.extend(text.filter_map(|block| Some(block["text"].as_str()?.to_owned())));
            }
            _ => {}
        }
    }
    texts
}

/// The blocks of code that a reader of markdown finds.
fn blocks(document: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for event in Parser::new(document) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => open = Some(String::new()),
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

fn texts() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "```",
        "````",
        "~~~",
        "~~~~~",
        "\n",
        "\n\n",
        "    ",
        "- ",
        "> ",
        "# ",
        "<pre>",
        "<details>",
        "</details>",
        "<b>",
        "<td class=\"",
        "</pre>",
        "<!--",
        "-->",
        "<script>",
        "<div>",
        "<?",
        "<![CDATA[",
        "<!X",
        "word",
        "ä",
        "`",
        "\t",
        "rust",
        "1. ",
        "---",
        "|",
        "\\",
        "*",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_same_session_gives_the_same_bytes(seed: u64) {
        let session = random_session(seed, 30);
        prop_assert_eq!(whole(&session, &full()), whole(&session, &full()));
        prop_assert_eq!(text(&session, &Detail::default()), text(&session, &Detail::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_was_said_stands_as_it_was_said(asked in texts(), answered in texts()) {
        let session = session().user(format!("Q{asked}")).assistant(|message| message.text(format!("A{answered}")));
        let shown = whole(&session, &full());
        // Nothing is added but backslashes, before what would be HTML and before a backslash there.
        let plain = shown.replace('\\', "");
        for text in said(&session) {
            prop_assert!(plain.contains(&text.replace('\\', "")), "{:?} is not in {}", text, shown);
        }
        let own = ["<details><summary>Thinking</summary>", "</details>"];
        let mut live = Parser::new(&shown).filter_map(|event| match event {
            Event::Html(html) | Event::InlineHtml(html) => Some(html.trim().to_owned()),
            _ => None,
        });
        prop_assert!(live.all(|html| html.is_empty() || own.contains(&html.as_str())), "{}", shown);
    }

    #[test]
    fn nothing_breaks_out_of_its_fence(asked in texts(), command in texts(), result in texts()) {
        let command = format!("a{command}");
        let result = format!("b{result}");
        let session = session()
            .user(format!("Q\n\n{asked}"))
            .assistant(|message| message.tool_use("Bash", json!({"command": command})))
            .answer(result.clone())
            .assistant(|message| message.text("Last."));
        let shown = whole(&session, &Detail::default());
        let blocks = blocks(&shown);
        let ours = |text: &str| if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
        let last: Vec<&String> = blocks.iter().rev().take(2).collect();
        prop_assert_eq!(last, [&ours(&result), &ours(&command)], "{}", shown);
    }
}

#[test]
fn what_a_text_leaves_open_is_closed_behind_it() {
    let open = ["```rust\nfn main()", "~~~~\na", "<!-- a", "<pre>\na", "<script>a", "<?a", "- a\n  ```\n  b"];
    for text in open {
        let session = session().user(text).assistant(|message| message.text("Next"));
        let shown = whole(&session, &Detail::default());
        let headings = Parser::new(&shown).filter(|event| matches!(event, Event::Start(Tag::Heading { .. })));
        assert_eq!(headings.count(), 3, "{shown}");
    }
}
