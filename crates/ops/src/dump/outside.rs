//! What a conversation holds that no record said → as the records are: masked, and with results that lie in files.

use std::collections::HashMap;
use std::path::Path;

use steno_conversation::model::{Agent, Chunk, ChunkBody, Step, ToolStep};
use steno_conversation::{Conversation, LEFT_OUT, Warning};
use steno_sessions::file::SessionFile;
use steno_sessions::session::OpenSession;
use steno_transcript::{SessionId, ToolId};

use crate::lens::Lens;
use crate::warning;

/// Results that lie in files of their own, by the call.
pub(super) type Results = HashMap<ToolId, String>;

/// Names and paths that come from the file system.
pub(super) fn mask(conversation: &mut Conversation, lens: &mut Lens) {
    let profile = &mut conversation.profile;
    profile.id = SessionId::new(lens.text(profile.id.to_string()));
    let own = [&mut profile.title, &mut profile.cwd, &mut profile.project_hash, &mut profile.path];
    for text in own.into_iter().flatten() {
        *text = lens.text(std::mem::take(text));
    }
    each_agent(&mut conversation.agents, |agent| {
        for text in [&mut agent.description, &mut agent.kind, &mut agent.path].into_iter().flatten() {
            *text = lens.text(std::mem::take(text));
        }
    });
    for warning in &mut conversation.warnings {
        warning.file = lens.text(std::mem::take(&mut warning.file));
        warning.message = lens.text(std::mem::take(&mut warning.message));
    }
}

/// Where the results lie that the client put into files of their own.
pub(super) fn places(conversation: &mut Conversation) -> HashMap<ToolId, String> {
    let mut places = HashMap::new();
    each_tool(conversation, |tool| {
        let persisted = tool.result.as_ref().and_then(|result| result.persisted.as_ref());
        if let Some(found) = persisted.and_then(|persisted| persisted.found.clone()) {
            places.insert(tool.id.clone(), found);
        }
    });
    places
}

/// The results of a session that are shown whole.
pub(super) struct Wanted<'a> {
    pub(super) files: &'a OpenSession,
    pub(super) places: HashMap<ToolId, String>,
    /// How many bytes they may have together: results beyond that keep the preview in the records.
    pub(super) room: u64,
}

impl Wanted<'_> {
    /// Puts them in place of the previews.
    pub(super) fn fetch(&self, conversation: &mut Conversation, lens: &mut Lens) -> Results {
        let (mut results, mut warnings) = (Results::new(), Vec::new());
        let mut left = self.room;
        each_tool(conversation, |tool| {
            let Some(result) = &mut tool.result else { return };
            let Some(place) = self.places.get(&tool.id).map(Path::new) else { return };
            let file = self.files.file(place);
            // Reading says that a file is not there.
            let bytes = file.as_ref().map_or(0, SessionFile::size);
            if bytes > left {
                warnings.push(masked(left_out(place, bytes), lens));
                return;
            }
            left -= bytes;
            match file.and_then(|file| file.document()) {
                Ok(text) => {
                    lens.turn_to(place);
                    result.text = lens.document(text);
                    results.insert(tool.id.clone(), result.text.clone());
                }
                Err(error) => warnings.push(masked(warning::unreadable(place, &error), lens)),
            }
        });
        conversation.warnings.extend(warnings);
        results
    }
}

fn left_out(place: &Path, bytes: u64) -> Warning {
    let message = format!("only its beginning is shown: {} MB are too much to hold", bytes >> 20);
    warning::at(place, LEFT_OUT, message)
}

fn masked(warning: Warning, lens: &mut Lens) -> Warning {
    Warning { file: lens.text(warning.file), message: lens.text(warning.message), ..warning }
}

fn each_tool(conversation: &mut Conversation, mut visit: impl FnMut(&mut ToolStep)) {
    tools_of(&mut conversation.chunks, &mut visit);
    each_agent(&mut conversation.agents, |agent| tools_of(&mut agent.chunks, &mut visit));
}

fn tools_of(chunks: &mut [Chunk], visit: &mut impl FnMut(&mut ToolStep)) {
    let steps = chunks.iter_mut().flat_map(|chunk| match &mut chunk.body {
        ChunkBody::Ai(ai) => ai.steps.as_mut_slice(),
        _ => &mut [],
    });
    for step in steps {
        match step {
            Step::Tool(tool) => visit(tool),
            Step::Agent(step) => visit(&mut step.tool),
            Step::Plan(step) => visit(&mut step.tool),
            _ => {}
        }
    }
}

fn each_agent(agents: &mut [Agent], mut visit: impl FnMut(&mut Agent)) {
    let mut waiting: Vec<&mut Agent> = agents.iter_mut().collect();
    while let Some(agent) = waiting.pop() {
        visit(agent);
        waiting.extend(&mut agent.agents);
    }
}
