//! A transcript full of markup, scripts, links and escapes: all of it is text, and none of it is the page's.

use serde_json::json;
use steno_testkit::browser::Page;
use steno_testkit::{Session, ToolResult};

use crate::browser::stage::{Stage, count, unfold};

/// Each would leave a trace: a global, an element that can be found, or a request.
const PAYLOADS: [&str; 14] = [
    "<script>window.canary = 'script'</script>",
    "<img class=planted src=x onerror=\"window.canary = 'image'\">",
    "<svg class=planted onload=\"window.canary = 'svg'\"></svg>",
    "<iframe class=planted srcdoc=\"<script>parent.canary = 'frame'</script>\"></iframe>",
    "</code></pre></details></main><b class=planted>out</b>",
    "</script></style></title></textarea><script>window.canary = 'ended'</script>",
    "<style class=planted>* { display: none !important }</style>",
    "<!-- <b class=planted>comment</b> --!> <![CDATA[ <b class=planted>data</b> ]]>",
    "<form class=planted action=https://example.com/><input name=a autofocus onfocus=\"window.canary = 'focus'\">",
    "<base class=planted href=https://example.com/><meta http-equiv=refresh content=\"0; url=https://example.com/\">",
    "\" onmouseover=\"window.canary = 'attribute'\" class=\"planted",
    "' autofocus onfocus='window.canary = \"quote\"' class='planted",
    "&lt;b&gt; &#60;script&#62; &amp &#x; &nosuch; &#0; &#xD800; &#99999999;",
    "{{constructor.constructor('window.canary = 1')()}} ${window.canary = 1}",
];

/// Markdown in which an address would run, load or lead somewhere.
const LINKS: [&str; 9] = [
    "[words one](javascript:window.canary='link')",
    "[words two](JaVaScRiPt:window.canary='case')",
    "[words three](&#106;avascript:window.canary='entity')",
    "[words four](java\tscript:window.canary='tab')",
    "[words five](data:text/html,<script>window.canary='data'</script>)",
    "[words six](vbscript:window.canary)",
    "![words seven](https://example.com/beacon.png)",
    "![words eight](x\" onerror=\"window.canary='title')",
    "<javascript:window.canary='auto'> <https://example.com/\"onclick=\"window.canary='auto'>",
];

const ESCAPES: &str =
    "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7} \u{1b}[2J \u{9b}31m \u{202e}drawkcab\u{202c} \u{0} end";

/// The same in every place that a person, the agent, a tool or the client writes to.
pub(crate) fn session() -> Session {
    let markup = PAYLOADS.join("\n\n");
    let links = LINKS.join("\n\n");
    let fenced = format!(
        "```html\n{markup}\n```\n\n```<b class=planted>\nx\n```\n\n~~~\" onclick=\"window.canary=1\nx\n~~~"
    );
    let edit = json!({"file_path": markup, "old_string": markup, "new_string": format!("{markup}\n{links}")});
    let todos = json!({"todos": [{"content": markup, "status": markup, "activeForm": markup}]});
    let picture = json!({"type": "base64", "media_type": "text/html\" onerror=\"window.canary='media'", "data": "\"><b class=planted>"});
    Session::numbered(66)
        .cwd("/home/dev/<b class=planted>")
        .git_branch("<img class=planted src=x onerror=window.canary=1>")
        .custom_title(&markup)
        .user(format!("{markup}\n\n{links}\n\n{ESCAPES}"))
        .user_blocks(vec![
            json!({"type": "text", "text": "look"}),
            json!({"type": "image", "source": picture}),
        ])
        .assistant(|message| {
            message
                .model("<b class=planted>")
                .thinking(format!("{markup}\n\n{links}"))
                .text(format!("{markup}\n\n{links}\n\n{fenced}\n\n{ESCAPES}"))
                .tool_use("Bash", json!({"command": markup, "description": links}))
                .answered(format!("{markup}\n{ESCAPES}"))
                .tool_use("Edit", edit)
                .answered_with(ToolResult::text(&markup).error())
                .tool_use("TodoWrite", todos)
                .answered(&markup)
                .tool_use("<b class=planted>", json!({"<b class=planted>": markup}))
                .answered_with(ToolResult::content(
                    json!([{"type": "text", "text": markup}, {"type": "<b>", "x": markup}]),
                ))
                .tool_use("WebFetch", json!({"url": "javascript:window.canary='fetch'", "prompt": markup}))
                .answered(&links)
        })
        .agent(|agent| agent.description(&markup).prompt(&markup).answer(&markup))
        .plan(&markup)
        .reject_plan(&markup)
        .slash_command("<b class=planted>", &markup)
        .local_command_stdout(&markup)
        .bash_command(&markup, &markup, &markup)
        .unknown_record("<b class=planted>")
        .compact("auto", 155_000, 9000, &markup)
        .user("The end of it")
        .assistant(|message| message.text("Still a page."))
}

