//! Chunk: who speaks, what is hidden, and what belongs together.

use serde_json::json;
use steno_conversation::Conversation;
use steno_conversation::model::{ChunkBody, UserChunk};
use steno_testkit::{Era, Session, Usage};

use crate::passes::explaining::explain;
use crate::passes::words::outline;

fn done(session: Session) -> Session {
    session.assistant(|message| message.text("done"))
}

fn users(conversation: &Conversation) -> Vec<&UserChunk> {
    let users = conversation.chunks.iter().filter_map(|chunk| match &chunk.body {
        ChunkBody::User(user) => Some(user),
        _ => None,
    });
    users.collect()
}

#[test]
fn whole_turns_of_every_era_read_the_same() {
    for era in Era::ALL {
        let shown = explain(&Session::numbered(1).era(era).turns(2));
        let turn = |number: usize| {
            [
                format!("user: Prompt {number}: please do step {number}."),
                format!(
                    "ai: thinking Step {number} needs a build and a look., text Starting step {number}., \
                     Bash → built step {number}, Read →      1\tstep {number}, text Step {number} is done."
                ),
            ]
        };
        assert_eq!(outline(&shown.chunks), [turn(1), turn(2)].concat(), "{era:?}");
        assert_eq!((shown.profile.turns, shown.profile.tool_calls), (2, 4), "{era:?}");
        assert!(shown.warnings.is_empty() && shown.unknown_types.is_empty(), "{era:?}");
    }
}

#[test]
fn prompts_are_strings_or_lists_of_blocks() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let session = Session::numbered(1)
        .user("a string")
        .user_blocks(vec![text("a list"), text("of two")])
        .image("look", "iVBORw0KGgo=");
    let session = session.user_blocks(vec![json!({
        "type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="},
    })]);
    let shown = explain(&session);
    assert_eq!(
        outline(&shown.chunks),
        ["user: a string", "user: a list\n\nof two", "user: look [image]", "user:  [image]"]
    );
    assert_eq!(shown.profile.turns, 4);
}

#[test]
fn a_prompt_queued_as_an_attachment_is_a_prompt() {
    let session = done(Session::numbered(1).user("go").queued_prompt("and the tests"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "user (queued): and the tests", "ai: text done"]);
    assert_eq!(shown.profile.turns, 2);
}

#[test]
fn a_queued_prompt_of_text_and_image_keeps_both() {
    let prompt = json!([
        {"type": "text", "text": "like this"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}},
    ]);
    let session = Session::numbered(1)
        .user("go")
        .attachment("queued_command", json!({"prompt": prompt, "commandMode": "prompt"}));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "user (queued): like this [image]"]);
    assert_eq!(shown.profile.turns, 2);
}

#[test]
fn a_task_that_reports_through_the_queue_is_no_prompt() {
    let note = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<result>fine</result>\n</task-notification>";
    let session = Session::numbered(1)
        .user("go")
        .attachment("queued_command", json!({"prompt": note, "commandMode": "prompt"}))
        .attachment("queued_command", json!({"prompt": note, "commandMode": "task-notification"}))
        .attachment("queued_command", json!({"prompt": "x", "commandMode": "task-notification"}));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: notification fine, notification fine"]);
    assert_eq!(shown.profile.turns, 1);
}

#[test]
fn a_prompt_that_waited_is_queued_and_one_that_did_not_is_not() {
    // Print mode sends every prompt through the queue, and takes it out at once.
    let session = Session::numbered(1)
        .era(Era::V2_1_56)
        .queue_operation("enqueue", Some("at once"))
        .wait(20)
        .queue_operation("dequeue", None)
        .user("at once")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
        .queue_operation("enqueue", Some("while you work"))
        .answer("src");
    let session = done(session)
        .queue_operation("dequeue", None)
        .user("while you work")
        .queue_operation("enqueue", Some("while you think"))
        .wait(1500)
        .queue_operation("dequeue", None)
        .user("while you think");
    assert_eq!(
        outline(&explain(&session).chunks),
        [
            "user: at once",
            "ai: Bash → src, text done",
            "user (queued): while you work",
            "user (queued): while you think",
        ]
    );
}

#[test]
fn what_was_queued_and_taken_back_is_no_prompt() {
    let session = done(Session::numbered(1).user("go").queue_operation("enqueue", Some("never mind")))
        .queue_operation("popAll", Some("never mind"));
    assert_eq!(outline(&explain(&session).chunks), ["user: go", "ai: text done"]);
}

#[test]
fn slash_commands_have_a_name_and_arguments() {
    let session = Session::numbered(1)
        .slash_command("model", "opus")
        .tagged("<command-message>review</command-message>\n<command-name>review</command-name>");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: /model opus", "user: /review"]);
    let command = users(&shown)[0].command.clone().unwrap();
    assert_eq!((command.name.as_str(), command.args.as_str()), ("/model", "opus"));
    assert_eq!(shown.profile.turns, 0, "a command is no prompt");
}

