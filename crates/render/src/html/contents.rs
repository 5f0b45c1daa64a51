//! Turns → a list of links to them.

use maud::{Markup, html};
use steno_conversation::model::{ChunkBody, UserChunk};

use super::fragment::{Depth, anchor};
use super::text::cut;
use super::turn::{Turn, label};

/// More of a prompt does not fit beside the page.
const LONGEST_LABEL: usize = 160;

pub(super) fn contents(turns: &[Turn<'_>]) -> Markup {
    html! {
        nav.contents id="contents" aria-label="Contents" {
            details {
                summary { "Contents" }
                ol {
                    @for chunk in turns.iter().flat_map(|turn| &turn.chunks) {
                        @match &chunk.body {
                            ChunkBody::User(user) if user.from_team.is_none() => {
                                li.aside[is_aside(user)] { a href={ "#" (anchor(chunk, Depth(0)).unwrap_or_default()) } { span { (short(&label(user))) } } }
                            }
                            ChunkBody::Compact(_) => {
                                li.rule { a href={ "#" (anchor(chunk, Depth(0)).unwrap_or_default()) } { span { "context compacted" } } }
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }
}

/// Commands are no turns, and are not counted as such.
fn is_aside(user: &UserChunk) -> bool {
    user.command.is_some() || user.bash.is_some()
}

fn short(label: &str) -> String {
    match cut(label, LONGEST_LABEL) {
        (label, 0) => label.to_owned(),
        (label, _) => format!("{label}…"),
    }
}
