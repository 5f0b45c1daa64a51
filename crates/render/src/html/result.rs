//! What a tool gave back.

use maud::{Markup, html};
use steno_conversation::model::{Persisted, ToolOutcome, ToolStep};

use super::fragment::Fragments;
use super::media;
use super::text::{Name, Plain, cut, left_out};
use crate::words;

/// How much of a result is shown unless all is asked for.
const LONGEST: usize = 32 * 1024;

impl Fragments<'_> {
    pub(super) fn outcome(&self, tool: &ToolStep) -> Markup {
        match &tool.result {
            Some(result) => self.result(result),
            None if self.running.contains(&tool.id) => html! { p.left-out { "running" } },
            None => html! { p.left-out { "no result" } },
        }
    }

    fn result(&self, result: &ToolOutcome) -> Markup {
        let limit = if self.detail.full_results { usize::MAX } else { LONGEST };
        let (text, more) = cut(result.text.trim_end(), limit);
        html! {
            @if !text.trim().is_empty() { pre.output { (Plain(text)) } }
            (left_out(more))
            @if let Some(persisted) = &result.persisted { (whole(persisted)) }
            (media::all(&result.images))
        }
    }
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