#[test]
fn a_shell_command_has_its_output() {
    for era in Era::ALL {
        let shown = explain(&Session::numbered(1).era(era).bash_command("make", "built\n", "warning\n"));
        assert_eq!(outline(&shown.chunks), ["user: ! make"], "{era:?}");
        let bash = users(&shown)[0].bash.clone().unwrap();
        assert_eq!(bash.command, "make");
        assert_eq!((bash.stdout.as_deref(), bash.stderr.as_deref()), (Some("built\n"), Some("warning\n")));
        assert_eq!(shown.chunks[0].records.len(), 2);
    }
}

#[test]
fn output_of_local_commands_is_the_systems() {
    let session = Session::numbered(1)
        .slash_command("cost", "")
        .local_command_stdout("Total: $1.25")
        .local_command_stdout("")
        .local_command_stdout("(no content)")
        .local_command_stderr("no such command")
        .tagged("<local-command-stdout></local-command-stdout>\n<local-command-stderr>both</local-command-stderr>");
    assert_eq!(
        outline(&explain(&session).chunks),
        [
            "user: /cost",
            "system local_command: Total: $1.25",
            "system local_command: no such command",
            "system local_command: both",
        ]
    );
}

#[test]
fn local_commands_of_newer_clients_are_system_records() {
    let session = Session::numbered(1).system("local_command").system_with(
        "local_command",
        json!({"content": "<local-command-stdout>fine</local-command-stdout>"}),
    );
    assert_eq!(outline(&explain(&session).chunks), ["user: /status", "system local_command: fine"]);
}

#[test]
fn noise_is_hidden_in_every_era() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .caveat()
            .system_reminder("remember")
            .tagged("<system-reminder>not even meta</system-reminder>")
            .meta("Base directory for this skill: /x")
            .user("go")
            .hook_progress("PreToolUse", "Bash")
            .attachment("task_reminder", json!({"content": [], "itemCount": 0}))
            .system("turn_duration")
            .system("stop_hook_summary")
            .system("away_summary")
            .notice("Running PostToolUse:Edit...")
            .microcompact(1000, 10)
            .mode("plan")
            .file_history_snapshot()
            .api_request_blob(
                "assistant",
                json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]),
            );
        let shown = explain(&done(session));
        assert_eq!(outline(&shown.chunks), ["user: go", "ai: text done"], "{era:?}");
        assert_eq!((shown.profile.turns, shown.tools.len()), (1, 0), "{era:?}");
    }
}

#[test]
fn what_the_editor_adds_is_not_what_the_user_said() {
    let text = "<ide_opened_file>The user opened a.rs</ide_opened_file>\nfix it\n<system-reminder>be kind</system-reminder>";
    assert_eq!(outline(&explain(&Session::numbered(1).user(text)).chunks), ["user: fix it"]);
}

#[test]
fn tags_in_the_middle_of_a_prompt_are_prose() {
    let text = "what does <command-name>/clear</command-name> do?";
    let shown = explain(&Session::numbered(1).user(text));
    assert_eq!(outline(&shown.chunks), [format!("user: {text}")]);
    assert_eq!(shown.profile.turns, 1);
}

#[test]
fn an_interruption_is_a_step_of_the_agents_chunk() {
    for era in Era::ALL {
        let session =
            Session::numbered(1).era(era).user("go").assistant(|message| message.thinking("hm").unfinished());
        let shown = explain(&session.interrupt().user("stop that"));
        assert_eq!(
            outline(&shown.chunks),
            ["user: go", "ai: thinking hm, [Request interrupted by user]", "user: stop that"],
            "{era:?}"
        );
        assert_eq!(shown.profile.turns, 2, "{era:?}");
    }
}

#[test]
fn an_interruption_beside_a_tool_result_is_not_lost() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})));
    let tool = session.made().last_tool().clone();
    let record = json!({
        "type": "user", "uuid": null, "timestamp": null,
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": tool, "content": "no", "is_error": true},
            {"type": "text", "text": "[Request interrupted by user for tool use]"},
        ]},
    });
    assert_eq!(
        outline(&explain(&session.linked(record)).chunks),
        ["user: go", "ai: Bash failed: no, [Request interrupted by user for tool use]"]
    );
}

#[test]
fn words_beside_a_tool_result_are_the_users() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})));
    let tool = session.made().last_tool().clone();
    let record = json!({
        "type": "user", "uuid": null, "timestamp": null,
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": tool, "content": "src"},
            {"type": "text", "text": "and be quick"},
            {"type": "text", "text": "<system-reminder>hidden</system-reminder>"},
        ]},
    });
    let shown = explain(&done(session.linked(record)));
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash → src", "user: and be quick", "ai: text done"]);
}

