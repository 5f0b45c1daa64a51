//! The HTML in a markdown text → the tags that end what it opens. Only elements that every reader of HTML knows are
//! counted: in prose, `<T>` is a type, not an element.

use pulldown_cmark::{Event, Parser};

/// Elements that go on until they are closed, and change how all that follows looks.
const ELEMENTS: &[&str] = &[
    "a",
    "article",
    "aside",
    "b",
    "big",
    "blockquote",
    "button",
    "center",
    "code",
    "del",
    "details",
    "dialog",
    "div",
    "dl",
    "em",
    "fieldset",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "i",
    "iframe",
    "ins",
    "kbd",
    "main",
    "map",
    "mark",
    "menu",
    "nav",
    "noembed",
    "noframes",
    "object",
    "ol",
    "pre",
    "s",
    "script",
    "section",
    "select",
    "small",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "template",
    "textarea",
    "title",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "xmp",
];

/// Elements in which there are no others, whatever it looks like.
const RAW: &[&str] = &["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"];

/// Elements inside elements that are followed, as browsers do.
const DEEPEST: usize = 512;

/// The missing tags, in their order; nothing where none is missing.
pub(super) fn closing(text: &str) -> String {
    let mut open: Vec<&'static str> = Vec::new();
    let mut end = "";
    let mut html = String::new();
    for event in Parser::new(text) {
        match event {
            // A block comes line by line, and a tag may take several.
            Event::Html(part) | Event::InlineHtml(part) => html.push_str(&part),
            _ if html.is_empty() => {}
            _ => {
                end = scan(&html, &mut open);
                html.clear();
            }
        }
    }
    if !html.is_empty() {
        end = scan(&html, &mut open);
    }
    let tags: String = open.iter().rev().map(|name| format!("</{name}>")).collect();
    format!("{end}{tags}")
}

/// Follows the tags of a stretch of HTML; gives what would end the last of them, where it is torn.
fn scan(html: &str, open: &mut Vec<&'static str>) -> &'static str {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let is_end = rest.starts_with('/');
        let named = rest.trim_start_matches('/');
        let length = named.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(named.len());
        let (name, inside) = named.split_at_checked(length).unwrap_or_default();
        let known = ELEMENTS.iter().find(|known| known.eq_ignore_ascii_case(name));
        let (behind, torn) = after_tag(inside);
        rest = behind;
        match known {
            Some(known) if !is_end && is_ended(inside) => {
                if open.len() < DEEPEST {
                    open.push(known);
                }
            }
            Some(known) if is_end => close(open, known),
            _ => continue,
        }
        if !torn.is_empty() {
            return torn;
        }
        if let Some(raw) = known.filter(|known| !is_end && RAW.contains(known)) {
            rest = at_end_of(rest, raw);
        }
    }
    ""
}

/// Whether the name of a tag ends here, or goes on as none of ours.
fn is_ended(inside: &str) -> bool {
    inside.is_empty() || inside.starts_with(|next: char| next.is_whitespace() || matches!(next, '>' | '/'))
}

/// What stands behind a tag; what it lacks where it has no end.
fn after_tag(inside: &str) -> (&str, &'static str) {
    let mut quote = None;
    for (at, character) in inside.char_indices() {
        match (quote, character) {
            (None, '>') => return (inside.get(at + 1..).unwrap_or_default(), ""),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    match quote {
        // A line that is HTML again: what is text does not end a tag.
        Some('"') => ("", "<div \">"),
        Some(_) => ("", "<div '>"),
        // Any tag that follows ends this one.
        None => ("", ""),
    }
}

fn at_end_of<'a>(rest: &'a str, name: &str) -> &'a str {
    let is_end = |(at, _): &(usize, &str)| {
        let tag = rest.get(at + 2..at + 2 + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    let end = rest.match_indices("</").find(is_end);
    end.and_then(|(at, _)| rest.get(at..)).unwrap_or_default()
}

/// What was opened inside an element ends with it.
fn close(open: &mut Vec<&'static str>, name: &str) {
    if let Some(place) = open.iter().rposition(|known| *known == name) {
        open.truncate(place);
    }
}
