//! A tool call: what it is about on one line, and below what it was given and what came back.

use maud::{Markup, Render, html};
use serde_json::Value;
use steno_conversation::model::ToolStep;

use super::fragment::Fragments;
use super::highlight::{LONGEST, Language};
use super::link::Link;
use super::text::{Name, Plain, cut, left_out};
use crate::call::{self, DiffLine, Question, Sign, Todo, View};
use crate::terminal::clean;
use crate::words::{self, many};

/// Lines of a diff that are shown unless all is asked for: each is an element.
const MOST_LINES: usize = 1000;

impl<'a> Fragments<'a> {
    pub fn tool(&self, tool: &ToolStep) -> Markup {
        html! {
            details.tool.bad[is_error(tool)] {
                (self.call(tool))
                (self.given(tool))
                (self.outcome(tool))
            }
        }
    }

    /// The line that is always seen.
    pub(super) fn call(&self, tool: &ToolStep) -> Markup {
        let time = tool.duration_ms.filter(|time| *time >= 1000).map(words::duration);
        html! {
            summary {
                span.name { (Name(&tool.name)) }
                " " code.about { (Name(self.without_home(&call::summary(&tool.name, &tool.input)))) }
                @if is_error(tool) { " " span.badge { "error" } }
                @if let Some(time) = time { " " span.meta { (time) } }
            }
        }
    }

    /// A path inside the project, as people say it.
    fn without_home<'t>(&self, about: &'t str) -> &'t str {
        let inside = self.conversation.profile.cwd.as_deref().and_then(|cwd| about.strip_prefix(cwd));
        inside
            .and_then(|path| path.strip_prefix(['/', '\\']))
            .filter(|path| !path.is_empty())
            .unwrap_or(about)
    }

    /// What a tool was given, in the form that shows best what it does.
    fn given(&self, tool: &ToolStep) -> Markup {
        match call::view(&tool.name, &tool.input) {
            View::Command { command, description } => html! {
                @if let Some(description) = description { p.caption { (Plain(description)) } }
                (self.code(command, Language::named("sh")))
            },
            View::Read { path, part } => html! { (file(path, part.as_deref())) },
            View::Write { path, content } => html! {
                (file(path, None))
                (self.code(content, Language::of_path(path)))
            },
            View::Edit { path, lines } => html! {
                (file(path, None))
                (self.diff(&lines))
            },
            View::Todos(todos) => html! { ul.todos { @for todo in &todos { (todo) } } },
            View::Search { pattern, scope } => html! {
                p.caption { code { (Plain(pattern)) } @if let Some(scope) = scope { " " (Name(&scope)) } }
            },
            View::Fetch { url, prompt } => html! {
                p.caption { (Link(url)) }
                @if let Some(prompt) = prompt { p.caption { (Plain(prompt)) } }
            },
            View::Prose(text) => html! { div.prose { (self.prose(text)) } },
            View::Questions(questions) => html! { @for question in &questions { (question) } },
            View::Brief => html! {},
            View::Other(input) => self.other(input),
        }
    }

    fn code(&self, text: &str, language: Option<&'static Language>) -> Markup {
        let limit = if self.detail.full_results { usize::MAX } else { LONGEST };
        let (text, more) = cut(text, limit);
        let text = clean(text);
        html! {
            pre { code { (self.highlighter.code(text.trim_end_matches('\n'), language)) } }
            (left_out(more))
        }
    }

    fn diff(&self, lines: &[DiffLine<'_>]) -> Markup {
        let shown = if self.detail.full_results { lines.len() } else { MOST_LINES };
        let more = lines.len().saturating_sub(shown) as u64;
        html! {
            pre.diff { code { @for line in lines.iter().take(shown) { (line) } } }
            @if more > 0 { p.left-out { "… " (many(more, "more line")) " left out" } }
        }
    }

    /// Values of a tool that is not known: texts as they are, everything else as JSON.
    fn other(&self, input: &Value) -> Markup {
        match input {
            Value::Object(fields) => html! {
                @if !fields.is_empty() {
                    dl {
                        @for (key, value) in fields { dt { (Name(key)) } dd { (self.value_of(value)) } }
                    }
                }
            },
            Value::Null => html! {},
            value => self.value_of(value),
        }
    }

    fn value_of(&self, value: &Value) -> Markup {
        match value {
            Value::String(text) if text.len() < 80 && !text.contains('\n') => {
                html! { code { (Plain(text)) } }
            }
            Value::String(text) => self.code(text, None),
            Value::Array(_) | Value::Object(_) => self.code(&format!("{value:#}"), Language::named("json")),
            value => html! { code { (value.to_string()) } },
        }
    }
}

pub(super) fn is_error(tool: &ToolStep) -> bool {
    tool.result.as_ref().is_some_and(|result| result.is_error)
}

fn file(path: &str, part: Option<&str>) -> Markup {
    html! {
        p.caption { code { (Name(path)) } @if let Some(part) = part { " " (Name(part)) } }
    }
}

impl Render for DiffLine<'_> {
    fn render(&self) -> Markup {
        match self.sign {
            Sign::Same => html! { span { "  " (Plain(self.text)) "\n" } },
            Sign::Added => html! { ins { "+ " (Plain(self.text)) "\n" } },
            Sign::Removed => html! { del { "- " (Plain(self.text)) "\n" } },
            Sign::Gap => html! { span.gap { "⋯" (Plain(self.text)) "\n" } },
        }
    }
}

impl Render for Todo<'_> {
    fn render(&self) -> Markup {
        let (mark, said) = match self.status {
            "completed" => ("☑", "done: "),
            "in_progress" => ("◐", "in progress: "),
            _ => ("☐", "open: "),
        };
        html! {
            li.done[self.status == "completed"] {
                span aria-hidden="true" { (mark) " " } span.unseen { (said) } (Plain(self.text))
            }
        }
    }
}

impl Render for Question<'_> {
    fn render(&self) -> Markup {
        html! {
            div.question {
                p { @if let Some(header) = self.header { strong { (Name(header)) } " " } (Plain(self.text)) }
                ul {
                    @for choice in &self.choices {
                        li {
                            (Plain(choice.label))
                            @if let Some(description) = choice.description { span.to { " " (Plain(description)) } }
                        }
                    }
                }
            }
        }
    }
}
