//! What has no place of its own in a conversation is found where everything is asked for: in every format.

use serde_json::json;
use steno_conversation::Scope;
use steno_render::Detail;
use steno_testkit::Session;

use super::{reading, session};

fn lost() -> Session {
    let document = json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "of the document"}});
    let image =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}});
    session()
        .user_blocks(vec![
            json!({"type": "text", "text": "read"}),
            document.clone(),
            json!({"type": "hologram", "depth": "of the user"}),
        ])
        .assistant(|message| {
            message
                .block(image)
                .block(document)
                .block(json!({"type": "hologram", "depth": "of the agent"}))
                .text("done")
        })
        .tool_result("toolu_lost", "of no call")
}

fn formats(session: &Session, detail: &Detail) -> [String; 3] {
    let scope = Scope { hidden: detail.all, ..Scope::default() };
    let shown = reading::explain_in(session, &session.build().bytes, scope);
    [
        steno_render::markdown(&shown, detail),
        steno_render::text(&shown, detail),
        steno_render::html::page(&shown, detail),
    ]
}

#[test]
fn everything_is_found_in_every_format() {
    let detail = Detail { all: true, full_results: true, ..Detail::default() };
    for document in formats(&lost(), &detail) {
        for wanted in ["of the user", "of the agent", "of no call", "image/png"] {
            assert!(document.contains(wanted), "no {wanted} in\n{document}");
        }
        assert_eq!(document.matches("of the document").count(), 2, "{document}");
        assert!(document.starts_with("<!DOCTYPE") || !document.contains("null"), "{document}");
    }
}

#[test]
fn images_and_documents_are_found_always() {
    for document in formats(&lost(), &Detail::default()) {
        assert!(document.contains("image/png"), "{document}");
        assert_eq!(document.matches("of the document").count(), 2, "{document}");
        assert!(!document.contains("of no call"), "{document}");
    }
}