#[test]
fn a_background_task_reports_in_the_agents_chunk() {
    let session = Session::numbered(1).user("go").task_notification("a1", "toolu_1", "found it");
    let shown = explain(&done(session));
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: notification found it, text done"]);
    let value = serde_json::to_value(&shown.chunks[1]).unwrap();
    assert_eq!(value["steps"][0]["task"], "a1");
    assert_eq!(value["steps"][0]["toolId"], "toolu_1");
    assert_eq!(value["steps"][0]["status"], "completed");
    assert_eq!(shown.profile.turns, 1);
}

#[test]
fn a_teammates_message_says_who_sent_it() {
    let session = Session::numbered(1)
        .teammate_message("scout", "blue", "all clear")
        .tagged("Another Claude session sent a message:\n<teammate-message teammate_id=\"pm\" summary=\"go on\">next</teammate-message>");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: all clear", "user: next"]);
    let from = users(&shown)[0].from_team.clone().unwrap();
    assert_eq!((from.member.as_deref(), from.color.as_deref()), (Some("scout"), Some("blue")));
    assert_eq!(users(&shown)[1].from_team.clone().unwrap().summary.as_deref(), Some("go on"));
    assert_eq!(shown.profile.turns, 0);
}

#[test]
fn api_errors_and_synthetic_answers_are_the_systems() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .user("go")
            .api_error("API Error: 529 overloaded")
            .system("api_error");
        let silent = json!({
            "type": "assistant", "uuid": null, "timestamp": null, "isApiErrorMessage": false,
            "message": {"id": "x", "model": "<synthetic>", "role": "assistant", "stop_reason": "stop_sequence",
                        "content": [{"type": "text", "text": "No response requested."}]},
        });
        let shown = explain(&session.linked(silent));
        assert_eq!(
            outline(&shown.chunks),
            [
                "user: go",
                "system api_error: API Error: 529 overloaded",
                "system api_error: ConnectionRefused"
            ],
            "{era:?}"
        );
        assert!(shown.profile.models.is_empty(), "{era:?}");
    }
}

#[test]
fn a_flag_that_says_false_is_no_api_error() {
    let record = json!({
        "type": "assistant", "uuid": null, "timestamp": null, "isApiErrorMessage": false,
        "message": {"role": "assistant", "content": [{"type": "text", "text": "fine"}]},
    });
    assert_eq!(
        outline(&explain(&Session::numbered(1).user("go").linked(record)).chunks),
        ["user: go", "ai: text fine"]
    );
}

#[test]
fn unknown_types_are_counted_and_break_nothing() {
    let session = done(Session::numbered(1).user("go").unknown_record("sparkle").unknown_linked("glitter"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text done"]);
    assert_eq!(shown.unknown_types, ["glitter", "sparkle"]);
    assert_eq!(shown.record_types["sparkle"], 1);
}

#[test]
fn chunks_know_their_records_their_times_and_what_they_cost() {
    let usage = Usage { input: 5, output: 70, cache_read: 900, cache_5m: 10, cache_1h: 20 };
    let session = Session::numbered(1).user("go").assistant(|message| {
        message.usage(usage).text("hm").tool_use("Bash", json!({"command": "ls"})).answered("src")
    });
    let shown = explain(&session);
    let ids: Vec<_> = shown.chunks[1].records.iter().filter_map(|at| at.uuid.clone()).collect();
    assert_eq!(ids, session.made().records[1..]);
    let ChunkBody::Ai(ai) = &shown.chunks[1].body else { panic!() };
    assert_eq!(ai.duration_ms, Some(2000));
    assert_eq!((ai.tokens.output, ai.tokens.cache_write_1h), (70, 20));
    assert_eq!(ai.tokens, shown.profile.tokens);
    assert_eq!(ai.model.as_deref(), Some("claude-opus-5-5"));
}

#[test]
fn a_message_that_a_queued_prompt_splits_is_paid_for_once() {
    let id = steno_transcript::MessageId::new("msg_split");
    let part = |session: Session, text: &'static str| {
        let id = id.clone();
        session.assistant(|message| message.text(text).id(id).request_id("req_1"))
    };
    let session = part(Session::numbered(1).user("go"), "one").queued_prompt("quick");
    let shown = explain(&part(session, "two"));
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text one", "user (queued): quick", "ai: text two"]);
    let mut sum = 0;
    for chunk in &shown.chunks {
        if let ChunkBody::Ai(ai) = &chunk.body {
            sum += ai.tokens.output;
        }
    }
    assert_eq!(sum, shown.profile.tokens.output);
}
