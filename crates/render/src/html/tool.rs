//! A tool call: what it is about on one line, and below what it was given and what came back.

use maud::{Markup, Render, html};
use serde_json::Value;
use steno_conversation::model::ToolStep;

use super::fragment::Fragments;
use super::highlight::{LONGEST, Language};
use super::link::Link;
use super::question;
use super::text::{Name, Plain, left_out, preview, with_tolerance};
use crate::call::{self, DiffLine, Sign, Todo, Topic, View};
use crate::clean::clean;
use crate::facts;
use crate::words::{self, many};

/// Lines of a diff that are shown unless all is asked for: each is an element.
const MOST_LINES: usize = 1000;
/// Lines of a diff that is open from the beginning.
const SMALL_DIFF: usize = 16;
/// What the line of a call shows whole once it is opened.
const LONGEST_TOLD: usize = 200;

impl<'a> Fragments<'a> {
    pub fn tool(&self, tool: &ToolStep) -> Markup {
        let view = call::view(&tool.name, &tool.input);
        if let View::Questions(questions) = &view {
            return self.asked(tool, questions);
        }
        html! {
            details.tool.bad[is_error(tool)].change[is_change(&view)] open[is_small(&view)] {
                (self.call(tool, &view))
                (self.given(&view))
                (self.outcome(tool))
            }
            (self.feedback(tool))
        }
    }

    /// The line that is always seen.
    pub(super) fn call(&self, tool: &ToolStep, view: &View<'_>) -> Markup {
        let time = tool.duration_ms.filter(|time| *time >= 1000).map(words::duration);
        html! {
            summary {
                span.name { @if tool.name.is_empty() { "Tool" } @else { (Name(&call::name(&tool.name))) } }
                " " (self.topic(tool, view))
                " " (self.badge(tool))
                @if let Some(time) = time { " " span.meta { (time) } }
            }
        }
    }

    /// What a command is for, and the command where it is short; of a file, folders give way to its name.
    fn topic(&self, tool: &ToolStep, view: &View<'_>) -> Markup {
        let Topic { path, text } = call::topic(&tool.name, &tool.input, view);
        let purpose = if let View::Command { description, .. } = view { *description } else { None };
        let purpose = purpose.map(words::first_line).filter(|purpose| !purpose.is_empty());
        html! {
            @if let Some(path) = path {
                (self.path(&path))
                @if !text.is_empty() { " " span.part { (Name(&text)) } }
            } @else {
                @if let Some(purpose) = &purpose { span.told { (Name(purpose)) } " " }
                @if purpose.as_ref() != Some(&text) { code.about { (Name(&text)) } }
            }
        }
    }

    fn path(&self, path: &str) -> Markup {
        let path = self.without_home(path);
        let name = path.rfind(['/', '\\']).map_or(0, |place| place + 1);
        let (folder, name) = path.split_at_checked(name).unwrap_or(("", path));
        html! {
            code.about.path {
                @if !folder.is_empty() { span.folder { (Name(folder)) } }
                span.file { (Name(name)) }
            }
        }
    }

    /// What went wrong with a call, in a word.
    pub(super) fn badge(&self, tool: &ToolStep) -> Markup {
        html! {
            @if is_refused(tool) {
                span.badge.refused { "refused by the user" }
            } @else if is_error(tool) {
                span.badge { "error" }
            }
        }
    }

    /// What the user said in place of letting a tool run; people's words are not folded away.
    pub(super) fn feedback(&self, tool: &ToolStep) -> Markup {
        let refusal = tool.result.as_ref().and_then(facts::refusal);
        html! {
            @if let Some(feedback) = refusal.and_then(|refusal| refusal.feedback) {
                div.feedback { span.label { "User" } div.prose { (self.prose(feedback)) } }
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

    /// What a tool was given, in the form that shows best what it does. What its line says is not said again.
    fn given(&self, view: &View<'_>) -> Markup {
        match view {
            View::Command { command, description } => html! {
                @if let Some(description) = description.filter(|text| !fits(text)) { p.caption { (Plain(description)) } }
                div.wrapped { (self.code(command, Language::named("sh"))) }
            },
            View::Read { path, part } => self.file(path, part.as_deref()),
            View::Write { path, content } => html! {
                (self.file(path, None))
                (self.code(content, Language::of_path(path)))
            },
            View::Edit { path, lines } => html! {
                (self.file(path, None))
                (self.diff(lines))
            },
            View::Todos(todos) => html! { ul.todos { @for todo in todos { (todo) } } },
            View::Search { pattern, scope } => html! {
                @if !fits(pattern) || scope.as_deref().is_some_and(|scope| !fits(scope)) {
                    p.caption { code { (Plain(pattern)) } @if let Some(scope) = scope { " " (Name(scope)) } }
                }
            },
            View::Fetch { url, prompt } => html! {
                p.caption { (Link(url)) }
                @if let Some(prompt) = prompt { p.caption { (Plain(prompt)) } }
            },
            View::Prose(text) => html! { div.prose { (self.prose(text)) } },
            View::Questions(questions) => html! { @for asked in questions { (question::one(asked, None)) } },
            View::Brief => html! {},
            View::Other(input) => self.other(input),
        }
    }

    /// The whole path, where the line of the call has only its end.
    fn file(&self, path: &str, part: Option<&str>) -> Markup {
        html! {
            @if self.without_home(path) != path || !fits(path) {
                p.caption { code { (Name(path)) } @if let Some(part) = part { " " (Name(part)) } }
            }
        }
    }

    fn code(&self, text: &str, language: Option<&'static Language>) -> Markup {
        let limit = if self.detail.full_results { usize::MAX } else { LONGEST };
        let (text, more) = preview(text, limit);
        let text = clean(text);
        html! {
            pre { code { (self.highlighter.code(text.trim_end_matches('\n'), language)) } }
            (left_out(more))
        }
    }

    fn diff(&self, lines: &[DiffLine<'_>]) -> Markup {
        let is_whole = self.detail.full_results || lines.len() <= with_tolerance(MOST_LINES);
        let shown = if is_whole { lines.len() } else { MOST_LINES };
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

/// Whether a call changes a file.
fn is_change(view: &View<'_>) -> bool {
    matches!(view, View::Edit { .. } | View::Write { .. })
}

/// A diff that is as soon read as opened.
fn is_small(view: &View<'_>) -> bool {
    matches!(view, View::Edit { lines, .. } if lines.len() <= SMALL_DIFF)
}

pub(super) fn is_error(tool: &ToolStep) -> bool {
    tool.result.as_ref().is_some_and(|result| result.is_error && facts::refusal(result).is_none())
}

pub(super) fn is_refused(tool: &ToolStep) -> bool {
    tool.result.as_ref().and_then(facts::refusal).is_some()
}

/// Whether the line of a call has room for it.
fn fits(text: &str) -> bool {
    text.len() <= LONGEST_TOLD && !text.trim().contains('\n')
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
