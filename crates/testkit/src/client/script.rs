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
//! | `mock:slow=SECONDS` | thinks for that long |

use std::time::Duration;

use serde_json::{Value, json};

const MARK: &str = "mock:";
/// What the `file` script writes.
const FILE: &str = "first line\nsecond line\n";

#[derive(Debug, PartialEq)]
pub(super) struct Step {
    pub(super) after: Duration,
    pub(super) act: Act,
}

#[derive(Debug, PartialEq)]
pub(super) enum Act {
    Say(String),
    Use { tool: &'static str, input: Value },
}

/// The answer to a request for the next message.
pub(super) fn next(request: &Value) -> Step {
    let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some((place, script)) = newest_script(messages) else {
        return say("Understood.");
    };
    let answered = messages.iter().skip(place).filter(|message| message["role"] == "assistant").count();
    let (name, argument) = script.split_once('=').unwrap_or((&script, ""));
    step(name, argument, answered)
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
        ("agent", 0) => tool(
            "Agent",
            json!({
                "description": "Say a word",
                "prompt": format!("{MARK}echo={argument}"),
                "subagent_type": "general-purpose",
                "run_in_background": false,
            }),
        ),
        ("slow", 0) => Step { after: seconds(argument), act: Act::Say("That took a while.".to_owned()) },
        ("echo" | "run" | "file" | "todo" | "agent", _) => say(&format!("The {name} script is done.")),
        _ => say(&format!("There is no {name} script.")),
    }
}

fn say(text: &str) -> Step {
    Step { after: Duration::ZERO, act: Act::Say(text.to_owned()) }
}

fn tool(tool: &'static str, input: Value) -> Step {
    Step { after: Duration::ZERO, act: Act::Use { tool, input } }
}

fn echo(word: &str) -> Step {
    bash(&format!("echo {word}"), "Says a word")
}

fn bash(command: &str, description: &str) -> Step {
    tool("Bash", json!({ "command": command, "description": description }))
}

fn seconds(argument: &str) -> Duration {
    Duration::from_secs(argument.parse().expect("`mock:slow=` is followed by seconds"))
}

/// Where the newest prompt that names a script stands, and what it names.
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
}
