//! A seed and a size → one session as people have them: long turns of commands, reading and editing, answers in
//! markdown, some pictures.
//!
//! Counts and sizes follow large real sessions: a prompt for every 100 KB, eight calls to a prompt, a third of all bytes
//! in structured results.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use steno_testkit::{AssistantMessage, Era, Rng, Session, ToolResult, encode_project, millis};

use crate::Error;
use crate::pool::Pools;
use crate::read::picture::screenshot;
use crate::template::{CWD, Fill, PARENT, Template};

/// Changes whenever the same order would give another session.
pub(crate) const VERSION: u32 = 1;
const ID: &str = "00000000-0000-4000-8000-00000000005e";
const PROJECT: &str = "/home/dev/work/read";
/// Turns that differ in what happens in them; their texts differ with every copy.
const TURNS: u64 = 12;

/// Writes a home with this session alone.
pub(crate) fn write(home: &Path, bytes: u64, seed: u64) -> Result<(), Error> {
    let project = home.join("projects").join(encode_project(PROJECT));
    fs::create_dir_all(&project).map_err(Error::file("create", &project))?;
    let path = project.join(format!("{ID}.jsonl"));
    let file = File::create(&path).map_err(Error::file("create", &path))?;
    put(BufWriter::new(file), bytes, seed).map_err(Error::file("write", &path))
}

fn put(mut file: impl Write, bytes: u64, seed: u64) -> std::io::Result<()> {
    let pools = Pools::new();
    let turns: Vec<Template> = (0..TURNS).map(|number| Template::new(&Turn::new(number).session())).collect();
    let mut rng = Rng::stream(seed, 0);
    let start = millis(Era::V2_1_325.start());
    let mut fill = Fill { session: ID.into(), cwd: PROJECT.into(), stamp: rng.next(), start, parent: None };
    let (mut written, mut buffer) = (0, Vec::new());
    for turn in turns.iter().cycle() {
        if written >= bytes {
            break;
        }
        buffer.clear();
        turn.write(&fill, &pools, &mut buffer);
        file.write_all(&buffer)?;
        written += buffer.len() as u64;
        let (start, parent) = (fill.start + turn.duration, Some(turn.leaf(&fill, &pools)));
        fill = Fill { stamp: rng.next(), start, parent, ..fill };
    }
    file.flush()
}

/// What happens between two prompts.
struct Turn {
    number: u64,
    texts: u64,
}

impl Turn {
    fn new(number: u64) -> Self {
        Self { number, texts: 0 }
    }

    fn session(&mut self) -> Session {
        let session = Session::numbered(0x5EAD).era(Era::V2_1_325).cwd(CWD).step(1700);
        let session = self.prompt(session.leaf(Some(PARENT.into())));
        let session = self.looking(session);
        let session = (0..4).fold(session, |session, _| self.command(session));
        let session = (0..2).fold(session, |session, _| self.edit(session));
        let session = match self.number % 3 {
            0 => self.todos(session),
            1 => self.new_file(session),
            _ => session,
        };
        let answer = self.answer();
        session.assistant(|message| message.text(answer)).system("turn_duration").last_prompt()
    }

    fn prompt(&mut self, session: Session) -> Session {
        let text = self.prose(40, 1500);
        // Every sixth with a screenshot.
        if self.number % 6 == 3 { session.image(text, screenshot(self.number)) } else { session.user(text) }
    }

    fn looking(&mut self, session: Session) -> Session {
        let (thought, text, pattern) = (self.prose(60, 900), self.prose(40, 300), self.code(10, 30));
        let matches = self.code(200, 6000);
        let session = session.assistant(|message| {
            message
                .thinking(thought)
                .text(text)
                .tool_use("Grep", json!({"pattern": pattern, "path": CWD, "output_mode": "content"}))
                .answered(matches)
        });
        (0..2).fold(session, |session, _| self.read(session))
    }

    fn read(&mut self, session: Session) -> Session {
        let (path, content) = (self.path(), self.code(500, 24_000));
        let file =
            json!({"filePath": path, "content": content, "numLines": 200, "startLine": 1, "totalLines": 200});
        let result = ToolResult::text(&content).structured(json!({"type": "text", "file": file}));
        self.call(session, "Read", json!({"file_path": path}), result)
    }

