//! A conversation → one page that needs no other file, and the fragments it is made of.
//!
//! Escaped by construction: markup is written by `html!`, which escapes every value. What is written past it, all of
//! it here:
//! - [`STYLE`] and [`SCRIPT`], and those of `locked`, which are our own, and which the page's policy names by their
//!   hashes;
//! - `highlight::Code` and `markdown::Markdown`, which write tags that are constants, and text by the same escaping;
//! - `text::escape`, which leaves it out where there is nothing to escape.
//!
//! Text of transcripts goes through `clean` first, so that escape sequences are visible or gone and nothing
//! turns the direction of what follows. Addresses become links by the list in `link`, images by the one in `media`.
//! The page's policy lets the browser load nothing, whatever slipped through.

mod agent;
mod contents;
mod fragment;
mod head;
mod highlight;
mod json;
mod link;
mod listing;
mod locked;
mod markdown;
mod media;
mod person;
mod plan;
mod question;
mod result;
mod step;
mod text;
mod tool;
mod turn;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use steno_conversation::Conversation;

use crate::Detail;
pub use fragment::Fragments;
pub use locked::{EncryptedPage, LOCKED_SCRIPT, LOCKED_STYLE, locked};

pub const STYLE: &str = include_str!("html/app.css");
pub const SCRIPT: &str = include_str!("html/app.js");

const STYLE_HASH: &str = "sha256-jPo4fc1jzAwohfCI4sGkGcl8dncEvLB1VkP/i1tuk1U=";
const SCRIPT_HASH: &str = "sha256-U+XJlRMpoKkopx9iZZ7IP2szyyCToKJeR8Do15NsEfs=";

/// What the browser may do with a page: nothing but show it, with our style and our script.
fn policy(styles: &[&str], scripts: &[&str]) -> String {
    let quoted = |hashes: &[&str]| hashes.iter().map(|hash| format!(" '{hash}'")).collect::<String>();
    format!(
        "default-src 'none'; img-src data:; style-src{}; script-src{}; form-action 'none'; base-uri 'none'",
        quoted(styles),
        quoted(scripts)
    )
}

/// A whole page. Words in English, times in UTC: it looks the same wherever it was made.
pub fn page(conversation: &Conversation, detail: &Detail) -> String {
    let mut fragments = Fragments::new(conversation, detail);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&[STYLE_HASH], &[SCRIPT_HASH]));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                meta name="generator" content="steno";
                title { (head::title(conversation)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#conversation" { "Skip to the conversation" }
                (fragments.contents())
                a.back href="#contents" { "Contents" }
                main id="conversation" {
                    (fragments.head())
                    (fragments.body())
                    (foot(detail))
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

fn foot(detail: &Detail) -> Markup {
    html! {
        footer {
            @for note in &detail.notes { p { (text::Plain(note)) } }
            p { "Made with steno" }
        }
    }
}
