//! The stretches of conversation that generated transcripts are made of, per era, with how often each occurs.
//!
//! Record shapes come from the testkit's builder; this file only says what happens in a stretch and how long its
//! texts are.

use serde_json::json;
use steno_testkit::{AssistantMessage, Era, Rng, Session, ToolResult, Usage};

use crate::template::{CWD, PARENT, Template};

/// A stretch and its weight among those of its era.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) weight: u64,
    pub(crate) template: Template,
}

#[derive(Debug)]
pub(crate) struct EraShapes {
    pub(crate) era: Era,
    /// How many of a hundred sessions are of this era.
    pub(crate) share: u64,
    /// What a file begins with.
    pub(crate) opening: Template,
    /// The smallest stretch, to come close to a size.
    pub(crate) chat: Template,
    pub(crate) shapes: Vec<Shape>,
    /// A stretch with one very long line.
    pub(crate) giant: Template,
}

/// Shapes of all eras; `longest_line` bounds the text of the very long lines.
pub(crate) fn all(longest_line: u64) -> Vec<EraShapes> {
    [(Era::V1_0, 4), (Era::V2_0_42, 8), (Era::V2_1_56, 72), (Era::V2_1_325, 16)]
        .map(|(era, share)| of_era(era, share, longest_line))
        .into()
}

fn of_era(era: Era, share: u64, longest_line: u64) -> EraShapes {
    let mut writer = Writer { era, text: 0, rng: Rng::new(era.version().len() as u64) };
    let mut shapes = Vec::new();
    // Several of each, so that usage numbers vary.
    for _ in 0..4 {
        let mut add = |weight, session: Session| {
            shapes.push(Shape { weight, template: Template::new(&session) });
        };
        add(20, writer.chat());
        add(45, writer.commands());
        add(15, writer.edit());
        add(8, writer.agents());
        add(2, writer.compaction());
        add(4, writer.rewind());
        add(2, writer.image());
        add(3, writer.plan());
        add(3, writer.slash());
    }
    EraShapes {
        era,
        share,
        opening: Template::new(&writer.opening()),
        chat: Template::new(&writer.chat()),
        giant: Template::new(&writer.giant(longest_line)),
        shapes,
    }
}

struct Writer {
    era: Era,
    text: u64,
    rng: Rng,
}

impl Writer {
    fn session(&self) -> Session {
        let session = Session::numbered(0xBE7C).era(self.era).cwd(CWD).step(1700);
        session.leaf(Some(PARENT.into()))
    }

    fn mark(&mut self, kind: &str, least: u64, most: u64) -> String {
        self.text += 1;
        format!("%%{kind}:{least}-{most}:{}%%", self.text)
    }

    fn prose(&mut self, least: u64, most: u64) -> String {
        self.mark("prose", least, most)
    }

    fn code(&mut self, least: u64, most: u64) -> String {
        self.mark("code", least, most)
    }

    fn usage(&mut self) -> Usage {
        Usage {
            input: self.rng.below(40),
            output: self.rng.skewed(20, 6000),
            cache_read: self.rng.skewed(10_000, 160_000),
            cache_5m: self.rng.skewed(100, 20_000),
            cache_1h: if self.rng.chance(30) { self.rng.skewed(100, 9000) } else { 0 },
        }
    }

    fn opening(&self) -> Session {
        self.session().opening()
    }

    fn prompted(&mut self) -> Session {
        let prompt = self.prose(20, 900);
        let session = self.session().user(&prompt);
        if self.era == Era::V2_1_325 {
            let reminder = self.prose(800, 6000);
            return session
                .attachment("task_reminder", json!({"content": [], "itemCount": 0}))
                .api_request_blob(
                    "user",
                    json!([{"type": "text", "text": prompt}, {"type": "text", "text": reminder}]),
                )
                .api_request()
                .last_prompt();
        }
        self.hooks(session, "UserPromptSubmit")
    }

    /// What 2.1.56 wrote for each of a few hooks.
    fn hooks(&self, session: Session, event: &str) -> Session {
        if self.era != Era::V2_1_56 {
            return session;
        }
        (0..4).fold(session, |session, _| session.hook_progress(event, "all"))
    }

    fn chat(&mut self) -> Session {
        let session = self.prompted();
        self.last_word(session)
    }

    /// Some rounds of commands; in 2.1.56 each with the many progress records that made up most of its lines.
    fn commands(&mut self) -> Session {
        let mut session = self.prompted();
        for _ in 0..2 {
            session = self.command(session);
        }
        self.last_word(session)
    }

    fn command(&mut self, session: Session) -> Session {
        let (thought, text) = (self.prose(200, 1500), self.prose(40, 300));
        let (bash, read) = (self.code(20, 300), self.code(20, 60));
        let usage = self.usage();
        let session = session.assistant(|message| {
            let message = message.usage(usage).thinking(thought).text(text);
            message
                .tool_use("Bash", json!({"command": bash, "description": "Runs it"}))
                .tool_use("Grep", json!({"pattern": read, "path": CWD}))
        });
        let session = self.progress(session);
        let (output, matches) = (self.code(100, 30_000), self.code(100, 4000));
        self.hooks(session.answer(output).answer(matches), "PostToolUse")
    }

