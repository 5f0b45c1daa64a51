//! The board that stays on the terminal and follows the sessions.

use std::process::Command;

use jiff::Timestamp;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use steno_ops::watch::{Report, Row};
use steno_ops::{ClaudeDirs, Error, ErrorKind};

use super::{Follow, LOOK, board};
use crate::config;
use crate::failure::Failure;
use crate::output::Output;

const KEYS: &str = " ↑↓ select · Enter show · q quit";

enum Wish {
    Nothing,
    Show(String),
    Quit,
}

pub(super) fn run(mut follow: Follow, dirs: &ClaudeDirs, output: &Output) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init().map_err(failed)?;
    // A panic gives the terminal back by itself.
    let ended = follow_on(&mut follow, &mut terminal, dirs, output);
    ratatui::restore();
    ended
}

fn failed(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the terminal: {error}"))
}

fn follow_on(
    follow: &mut Follow,
    terminal: &mut DefaultTerminal,
    dirs: &ClaudeDirs,
    output: &Output,
) -> Result<(), Failure> {
    let mut selected: Option<String> = None;
    loop {
        follow.step()?;
        let now = config::now()?;
        let report = follow.watcher.report(now);
        terminal.draw(|frame| draw(frame, &report, selected.as_deref(), now)).map_err(failed)?;
        match wish(&report, &mut selected)? {
            Wish::Nothing => {}
            Wish::Quit => return Ok(()),
            Wish::Show(id) => {
                ratatui::restore();
                show(&id, dirs, output);
                *terminal = ratatui::try_init().map_err(failed)?;
            }
        }
    }
}

fn draw(frame: &mut ratatui::Frame<'_>, report: &Report, selected: Option<&str>, now: Timestamp) {
    let area = frame.area();
    let width = usize::from(area.width);
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut at = 0;
    let mut last = "";
    for row in &report.sessions {
        let heading = board::heading(row);
        if heading != last {
            lines.extend((!last.is_empty()).then(Line::default));
            lines.push(Line::styled(heading, heading_style(row)));
            last = heading;
        }
        let is_selected = selected == Some(row.id.as_str());
        at = if is_selected { lines.len() } else { at };
        let text = anstream::adapter::strip_str(&board::line(row, now, width)).to_string();
        let style = if is_selected { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        lines.push(Line::styled(text, style));
    }
    if lines.is_empty() {
        lines.push(Line::raw("  no session runs; this board follows those that you start"));
    }
    let rows = usize::from(area.height.saturating_sub(1));
    let from = at.saturating_sub(rows.saturating_sub(2));
    let shown: Vec<Line<'_>> = lines.into_iter().skip(from).take(rows).collect();
    frame.render_widget(Paragraph::new(shown), area);
    let foot =
        ratatui::layout::Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    frame.render_widget(Paragraph::new(Line::styled(KEYS, Style::new().add_modifier(Modifier::DIM))), foot);
}

fn heading_style(row: &Row) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    if row.needs_you() { style.fg(ratatui::style::Color::Yellow) } else { style }
}

/// What the person types within the time between two looks.
fn wish(report: &Report, selected: &mut Option<String>) -> Result<Wish, Failure> {
    if !event::poll(LOOK).map_err(failed)? {
        return Ok(Wish::Nothing);
    }
    let Event::Key(key) = event::read().map_err(failed)? else { return Ok(Wish::Nothing) };
    if key.kind == KeyEventKind::Release {
        return Ok(Wish::Nothing);
    }
    match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(Wish::Quit),
        KeyCode::Char('q') | KeyCode::Esc => return Ok(Wish::Quit),
        KeyCode::Down | KeyCode::Char('j') => *selected = neighbour(report, selected.as_deref(), 1),
        KeyCode::Up | KeyCode::Char('k') => *selected = neighbour(report, selected.as_deref(), -1),
        KeyCode::Enter => {
            return Ok(selected.clone().map_or(Wish::Nothing, Wish::Show));
        }
        _ => {}
    }
    Ok(Wish::Nothing)
}

fn neighbour(report: &Report, selected: Option<&str>, step: isize) -> Option<String> {
    let ids: Vec<&str> = report.sessions.iter().map(|row| row.id.as_str()).collect();
    let at = ids.iter().position(|id| Some(*id) == selected);
    let next = match at {
        Some(at) => at.saturating_add_signed(step).min(ids.len().saturating_sub(1)),
        None => 0,
    };
    ids.get(next).map(|id| (*id).to_owned())
}

/// `steno show` of the same program, which pages by itself.
fn show(id: &str, dirs: &ClaudeDirs, output: &Output) {
    let mut command = Command::new(config::this_program());
    command.args(["show", id]);
    for path in dirs.paths.iter().filter(|_| !dirs.is_default) {
        command.arg("--claude-dir").arg(path);
    }
    let shown = command.status();
    if !shown.is_ok_and(|status| status.success()) {
        output.say("press Enter to go back");
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}
