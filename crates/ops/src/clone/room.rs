//! How much memory a session may take that is cloned or checked.
//!
//! Both commands hold a few facts of every record, and `clone` holds them twice: for the original and for the new
//! session. So a session of several hundred thousand records is refused.

use steno_conversation::MemoryLimit;
use steno_sessions::session::OpenSession;

use crate::error::{Error, ErrorKind};
use crate::workspace::Workspace;

pub(crate) fn of(workspace: &Workspace) -> u64 {
    workspace.room.unwrap_or(MemoryLimit::USUAL)
}

pub(crate) fn refused(original: &OpenSession, room: u64) -> Error {
    let message = format!(
        "{} has too many records: they would take more than {} MB of memory",
        original.told(),
        room >> 20
    );
    Error::new(ErrorKind::Invalid, message)
        .hint("STENO_MEMORY=4096 allows more, in megabytes")
        .hint("`steno show` and `steno dump` show the newest records of it, and `steno restore` brings back every byte")
}
