//! The builder writes what it says: compact lines, linked chains, and the shapes of each era.

use serde_json::{Value, json};
use steno_testkit::{Agent, Compaction, Era, Session, Team, ToolResult, Usage};

fn keys(record: &Value) -> Vec<&str> {
    record.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

fn of_type<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == kind).collect()
}

/// A session that uses every method that writes a record.
fn everything(era: Era) -> Session {
    Session::numbered(1)
        .era(era)
        .slug("serene-bubbling-muffin")
        .turns(2)
        .image("look", "iVBORw0KGgo=")
        .user_blocks(vec![json!({"type": "text", "text": "blocks"})])
        .caveat()
        .slash_command("model", "opus")
        .local_command_stdout("set")
        .local_command_stderr("oops")
        .bash_command("ls", "src", "")
        .queued_prompt("and also this")
        .assistant(|message| message.text("on it").tool_use("Bash", json!({"command": "ls"})))
        .answer_with(ToolResult::persisted("line\n".repeat(8000)))
        .assistant(|message| {
            message.tool_use("Read", json!({})).answered_with(ToolResult::image("iVBORw0KGgo="))
        })
        .interrupt()
        .plan("# One\n\n1. do")
        .reject_plan("add two")
        .plan("# Two")
        .approve_plan()
        .plan("# Three")
        .keep_planning()
        .implement_plan()
        .agent(|agent| agent.description("first"))
        .agents(2, |index, agent| {
            agent.steps(|session| session.agent(|inner| inner)).description(index.to_string())
        })
        .warm_up()
        .compact("manual", 1000, 100, "What happened.")
        .microcompact(900, 100)
        .teammate_message("pm", "blue", "hello")
        .system_reminder("be kind")
        .api_error("API Error: 500")
        .system("informational")
        .system("away_summary")
        .notice("limit reached")
        .agent_progress("a1", "prompt", json!({"role": "user", "content": "x"}))
        .summary("A summary")
        .custom_title("Custom")
        .ai_title("AI")
        .agent_name("name")
        .agent_color("blue")
        .agent_setting("setting")
        .tag("tag")
        .pr_link(7)
        .file_history_delta("a.txt")
        .queue_operation("popAll", None)
        .worktree_state(Some("/home/dev/side"))
        .relocated("/home/dev/side")
        .bridge_session("b")
        .frame_link()
        .content_replacement("toolu_x", "short")
        .fork_context_ref("other")
        .derived_from("other")
        .history_suppression()
        .unknown_record("sparkle")
        .unknown_linked("sparkle-link")
}

#[test]
fn every_line_of_every_era_is_compact_json() {
    for era in Era::ALL {
        let built = everything(era).build();
        assert_eq!(built.bytes.last(), Some(&b'\n'));
        let files = built.agents.iter().map(|agent| &agent.bytes).chain([&built.bytes]);
        for line in files.flat_map(|bytes| bytes.split(|byte| *byte == b'\n')).filter(|line| !line.is_empty())
        {
            let value: Value = serde_json::from_slice(line).unwrap();
            assert_eq!(value.to_string().as_bytes(), line);
        }
    }
}

#[test]
fn every_parent_is_a_record_of_the_file() {
    for era in Era::ALL {
        let built = everything(era).build();
        let records = built.values();
        let known: Vec<&str> = records.iter().filter_map(|record| record["uuid"].as_str()).collect();
        assert_eq!(known, built.made.records.iter().map(|id| id.as_str()).collect::<Vec<_>>(), "{era:?}");
        for record in &records {
            if let Some(parent) = record["parentUuid"].as_str() {
                assert!(known.contains(&parent), "{era:?}: {record}");
            }
        }
    }
}

#[test]
fn the_same_description_gives_the_same_bytes_and_another_id_other_ids() {
    let (one, again) = (everything(Era::V2_1_56).build(), everything(Era::V2_1_56).build());
    assert_eq!(one.bytes, again.bytes);
    let other = Session::numbered(2).turns(1).build();
    assert!(other.made.records.iter().all(|id| !one.made.records.contains(id)));
}

