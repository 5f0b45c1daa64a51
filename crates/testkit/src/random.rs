//! A seed → a session that mixes everything the builder can write, the odd and the broken included.

use serde_json::json;

use crate::{Era, Rng, Session, Usage};

const WORDS: [&str; 40] = [
    "the",
    "session",
    "parser",
    "reads",
    "a",
    "line",
    "and",
    "keeps",
    "every",
    "byte",
    "of",
    "it",
    "when",
    "tests",
    "fail",
    "we",
    "look",
    "at",
    "src/lib.rs",
    "\"quoted\"",
    "C:\\path",
    "naïve",
    "日本語",
    "🦀",
    "tab\there",
    "new\nline",
    "build",
    "release",
    "cargo",
    "error[E0308]:",
    "mismatched",
    "types",
    "expected",
    "found",
    "branch",
    "rebase",
    "commit",
    "café",
    "0x1f",
    "{}",
];

/// Words with quotes, backslashes, newlines and characters outside ASCII among them.
pub fn random_text(rng: &mut Rng, words: u64) -> String {
    let mut text = String::new();
    for index in 0..words.max(1) {
        if index > 0 {
            text.push(' ');
        }
        let word: &&str = rng.choose(&WORDS);
        text.push_str(word);
    }
    text
}

/// `size` steps, each a record or a handful of them. The same seed and size give the same bytes.
pub fn random_session(seed: u64, size: usize) -> Session {
    let mut rng = Rng::new(seed);
    let era = *rng.choose(&Era::ALL);
    let number = u32::try_from(seed % u64::from(u32::MAX)).expect("below the bound");
    let mut session = Session::numbered(number).era(era).opening();
    if rng.chance(50) {
        session = session.slug("serene-bubbling-muffin");
    }
    session = session.user(random_text(&mut rng, 6));
    for _ in 0..size {
        session = step(session, &mut rng);
    }
    session
}

fn step(session: Session, rng: &mut Rng) -> Session {
    match rng.below(20) {
        0..=3 => prompt(session, rng),
        4..=9 => answer(session, rng),
        10..=12 => notice(session, rng),
        13..=14 => setting(session, rng),
        15 => turning_point(session, rng),
        16 => agent(session, rng),
        17 => plan(session, rng),
        18 => session.turns(1),
        _ => defect(session, rng),
    }
}

fn prompt(session: Session, rng: &mut Rng) -> Session {
    let text = random_text(rng, 8);
    match rng.below(9) {
        0 => session.image(text, "iVBORw0KGgo="),
        1 => session.slash_command("model", "opus").local_command_stdout(&text),
        2 => session.bash_command("ls", &text, ""),
        3 => session.queued_prompt(text),
        4 => session.caveat(),
        5 => session.interrupt(),
        6 => session.teammate_message("pm", "blue", &text),
        7 => session.system_reminder(&text),
        _ => session.user(text),
    }
}

fn answer(session: Session, rng: &mut Rng) -> Session {
    let usage = Usage {
        input: rng.below(50),
        output: rng.below(5000),
        cache_read: rng.below(100_000),
        cache_5m: rng.below(4000),
        cache_1h: rng.below(2000),
    };
    let (thought, text, output) = (random_text(rng, 12), random_text(rng, 20), random_text(rng, 40));
    let variant = rng.below(8);
    session.assistant(|message| {
        let bash = json!({"command": "cargo test", "description": "Runs tests"});
        let message = message.usage(usage);
        match variant {
            0 => message.text(text),
            1 => message.thinking(thought).text(text).together(),
            2 => message.thinking(thought).text(text).cumulative(),
            3 => message.redacted_thinking().text(text).unfinished(),
            4 => message.text(text).tool_use("Bash", bash),
            5 => message.text(text).without_id(),
            6 => message
                .block(json!({"type": "advisor_tool_result", "content": text}))
                .stop_reason("max_tokens"),
            _ => message
                .thinking(thought)
                .tool_use("Bash", bash.clone())
                .answered(output.clone())
                .tool_use("Read", json!({"file_path": "/home/dev/project/a.rs"}))
                .answered(output),
        }
    })
}

fn notice(session: Session, rng: &mut Rng) -> Session {
    match rng.below(9) {
        0 => session.system("turn_duration"),
        1 => session.system("api_error"),
        2 => session.system("local_command"),
        3 => session.system("stop_hook_summary"),
        4 => session.hook_progress("PreToolUse", "Bash"),
        5 => session.bash_progress(3, &random_text(rng, 30)),
        6 => session.attachment("task_reminder", json!({"content": [], "itemCount": 0})),
        7 => session.api_error(random_text(rng, 5)),
        _ => session.unknown_linked("sparkle"),
    }
}

fn setting(session: Session, rng: &mut Rng) -> Session {
    let text = random_text(rng, 4);
    match rng.below(9) {
        0 => session.custom_title(&text),
        1 => session.ai_title(&text),
        2 => session.summary(&text),
        3 => session.last_prompt(),
        4 => session.cost_state(),
        5 => session.file_history_snapshot(),
        6 => session.api_request_blob("user", json!(text)).api_request(),
        7 => session.unknown_record("sparkle-note"),
        _ => session.permission_mode("plan").tools_used(),
    }
}

fn turning_point(session: Session, rng: &mut Rng) -> Session {
    let prompts = session.made().prompts.len();
    if rng.chance(50) && prompts > 0 {
        let nth = rng.below(prompts as u64) as usize;
        return session.rewind_to(nth).user(random_text(rng, 6));
    }
    let trigger = if rng.chance(50) { "auto" } else { "manual" };
    session.compact(trigger, rng.below(180_000), rng.below(20_000), &random_text(rng, 60))
}

fn agent(session: Session, rng: &mut Rng) -> Session {
    let count = 1 + rng.below(3) as usize;
    let text = random_text(rng, 10);
    let nested = rng.chance(30);
    session.agents(count, |index, agent| {
        let agent = agent.prompt(format!("{text} {index}")).description(format!("part {index}"));
        if nested { agent.steps(|session| session.agent(|inner| inner)) } else { agent }
    })
}

fn plan(session: Session, rng: &mut Rng) -> Session {
    let session = session.plan(format!("# Plan\n\n{}", random_text(rng, 20)));
    match rng.below(4) {
        0 => session.approve_plan(),
        1 => session.reject_plan("smaller steps").implement_plan(),
        2 => session.reject_plan(""),
        _ => session,
    }
}

fn defect(session: Session, rng: &mut Rng) -> Session {
    match rng.below(7) {
        0 => session.garbage(),
        1 => session.blank_line(),
        2 => session.mode("normal").glue().mode("normal"),
        3 => session.mode("normal").crlf(),
        4 => session.tool_result("toolu_nobody", "orphan"),
        5 => session.wait(-60_000),
        _ => session.spaced(&json!({"type": "mode", "mode": "normal"})),
    }
}
