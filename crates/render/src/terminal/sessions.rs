//! Sessions as a table, one line each.

use std::fmt::Write;

use steno_conversation::model::{Session, Tokens};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style::{GOOD, STRONG, WEAK, paint};
use super::{Page, clean};
use crate::words;

const PROJECT_WIDTH: usize = 20;
const LEAST_TITLE: usize = 20;

/// A table, newest first as given; the title takes what room is left.
pub fn sessions(sessions: &[Session], page: &Page) -> String {
    let rows: Vec<Row> = sessions.iter().map(|session| Row::new(session, page)).collect();
    let widths = Widths::of(&rows, page.width);
    let mut text = String::new();
    let head = Row::head();
    let _ = writeln!(text, "{}", paint(WEAK, head.line(&widths, false).trim_end()));
    for row in &rows {
        let _ = writeln!(text, "{}", row.line(&widths, true).trim_end());
    }
    text
}

struct Row {
    is_ongoing: bool,
    when: String,
    project: String,
    turns: String,
    tokens: String,
    id: String,
    title: String,
}

struct Widths {
    when: usize,
    project: usize,
    turns: usize,
    tokens: usize,
    id: usize,
    title: usize,
}

impl Row {
    fn head() -> Self {
        let name = str::to_owned;
        Self {
            is_ongoing: false,
            when: name("WHEN"),
            project: name("PROJECT"),
            turns: name("TURNS"),
            tokens: name("TOKENS"),
            id: name("SESSION"),
            title: name("TITLE"),
        }
    }

    fn new(session: &Session, page: &Page) -> Self {
        let profile = &session.profile;
        let project = words::project_name(profile.cwd.as_deref(), profile.project_hash.as_deref());
        let ended = profile.ended_at.map(|time| words::when(time, page.now, &page.zone));
        Self {
            is_ongoing: profile.ongoing,
            when: ended.unwrap_or_else(|| "-".to_owned()),
            project: cut(&one_line(&project), PROJECT_WIDTH),
            turns: profile.turns.to_string(),
            tokens: total(&profile.tokens),
            id: one_line(words::short_id(profile.id.as_str())),
            title: one_line(profile.title.as_deref().unwrap_or("(no title)")),
        }
    }

    fn line(&self, widths: &Widths, is_styled: bool) -> String {
        let mark = match (self.is_ongoing, is_styled) {
            (true, true) => paint(GOOD, "●"),
            _ => " ".to_owned(),
        };
        let id = pad(&self.id, widths.id);
        let (id, title) = (if is_styled { paint(WEAK, &id) } else { id }, cut(&self.title, widths.title));
        format!(
            "{mark} {}  {}  {:>turns$}  {:>tokens$}  {id}  {}",
            pad(&self.when, widths.when),
            pad(&self.project, widths.project),
            self.turns,
            self.tokens,
            if is_styled { paint(STRONG, &title) } else { title },
            turns = widths.turns,
            tokens = widths.tokens,
        )
    }
}

impl Widths {
    fn of(rows: &[Row], page_width: usize) -> Self {
        let head = Row::head();
        let widest = |pick: fn(&Row) -> &String| {
            rows.iter().chain([&head]).map(|row| pick(row).width()).max().unwrap_or(0)
        };
        let mut widths = Self {
            when: widest(|row| &row.when),
            project: widest(|row| &row.project),
            turns: widest(|row| &row.turns),
            tokens: widest(|row| &row.tokens),
            id: widest(|row| &row.id),
            title: 0,
        };
        let taken = 2 + widths.when + widths.project + widths.turns + widths.tokens + widths.id + 5 * 2;
        widths.title = page_width.saturating_sub(taken).max(LEAST_TITLE);
        widths
    }
}

/// Everything that went through the model.
fn total(tokens: &Tokens) -> String {
    words::tokens(tokens.context(), tokens.without_final_usage > 0)
}

fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// As much of the text as fits, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().take_while(|character| {
        used += character.width().unwrap_or(0);
        used <= width
    });
    format!("{}…", kept.collect::<String>().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_double() {
        assert_eq!(cut("short", 10), "short");
        assert_eq!(cut("abcdefgh", 5), "abcd…");
        assert_eq!(cut("日本語のセッション", 7), "日本語…");
    }
}