#[test]
fn one_record_per_block_shares_id_and_usage() {
    let usage = Usage { input: 1, output: 20, cache_read: 3, cache_5m: 4, cache_1h: 5 };
    let session = Session::new("s")
        .era(Era::V2_0_42)
        .user("hi")
        .assistant(|message| message.usage(usage).thinking("hm").text("yes").tool_use("Bash", json!({})));
    let built = session.build();
    let records = built.values();
    assert_eq!(records.len(), 4);
    for record in &records[1..] {
        assert_eq!(record["message"]["id"], built.made.messages[0].as_str());
        assert_eq!(record["message"]["stop_reason"], "tool_use");
        assert_eq!(record["message"]["usage"]["output_tokens"], 20);
        assert_eq!(record["message"]["usage"]["cache_creation"]["ephemeral_1h_input_tokens"], 5);
        assert_eq!(record["message"]["content"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn streaming_eras_know_the_output_last_and_the_reason_never() {
    let records =
        Session::new("s").era(Era::V2_1_56).assistant(|m| m.thinking("hm").text("yes")).build().values();
    assert_eq!(records[0]["message"]["usage"]["output_tokens"], 1);
    assert_eq!(records[1]["message"]["usage"]["output_tokens"], 200);
    assert!(records.iter().all(|record| record["message"]["stop_reason"].is_null()));
    let known =
        Session::new("s").era(Era::V2_1_56).assistant(|m| m.thinking("a").text("b").stop_reason("end_turn"));
    let known = known.build().values();
    assert_eq!(known[0]["message"]["stop_reason"], Value::Null);
    assert_eq!(known[1]["message"]["stop_reason"], "end_turn");
}

#[test]
fn parallel_results_fork_the_tree_in_2_1_56_and_chain_in_2_0_42() {
    let call = |era| {
        Session::new("s").era(era).assistant(|message| {
            message.tool_use("Bash", json!({})).answered("one").tool_use("Bash", json!({})).answered("two")
        })
    };
    let forked = call(Era::V2_1_56).build().values();
    assert_eq!(forked[2]["parentUuid"], forked[0]["uuid"]);
    assert_eq!(forked[3]["parentUuid"], forked[1]["uuid"]);
    assert_eq!(forked[3]["sourceToolAssistantUUID"], forked[1]["uuid"]);
    let chained = call(Era::V2_0_42).build().values();
    assert_eq!(chained[2]["parentUuid"], chained[1]["uuid"]);
    assert_eq!(chained[3]["parentUuid"], chained[2]["uuid"]);
    let interleaved = call(Era::V2_1_325).build().values();
    let kinds: Vec<&Value> = interleaved.iter().map(|record| &record["type"]).collect();
    assert_eq!(kinds, ["assistant", "user", "assistant", "user"]);
    assert_eq!(interleaved[0]["message"]["id"], interleaved[2]["message"]["id"]);
}

#[test]
fn fields_stand_in_the_order_of_their_era() {
    let old = Session::new("s").era(Era::V2_0_42).user("hi").build().values();
    let expected = [
        "parentUuid",
        "isSidechain",
        "userType",
        "cwd",
        "sessionId",
        "version",
        "gitBranch",
        "type",
        "message",
        "uuid",
        "timestamp",
        "thinkingMetadata",
    ];
    assert_eq!(keys(&old[0]), expected);
    let new = Session::new("s").slug("x").user("hi").build().values();
    let (head, tail) = (&keys(&new[0])[..7], &keys(&new[0])[12..]);
    assert_eq!(head, ["parentUuid", "isSidechain", "promptId", "type", "message", "uuid", "timestamp"]);
    assert_eq!(tail, ["userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug"]);
    assert_eq!(new[0]["origin"]["kind"], "human");
}

#[test]
fn agents_live_where_their_era_put_them() {
    let paths = |era| -> Vec<String> {
        let built = Session::new("s").era(era).user("go").agent(|agent| agent).build();
        built.files().into_iter().map(|(path, _)| path).collect()
    };
    assert_eq!(paths(Era::V1_0), ["s.jsonl"]);
    assert_eq!(paths(Era::V2_0_42).len(), 2);
    assert!(paths(Era::V2_0_42)[1].starts_with("agent-"));
    assert!(paths(Era::V2_1_56)[1].starts_with("s/subagents/agent-a"));
    assert!(paths(Era::V2_1_325)[2].ends_with(".meta.json"));
    let inline = Session::new("s").era(Era::V1_0).user("go").agent(|agent| agent).build().values();
    assert!(inline.iter().any(|record| record["isSidechain"] == true));
}

#[test]
fn a_background_agent_is_launched_and_answers_later() {
    let session =
        Session::new("s").user("go").agent(|agent: Agent| agent.answer("forty-two").kind("Explore"));
    let built = session.build();
    let records = built.values();
    let launched = of_type(&records, "user")[1];
    assert_eq!(launched["toolUseResult"]["status"], "async_launched");
    assert_eq!(launched["toolUseResult"]["agentId"], built.made.agents[0].as_str());
    let last = records.last().unwrap();
    assert_eq!(last["origin"]["kind"], "task-notification");
    assert!(last["message"]["content"].as_str().unwrap().contains("<result>forty-two</result>"));
    let meta = built.agents[0].meta.as_ref().unwrap();
    assert_eq!(meta["agentType"], "Explore");
    assert_eq!(meta["toolUseId"], built.made.tools[0].as_str());
}

#[test]
fn nested_agents_and_teams_are_kept_apart() {
    let team = Team { name: "crew".into(), member: "pm".into(), color: "blue".into() };
    let built = Session::new("s")
        .user("go")
        .agent(|agent| agent.steps(|session| session.agent(|inner| inner.description("inner"))))
        .agent(|agent| agent.team(team))
        .build();
    let depths: Vec<&Value> =
        built.agents.iter().map(|agent| &agent.meta.as_ref().unwrap()["spawnDepth"]).collect();
    assert_eq!(depths, [2, 1, 1]);
    let records = built.values();
    let spawned = of_type(&records, "user").into_iter().rfind(|record| record.get("toolUseResult").is_some());
    assert_eq!(spawned.unwrap()["toolUseResult"]["teammate_id"], "pm@crew");
}

#[test]
fn a_queued_prompt_is_an_attachment_in_the_newest_era() {
    let records = Session::new("s").user("go").queued_prompt("wait").build().values();
    let queued = of_type(&records, "attachment")[0];
    assert_eq!(
        queued["attachment"],
        json!({"type": "queued_command", "prompt": "wait", "commandMode": "prompt"})
    );
    assert_eq!(of_type(&records, "user").len(), 1);
}

#[test]
fn a_compaction_points_before_its_boundary() {
    let session = Session::new("s").turns(1);
    let before = session.made().last_record().clone();
    let compaction = Compaction {
        trigger: "auto".into(),
        pre_tokens: 10,
        post_tokens: Some(2),
        summary: "All of it.".into(),
        preserved: 2,
    };
    let records = session.compact_with(&compaction).build().values();
    let [.., boundary, summary] = records.as_slice() else { panic!("too few records") };
    assert_eq!(boundary["parentUuid"], Value::Null);
    assert_eq!(boundary["logicalParentUuid"], before.as_str());
    assert_eq!(boundary["compactMetadata"]["preservedMessages"]["anchorUuid"], summary["uuid"]);
    assert_eq!(summary["parentUuid"], boundary["uuid"]);
    assert_eq!(summary["isCompactSummary"], true);
}

#[test]
fn a_rewind_gives_two_children_to_one_record() {
    let session = Session::new("s").turns(2).rewind_to(1).user("differently");
    let records = session.build().values();
    let prompts = &session.made().prompts;
    let parent = |id: &str| records.iter().find(|record| record["uuid"] == id).unwrap()["parentUuid"].clone();
    assert_eq!(parent(prompts[1].as_str()), parent(prompts[2].as_str()));
}

#[test]
fn a_fork_keeps_ids_and_changes_the_session() {
    let source = Session::numbered(1).turns(1);
    let fork = Session::numbered(2).fork_of(&source).user("and now").build();
    let records = fork.values();
    assert_eq!(records[0]["uuid"], source.made().records[0].as_str());
    assert!(records.iter().all(|record| record["sessionId"] == fork.id.as_str()));
    assert_eq!(records.last().unwrap()["parentUuid"], source.made().last_record().as_str());
    assert!(fork.made.records.len() > source.made().records.len());
}

#[test]
fn defects_are_written_as_they_are() {
    let bytes = Session::new("s").mode("a").glue().mode("b").crlf().mode("c").torn().build().bytes;
    let expected = concat!(
        r#"{"type":"mode","mode":"a","sessionId":"s"}{"type":"mode","mode":"b","sessionId":"s"}"#,
        "\r\n",
        r#"{"type":"mode","mode""#
    );
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}
