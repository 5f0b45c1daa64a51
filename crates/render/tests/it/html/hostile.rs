//! Transcripts that want to be more than text.

use serde_json::json;
use steno_render::Detail;
use steno_testkit::{Session, ToolResult};

use crate::html::reading::{page, said};

const HOSTILE: &str = "<script>alert(1)</script></style></title></textarea>]]><!-- <img src=x onerror=alert(1)> \
                       \" onmouseover=\"alert(1)\" x=\" ' onclick='a' &lt;b&gt; &#x6a; &broken &amp \u{0}\u{1b}]0;t\u{7}\
                       \u{1b}[31mred\u{1b}[0m \u{202e}desrever\u{202c} \u{2066}i\u{2069} {{x}} ${y} \u{9b}2J";

/// Every place that text of a transcript comes from.
fn hostile(text: &str) -> Session {
    Session::numbered(1)
        .cwd(format!("/home/{text}"))
        .git_branch(text)
        .model(text)
        .custom_title(text)
        .user(text)
        .image(text, text)
        .assistant(|message| {
            let message = message.thinking(text).text(text).text(format!("```{text}\n{text}\n```"));
            let message = message.tool_use(text, json!({text: text, "list": [text, {text: text}]}));
            message.answered_with(ToolResult::text(text).error()).block(json!({"type": text, "x": text}))
        })
        .assistant(|message| {
            message.tool_use("Bash", json!({"command": text, "description": text})).answered(text)
        })
        .assistant(|message| message.tool_use("Read", json!({"file_path": text})).answered(text))
        .assistant(|message| {
            message.tool_use("Write", json!({"file_path": text, "content": text})).answered(text)
        })
        .assistant(|message| {
            let input =
                json!({"file_path": text, "old_string": text, "new_string": format!("{text}\n{text}")});
            message.tool_use("Edit", input).answered(text)
        })
        .assistant(|message| {
            let todos = json!({"todos": [{"content": text, "status": text, "activeForm": text}]});
            message.tool_use("TodoWrite", todos).answered_with(ToolResult::image(text))
        })
        .assistant(|message| message.tool_use("Grep", json!({"pattern": text, "path": text})).answered(text))
        .assistant(|message| {
            message.tool_use("WebFetch", json!({"url": text, "prompt": text})).answered(text)
        })
        .assistant(|message| {
            let choices = json!([{"label": text, "description": text}, text]);
            let input = json!({"questions": [{"question": text, "header": text, "options": choices}]});
            let answers = json!({"answers": {text: format!("{text}, {text}")}, "annotations": {text: text}});
            message
                .tool_use("AskUserQuestion", input)
                .answered_with(ToolResult::text(text).structured(answers))
        })
        .assistant(|message| {
            let refused =
                format!("The user doesn't want to proceed with this tool use. The user said: {text}");
            let message = message.tool_use(text, json!({})).answered_with(ToolResult::text(refused).error());
            let list = json!([text, {text: text}]).to_string();
            message.tool_use("mcp__a__b", json!({})).answered(list)
        })
        .agent(|agent| agent.kind(text).description(text).prompt(text).answer(text))
        .plan(text)
        .reject_plan(text)
        .slash_command(text, text)
        .local_command_stdout(text)
        .bash_command(text, text, text)
        .api_error(text)
        .teammate_message("member", "red", text)
        .compact("auto", 10, 5, text)
}

#[test]
fn hostile_text_is_text_wherever_it_stands() {
    for all in [false, true] {
        let detail = Detail {
            thinking: true,
            system_events: true,
            all,
            notes: vec![HOSTILE.to_owned()],
            ..Detail::default()
        };
        let page = page(&hostile(HOSTILE), &detail);
        assert!(page.text.matches("<script>alert(1)</script>").count() >= 30, "{}", page.text);
        assert!(page.has("red") && page.has("&broken"));
        assert_eq!(page.links(), Vec::<&str>::new());
        assert_eq!(page.all("img").count(), 0);
    }
}

#[test]
fn no_address_leads_anywhere_else() {
    for address in [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "java&#x09;script:alert(1)",
        "&#106;avascript:alert(1)",
        "java%0ascript:alert(1)",
        "<javascript:alert(1)>",
        "<java\tscript:alert(1)>",
        "data:text/html;base64,PHNjcmlwdD4=",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "/a",
        "blob:x",
        "\u{1}javascript:x",
        "https&colon;//x",
        "view-source:https://x",
        "ftp://x",
        "#c1",
        "intent://x",
    ] {
        for form in ["[click]({})", "![click]({})", "[click][1]\n\n[1]: {}", "<{}>", "{}"] {
            let page = said(&form.replace("{}", address));
            let links = page.links();
            assert!(links.iter().all(|link| *link == "https://x"), "{form} {address}: {links:?}");
        }
    }
    let page =
        said("[a](https://a.b/?x=1&y=\"2\") ![p](http://c.d/e.png) <mailto:a@b.c> HTTPS://f https://g.");
    assert_eq!(page.links(), ["https://a.b/?x=1&y=\"2\"", "http://c.d/e.png", "mailto:a@b.c", "https://g"]);
    for tag in page.all("a").filter(|tag| !tag.get("href").unwrap().starts_with('#')) {
        assert_eq!(tag.get("rel"), Some("noopener noreferrer"));
    }
    assert_eq!(page.all("img").count(), 0);
}

#[test]
fn a_million_characters_stay_what_they_are() {
    let page = said(&"a".repeat(1_000_000));
    assert!(page.text.len() > 1_000_000);
}

#[test]
fn whatever_is_nested_stays_shallow() {
    for (open, close) in [
        ("> ", ""),
        ("- ", ""),
        ("1. ", ""),
        ("*a ", "*"),
        ("**a ", "**"),
        ("[", "](x)"),
        ("![", "](x)"),
        ("_a", "_"),
        ("> - ", ""),
        ("~~a", "~~"),
        ("<b>", "</b>"),
        ("a`", "`"),
        ("[a](", ")"),
    ] {
        let text = format!("{}middle{}", open.repeat(10_000), close.repeat(10_000));
        let page = said(&text);
        assert!(page.has("middle"), "{open}");
        assert!(page.deepest < 60, "{open}: {}", page.deepest);
    }
}

#[test]
fn agents_in_agents_stay_shallow() {
    fn nested(session: Session, depth: usize) -> Session {
        session.agent(|agent| {
            let agent = agent.foreground();
            if depth == 0 {
                agent.answer("innermost")
            } else {
                agent.steps(|session| nested(session, depth - 1))
            }
        })
    }
    let page = page(&nested(Session::numbered(1).user("go"), 70), &Detail::default());
    assert!(page.has("agents below") && !page.has("innermost"));
    assert!(page.deepest < 300, "{}", page.deepest);
}

/// Tables have cells that nobody wrote.
#[test]
fn no_markdown_grows_without_bounds() {
    let columns = 2000;
    let head = format!("|{}\n|{}\n", "a|".repeat(columns), "-|".repeat(columns));
    let page = said(&format!("{head}{}", "|\n".repeat(3000)));
    assert!(page.body.len() < 2_000_000, "{}", page.body.len());
}
