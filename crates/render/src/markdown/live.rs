//! What was said, in markdown → the same to a reader, but nothing of it is HTML: a tag is a word like any other.
//!
//! Code stays as it is, for it is shown and never read as HTML; so do addresses between angle brackets.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// What was hidden in HTML may hold HTML, which comes to light with the next look.
const ROUNDS: usize = 16;

/// None if the text has no HTML.
pub(super) fn defused(text: &str) -> Option<String> {
    let mut defused: Option<String> = None;
    for _round in 0..ROUNDS {
        let own = defused.as_deref().unwrap_or(text);
        let brackets = brackets(own);
        if brackets.is_empty() {
            return defused;
        }
        defused = Some(escaped(own, &brackets));
    }
    // Only made to attack: it is shown without its markdown.
    let whole = defused.unwrap_or_default().replace("\\<", "<");
    Some(whole.replace('&', "&amp;").replace('<', "&lt;"))
}

/// Where HTML begins that a reader of markdown would let through, whether it knows tables or not: their borders end code.
fn brackets(text: &str) -> BTreeSet<usize> {
    let mut brackets = BTreeSet::new();
    if !text.contains('<') {
        return brackets;
    }
    let readers = [Options::empty(), Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES];
    for (event, range) in
        readers.into_iter().flat_map(|options| Parser::new_ext(text, options).into_offset_iter())
    {
        let is_html = matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock));
        if is_html {
            let own = text.get(range.clone()).unwrap_or_default();
            brackets.extend(own.match_indices('<').map(|(at, _)| range.start + at));
        }
    }
    brackets
}

fn escaped(text: &str, brackets: &BTreeSet<usize>) -> String {
    let mut escaped = String::with_capacity(text.len() + brackets.len());
    let mut end = 0;
    for at in brackets {
        escaped.push_str(text.get(end..*at).unwrap_or_default());
        escaped.push('\\');
        end = *at;
    }
    escaped.push_str(text.get(end..).unwrap_or_default());
    escaped
}

#[cfg(test)]
mod tests;
