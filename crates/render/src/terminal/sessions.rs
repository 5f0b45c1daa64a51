//! Sessions as a table, one line each.

use jiff::Timestamp;
use steno_conversation::model::{Profile, Session, Subagent, Tokens};

use super::measure::{self, Room};
use super::style::{GOOD, STRONG, WEAK, paint};
use super::{Page, clean_line};
use crate::words::{self, one_line};

/// Of a project or a machine, on a wide page and on a narrow one.
const NAME_WIDTH: usize = 20;
const SHORT_NAME_WIDTH: usize = 12;
/// A column goes before the title has less room than this.
const LEAST_TITLE: usize = 24;
/// A page of fewer columns is narrow.
const NARROW: usize = 100;
const GAP: usize = 2;
/// Of an id, in characters, as far as it has them.
const SHORTEST_ID: usize = 8;
const LONGEST_ID: usize = 13;

/// A table in the order given, subagents below their session; the title takes what room is left.
pub fn sessions(sessions: &[Session], page: &Page) -> String {
    let ids = ids(sessions);
    let rows = sessions.iter().zip(ids).flat_map(|(session, id)| {
        let agents = session.subagents.iter().flatten().map(|agent| Row::of_agent(agent, page));
        std::iter::once(Row::new(session, id, page)).chain(agents)
    });
    let rows: Vec<Row> = rows.collect();
    let columns = columns(&rows, page.width);
    let taken: usize = columns.iter().map(|(_, width)| width + GAP).sum();
    let title = page.width.saturating_sub(GAP + taken).max(1);
    let mut text = paint(WEAK, Row::head().line(&columns, title, false).trim_end());
    text.push('\n');
    for row in &rows {
        text.push_str(row.line(&columns, title, true).trim_end());
        text.push('\n');
    }
    text
}

/// The columns beside the title, from left to right, by their heads.
const HEADS: [&str; 6] = ["WHEN", "PROJECT", "TURNS", "TOKENS", "SESSION", "MACHINE"];
const WHEN: usize = 0;
const PROJECT: usize = 1;
const TURNS: usize = 2;
const TOKENS: usize = 3;
const SESSION: usize = 4;
const MACHINE: usize = 5;
/// What a narrow page does without, the least important first. The id stays: people type it.
const EXPENDABLE: [usize; 5] = [TURNS, TOKENS, MACHINE, PROJECT, WHEN];

/// The columns that the page has room for, with their widths.
fn columns(rows: &[Row], page_width: usize) -> Vec<(usize, usize)> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row.cell(column)).chain(HEADS.get(column).copied());
        cells.map(|cell| measure::width(cell, 0)).max().unwrap_or(0)
    };
    let mut columns: Vec<_> = (0..HEADS.len()).map(|column| (column, width(column))).collect();
    if rows.iter().all(|row| row.cell(MACHINE).is_empty()) {
        columns.retain(|(column, _)| *column != MACHINE);
    }
    for expendable in EXPENDABLE {
        let taken: usize = columns.iter().map(|(_, width)| width + GAP).sum();
        if GAP + taken + LEAST_TITLE <= page_width {
            break;
        }
        columns.retain(|(column, _)| *column != expendable);
    }
    columns
}

struct Row {
    is_ongoing: bool,
    /// The client has deleted it, the vault has not.
    is_only_kept: bool,
    /// By column.
    cells: [String; HEADS.len()],
    title: String,
}

impl Row {
    fn head() -> Self {
        let title = "TITLE".to_owned();
        Self { is_ongoing: false, is_only_kept: false, cells: HEADS.map(str::to_owned), title }
    }

    fn new(session: &Session, id: &str, page: &Page) -> Self {
        let profile = &session.profile;
        let project = words::project_name(profile.cwd.as_deref(), profile.project_hash.as_deref());
        Self {
            is_ongoing: profile.ongoing,
            is_only_kept: profile.kept && !profile.live,
            cells: [
                ended(profile.ended_at, page),
                short(&project, page),
                profile.turns.to_string(),
                total(&profile.tokens),
                clean_line(id).into_owned(),
                short(session.machine.as_deref().unwrap_or_default(), page),
            ],
            title: title(profile),
        }
    }

