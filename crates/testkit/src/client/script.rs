//! What the model says next: a script that the prompt names, step by step, as if a model had thought of it.
//!
//! A prompt names one with a word such as `mock:echo=hello`:
//!
//! | word | what the model does before its last text |
//! |---|---|
//! | `mock:echo=WORD` | runs `echo WORD` |
//! | `mock:run=WORD+WORD` | runs the words as a command |
//! | `mock:file=PATH` | writes a file and reads it again |
//! | `mock:todo` | notes something to do |
//! | `mock:agent=WORD` | has a subagent run `echo WORD` |
//! | `mock:background=WORD` | the same, without waiting for it |
//! | `mock:many` | thinks, says something and runs two commands at once, one of which fails |
//! | `mock:read=PATH` | reads a file, such as an image |
//! | `mock:plan` | puts a plan before the user |
//! | `mock:slow=SECONDS` | thinks for that long |
//!
//! A request to sum the conversation up is answered with a summary, whatever was said in it.

use std::time::Duration;

use serde_json::{Value, json};

const MARK: &str = "mock:";
/// What the `file` script writes.
const FILE: &str = "first line\nsecond line\n";
/// How the client asks for a summary.
const COMPACTIONS: [&str; 2] = ["summary of the conversation", "Respond with TEXT ONLY"];

#[derive(Debug, PartialEq)]
pub(super) struct Step {
    pub(super) after: Duration,
    pub(super) acts: Vec<Act>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Act {
    Think(String),
    Say(String),
    Use { tool: &'static str, input: Value },
}

/// The answer to a request for the next message.
pub(super) fn next(request: &Value) -> Step {
    let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    if messages.last().is_some_and(asks_for_summary) {
        return say("<analysis>It was short.</analysis>\n<summary>\nSome scripts were run.\n</summary>");
    }
    let Some((place, script)) = newest_script(messages) else {
        return say("Understood.");
    };
    let answered = messages.iter().skip(place).filter(|message| message["role"] == "assistant").count();
    let (name, argument) = script.split_once('=').unwrap_or((&script, ""));
    let mut step = step(name, argument, answered);
    step.acts.iter_mut().for_each(|act| name_as_offered(act, &request["tools"]));
    step
}

fn asks_for_summary(message: &Value) -> bool {
    let said = message["content"].to_string();
    message["role"] == "user" && COMPACTIONS.iter().any(|words| said.contains(words))
}

/// Older clients have another name for the tool that starts a subagent.
fn name_as_offered(act: &mut Act, tools: &Value) {
    let offers =
        |name: &str| tools.as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == name));
    if let Act::Use { tool, .. } = act
        && *tool == "Agent"
        && offers("Task")
        && !offers("Agent")
    {
        *tool = "Task";
    }
}

fn step(name: &str, argument: &str, answered: usize) -> Step {
    match (name, answered) {
        ("echo", 0) => echo(argument),
        ("run", 0) => bash(&argument.replace('+', " "), "Runs a program"),
        ("file", 0) => tool("Write", json!({ "file_path": argument, "content": FILE })),
        ("file", 1) => tool("Read", json!({ "file_path": argument })),
        ("todo", 0) => {
            let todo = json!({ "content": "Rest", "status": "pending", "activeForm": "Resting" });
            tool("TodoWrite", json!({ "todos": [todo] }))
        }
        ("agent" | "background", 0) => tool(
            "Agent",
            json!({
                "description": "Say a word",
                "prompt": format!("{MARK}echo={argument}"),
                "subagent_type": "general-purpose",
                "run_in_background": name == "background",
            }),
        ),
        ("many", 0) => Step {
            after: Duration::ZERO,
            acts: vec![
                Act::Think("Two at once.".to_owned()),
                Act::Say("I run two commands.".to_owned()),
                command("echo one", "One"),
                command("echo two; exit 3", "Two"),
            ],
        },
        ("many", 1) => Step {
            after: Duration::ZERO,
            acts: vec![
                Act::Think("That was it.".to_owned()),
                Act::Say("The many script is done.".to_owned()),
            ],
        },
        ("read", 0) => tool("Read", json!({ "file_path": argument })),
        ("plan", 0) => tool("ExitPlanMode", json!({ "plan": "# A plan\n\n1. Rest\n" })),
        ("slow", 0) => {
            Step { after: seconds(argument), acts: vec![Act::Say("That took a while.".to_owned())] }
        }
        ("echo" | "run" | "file" | "todo" | "agent" | "background" | "read" | "plan", _) => {
            say(&format!("The {name} script is done."))
        }
        _ => say(&format!("There is no {name} script.")),
    }
}