#[test]
fn a_hostile_transcript_is_text() {
    let Some(mut stage) = Stage::set() else { return };
    let session = session();
    for path in [stage.shared(&session), stage.dumped(&session)] {
        // Its own policy would stop most of this; its escaping must do without.
        for policy in [true, false] {
            stage.page.set_policy(policy);
            stage.page.open(&path);
            unfold(&mut stage.page);
            provoke(&mut stage.page);
            assert_eq!(stage.page.complaints(), [""; 0], "policy {policy}");
            assert_eq!(stage.page.requests(), [""; 0], "policy {policy}");
            assert_eq!(stage.page.evaluate("String(window.canary)"), "undefined", "policy {policy}");
            nothing_is_planted(&mut stage.page);
            its_text_is_there(&mut stage.page);
        }
    }
}

/// That nothing of it is seen means something only if it would be.
#[test]
fn the_same_text_as_markup_is_found_out() {
    let Some(mut stage) = Stage::set() else { return };
    for payload in PAYLOADS.iter().filter(|payload| payload.contains("canary") && payload.starts_with('<')) {
        stage.open_markup(payload);
        stage.page.evaluate("new Promise(done => setTimeout(done, 50))");
        assert_ne!(stage.page.evaluate("String(window.canary)"), "undefined", "{payload}");
    }
    stage.open_markup("<img class=planted src=x>");
    assert_eq!(count(&mut stage.page, ".planted"), 1);
    assert_ne!(stage.page.requests(), [""; 0]);
}

/// What a reader may do without meaning harm: point at things, and click whatever is not a link to elsewhere.
pub(crate) fn provoke(page: &mut Page) {
    page.evaluate(
        "document.querySelectorAll('*').forEach(element => {
            element.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
            if (element.matches('a:not([href^=http]):not([href^=mailto])')) element.click();
        })",
    );
}

pub(crate) fn nothing_is_planted(page: &mut Page) {
    for selector in
        [".planted", "iframe, object, embed, form, input, base, meta[http-equiv=refresh]", "img[src=x]"]
    {
        assert_eq!(count(page, selector), 0, "{selector}");
    }
    assert!(count(page, "script") <= 1 && count(page, "style") <= 1);
    let handlers = "[...document.querySelectorAll('*')].flatMap(element => [...element.attributes])
        .filter(attribute => attribute.name.startsWith('on')).map(attribute => attribute.name)";
    assert_eq!(page.evaluate(handlers), json!([]));
    let schemes = "[...document.querySelectorAll('[href], [src], [xlink\\\\:href]')]
        .map(element => element.href ?? element.src).filter(address => !/^(https?|mailto|file|data:image)/.test(address))";
    assert_eq!(page.evaluate(schemes), json!([]));
}

/// As it was written, but for white space that a page folds and for signs that cannot be shown.
fn its_text_is_there(page: &mut Page) {
    let text = page.text();
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = folded(&text);
    for payload in PAYLOADS {
        assert!(shown.contains(&folded(payload)), "{payload} is missing in {shown}");
    }
    for words in
        ["words one", "words two", "words three", "words four", "words five", "words six", "Still a page."]
    {
        assert!(shown.contains(words), "{words} is missing in {shown}");
    }
    let unseen = |sign: &char| matches!(sign, '\u{1b}' | '\u{7}' | '\u{9b}' | '\u{202e}' | '\0');
    assert_eq!(text.chars().filter(unseen).collect::<String>(), "", "escapes are left");
}