    fn of_agent(agent: &Subagent, page: &Page) -> Self {
        let task = agent.description.as_deref().unwrap_or("(no description)");
        let kind = agent.agent_type.as_ref().map(|kind| format!("{kind}: ")).unwrap_or_default();
        let mut cells = <[String; HEADS.len()]>::default();
        cells[WHEN] = ended(agent.ended_at, page);
        cells[TOKENS] = total(&agent.tokens);
        cells[SESSION] = clean_line(words::short_id(agent.id.as_str())).into_owned();
        let title = format!("└ {}", one_line(&format!("{kind}{task}")));
        Self { is_ongoing: false, is_only_kept: false, cells, title }
    }

    fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }

    fn line(&self, columns: &[(usize, usize)], title: usize, is_styled: bool) -> String {
        let style = |style, text: &str| if is_styled { paint(style, text) } else { text.to_owned() };
        let mut line = match (self.is_ongoing, self.is_only_kept) {
            (true, _) => style(GOOD, "●"),
            (false, true) => style(WEAK, "○"),
            (false, false) => " ".to_owned(),
        };
        line.push(' ');
        for (column, width) in columns {
            let cell = self.cell(*column);
            let space = " ".repeat(width.saturating_sub(measure::width(cell, 0)));
            line.push_str(&match *column {
                TURNS | TOKENS => format!("{space}{cell}  "),
                SESSION => style(WEAK, &format!("{cell}{space}")) + "  ",
                _ => format!("{cell}{space}  "),
            });
        }
        line + &style(STRONG, &measure::cut(&self.title, Room { from: 0, width: title }))
    }
}

/// As much of each id as tells it from the others, for people to type; where that is too much, only its beginning.
fn ids(sessions: &[Session]) -> Vec<&str> {
    let own = || sessions.iter().map(|session| session.profile.id.as_str());
    let mut all: Vec<&str> = own().collect();
    all.sort_unstable();
    all.dedup();
    let shortest = |id: &str| {
        let place = all.partition_point(|other| *other < id);
        let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
        let shared = beside.filter_map(|place| all.get(place)).map(|other| shared(id, other)).max();
        Some((shared.unwrap_or(0) + 1).max(SHORTEST_ID))
            .filter(|length| *length <= LONGEST_ID || id.len() <= LONGEST_ID + 3)
    };
    own().map(|id| id.get(..shortest(id).unwrap_or(SHORTEST_ID)).unwrap_or(id)).collect()
}

/// How many bytes two ids have in common at their beginning.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// On a narrow page, titles get the room.
fn ended(time: Option<Timestamp>, page: &Page) -> String {
    let said = |time| match page.width < NARROW {
        true => words::age(time, page.now),
        false => words::when(time, page.now, &page.zone),
    };
    time.map_or_else(|| "-".to_owned(), said)
}

/// A name as long as its column may be.
fn short(name: &str, page: &Page) -> String {
    let width = match page.width {
        ..NARROW => SHORT_NAME_WIDTH,
        Page::UNCUT => Page::UNCUT,
        _ => NAME_WIDTH,
    };
    measure::cut(&clean_line(name), Room { from: 0, width })
}

/// A clone is called what its original is.
fn title(profile: &Profile) -> String {
    let title = one_line(profile.title.as_deref().unwrap_or("(no title)"));
    match &profile.cloned_from {
        Some(from) => format!("{title} (clone of {})", clean_line(words::short_id(from.as_str()))),
        None => title,
    }
}

/// Everything that went through the model.
fn total(tokens: &Tokens) -> String {
    words::tokens(tokens.context(), tokens.without_final_usage > 0)
}

#[cfg(test)]
mod tests;
