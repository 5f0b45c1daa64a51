//! The state of the picker → cells: what was typed, the sessions that match, and the one under the cursor in full.
//!
//! Weight and reversed rows alone, no colour, so that it reads the same with and without.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use steno_render::terminal::cut;
use unicode_width::UnicodeWidthStr;

use super::glances::Glance;
use super::state::{Candidate, State};

/// The least columns for a preview beside the list, and the least lines for one below it.
const WIDE: u16 = 100;
const HIGH: u16 = 18;
const KEYS: &str = "Enter picks · Esc leaves · type to search";
const WEAK: Style = Style::new().add_modifier(Modifier::DIM);
const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

pub(super) struct View<'a> {
    pub(super) state: &'a mut State,
    /// What was said in the session under the cursor, once it was read.
    pub(super) glance: Option<&'a Glance>,
}

pub(super) fn draw(frame: &mut Frame<'_>, view: &mut View<'_>) {
    let area = frame.area();
    let rows = Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Min(0)]);
    let [typed, counts, rest] = rows.areas(area);
    let (list, about) = parts(rest);
    prompt(frame, view.state, typed);
    let (found, all) = view.state.counts();
    frame.render_widget(Line::styled(format!("{found} of {all} · {KEYS}"), WEAK), counts);
    let width = usize::from(list.width);
    let lines: Vec<Line<'_>> = view
        .state
        .rows(list.height.into())
        .into_iter()
        .map(|(is_current, row)| line(row, is_current, width))
        .collect();
    frame.render_widget(Paragraph::new(lines), list);
    if let Some((about, current)) = about.zip(view.state.current()) {
        let text = in_full(current, view.glance);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), about);
    }
}

/// Where the list is, and where the session under the cursor, if there is room for it.
fn parts(rest: Rect) -> (Rect, Option<Rect>) {
    if rest.width >= WIDE {
        let columns = [Constraint::Percentage(55), Constraint::Length(2), Constraint::Min(0)];
        let [list, _, about] = Layout::horizontal(columns).areas(rest);
        (list, Some(about))
    } else if rest.height >= HIGH {
        let rows = [Constraint::Percentage(50), Constraint::Length(1), Constraint::Min(0)];
        let [list, _, about] = Layout::vertical(rows).areas(rest);
        (list, Some(about))
    } else {
        (rest, None)
    }
}

fn prompt(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let line = Line::from(vec![Span::styled("> ", STRONG), Span::raw(state.typed.as_str())]);
    let end = u16::try_from(2 + state.typed.width()).unwrap_or(u16::MAX);
    frame.render_widget(line, area);
    frame.set_cursor_position((area.x + end.min(area.width.saturating_sub(1)), area.y));
}

fn line(row: &Candidate, is_current: bool, width: usize) -> Line<'static> {
    let pointer = if is_current { '>' } else { ' ' };
    let head = format!("{pointer}{} {:>4}  ", row.mark, row.age);
    let project = cut(&row.project, 16);
    let gap = " ".repeat(18usize.saturating_sub(project.width()));
    let room = width.saturating_sub(head.width() + 18);
    let line = Line::from(vec![
        Span::raw(head),
        Span::styled(project + &gap, WEAK),
        Span::raw(cut(&row.title, room)),
    ]);
    if is_current { line.style(Modifier::REVERSED) } else { line }
}

fn in_full<'a>(current: &'a Candidate, glance: Option<&'a Glance>) -> Vec<Line<'a>> {
    let mut lines = vec![Line::styled(current.title.as_str(), STRONG)];
    lines.extend(current.facts.iter().map(|fact| Line::styled(fact.as_str(), WEAK)));
    let Some(Glance { first, last }) = glance else {
        lines.extend([Line::default(), Line::styled("…", WEAK)]);
        return lines;
    };
    for said in [first, last] {
        if said.is_empty() {
            continue;
        }
        let is_last = std::ptr::eq(said, last);
        lines.push(Line::styled(if is_last { "  ⋮" } else { "" }, WEAK));
        lines.extend(said.iter().map(|(role, text)| {
            Line::from(vec![Span::styled(format!("[{role}] "), WEAK), Span::raw(text.as_str())])
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::state::Action;
    use super::*;

    fn drawn(state: &mut State, glance: Option<&Glance>, (width, height): (u16, u16)) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, &mut View { state, glance })).unwrap();
        let shown = terminal.backend().to_string();
        let lines = shown.lines().map(|line| line.trim_matches('"').trim_end());
        lines.collect::<Vec<_>>().join("\n")
    }

    fn said() -> Glance {
        let line = |role: &str, text: &str| (role.to_owned(), text.to_owned());
        Glance { first: vec![line("user", "Fix the parser")], last: vec![line("assistant", "Done.")] }
    }

    #[test]
    fn a_wide_screen_has_the_session_beside_the_list() {
        let mut state = State::titled(&["fix the parser", "write a poem"]);
        assert_snapshot!(drawn(&mut state, Some(&said()), (100, 10)), @r"
        >
        2 of 2 · Enter picks · Esc leaves · type to search
        >    0d  api               fix the parser                fix the parser
         ○   1d  api               write a poem                  /home/ann/api
                                                                 12 turns

                                                                 [user] Fix the parser
                                                                   ⋮
                                                                 [assistant] Done.
        ");
    }

    #[test]
    fn a_narrow_screen_has_it_below_and_a_low_one_nowhere() {
        let mut state = State::titled(&["fix the parser", "write a poem"]);
        state.apply(Action::Down);
        assert_snapshot!(drawn(&mut state, None, (40, 20)), @r"
        >
        2 of 2 · Enter picks · Esc leaves · type
             0d  api               fix the pars…
        >○   1d  api               write a poem








        write a poem
        /home/ann/api
        12 turns

        …
        ");
        assert_snapshot!(drawn(&mut state, Some(&said()), (40, 5)), @r"
        >
        2 of 2 · Enter picks · Esc leaves · type
             0d  api               fix the pars…
        >○   1d  api               write a poem
        ");
    }

    #[test]
    fn no_screen_is_too_small() {
        for size in [(1, 1), (2, 1), (3, 2), (101, 1), (20, 30)] {
            let mut state = State::titled(&["日本語の題名", "write a poem"]);
            drawn(&mut state, Some(&said()), size);
            drawn(&mut State::new(Vec::new()), None, size);
        }
    }
}
