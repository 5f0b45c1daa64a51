//! Documents of described sessions, as their readers see them, and the promises they keep.

mod agent;
mod call;
mod hidden;
mod lost;
mod plan;
mod promise;
mod tail;
mod turn;

#[path = "../../../../conversation/tests/it/passes/reading.rs"]
mod reading;

use steno_conversation::Scope;
use steno_render::Detail;
use steno_testkit::Session;

/// The markdown of a session, without its title and facts.
fn markdown(session: &Session, detail: &Detail) -> String {
    body(&whole(session, detail))
}

/// The plain text of a session, without its title and facts.
fn text(session: &Session, detail: &Detail) -> String {
    body(&steno_render::text(&conversation(session, detail), detail))
}

/// The whole markdown of a session.
fn whole(session: &Session, detail: &Detail) -> String {
    steno_render::markdown(&conversation(session, detail), detail)
}

fn conversation(session: &Session, detail: &Detail) -> steno_conversation::Conversation {
    let scope = Scope { hidden: detail.all, ..Scope::default() };
    reading::explain_in(session, &session.build().bytes, scope)
}

fn body(document: &str) -> String {
    let start =
        document.find("Contents:").and_then(|facts| Some(facts + document[facts..].find("\n\n")? + 2));
    document[start.expect("facts")..].to_owned()
}

/// A session that starts without what surrounds a real one.
fn session() -> Session {
    Session::numbered(7)
}