    fn command(&mut self, session: Session) -> Session {
        let (thought, text) = (self.prose(60, 900), self.prose(40, 400));
        let (command, output) = (self.code(20, 400), self.code(30, 16_000));
        session.assistant(|message| {
            let input = json!({"command": command, "description": "Runs the tests"});
            message.thinking(thought).text(text).tool_use("Bash", input).answered(output)
        })
    }

    /// Old and new have most of their lines in common, as a diff would show.
    fn edit(&mut self, session: Session) -> Session {
        let (before, after, file) = (self.code(80, 900), self.code(80, 900), self.code(2000, 40_000));
        let (gone, come) = (self.code(40, 600), self.code(40, 900));
        let (old, new, path) =
            (format!("{before}{gone}{after}"), format!("{before}{come}{after}"), self.path());
        let input = json!({"file_path": path, "old_string": old, "new_string": new, "replace_all": false});
        let structured = json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": file, "structuredPatch": [],
            "userModified": false, "replaceAll": false,
        });
        let text = format!("The file {path} has been updated successfully.");
        self.call(session, "Edit", input, ToolResult::text(text).structured(structured))
    }

    fn new_file(&mut self, session: Session) -> Session {
        let (path, content) = (self.path(), self.code(2000, 16_000));
        let structured =
            json!({"type": "create", "filePath": path, "content": content, "structuredPatch": []});
        let result = ToolResult::text(format!("File created successfully at: {path}")).structured(structured);
        self.call(session, "Write", json!({"file_path": path, "content": content}), result)
    }

    fn todos(&mut self, session: Session) -> Session {
        let todos: Vec<Value> = ["completed", "in_progress", "pending", "pending"]
            .iter()
            .map(|status| json!({"content": self.prose(20, 60), "status": status, "activeForm": "Working"}))
            .collect();
        let input = json!({"todos": todos});
        self.call(session, "TodoWrite", input, ToolResult::text("Todos have been modified successfully."))
    }

    fn call(&mut self, session: Session, tool: &str, input: Value, result: ToolResult) -> Session {
        let text = self.prose(40, 200);
        let says = self.number.is_multiple_of(2);
        session.assistant(|message: AssistantMessage| {
            let message = if says { message.text(text) } else { message };
            message.tool_use(tool, input).answered_with(result)
        })
    }

    /// The last word: headings, lists, code in a fence, a table.
    fn answer(&mut self) -> String {
        let (first, second, last) = (self.prose(100, 900), self.prose(40, 200), self.prose(40, 600));
        let (left, right) = (self.code(10, 20), self.prose(20, 40));
        format!(
            "## What changed\n\n{first}\n\n- **First**: {second}\n- `src/lib.rs`: {second}\n\n```rust\n{code}```\n\n\
             | place | why |\n|---|---|\n| `{left}` | {right} |\n\n1. {last}\n2. See [the guide](https://example.org/guide).\n",
            code = self.code(200, 2500),
        )
    }

    fn path(&mut self) -> String {
        self.texts += 1;
        format!("{CWD}/src/part_{}_{}.rs", self.number, self.texts)
    }

    fn prose(&mut self, least: u64, most: u64) -> String {
        self.mark("prose", least, most)
    }

    fn code(&mut self, least: u64, most: u64) -> String {
        self.mark("code", least, most)
    }

    fn mark(&mut self, kind: &str, least: u64, most: u64) -> String {
        self.texts += 1;
        format!("%%{kind}:{least}-{most}:{}%%", self.texts)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn it_is_one_line_of_records_of_about_the_size_that_was_ordered() {
        let mut bytes = Vec::new();
        put(&mut bytes, 2_000_000, 1).unwrap();
        assert!(bytes.len() >= 2_000_000 && bytes.len() < 2_600_000, "{}", bytes.len());
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("%%"));
        let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let known: HashSet<&str> = records.iter().filter_map(|record| record["uuid"].as_str()).collect();
        let parents = records.iter().filter_map(|record| record["parentUuid"].as_str());
        assert_eq!(parents.filter(|parent| !known.contains(parent)).count(), 0);
        let roots =
            records.iter().filter(|record| record.get("uuid").is_some() && record["parentUuid"].is_null());
        assert_eq!(roots.count(), 1);
        let mut again = Vec::new();
        put(&mut again, 2_000_000, 1).unwrap();
        assert!(again == text.as_bytes());
    }
}
