//! Subagents inside their calls.

use steno_render::Detail;
use steno_testkit::Session;

use crate::html::reading::page;

#[test]
fn an_agent_is_closed_inside_its_call_with_those_it_called() {
    let session = Session::numbered(1).user("go").agent(|agent| {
        let inner = |session: Session| {
            session.agent(|agent| {
                agent.foreground().description("look closer").prompt("closer").answer("nothing")
            })
        };
        agent.foreground().description("look around").prompt("around").steps(inner).answer("found it")
    });
    let page = page(&session, &Detail::default());
    let agents: Vec<_> = page
        .all("details")
        .filter(|tag| tag.get("class").is_some_and(|class| class.contains("agent")))
        .collect();
    assert_eq!(agents.len(), 2);
    assert!(agents[0].depth < agents[1].depth && agents.iter().all(|tag| tag.get("open").is_none()));
    for words in ["look around", "look closer", "found it", "nothing"] {
        assert_eq!(page.text.matches(words).count(), 1, "{words}");
    }
    // What was asked stands in the call, and is not said again inside.
    assert_eq!(page.text.matches("closer").count(), 2);
}

#[test]
fn an_agent_whose_call_was_left_behind_stands_at_the_end() {
    let session = Session::numbered(1).user("go").assistant(|message| message.text("where?")).user("there");
    let session = session.agent(|agent| agent.foreground().answer("orphan"));
    let session = session.rewind_to(1).user("here").assistant(|message| message.text("other way"));
    let page = page(&session, &Detail::default());
    let (before, after) = page.text.split_once("Subagents without a call above").unwrap();
    assert!(before.contains("other way") && !before.contains("orphan") && after.contains("orphan"));
    assert!(after.contains("1 branch left behind by rewinding"));
}
