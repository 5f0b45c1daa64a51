//! A tool call, in the form that suits it.

use serde_json::Value;
use steno_conversation::model::ToolStep;

use super::{About, Item, Part, Walker, excerpt};
use crate::call::{self, DiffLine, Question, Todo, Topic, View};
use crate::language;
use crate::words::{self, one_line};

impl Walker<'_, '_> {
    pub(super) fn tool(&mut self, tool: &ToolStep) {
        self.call(tool);
        self.outcome(tool);
    }

    pub(super) fn call(&mut self, tool: &ToolStep) {
        let view = call::view(&tool.name, &tool.input);
        let topic = call::topic(&tool.name, &tool.input, &view);
        let notes = notes(&view, &topic, tool);
        let name = one_line(&call::name(&tool.name));
        let name = if name.is_empty() { "Tool".to_owned() } else { name };
        self.put(Part::Call { name, about: about(&view, topic), notes });
        self.form(&view);
    }

    fn form(&mut self, view: &View<'_>) {
        match view {
            View::Command { command, .. } => self.given("bash", command),
            View::Write { path, content } => self.given(language::of_path(path).unwrap_or("text"), content),
            View::Edit { lines, .. } => self.given("diff", &diff(lines)),
            View::Todos(todos) => self.list(todos.iter().map(todo).collect()),
            View::Search { pattern, .. } if pattern.trim().contains('\n') => self.given("text", pattern),
            View::Fetch { prompt: Some(prompt), .. } => self.given("text", prompt),
            View::Prose(prose) => self.given("markdown", prose),
            View::Questions(questions) => questions.iter().for_each(|question| self.question(question)),
            // Only the result is left of it.
            View::Other(Value::Null) => {}
            View::Other(input) => self.given("json", &indented(input)),
            View::Search { .. } | View::Fetch { .. } | View::Read { .. } | View::Brief => {}
        }
    }

    fn list(&mut self, items: Vec<Item>) {
        if !items.is_empty() {
            self.put(Part::List(items));
        }
    }

    fn question(&mut self, question: &Question<'_>) {
        self.prose(question.text);
        let choices = question.choices.iter().map(|choice| Item {
            done: None,
            text: one_line(choice.label),
            note: choice.description.map(one_line).filter(|text| !text.is_empty()),
        });
        self.list(choices.collect());
    }

    /// What a tool was given, as far as it is wanted.
    fn given(&mut self, language: &str, text: &str) {
        if self.detail.full_results {
            return self.code(language, text);
        }
        let excerpt = excerpt::input(text);
        self.code(language, excerpt.shown);
        excerpt.missing.into_iter().for_each(|missing| self.note(missing));
    }

    pub(super) fn json(&mut self, value: &Value) {
        self.code("json", &indented(value));
    }
}

fn diff(lines: &[DiffLine<'_>]) -> String {
    lines.iter().map(|line| format!("{}{}\n", line.sign.mark(), line.text)).collect()
}

fn indented(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

/// What is beside the name; what is below is not said twice.
fn about(view: &View<'_>, topic: Topic) -> About {
    let about = match view {
        View::Command { description, .. } => About::Words(description.map(one_line).unwrap_or_default()),
        View::Todos(_) | View::Prose(_) => About::Words(topic.text),
        View::Questions(_) => About::Nothing,
        View::Search { pattern, .. } => About::Code(words::first_line(pattern)),
        _ => About::Code(topic.path.unwrap_or(topic.text)),
    };
    match about {
        About::Words(text) | About::Code(text) if text.is_empty() => About::Nothing,
        about => about,
    }
}

/// Which part, where, how much, and how long it took.
fn notes(view: &View<'_>, topic: &Topic, tool: &ToolStep) -> Vec<String> {
    let part = match view {
        View::Read { part, .. } => part.as_deref().map(one_line),
        View::Edit { .. } => Some(topic.text.clone()).filter(|changes| !changes.is_empty()),
        View::Search { scope: Some(scope), .. } => Some(format!("in {}", one_line(scope))),
        _ => None,
    };
    let time = tool.duration_ms.filter(|time| *time >= 1000).map(words::duration);
    part.into_iter().chain(time).collect()
}

fn todo(todo: &Todo<'_>) -> Item {
    let is_known = matches!(todo.status, "pending" | "completed");
    let note = (!is_known).then(|| one_line(todo.status).replace('_', " "));
    Item { done: Some(todo.status == "completed"), text: one_line(todo.text), note }
}
