//! One session as a conversation.

mod place;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Conversation, Role};
use steno_sessions::session::OpenSession;

use crate::error::{Error, ErrorKind};
use crate::reader::{Reader, Seek, Sought, bare};
use crate::session::{self, OnlyKept};
use crate::stats::{self, ClientCount};
use crate::workspace::Workspace;

pub use place::Spot;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or a path.
    pub session: String,
    /// The record to open at: its line, its uuid or a prefix of it, or a subagent's id and the line in its file.
    pub at: Option<String>,
}

/// The conversation, and where to open it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    #[serde(flatten)]
    pub conversation: Conversation,
    /// The chunk that holds the record of `--at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// That record itself.
    #[serde(skip)]
    pub spot: Option<Spot>,
    /// What is to be said of that chunk, where the record is not in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What that record says, where the conversation does not show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Passage>,
    /// The client's own sum beside ours, where it wrote one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientCount>,
    /// Of a session that only the vault still has.
    #[serde(skip)]
    pub only_kept: Option<OnlyKept>,
}

/// What a record says in one role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Passage {
    pub role: Role,
    pub text: String,
}

/// A live session, or one that only the vault still has.
pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut reader = reader(request);
    let told = session::open(workspace, &request.session, &mut reader)?;
    let report = report(told.conversation, &reader, request)?;
    let client = client(&told.session, &report.conversation)?;
    Ok(Report { only_kept: told.only_kept, client, ..report })
}

/// Read once more, because a conversation holds neither copies nor agents that nothing called; mostly there is none.
fn client(session: &OpenSession, conversation: &Conversation) -> Result<Option<ClientCount>, Error> {
    match conversation.record_types.contains_key("cost-state") && session.part.is_none() {
        true => stats::client_of(session),
        false => Ok(None),
    }
}

fn reader(request: &Request) -> Reader {
    Reader { seeks: request.at.as_deref().map(Seek::of), ..Reader::default() }
}

fn report(conversation: Conversation, reader: &Reader, request: &Request) -> Result<Report, Error> {
    let sought = reader.sought.as_ref();
    let opening = request.at.as_deref().map(|at| {
        place::opening(&conversation, bare(at), sought).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("record '{at}' not found in this session"))
                .hint("give the line of a record, or its uuid; for a record of a subagent, AGENT:LINE")
        })
    });
    let opening = opening.transpose()?.unwrap_or_default();
    let beside = opening.note.and(sought).map(passages).unwrap_or_default();
    let note = opening.note.map(str::to_owned);
    Ok(Report {
        conversation,
        at: opening.chunk,
        spot: opening.spot,
        note,
        beside,
        client: None,
        only_kept: None,
    })
}

fn passages(sought: &Sought) -> Vec<Passage> {
    sought.says.iter().map(|(role, text)| Passage { role: *role, text: text.clone() }).collect()
}
