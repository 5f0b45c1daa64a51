//! Text of a transcript on a terminal: it cannot act there, and it stays inside the window.

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{App, Session, Team};

/// An agent's file that no call knows.
const LOST: &str =
    r#"{"type":"user","uuid":"lost-1","isSidechain":true,"message":{"role":"user","content":"Go"}}"#;

fn app_of(session: &Session) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(session);
    app
}

#[test]
fn transcripts_cannot_act_on_the_terminal() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred\u{1b}[0m\u{202e}gnp.exe\rhidden";
    let session = Session::numbered(11).user(evil).assistant(|message| {
        let message = message.thinking(evil).text(evil).tool_use(evil, json!({"command": evil}));
        message.answered(evil)
    });
    let app = app_of(&session);
    assert_snapshot!(app.run("show last --thinking"), @r"
    exit: 0
    ----- stdout -----
    ␛]0;owned␇␛[2Jred�gnp.exe hidden
    0000000b-5e55-4000-8000-00000000000b · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 3 messages · 1 tool call · 1.1K tokens read · 200 written

    ❯ ␛]0;owned␇␛[2Jred�gnp.exehidden

    ✻ ␛]0;owned␇␛[2Jred�gnp.exehidden

    ● ␛]0;owned␇␛[2Jred�gnp.exehidden
    ⚙ ␛]0;owned␇␛[2Jred�gnp.exehidden ␛]0;owned␇␛[2Jred�gnp.exe hidden (1.0s)
      └ ␛]0;owned␇␛[2Jred�gnp.exehidden

    ----- stderr -----
    ");
    let coloured = app.run("show last --color always");
    assert!(coloured.contains("\u{1b}[1m"), "our own colours");
    assert!(
        !coloured.contains("\u{1b}]") && !coloured.contains("\u{1b}[2J") && !coloured.contains("\u{1b}[31m")
    );
}

/// What names may hold: a title, a cleared screen, a control byte, a turned direction, and two more lines.
const NAME: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}2J\u{202e}\nBREAK\tBREAK\r\u{2028}BREAK";

#[test]
fn no_name_can_act_on_the_terminal_or_break_its_line() {
    let member = Team { name: NAME.into(), member: NAME.into(), color: NAME.into() };
    let session = Session::numbered(12)
        .cwd(format!("/home/{NAME}"))
        .git_branch(NAME)
        .model(NAME)
        .version(NAME)
        .custom_title(NAME)
        .user("go")
        .assistant(|message| {
            let message = message.block(json!({"type": NAME}));
            message
                .tool_use(NAME, json!({"command": NAME}))
                .answered("x")
                .tool_use("Bash", json!({"command": NAME}))
        })
        .agent(|agent| agent.id(NAME.replace('/', "")).kind(NAME).description(NAME))
        .agent(|agent| agent.team(member).description(NAME))
        .agent_file(format!("lost{NAME}"), LOST)
        .teammate_message(NAME, "blue", "hello")
        .tagged(format!("<task-notification><status>{NAME}</status><result>x</result></task-notification>"))
        .user_blocks(vec![
            json!({"type": "image", "source": {"type": "base64", "media_type": NAME, "data": "AA=="}}),
        ])
        .compact(NAME, 1000, 10, "We went.");
    let app = app_of(&session);
    for arguments in ["show last", "list"] {
        let text = without_styles(&app.run(&format!("{arguments} --color always")));
        assert!(text.contains("owned"), "{text}");
        assert_eq!(text.chars().find(|character| is_active(*character)), None, "{text}");
        for line in text.lines() {
            assert!(!line.trim_start().starts_with("BREAK") && !line.contains('\t'), "{line}\n\n{text}");
        }
    }
}

#[test]
fn no_text_can_act_on_the_terminal() {
    let text = NAME.replace("BREAK", "text");
    let session = Session::numbered(13)
        .user(&text)
        .plan(format!("# {text}"))
        .reject_plan(&text)
        .interrupt()
        .local_command_stdout(&text)
        .bash_command(&text, &text, &text)
        .api_error(&text)
        .assistant(|message| message.thinking(&text).text(&text).tool_use("Bash", json!({})).answered(&text))
        .agent(|agent| agent.prompt(&text).answer(&text))
        .compact("auto", 1000, 10, &text);
    let shown = app_of(&session).run("show last --color always --thinking --full-results");
    let shown = without_styles(&shown);
    assert!(shown.matches("owned").count() > 12, "{shown}");
    assert_eq!(shown.chars().find(|character| is_active(*character)), None, "{shown}");
}

/// Without the escapes that are ours: those that end in `m`.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m') {
            Some((style, rest)) if style.chars().all(|letter| letter.is_ascii_digit() || letter == ';') => {
                plain.push_str(rest);
            }
            _ => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}

fn is_active(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn a_narrow_window() {
    for columns in ["20", "30", "41"] {
        let app = app_of(&Session::numbered(1).turns(2)).variable("COLUMNS", columns);
        let width: usize = columns.parse().unwrap();
        let text = app.run("show last --full-results");
        // Talk is folded for a terminal only.
        let text = text.split("----- stderr").next().unwrap();
        for line in text.lines().filter(|line| !line.contains('\t')) {
            assert!(line.chars().count() <= width.max(24), "{line} in {columns}");
        }
    }
    for columns in ["0", "abc", ""] {
        let (odd, usual) = (
            app_of(&Session::numbered(1).turns(2)).variable("COLUMNS", columns),
            app_of(&Session::numbered(1).turns(2)),
        );
        assert_eq!(odd.run("show last"), usual.run("show last"), "{columns}");
    }
}
