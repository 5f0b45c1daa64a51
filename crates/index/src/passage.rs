//! Records, as they stream by → passages: stretches of text, each of one speaker.
//!
//! What others repeat is left out: progress (the subagents' own files have it), request logs, snapshots, and structured
//! results where the message says the same.

mod calls;
mod silence;
mod speech;
mod strings;

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
pub use steno_conversation::Role;
use steno_transcript::{Piece, Place, Record, Shape, Troubles};

use calls::Calls;
use speech::Speech;

/// Some text of one record, of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage<'a> {
    pub place: Place,
    pub role: Role,
    /// Of the record; of one that has none, that of the one before.
    pub time: Option<Timestamp>,
    /// The tools that were called here, or that gave this; one as a rule, and never very many.
    pub tools: Vec<Cow<'a, str>>,
    pub model: Option<Cow<'a, str>>,
    pub branch: Option<Cow<'a, str>>,
    /// Files that a tool was asked for; of very many, the first.
    pub files: Vec<Cow<'a, str>>,
    pub text: Cow<'a, str>,
}

impl Passage<'_> {
    pub fn into_owned(self) -> Passage<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Passage {
            place: self.place,
            role: self.role,
            time: self.time,
            tools: self.tools.into_iter().map(owned).collect(),
            model: self.model.map(owned),
            branch: self.branch.map(owned),
            files: self.files.into_iter().map(owned).collect(),
            text: owned(self.text),
        }
    }
}

/// Makes passages; what it remembers from record to record can be stored, to read on later.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extractor {
    /// Of the last record that had one.
    time: Option<Timestamp>,
    /// The last title that a user and that a model gave: clients write them again and again.
    custom_title: Option<String>,
    ai_title: Option<String>,
    calls: Calls,
}

impl Extractor {
    /// False only when the line surely says nothing that is indexed; then it need not be split.
    pub fn may_speak(line: &[u8]) -> bool {
        !silence::is_silent(line)
    }

    /// At most one passage of each role, in a settled order: the same record gives the same passages again.
    pub fn observe(&mut self, piece: &Piece<'_>, mut each: impl FnMut(Passage<'_>)) {
        let Shape::Record(record) = &piece.shape else { return };
        if let Some(time) = steno_conversation::time_of(&record.envelope, &mut Troubles::default()) {
            self.time = Some(time);
        }
        let mut speech = Speech::default();
        self.listen(record, &mut speech);
        let context = Context::of(record, self.time);
        for (role, text) in speech.texts {
            let is_of_tool = matches!(role, Role::Tool | Role::Result | Role::Plan);
            let own = |names: &[String]| -> Vec<Cow<'_, str>> {
                names.iter().filter(|_| is_of_tool).map(|name| Cow::Owned(name.clone())).collect()
            };
            each(Passage {
                place: piece.place,
                role,
                time: context.time,
                tools: own(&speech.tools),
                model: context.model.map(Cow::Borrowed),
                branch: context.branch.map(Cow::Borrowed),
                files: own(&speech.files),
                text: Cow::Owned(text),
            });
        }
    }
}

/// What all passages of a record share.
struct Context<'r> {
    time: Option<Timestamp>,
    model: Option<&'r str>,
    branch: Option<&'r str>,
}

impl<'r> Context<'r> {
    fn of(record: &'r Record<'_>, time: Option<Timestamp>) -> Self {
        let model = record.message().and_then(|message| message.model.as_deref());
        Self {
            time,
            model: model.filter(|model| !model.is_empty() && *model != speech::SYNTHETIC),
            branch: record.envelope.git_branch.as_deref().filter(|branch| !branch.is_empty()),
        }
    }
}
