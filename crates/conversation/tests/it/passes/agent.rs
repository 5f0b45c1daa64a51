//! Agent: which subagents there are, and what is known of each.

use serde_json::json;
use steno_conversation::model::{Agent, LinkedBy};
use steno_testkit::{Era, Session};

use crate::passes::explaining::explain;
use crate::passes::words::outline;

const WITH_FILES: [Era; 3] = [Era::V2_0_42, Era::V2_1_56, Era::V2_1_325];

fn ids(agents: &[Agent]) -> Vec<&str> {
    agents.iter().map(|agent| agent.id.as_str()).collect()
}

#[test]
fn a_subagent_is_told_in_full_below_its_call() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .user("go")
            .agent(|agent| agent.prompt("look here").description("Look").kind("explorer").answer("clean"))
            .assistant(|message| message.text("done"));
        let shown = explain(&session);
        let [agent] = &*shown.agents else { panic!("{era:?}: {:?}", ids(&shown.agents)) };
        assert_eq!(agent.description.as_deref(), Some("Look"), "{era:?}");
        assert_eq!(agent.kind.as_deref(), Some("explorer"), "{era:?}");
        assert_eq!(agent.tool_id.as_ref(), Some(&session.made().tools[0]), "{era:?}");
        assert_eq!(
            outline(&agent.chunks),
            ["user: look here", "ai: thinking I should look around., Bash → src, text clean"],
            "{era:?}"
        );
        assert_eq!((agent.messages, agent.tool_calls, agent.parallel), (4, 1, false), "{era:?}");
        let last = outline(&shown.chunks).pop().unwrap();
        assert!(last.starts_with(&format!("ai: agent {}", agent.id)), "{era:?}: {last}");
        assert!(last.ends_with("text done"), "{era:?}: {last}");
        assert_eq!(shown.profile.turns, 1, "{era:?}");
    }
}

#[test]
fn in_the_newest_client_it_runs_in_the_background_and_reports_back() {
    let session = Session::numbered(1).user("go").agent(|agent| agent.answer("found it"));
    let shown = explain(&session);
    assert!(shown.agents[0].background);
    assert!(outline(&shown.chunks)[1].ends_with("notification found it"));
    let waited_for = Session::numbered(1).user("go").agent(|agent| agent.foreground());
    assert!(!explain(&waited_for).agents[0].background);
}

#[test]
fn a_subagent_that_still_works_is_ongoing() {
    for era in WITH_FILES {
        let session = Session::numbered(1).era(era).user("go").agent(|agent| agent.running());
        let shown = explain(&session);
        assert!(shown.agents[0].ongoing, "{era:?}");
        let finished = explain(&Session::numbered(1).era(era).user("go").agent(|agent| agent));
        assert!(!finished.agents[0].ongoing, "{era:?}");
    }
}

#[test]
fn agents_nest() {
    for era in WITH_FILES {
        let session = Session::numbered(1).era(era).user("go").agent(|outer| {
            outer.prompt("outer").steps(|session| {
                session.agent(|inner| {
                    inner.prompt("inner").steps(|session| session.agent(|last| last.prompt("last")))
                })
            })
        });
        let shown = explain(&session);
        let prompts = |agents: &[Agent]| outline(&agents[0].chunks)[0].clone();
        assert_eq!((shown.agents.len(), prompts(&shown.agents)), (1, "user: outer".into()), "{era:?}");
        let inner = &shown.agents[0].agents;
        assert_eq!((inner.len(), prompts(inner)), (1, "user: inner".into()), "{era:?}");
        let last = &inner[0].agents;
        assert_eq!((last.len(), prompts(last)), (1, "user: last".into()), "{era:?}");
    }
}

#[test]
fn agents_started_together_are_parallel() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("go").agents(3, |index, agent| {
            agent.prompt(format!("part {index}")).description(format!("Part {index}"))
        });
        let shown = explain(&session);
        assert_eq!(shown.agents.len(), 3, "{era:?}");
        assert!(shown.agents.iter().all(|agent| agent.parallel), "{era:?}");
        let described: Vec<_> =
            shown.agents.iter().filter_map(|agent| agent.description.as_deref()).collect();
        assert_eq!(described, ["Part 0", "Part 1", "Part 2"], "{era:?}");
    }
}