    fn progress(&mut self, session: Session) -> Session {
        if self.era != Era::V2_1_56 {
            return session;
        }
        let mut session = self.hooks(session, "PreToolUse");
        for second in 1..=33 {
            let output = self.code(100, 3200);
            session = session.bash_progress(second, &output);
        }
        session
    }

    fn edit(&mut self) -> Session {
        let session = self.prompted();
        let (old, new, file) = (self.code(60, 1200), self.code(60, 1500), self.code(1000, 20_000));
        let path = format!("{CWD}/src/lib.rs");
        let patch =
            json!([{"oldStart": 1, "oldLines": 7, "newStart": 1, "newLines": 9, "lines": [old, new]}]);
        let input = json!({"file_path": path, "old_string": old, "new_string": new, "replace_all": false});
        let structured = json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": file, "structuredPatch": patch,
            "userModified": false, "replaceAll": false,
        });
        let usage = self.usage();
        let result = ToolResult::text(format!("The file {path} has been updated.")).structured(structured);
        let session = session
            .file_history_snapshot()
            .assistant(|message| message.usage(usage).tool_use("Edit", input).answered_with(result));
        let session = self.hooks(session, "PostToolUse");
        self.last_word(session)
    }

    fn agents(&mut self) -> Session {
        let session = self.prompted();
        let count = 1 + self.rng.below(2) as usize;
        let prompts: Vec<String> = (0..count).map(|_| self.prose(200, 1500)).collect();
        let outputs: Vec<String> = (0..count * 6).map(|_| self.code(200, 12_000)).collect();
        let answers: Vec<String> = (0..count).map(|_| self.prose(400, 4000)).collect();
        let usage = self.usage();
        let session = session.agents(count, |index, agent| {
            let mine = outputs.iter().skip(index * 6).take(6);
            let agent = match (prompts.get(index), answers.get(index)) {
                (Some(prompt), Some(answer)) => agent.prompt(prompt).answer(answer),
                _ => agent,
            };
            agent.steps(|session| {
                mine.fold(session, |session, output| {
                    let input = json!({"file_path": format!("{CWD}/src/lib.rs")});
                    session.assistant(|message| message.usage(usage).tool_use("Read", input).answered(output))
                })
            })
        });
        self.last_word(session)
    }

    fn compaction(&mut self) -> Session {
        let summary = self.prose(3000, 9000);
        let session = self.prompted();
        let session = self.last_word(session);
        session.compact("auto", 155_000 + self.rng.below(9000), 9000 + self.rng.below(9000), &summary)
    }

    /// A turn that was taken back and asked again.
    fn rewind(&mut self) -> Session {
        let session = self.prompted();
        let session = self.command(session);
        let again = self.prose(20, 900);
        let session = session.rewind_to(0).user(again);
        self.last_word(session)
    }

    fn image(&mut self) -> Session {
        let (text, data) = (self.prose(20, 200), self.mark("data", 20_000, 300_000));
        let session = self.session().image(text, data);
        self.last_word(session)
    }

    fn plan(&mut self) -> Session {
        let plan = self.prose(1500, 6000);
        let session = self.prompted().plan(format!("# {plan}"));
        let session = match self.rng.below(3) {
            0 => session.reject_plan(&self.prose(20, 200)),
            1 => session.reject_plan("").implement_plan(),
            _ => session.approve_plan(),
        };
        self.last_word(session)
    }

    fn slash(&mut self) -> Session {
        let (output, queued) = (self.code(50, 800), self.prose(20, 300));
        let session =
            self.session().caveat().slash_command("model", "opus").local_command_stdout("Set model");
        let session = session.bash_command("ls", &output, "").queued_prompt(queued);
        self.last_word(session)
    }

    fn giant(&mut self, longest: u64) -> Session {
        let session = self.prompted();
        let output = self.code(longest / 3, longest);
        let input = json!({"file_path": format!("{CWD}/big.log")});
        let session = session.assistant(|message| message.tool_use("Read", input).answered(output));
        self.last_word(session)
    }

    fn last_word(&mut self, session: Session) -> Session {
        let (thought, text, usage) = (self.prose(200, 2000), self.prose(100, 3000), self.usage());
        let session =
            session.assistant(|message: AssistantMessage| message.usage(usage).thinking(thought).text(text));
        match self.era {
            Era::V1_0 => session,
            Era::V2_0_42 => session.system("stop_hook_summary"),
            Era::V2_1_56 => self.hooks(session.system("turn_duration"), "Stop"),
            Era::V2_1_325 => session.system("turn_duration").last_prompt().cost_state(),
        }
    }
}
