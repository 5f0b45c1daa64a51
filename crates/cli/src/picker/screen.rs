//! The terminal, taken for the picker and given back however it ends.

use std::io::{self, BufWriter, Stderr, stderr};
use std::panic;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::config;

use super::draw::{View, draw};

pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
}

impl Screen {
    /// On stderr: ratatui's own initialization takes stdout, which has the answer.
    pub(super) fn open() -> io::Result<Self> {
        let hook = panic::take_hook();
        // First, so that the message is seen.
        panic::set_hook(Box::new(move |panic| {
            give_back();
            hook(panic);
        }));
        let taken = enable_raw_mode().and_then(|()| execute!(stderr(), EnterAlternateScreen));
        let terminal = taken.and_then(|()| {
            // The backend would ask for the size of stdout, which is a pipe where the answer goes on.
            let options = TerminalOptions { viewport: Viewport::Fixed(area()) };
            Terminal::with_options(CrosstermBackend::new(BufWriter::new(stderr())), options)
        });
        terminal.map(|terminal| Self { terminal }).inspect_err(|_| give_back())
    }

    pub(super) fn draw(&mut self, view: &mut View<'_>) -> io::Result<()> {
        let area = area();
        if self.terminal.get_frame().area() != area {
            self.terminal.resize(area)?;
        }
        self.terminal.draw(|frame| draw(frame, view)).map(|_| ())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn area() -> Rect {
    let (width, height) = config::screen();
    Rect::new(0, 0, width, height)
}

fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(stderr(), LeaveAlternateScreen, Show);
}
