//! Images and documents → images of the page, or facts about them.

use maud::{Markup, html};
use steno_conversation::model::Media;

use super::link::Link;
use super::text::{Name, Plain};
use crate::words;

/// What browsers show without running anything; an SVG is a program.
const SHOWN: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

pub(super) fn all(media: &[Media]) -> Markup {
    html! { @for media in media { (one(media)) } }
}

pub(super) fn one(media: &Media) -> Markup {
    let kind = media.media_type.as_deref().unwrap_or("image");
    let size = words::bytes(media.encoded_bytes);
    html! {
        @if let Some((kind, data)) = inline(media) {
            figure { img src={ "data:" (kind) ";base64," (data) } alt={ (kind) ", " (size) } loading="lazy" decoding="async"; }
        } @else if let Some(text) = media.text() {
            details.tool.note {
                summary { span.name { (Name(kind)) } " " span.part { (size) } }
                pre.output { (Plain(text)) }
            }
        } @else {
            p.placeholder {
                (Name(kind)) ", " (size)
                @if let Some(address) = &media.url { " · " (Link(address)) }
            }
        }
    }
}

/// Type and data of what can be in the page itself.
fn inline(media: &Media) -> Option<(&'static str, &str)> {
    let kind = media.media_type.as_deref()?;
    let kind = SHOWN.into_iter().find(|shown| shown.eq_ignore_ascii_case(kind))?;
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let data = media.data.as_deref().filter(|data| !data.is_empty() && data.bytes().all(is_base64))?;
    Some((kind, data))
}
