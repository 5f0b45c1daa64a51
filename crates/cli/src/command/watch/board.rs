//! The board as lines of text: who needs you, whose turn it is, what works.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use steno_ops::watch::{Change, Report, Row, SeenBy, State, WaitingFor};
use steno_render::terminal::{Page, STRONG, WEAK, clean_line, cut, paint};
use steno_render::{many, short_id};

pub(super) const NEEDS_YOU: Style = AnsiColor::Yellow.on_default().bold();
/// Columns of an age and of the start of an id.
const AGE: usize = 4;
const ID: usize = 8;
/// A project's share of the line.
const PROJECT: usize = 14;

/// The heading of the section that lists a session.
pub(super) fn heading(row: &Row) -> &'static str {
    match row.state.state {
        State::Waiting { .. } => "Needs you",
        State::Idle => "Your turn",
        State::Working { .. } => "Working",
        State::Background { .. } => "In the background",
        State::Unknown => "Unknown",
        State::Ended { .. } => "Ended",
    }
}

pub(super) fn text(report: &Report, page: &Page) -> String {
    let (mut text, mut last) = (String::new(), "");
    for row in &report.sessions {
        let heading = heading(row);
        if heading != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            let style = if row.needs_you() { NEEDS_YOU } else { STRONG };
            let _ = writeln!(text, "{gap}{}", paint(style, heading));
            last = heading;
        }
        let _ = writeln!(text, "{}", line(row, page.now, page.width));
    }
    text
}

/// `1c9e2f44   2m  api  Fix the parser · permission: Bash cargo test`
pub(super) fn line(row: &Row, now: Timestamp, width: usize) -> String {
    let id = short_id(row.id.as_str());
    let age = age(row.state.since, now);
    let project = cut(&project(row), PROJECT);
    let what = doing(row);
    let title = row.title.as_deref().map_or("(no prompt yet)".into(), clean_line);
    let room = width.saturating_sub(ID + AGE + PROJECT + 8).max(20);
    let what_room = if what.is_empty() { 0 } else { (room / 2).min(what.chars().count() + 3) };
    let title = cut(&title, room - what_room);
    let what =
        if what.is_empty() { what } else { format!(" · {}", cut(&what, what_room.saturating_sub(3))) };
    format!("  {id}  {age:>AGE$}  {project:PROJECT$}  {title}{what}", id = paint(WEAK, id))
}

/// A change on one line, for a reader of a pipe.
pub(super) fn change(change: &Change, width: usize) -> String {
    let row = &change.session;
    let time = Timestamp::from_millisecond(change.at).unwrap_or_default();
    let was = change.was.as_deref().map(|was| format!("{was} → ")).unwrap_or_default();
    let title = row.title.as_deref().map(clean_line).unwrap_or_default();
    let said = format!("{was}{}", state(row));
    let line = format!("{} {} {said}  {title}", time.strftime("%H:%M:%S"), short_id(row.id.as_str()));
    cut(line.trim_end(), width)
}

pub(super) fn why(row: &Row, page: &Page) -> String {
    let because = &row.state.because;
    let source = match because.seen_by {
        SeenBy::Registry => "the client's registry",
        SeenBy::Hook => "a hook",
        SeenBy::Transcript => "the transcript",
        SeenBy::Processes => "the machine's processes",
    };
    let time = Timestamp::from_millisecond(because.at).unwrap_or_default().to_zoned(page.zone.clone());
    let title = row.title.as_deref().map(|title| format!(" ({})", clean_line(title))).unwrap_or_default();
    let pids: Vec<String> = row.pids.iter().map(u32::to_string).collect();
    let open = match pids.len() {
        0 => String::new(),
        1 => format!(" Process {} has it open.", pids.join("")),
        number => {
            format!(" {number} processes have it open: {}. Both write to one transcript.", pids.join(", "))
        }
    };
    format!(
        "{}{title}: {}, for {}, because {}: seen in {source} at {}.{open}\n",
        row.id,
        state(row),
        age(row.state.since, page.now),
        because.what,
        time.strftime("%H:%M:%S"),
    )
}

/// `waiting: permission, Bash cargo test`
fn state(row: &Row) -> String {
    let doing = doing(row);
    let kind = row.state.state.kind();
    if doing.is_empty() { kind.to_owned() } else { format!("{kind}: {doing}") }
}

/// What it waits for, works at, or why it ended.
pub(super) fn doing(row: &Row) -> String {
    let said = match &row.state.state {
        State::Waiting { waiting_for, tool, detail } => {
            let about = match waiting_for {
                WaitingFor::Permission => "permission",
                WaitingFor::Question => "a question",
                WaitingFor::Plan => "its plan",
                WaitingFor::Dialog => "a dialog",
            };
            let tool = tool.as_deref().filter(|_| *waiting_for == WaitingFor::Permission);
            words(&[Some(about), tool, detail.as_deref()])
        }
        State::Working { tool, detail, agents } => {
            let agents = (*agents > 0).then(|| many(u64::from(*agents), "agent"));
            words(&[tool.as_deref(), detail.as_deref(), agents.as_deref()])
        }
        State::Background { tasks } => tasks.map(|tasks| many(u64::from(tasks), "task")).unwrap_or_default(),
        State::Ended { reason } => reason.clone(),
        State::Idle | State::Unknown => String::new(),
    };
    clean_line(&said).into_owned()
}

fn words(parts: &[Option<&str>]) -> String {
    parts.iter().flatten().copied().collect::<Vec<_>>().join(" ")
}

pub(super) fn project(row: &Row) -> String {
    let path = row.project_path.as_deref().unwrap_or_default();
    clean_line(path.rsplit(['/', '\\']).next().unwrap_or_default()).into_owned()
}

pub(super) fn age(since: i64, now: Timestamp) -> String {
    let seconds = (now.as_millisecond() - since).max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}
