//! A built session → its conversation, as people read it.

use steno_conversation::{Conversation, Scope, Transcript};
use steno_testkit::Session;

use crate::passes::reading::{explain_in, transcript_in};

pub(crate) fn transcript(id: &str, bytes: &[u8]) -> Transcript {
    transcript_in(id, bytes, Scope::default())
}

/// The whole session with everything that lies beside its transcript.
pub(crate) fn explain(session: &Session) -> Conversation {
    let built = session.build();
    explain_bytes(session, &built.bytes)
}

/// The same session with another transcript in place of its own.
pub(crate) fn explain_bytes(session: &Session, bytes: &[u8]) -> Conversation {
    explain_in(session, bytes, Scope::default())
}