#[test]
fn agents_started_apart_are_not_parallel() {
    let session = Session::numbered(1).user("go").agents(2, |index, agent| agent.late(500 * index as i64));
    assert!(explain(&session).agents.iter().all(|agent| !agent.parallel));
}

#[test]
fn a_member_of_a_team_says_so() {
    let team = steno_testkit::Team { name: "crew".into(), member: "scout".into(), color: "green".into() };
    let session = Session::numbered(1).user("go").agent(|agent| agent.team(team));
    let shown = explain(&session);
    let team = shown.agents[0].team.clone().unwrap();
    assert_eq!(team.name.as_deref(), Some("crew"));
    assert_eq!((team.member.as_deref(), team.color.as_deref()), (Some("scout"), Some("green")));
}

#[test]
fn warm_ups_compactions_and_empty_files_are_left_out() {
    let session = Session::numbered(1)
        .era(Era::V2_0_42)
        .user("go")
        .warm_up()
        .agent(|agent| agent.id("real"))
        .agent_file(
            "acompact-1",
            r#"{"type":"user","isSidechain":true,"message":{"role":"user","content":"summarise"}}"#,
        )
        .agent_file("empty", "")
        .agent_file("blank", "\n\n");
    assert_eq!(ids(&explain(&session).agents), ["real"]);
}

#[test]
fn an_agent_without_a_prompt_counts_when_a_result_names_it() {
    // As 2.0.42 writes them: warm-ups and real agents both start with an answer.
    let answer = r#"{"type":"assistant","uuid":"x","parentUuid":null,"isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"hi"}]}}"#;
    let session = Session::numbered(1)
        .era(Era::V2_0_42)
        .user("go")
        .agent(|agent| agent.id("decoy"))
        .assistant(|message| message.tool_use("Task", json!({"prompt": "p", "description": "Real one"})))
        .answer_with(
            steno_testkit::ToolResult::text("ok")
                .structured(json!({"agentId": "named", "status": "completed"})),
        )
        .agent_file("named", answer)
        .agent_file("warmup", answer);
    let shown = explain(&session);
    let mut found = ids(&shown.agents);
    found.sort_unstable();
    assert_eq!(found, ["decoy", "named"]);
    let named = shown.agents.iter().find(|agent| agent.id.as_str() == "named").unwrap();
    assert_eq!((named.linked_by, named.description.as_deref()), (Some(LinkedBy::Result), Some("Real one")));
}

#[test]
fn sidechains_inside_an_old_transcript_become_agents() {
    let session = Session::numbered(1)
        .era(Era::V1_0)
        .user("go")
        .agents(2, |index, agent| agent.prompt(format!("part {index}")).answer(format!("answer {index}")))
        .assistant(|message| message.text("done"));
    let shown = explain(&session);
    assert_eq!(shown.agents.len(), 2);
    for (index, agent) in shown.agents.iter().enumerate() {
        assert_eq!(outline(&agent.chunks)[0], format!("user: part {index}"));
        assert_eq!((agent.path.as_deref(), agent.linked_by), (None, Some(LinkedBy::Position)));
        assert_eq!(agent.tool_id.as_ref(), Some(&session.made().tools[index]), "by the same prompt");
    }
    let main = outline(&shown.chunks);
    assert_eq!(main.len(), 2, "{main:?}");
    assert!(!main[1].contains("part"), "{main:?}");
}

#[test]
fn a_warm_up_inside_an_old_transcript_is_hidden() {
    let session =
        Session::numbered(1).era(Era::V1_0).warm_up().user("go").assistant(|message| message.text("done"));
    let shown = explain(&session);
    assert!(shown.agents.is_empty());
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text done"]);
}

#[test]
fn an_inline_tool_call_counts_once_and_belongs_to_the_agent() {
    let session = Session::numbered(1).era(Era::V1_0).user("go").agent(|agent| agent);
    let shown = explain(&session);
    assert_eq!(shown.agents[0].tool_calls, 1);
    let names: Vec<&str> = shown.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["Task", "Bash"], "all tools of the file, in its order");
    assert_eq!(shown.profile.tool_calls, 2);
}
