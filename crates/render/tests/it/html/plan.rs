//! Plans and what became of them.

use steno_render::Detail;
use steno_testkit::Session;

use crate::html::look::Page;
use crate::html::reading::page;

fn planned() -> Session {
    Session::numbered(1).user("plan it").plan("# Move\n\n1. Test.")
}

fn shown(session: &Session) -> Page {
    page(session, &Detail::default())
}

fn cards(page: &Page) -> Vec<&str> {
    page.all("section").filter_map(|tag| tag.get("class")).filter(|class| class.starts_with("plan")).collect()
}

#[test]
fn approved() {
    let page = shown(&planned().approve_plan());
    assert_eq!(cards(&page), ["plan approved"]);
    assert!(page.has("Plan approvedMove"));
}

#[test]
fn rejected_with_what_was_said() {
    let page = shown(&planned().reject_plan("smaller *steps*").interrupt_tool());
    assert_eq!(cards(&page), ["plan rejected"]);
    assert!(page.has("smaller steps") && !page.has("interrupted"));
}

#[test]
fn accepted_with_a_cleared_context() {
    let page = shown(&planned().reject_plan("").interrupt_tool().implement_plan());
    assert_eq!(cards(&page), ["plan approved"]);
    assert!(page.has("with a cleared context") && page.has("The plan above is carried out"));
    assert!(!page.has("Implement the following plan") && !page.has("interrupted"));
}

#[test]
fn pending() {
    assert_eq!(cards(&shown(&planned())), ["plan pending"]);
}

/// The request of another session shows the plan, not the words around it.
#[test]
fn made_elsewhere() {
    let page = shown(&Session::numbered(2).implement("# Other\n\n1. Do."));
    assert_eq!(cards(&page), ["plan approved"]);
    assert!(page.has("Other") && !page.has("Implement the following plan"));
}