fn say(text: &str) -> Step {
    Step { after: Duration::ZERO, acts: vec![Act::Say(text.to_owned())] }
}

fn tool(tool: &'static str, input: Value) -> Step {
    Step { after: Duration::ZERO, acts: vec![Act::Use { tool, input }] }
}

fn echo(word: &str) -> Step {
    bash(&format!("echo {word}"), "Says a word")
}

fn bash(line: &str, description: &str) -> Step {
    Step { after: Duration::ZERO, acts: vec![command(line, description)] }
}

fn command(line: &str, description: &str) -> Act {
    Act::Use { tool: "Bash", input: json!({ "command": line, "description": description }) }
}

fn seconds(argument: &str) -> Duration {
    Duration::from_secs(argument.parse().expect("`mock:slow=` is followed by seconds"))
}

/// The place of the newest prompt that names a script, and that name.
fn newest_script(messages: &[Value]) -> Option<(usize, String)> {
    let prompts = messages.iter().enumerate().rev().filter(|(_, message)| message["role"] == "user");
    prompts.into_iter().find_map(|(place, message)| Some((place, named(&message["content"])?)))
}

fn named(content: &Value) -> Option<String> {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = content.as_str().into_iter().chain(blocks.iter().filter_map(|block| block["text"].as_str()));
    let mut words = texts.flat_map(str::split_whitespace).filter_map(|word| word.strip_prefix(MARK));
    words.next_back().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation(roles_and_texts: &[(&str, &str)]) -> Value {
        let messages = roles_and_texts.iter().map(|(role, text)| json!({ "role": role, "content": text }));
        json!({ "messages": messages.collect::<Vec<_>>() })
    }

    #[test]
    fn a_script_goes_on_where_the_conversation_stands() {
        let mut said = vec![("user", "please mock:echo=hello")];
        assert_eq!(next(&conversation(&said)), echo("hello"));
        said.extend([("assistant", ""), ("user", "hello")]);
        assert_eq!(next(&conversation(&said)), say("The echo script is done."));
    }

    #[test]
    fn the_newest_prompt_decides() {
        let said = [("user", "mock:todo"), ("assistant", ""), ("user", "now mock:echo=x")];
        assert_eq!(next(&conversation(&said)), echo("x"));
        assert_eq!(next(&conversation(&[("user", "hello")])), say("Understood."));
        assert_eq!(next(&conversation(&[("user", "mock:run=a+b")])), bash("a b", "Runs a program"));
    }

    #[test]
    fn a_conversation_is_summed_up_whatever_was_said() {
        let said = [("user", "mock:todo"), ("user", "a detailed summary of the conversation, please")];
        let [Act::Say(summary)] = &next(&conversation(&said)).acts[..] else { panic!("one text") };
        assert!(summary.contains("<summary>"));
    }

    #[test]
    fn a_subagent_is_started_with_the_tool_that_there_is() {
        let mut request = conversation(&[("user", "mock:agent=x")]);
        request["tools"] = json!([{ "name": "Task" }]);
        let [Act::Use { tool, .. }] = &next(&request).acts[..] else { panic!("one call") };
        assert_eq!(*tool, "Task");
    }
}
