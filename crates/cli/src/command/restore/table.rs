//! Kept sessions as a table, one line each.

use steno_ops::restore::list::Session;
use steno_ops::size_text;
use steno_render::terminal::{Page, STRONG, WEAK, clean_line, paint};
use steno_render::{one_line, project_name, short_id, when};
use unicode_width::UnicodeWidthStr;

const PROJECT_WIDTH: usize = 20;
const LEAST_TITLE: usize = 16;
const GAP: &str = "  ";

/// A column beside the title.
struct Column {
    head: &'static str,
    cells: Vec<String>,
    is_number: bool,
}

impl Column {
    fn new(head: &'static str, sessions: &[Session], cell: impl Fn(&Session) -> String) -> Self {
        Self { head, cells: sessions.iter().map(cell).collect(), is_number: false }
    }

    fn number(self) -> Self {
        Self { is_number: true, ..self }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(|cell| cell.width()).chain([self.head.width()]).max().unwrap_or(0)
    }

    fn padded(&self, cell: &str) -> String {
        let space = " ".repeat(self.width().saturating_sub(cell.width()));
        if self.is_number { format!("{space}{cell}{GAP}") } else { format!("{cell}{space}{GAP}") }
    }
}

/// In the order given; the title takes what room is left.
pub(super) fn table(sessions: &[Session], page: &Page) -> String {
    let columns = columns(sessions, page);
    let taken: usize = columns.iter().map(|column| column.width() + GAP.len()).sum();
    let room = page.width.saturating_sub(taken).max(LEAST_TITLE);
    let head: String = columns.iter().map(|column| column.padded(column.head)).collect();
    let mut text = format!("{}\n", paint(WEAK, &format!("{head}TITLE")));
    for (row, session) in sessions.iter().enumerate() {
        let cell =
            |column: &Column| column.cells.get(row).map(|cell| column.padded(cell)).unwrap_or_default();
        let cells: String = columns.iter().map(cell).collect();
        let title = cut(&one_line(session.title.as_deref().unwrap_or("(no title)")), room);
        text.push_str(&format!("{cells}{}\n", paint(STRONG, &title)));
    }
    text
}

/// Machines and generations are said where there are several.
fn columns(sessions: &[Session], page: &Page) -> Vec<Column> {
    let mut columns = vec![
        Column::new("SESSION", sessions, |session| clean_line(short_id(&session.uuid)).into_owned()),
        Column::new("WHEN", sessions, |session| {
            session.last_activity.map_or_else(|| "-".to_owned(), |time| when(time, page.now, &page.zone))
        }),
        Column::new("PROJECT", sessions, |session| {
            let project = project_name(session.cwd.as_deref(), Some(&session.project_hash));
            cut(&clean_line(&project), PROJECT_WIDTH)
        }),
        Column::new("SIZE", sessions, |session| size_text(session.size_bytes)).number(),
        Column::new("WHERE", sessions, |session| {
            if session.live { "live".to_owned() } else { "vault only".to_owned() }
        }),
    ];
    let first = sessions.first().map(|session| &session.machine);
    if sessions.iter().any(|session| Some(&session.machine) != first) {
        columns.push(Column::new("MACHINE", sessions, |session| clean_line(&session.machine).into_owned()));
    }
    if sessions.iter().any(|session| session.generations > 1) {
        columns
            .push(Column::new("GENERATIONS", sessions, |session| session.generations.to_string()).number());
    }
    columns
}

/// As much as fits, with an ellipsis where something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if kept.width() >= width {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}
