//! What a tool gave back.

use maud::{Markup, html};
use steno_conversation::model::{Persisted, ToolOutcome, ToolStep};

use super::fragment::Fragments;
use super::highlight::Language;
use super::listing::Listing;
use super::text::{Name, Plain, left_out, preview};
use super::{json, media};
use crate::call::{self, View};
use crate::clean::clean;
use crate::facts;
use crate::words;

/// How much of a result is shown unless all is asked for.
const LONGEST: usize = 32 * 1024;

/// What the client answers where the call itself shows all that happened.
const TOLD: [&str; 6] = [
    "File created successfully at",
    "The file ",
    "Applied ",
    "Updated cell",
    "Inserted cell",
    "Todos have been modified",
];
/// What the client puts around results.
const AROUND: [(&str, &str); 2] =
    [("<tool_use_error>", "</tool_use_error>"), ("<persisted-output>", "</persisted-output>")];

impl Fragments<'_> {
    pub(super) fn outcome(&self, tool: &ToolStep) -> Markup {
        match &tool.result {
            Some(result) if !self.detail.full_results && facts::refusal(result).is_some() => html! {},
            Some(result) => self.result(tool, result),
            None if self.running.contains(&tool.id) => html! { p.left-out { "running" } },
            None => html! { p.left-out { "no result" } },
        }
    }

    fn result(&self, tool: &ToolStep, result: &ToolOutcome) -> Markup {
        let is_empty = result.text.trim().is_empty() && result.images.is_empty();
        let (text, more) = if self.detail.full_results {
            (result.text.trim_end(), 0)
        } else {
            preview(without_talk(tool, result), LONGEST)
        };
        html! {
            @if is_empty { p.left-out { "no output" } }
            @if !text.trim().is_empty() { (self.output(tool, text)) }
            (left_out(more))
            @if let Some(persisted) = &result.persisted { (whole(persisted)) }
            (media::all(&result.images))
        }
    }

    fn output(&self, tool: &ToolStep, text: &str) -> Markup {
        if let View::Read { path, .. } = call::view(&tool.name, &tool.input)
            && let Some(listing) = Listing::of(text)
        {
            return self.listing(&listing, Language::of_path(path));
        }
        let Some(json) = json::indented(text) else { return html! { pre.output { (Plain(text)) } } };
        html! { pre.output { (self.highlighter.code(&clean(&json), Language::named("json"))) } }
    }

    /// The part of a file that was read, in colours, its numbers beside it.
    fn listing(&self, listing: &Listing<'_>, language: Option<&'static Language>) -> Markup {
        html! {
            pre.listing {
                span.numbers aria-hidden="true" { (Plain(&listing.numbers)) }
                code { (self.highlighter.code(&clean(&listing.code), language)) }
            }
            @if !listing.rest.trim().is_empty() { pre.output { (Plain(listing.rest.trim())) } }
        }
    }
}

/// What a tool gave back, without what the client says to the model about it.
fn without_talk<'t>(tool: &ToolStep, result: &'t ToolOutcome) -> &'t str {
    let text = result.text.trim_end();
    let shows_all =
        matches!(tool.name.as_str(), "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "TodoWrite");
    if shows_all && !result.is_error && TOLD.iter().any(|told| text.starts_with(told)) {
        return "";
    }
    let inside = |(start, end)| {
        let inside = text.trim_start().strip_prefix(start)?;
        Some(inside.strip_suffix(end).unwrap_or(inside).trim_matches('\n'))
    };
    AROUND.into_iter().find_map(inside).unwrap_or(text)
}

/// The file that has the whole of a long result.
fn whole(persisted: &Persisted) -> Markup {
    html! {
        p.left-out {
            "The whole output lies in " code { (Name(&persisted.path)) }
            @if let Some(size) = persisted.size_bytes { " (" (words::bytes(size)) ")" }
        }
    }
}
