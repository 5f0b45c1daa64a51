//! A tool call, in the form that suits it.

use serde_json::Value;
use steno_conversation::model::ToolStep;

use super::{About, Item, Part, Walker};
use crate::call::{self, Question, Todo, View};
use crate::words::{self, one_line};

impl Walker<'_, '_> {
    pub(super) fn tool(&mut self, tool: &ToolStep) {
        self.call(tool);
        self.outcome(tool);
    }

    pub(super) fn call(&mut self, tool: &ToolStep) {
        let view = call::view(&tool.name, &tool.input);
        let notes = notes(&view, tool);
        let name = one_line(&tool.name);
        let name = if name.is_empty() { "Tool".to_owned() } else { name };
        self.put(Part::Call { name, about: about(&view, tool), notes });
        self.form(&view);
    }

    fn form(&mut self, view: &View<'_>) {
        match view {
            View::Command { command, .. } => self.code("bash", command),
            View::Write { path, content } => self.code(language(path), content),
            View::Edit { lines, .. } if !lines.is_empty() => self.put(Part::Diff(lines)),
            View::Todos(todos) => self.list(todos.iter().map(todo).collect()),
            View::Search { pattern, .. } if pattern.trim().contains('\n') => self.code("text", pattern),
            View::Fetch { prompt: Some(prompt), .. } => self.code("text", prompt),
            View::Prose(prose) => self.code("markdown", prose),
            View::Questions(questions) => questions.iter().for_each(|question| self.question(question)),
            View::Other(input) => self.json(input),
            View::Edit { .. }
            | View::Search { .. }
            | View::Fetch { .. }
            | View::Read { .. }
            | View::Brief => {}
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

    pub(super) fn json(&mut self, value: &Value) {
        let text = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
        self.code("json", &text);
    }
}

/// What stands beside the name; what stands below is not said twice.
fn about(view: &View<'_>, tool: &ToolStep) -> About {
    let summary = call::summary(&tool.name, &tool.input);
    let about = match view {
        View::Command { description, .. } => About::Words(description.map(one_line).unwrap_or_default()),
        View::Todos(_) | View::Prose(_) => About::Words(summary),
        View::Questions(_) => About::Nothing,
        View::Read { path, .. } => About::Code(one_line(path)),
        View::Search { pattern, .. } => About::Code(words::first_line(pattern)),
        _ => About::Code(summary),
    };
    match about {
        About::Words(text) | About::Code(text) if text.is_empty() => About::Nothing,
        about => about,
    }
}

/// Which part, where, and how long it took.
fn notes(view: &View<'_>, tool: &ToolStep) -> Vec<String> {
    let part = match view {
        View::Read { part, .. } => part.as_deref().map(one_line),
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

/// What to call the language of a file, by the end of its name.
fn language(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let end = name.rsplit_once('.').map_or(name, |(_, end)| end);
    match end {
        "rs" => "rust",
        "py" => "python",
        "js" | "mjs" | "cjs" => "javascript",
        "ts" | "mts" | "cts" => "typescript",
        "md" | "mdx" => "markdown",
        "sh" | "bash" | "zsh" => "bash",
        "yml" => "yaml",
        "rb" => "ruby",
        "kt" => "kotlin",
        "cs" => "csharp",
        "hpp" | "cc" | "cxx" => "cpp",
        "h" => "c",
        "htm" => "html",
        "ps1" => "powershell",
        "Dockerfile" => "dockerfile",
        "Makefile" | "mk" => "makefile",
        "txt" | "" => "text",
        // Most ends are the language's own name.
        end if name != end && end.len() <= 12 && end.chars().all(|c| c.is_ascii_alphanumeric()) => end,
        _ => "text",
    }
}
