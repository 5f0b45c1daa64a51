//! Rewinds and forks: the two ways in which a conversation gets more than one line.

use serde_json::{Value, json};
use steno_transcript::RecordId;

use super::Session;

impl Session {
    /// Goes back to before the nth prompt, counted from 0; what follows is a new branch.
    pub fn rewind_to(mut self, nth: usize) -> Self {
        self.leaf = self.prompts[nth].parent.clone();
        self.open_tools.clear();
        self
    }

    /// The newest client's note that the person chose this record as the end of the line.
    pub fn explicit_leaf(mut self, leaf: &RecordId) -> Self {
        let id = self.id.clone();
        self.put(&json!({"type": "last-prompt", "leafUuid": leaf, "explicit": true, "sessionId": id}));
        self
    }

    /// Begins with the records of another session, as the client's own fork does: record ids and message ids stay,
    /// only the session id and the prompt ids change; the request log and the settings are not copied.
    pub fn fork_of(mut self, source: &Self) -> Self {
        let prompt_id = self.prompt_id.clone();
        for line in source.bytes.split(|byte| *byte == b'\n') {
            let Ok(mut record) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            if record.get("uuid").is_none() {
                continue;
            }
            for (key, value) in [("sessionId", self.id.as_str()), ("promptId", &prompt_id)] {
                if let Some(field) = record.get_mut(key) {
                    *field = json!(value);
                }
            }
            self.put(&record);
        }
        self.take_over(source);
        self
    }

    /// Goes on from where the source ended, with ids that neither has used.
    fn take_over(&mut self, source: &Self) {
        self.era = source.era;
        self.surroundings = source.surroundings.clone();
        self.version.clone_from(&source.version);
        self.model.clone_from(&source.model);
        self.now = source.now;
        self.started = true;
        self.leaf.clone_from(&source.leaf);
        self.prompts.clone_from(&source.prompts);
        self.plans.clone_from(&source.plans);
        self.open_tools.clone_from(&source.open_tools);
        self.made = source.made.clone();
    }
}
