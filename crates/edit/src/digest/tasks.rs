//! Lists of things to do, as two generations of tools keep them → what is left to do.

use serde::Deserialize;
use serde_json::value::RawValue;
use steno_transcript::understood;

use super::shorten;

const LONG: usize = 200;

/// What a call does to the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tasks {
    /// This is the list now: what is not done yet.
    All(Vec<String>),
    Add(String),
    /// Counted from 1.
    Close(usize),
}

#[derive(Deserialize)]
struct Todo {
    #[serde(default)]
    content: String,
    #[serde(default)]
    status: String,
}

pub(super) fn of_call<'i>(name: &str, input: &dyn Fn(&str) -> Option<&'i RawValue>) -> Option<Tasks> {
    let string = |key: &str| input(key).and_then(understood::<String>);
    match name {
        "TodoWrite" => {
            let todos = input("todos").and_then(understood::<Vec<Todo>>)?;
            let open = todos.iter().filter(|todo| is_open(&todo.status));
            Some(Tasks::All(open.map(|todo| shorten::line(&todo.content, LONG)).collect()))
        }
        "TaskCreate" => string("subject").map(|subject| Tasks::Add(shorten::line(&subject, LONG))),
        "TaskUpdate" => {
            let is_closed = string("status").is_some_and(|status| !is_open(&status));
            let number = string("taskId")?.trim_start_matches('#').parse().ok()?;
            is_closed.then_some(Tasks::Close(number))
        }
        _ => None,
    }
}

fn is_open(status: &str) -> bool {
    !matches!(status, "completed" | "deleted" | "cancelled")
}

/// The list, call after call.
#[derive(Debug, Default)]
pub(super) struct List {
    all: Vec<String>,
    /// In the order they were made; none where it is done.
    made: Vec<Option<String>>,
}

impl List {
    pub(super) fn follow(&mut self, tasks: Tasks) {
        match tasks {
            Tasks::All(open) => self.all = open,
            Tasks::Add(task) => self.made.push(Some(task)),
            Tasks::Close(number) => {
                if let Some(task) = number.checked_sub(1).and_then(|place| self.made.get_mut(place)) {
                    *task = None;
                }
            }
        }
    }

    pub(super) fn open(self) -> Vec<String> {
        self.all.into_iter().chain(self.made.into_iter().flatten()).filter(|task| !task.is_empty()).collect()
    }
}
