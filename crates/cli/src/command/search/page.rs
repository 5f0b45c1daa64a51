//! Hits, grouped by session, as people read them.

use anstyle::{AnsiColor, Style};
use steno_ops::search::{Hit, Report, Session};
use steno_render::terminal::{Page, STRONG, WEAK, clean_line, cut, paint};
use steno_render::{call, many, one_line, project_name, short_id, when};
use unicode_width::UnicodeWidthStr;

use super::wrap::{self, Stretch};

/// The query.
const FOUND: Style = AnsiColor::Red.on_default().bold();
const INDENT: usize = 2;
const GAP: &str = "  ";
/// Lines that a hit may take.
const MOST_LINES: usize = 2;
/// The least width of its text, on a narrow page too.
const LEAST_TEXT: usize = 24;
const WIDEST_TOOL: usize = 24;
/// Of a project or a branch.
const WIDEST_NAME: usize = 24;

pub(super) fn text(report: &Report, page: &Page) -> String {
    let group = |session: &Session| {
        let hits: Vec<&Hit> = report.hits.iter().filter(|hit| hit.session == session.id).collect();
        format!("{}{}{}", head(session, page), rows(&hits, page), more(session, hits.len()))
    };
    let groups: Vec<String> = report.sessions.iter().map(group).collect();
    groups.join("\n")
}

/// The heading of a session: its title and facts about it.
fn head(session: &Session, page: &Page) -> String {
    let title = one_line(session.title.as_deref().unwrap_or("(no title)"));
    let name = session.path.as_deref().unwrap_or_else(|| short_id(&session.id));
    let project = session.cwd.as_deref().map(|cwd| project_name(Some(cwd), None));
    let only_kept = session.kept && !session.live;
    let name_width = if page.width < Page::UNCUT { WIDEST_NAME } else { Page::UNCUT };
    let facts = [
        Some(name.to_owned()),
        session.ended_at.map(|time| when(time, page.now, &page.zone)),
        project.map(|project| cut(&clean_line(&project), name_width)),
        session.git_branch.as_deref().map(|branch| cut(&clean_line(branch), name_width)),
        only_kept.then(|| "only in the vault".to_owned()),
        session.machine.as_ref().map(|machine| format!("of {machine}")),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().map(|fact| clean_line(&fact).into_owned()).collect();
    let facts = cut(&facts.join(" · "), page.width.saturating_sub(INDENT).max(LEAST_TEXT));
    format!("{}\n{:INDENT$}{}\n", paint(STRONG, &cut(&title, page.width)), "", paint(WEAK, &facts))
}

/// Columns: the record for `show --at`, the speaker, the text.
fn rows(hits: &[&Hit], page: &Page) -> String {
    let places: Vec<String> = hits.iter().map(|hit| clean_line(&hit.at).into_owned()).collect();
    let speakers: Vec<String> = hits.iter().map(|hit| speaker(hit, page)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let (place_width, speaker_width) = (widest(&places), widest(&speakers));
    let indent = INDENT + place_width + GAP.len() + speaker_width + GAP.len();
    // On a narrow page the text is below.
    let is_narrow = indent + LEAST_TEXT > page.width;
    let indent = if is_narrow { 2 * INDENT } else { indent };
    let room = page.width.saturating_sub(indent).max(LEAST_TEXT);
    let mut text = String::new();
    for ((hit, place), speaker) in hits.iter().zip(&places).zip(&speakers) {
        let blank = |width: usize, text: &str| " ".repeat(width.saturating_sub(text.width()));
        let start = format!("{:INDENT$}{}{place}{GAP}{speaker}", "", blank(place_width, place));
        let start = format!("{start}{}{GAP}", blank(speaker_width, speaker));
        let start = if is_narrow { format!("{}\n{:indent$}", start.trim_end(), "") } else { start };
        let lines = lines(hit, room);
        text.push_str(&paint(WEAK, &start));
        text.push_str(&lines.join(&format!("\n{:indent$}", "")));
        text.push('\n');
    }
    text
}

fn speaker(hit: &Hit, page: &Page) -> String {
    let of_agent = if hit.agent.is_some() { " (agent)" } else { "" };
    let widest = WIDEST_TOOL.min(page.width / 6);
    let tool = hit.tool.as_deref().map(|tool| format!(" {}", cut(&clean_line(&call::name(tool)), widest)));
    format!("{}{}{of_agent}", hit.role.name(), tool.unwrap_or_default())
}

/// The text of a hit, in a few lines.
fn lines(hit: &Hit, room: usize) -> Vec<String> {
    let characters = hit.snippet.chars().count().max(1);
    // Wide characters take two columns.
    let fitting = room * MOST_LINES * characters / hit.snippet.width().max(characters);
    let narrow = hit.narrowed(fitting.saturating_sub(room / 6));
    let mut stretches = Vec::new();
    let mut from = 0;
    for (start, end) in &narrow.1 {
        stretches.push(stretch(&narrow.0, from, *start, false));
        stretches.push(stretch(&narrow.0, *start, *end, true));
        from = *end;
    }
    stretches.push(stretch(&narrow.0, from, narrow.0.len(), false));
    wrap::lines(&stretches, room).into_iter().map(|line| painted(&line)).collect()
}

fn stretch(text: &str, from: usize, to: usize, is_found: bool) -> Stretch {
    Stretch { text: clean_line(text.get(from..to).unwrap_or_default()).into_owned(), is_found }
}

fn painted(line: &[Stretch]) -> String {
    let paint = |stretch: &Stretch| match stretch.is_found {
        true => paint(FOUND, &stretch.text),
        false => stretch.text.clone(),
    };
    line.iter().map(paint).collect()
}

fn more(session: &Session, shown: usize) -> String {
    match session.hits.saturating_sub(shown as u64) {
        0 => String::new(),
        more => format!("{:INDENT$}{}\n", "", paint(WEAK, &format!("… and {} here", many(more, "more hit")))),
    }
}
