//! Sessions as a table, one line each.

use steno_conversation::model::{Profile, Session, Subagent, Tokens};

use super::measure::{self, Room};
use super::style::{GOOD, STRONG, WEAK, paint};
use super::{Page, clean_line};
use crate::words::{self, one_line};

const PROJECT_WIDTH: usize = 20;
/// A column goes before the title has less room than this.
const LEAST_TITLE: usize = 16;
const GAP: usize = 2;

/// A table in the order given, subagents below their session; the title takes what room is left.
pub fn sessions(sessions: &[Session], page: &Page) -> String {
    let rows = sessions.iter().flat_map(|session| {
        let agents = session.subagents.iter().flatten().map(|agent| Row::of_agent(agent, page));
        std::iter::once(Row::new(session, page)).chain(agents)
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

/// A column beside the title.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    When,
    Project,
    Turns,
    Tokens,
    Id,
    Machine,
}

const COLUMNS: [Column; 6] =
    [Column::When, Column::Project, Column::Turns, Column::Tokens, Column::Id, Column::Machine];
/// What a narrow page does without, the least important first. The id stays: it is what one types.
const EXPENDABLE: [Column; 5] =
    [Column::Turns, Column::Tokens, Column::Machine, Column::Project, Column::When];

/// The columns that the page has room for, with their widths.
fn columns(rows: &[Row], page_width: usize) -> Vec<(Column, usize)> {
    let head = Row::head();
    let widest = |column| rows.iter().chain([&head]).map(|row| measure::width(row.cell(column), 0)).max();
    let mut columns: Vec<_> = COLUMNS.iter().map(|column| (*column, widest(*column).unwrap_or(0))).collect();
    if rows.iter().all(|row| row.machine.is_empty()) {
        columns.retain(|(column, _)| *column != Column::Machine);
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
    when: String,
    project: String,
    turns: String,
    tokens: String,
    id: String,
    /// Nothing for this one.
    machine: String,
    title: String,
}

impl Row {
    fn head() -> Self {
        let name = str::to_owned;
        Self {
            is_ongoing: false,
            is_only_kept: false,
            when: name("WHEN"),
            project: name("PROJECT"),
            turns: name("TURNS"),
            tokens: name("TOKENS"),
            id: name("SESSION"),
            machine: name("MACHINE"),
            title: name("TITLE"),
        }
    }

    fn new(session: &Session, page: &Page) -> Self {
        let profile = &session.profile;
        let project = words::project_name(profile.cwd.as_deref(), profile.project_hash.as_deref());
        let ended = profile.ended_at.map(|time| words::when(time, page.now, &page.zone));
        Self {
            is_ongoing: profile.ongoing,
            is_only_kept: profile.kept && !profile.live,
            when: ended.unwrap_or_else(|| "-".to_owned()),
            project: measure::cut(&clean_line(&project), Room { from: 0, width: PROJECT_WIDTH }),
            turns: profile.turns.to_string(),
            tokens: total(&profile.tokens),
            id: clean_line(words::short_id(profile.id.as_str())).into_owned(),
            machine: measure::cut(
                &clean_line(session.machine.as_deref().unwrap_or_default()),
                Room { from: 0, width: PROJECT_WIDTH },
            ),
            title: title(profile),
        }
    }

    fn of_agent(agent: &Subagent, page: &Page) -> Self {
        let ended = agent.ended_at.map(|time| words::when(time, page.now, &page.zone));
        let task = agent.description.as_deref().unwrap_or("(no description)");
        let kind = agent.agent_type.as_ref().map(|kind| format!("{kind}: ")).unwrap_or_default();
        Self {
            is_ongoing: false,
            is_only_kept: false,
            when: ended.unwrap_or_else(|| "-".to_owned()),
            project: String::new(),
            turns: String::new(),
            tokens: total(&agent.tokens),
            id: clean_line(words::short_id(agent.id.as_str())).into_owned(),
            machine: String::new(),
            title: format!("└ {}", one_line(&format!("{kind}{task}"))),
        }
    }

    fn cell(&self, column: Column) -> &str {
        match column {
            Column::When => &self.when,
            Column::Project => &self.project,
            Column::Turns => &self.turns,
            Column::Tokens => &self.tokens,
            Column::Id => &self.id,
            Column::Machine => &self.machine,
        }
    }

    fn line(&self, columns: &[(Column, usize)], title: usize, is_styled: bool) -> String {
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
            line.push_str(&match column {
                Column::When | Column::Project | Column::Machine => format!("{cell}{space}  "),
                Column::Turns | Column::Tokens => format!("{space}{cell}  "),
                Column::Id => style(WEAK, &format!("{cell}{space}")) + "  ",
            });
        }
        line + &style(STRONG, &measure::cut(&self.title, Room { from: 0, width: title }))
    }
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
mod tests {
    use super::*;

    fn row(project: &str, title: &str) -> Row {
        let text = str::to_owned;
        let (when, id) = (text("2026-03-01"), text("000000a1"));
        let (project, title) = (text(project), text(title));
        Row {
            is_ongoing: false,
            is_only_kept: false,
            when,
            project,
            turns: text("1"),
            tokens: text("≥16.3k"),
            id,
            machine: String::new(),
            title,
        }
    }

    fn table(rows: &[Row], width: usize) -> Vec<String> {
        let columns = columns(rows, width);
        let taken: usize = columns.iter().map(|(_, width)| width + GAP).sum();
        rows.iter().map(|row| row.line(&columns, width - GAP - taken, false)).collect()
    }

    #[test]
    fn no_line_is_wider_than_the_page() {
        let rows =
            [row("api", "Fix the parser so that it keeps every byte"), row("日本語", &"語".repeat(90))];
        for width in 20..140 {
            for line in table(&rows, width) {
                assert!(measure::width(&line, 0) <= width, "{line}");
            }
        }
        assert_eq!(table(&rows, 24), ["  000000a1  Fix the par…", "  000000a1  語語語語語…"]);
    }

    #[test]
    fn titles_start_in_one_column_whatever_stands_before_them() {
        let projects = [
            "plain",
            "日本語",
            "e\u{301}te\u{301}",
            "❤\u{fe0f}",
            "👩\u{200d}👩\u{200d}👧",
            "🇫🇷",
            "ไทย",
            "👍🏽",
        ];
        let rows: Vec<Row> = projects.into_iter().map(|project| row(project, "TITLE")).collect();
        let starts: Vec<usize> = table(&rows, 100)
            .iter()
            .map(|line| measure::width(line.split("TITLE").next().unwrap(), 0))
            .collect();
        assert!(starts.iter().all(|start| Some(start) == starts.first()), "{starts:?}");
    }
}
