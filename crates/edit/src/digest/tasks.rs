//! Lists of things to do, as two generations of tools keep them → the tasks that are still open.

use serde_json::Value;
use steno_conversation::model::ToolStep;

use super::shorten;

const LONG: usize = 200;

/// The lists, call after call.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// What the last list says is not done.
    listed: Vec<String>,
    /// In the order in which they were made; none where it is done.
    made: Vec<Option<String>>,
}

impl Tasks {
    /// Whether a call is about things to do; then it is noted what it says.
    pub(super) fn follow(&mut self, tool: &ToolStep) -> bool {
        let text = |key: &str| tool.input.get(key).and_then(Value::as_str);
        match tool.name.as_str() {
            "TodoWrite" => {
                if let Some(todos) = tool.input.get("todos").and_then(Value::as_array) {
                    self.listed = todos.iter().filter_map(open_todo).collect();
                }
            }
            "TaskCreate" => {
                self.made.extend(text("subject").map(|subject| Some(shorten::line(subject, LONG))))
            }
            "TaskUpdate" => {
                let number = text("taskId").and_then(|id| id.trim_start_matches('#').parse::<usize>().ok());
                let place = number.filter(|_| !text("status").is_none_or(is_open));
                if let Some(task) = place.and_then(|number| self.made.get_mut(number.checked_sub(1)?)) {
                    *task = None;
                }
            }
            _ => return false,
        }
        true
    }

    pub(super) fn open(&self) -> Vec<String> {
        let open = self.listed.iter().chain(self.made.iter().flatten());
        open.filter(|task| !task.is_empty()).cloned().collect()
    }
}

fn open_todo(todo: &Value) -> Option<String> {
    let text = |key: &str| todo.get(key).and_then(Value::as_str).unwrap_or_default();
    is_open(text("status")).then(|| shorten::line(text("content"), LONG))
}

fn is_open(status: &str) -> bool {
    !matches!(status, "completed" | "deleted" | "cancelled")
}
