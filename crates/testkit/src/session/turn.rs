//! Whole turns, with everything that real files of the era have around them.

use serde_json::json;

use super::Session;
use crate::Era;

impl Session {
    /// `n` turns, each a prompt, tool calls with their results, and a last word. Texts are numbered, so that a
    /// test can tell them apart.
    pub fn turns(mut self, n: usize) -> Self {
        if self.bytes.is_empty() {
            self = self.opening();
        }
        for _ in 0..n {
            let number = self.prompts.len() + 1;
            self = self.turn(number);
        }
        self
    }

    /// What the client writes before anything was said.
    pub fn opening(self) -> Self {
        match self.era {
            Era::V1_0 | Era::V2_0_42 => self,
            Era::V2_1_56 => self.hook_progress("SessionStart", "startup"),
            Era::V2_1_325 => self.mode("normal").permission_mode("default").atis_latch(),
        }
    }

    /// The attachments behind the first prompt of the newest era.
    pub fn first_attachments(self) -> Self {
        let cwd = self.surroundings.cwd.clone();
        let environment =
            json!({"snapshot": {"workingDirectory": cwd, "isGitRepo": true, "platform": "linux"}});
        self.attachment("environment", environment)
            .attachment(
                "skill_listing",
                json!({"content": "- review: reviews", "skillCount": 1, "isInitial": true}),
            )
            .attachment("date", json!({"date": "2026-11-15"}))
    }

    fn turn(self, number: usize) -> Self {
        let prompt = format!("Prompt {number}: please do step {number}.");
        self.before_prompt()
            .user(&prompt)
            .after_prompt(number, &prompt)
            .work(number)
            .after_work()
            .assistant(|message| message.text(format!("Step {number} is done.")))
            .after_turn()
    }

    fn before_prompt(self) -> Self {
        match self.era {
            Era::V1_0 => self,
            _ => self.file_history_snapshot(),
        }
    }

    fn after_prompt(self, number: usize, prompt: &str) -> Self {
        if self.era != Era::V2_1_325 {
            return self;
        }
        let session = if number == 1 { self.first_attachments().api_request_shape() } else { self };
        session
            .api_request_blob("user", json!([{"type": "text", "text": prompt}]))
            .api_request()
            .last_prompt()
    }

    fn work(self, number: usize) -> Self {
        let bash = json!({"command": format!("make step-{number}"), "description": "Builds"});
        let read = json!({"file_path": format!("/home/dev/project/step{number}.txt")});
        let output = format!("built step {number}");
        let content = format!("     1\tstep {number}");
        let session = self.assistant(|message| {
            let message = message.thinking(format!("Step {number} needs a build and a look."));
            let message = message.text(format!("Starting step {number}."));
            message.tool_use("Bash", bash).tool_use("Read", read)
        });
        let session = if session.era == Era::V2_1_56 {
            session.hook_progress("PreToolUse", "Bash").bash_progress(1, "").bash_progress(2, &output)
        } else {
            session
        };
        session.answer(output).answer(content)
    }

    fn after_work(self) -> Self {
        match self.era {
            Era::V2_1_325 => self.api_request().tools_used().atis_latch(),
            Era::V2_1_56 => self.hook_progress("PostToolUse", "Bash"),
            _ => self,
        }
    }

    fn after_turn(self) -> Self {
        match self.era {
            Era::V1_0 => self,
            Era::V2_0_42 => self.system("stop_hook_summary"),
            Era::V2_1_56 => self.system("turn_duration"),
            Era::V2_1_325 => self.system("turn_duration").last_prompt().cost_state(),
        }
    }
}
