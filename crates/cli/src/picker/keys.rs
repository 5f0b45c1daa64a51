//! What a terminal reports → what it means to the picker.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::state::Action;

pub(super) fn action(event: &Event) -> Option<Action> {
    match event {
        // Windows reports each key twice.
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action(*key),
        _ => None,
    }
}

fn key_action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd' | 'g') => Some(Action::Leave),
            // A terminal sends a line feed so.
            KeyCode::Char('j' | 'm') => Some(Action::Choose),
            KeyCode::Char('p' | 'k') => Some(Action::Up),
            KeyCode::Char('n') => Some(Action::Down),
            KeyCode::Char('h') => Some(Action::Erase),
            KeyCode::Char('w') => Some(Action::EraseWord),
            KeyCode::Char('u') => Some(Action::Clear),
            _ => None,
        };
    }
    match key.code {
        KeyCode::Esc => Some(Action::Leave),
        KeyCode::Enter => Some(Action::Choose),
        KeyCode::Up => Some(Action::Up),
        KeyCode::Down => Some(Action::Down),
        KeyCode::PageUp => Some(Action::PageUp),
        KeyCode::PageDown => Some(Action::PageDown),
        KeyCode::Home => Some(Action::First),
        KeyCode::End => Some(Action::Last),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::ALT) => Some(Action::Type(letter)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_mean_what_they_mean_in_a_shell() {
        let pressed = |code, modifiers| action(&Event::Key(KeyEvent::new(code, modifiers)));
        let plain = |code| pressed(code, KeyModifiers::NONE);
        let control = |letter| pressed(KeyCode::Char(letter), KeyModifiers::CONTROL);
        assert_eq!(plain(KeyCode::Enter), Some(Action::Choose));
        assert_eq!(control('j'), Some(Action::Choose));
        assert_eq!(plain(KeyCode::Esc), Some(Action::Leave));
        assert_eq!(control('c'), Some(Action::Leave));
        assert_eq!(control('w'), Some(Action::EraseWord));
        assert_eq!(pressed(KeyCode::Char('X'), KeyModifiers::SHIFT), Some(Action::Type('X')));
        assert_eq!(pressed(KeyCode::Char('x'), KeyModifiers::ALT), None);
        assert_eq!(action(&Event::Resize(80, 24)), None);
        let released = KeyEvent { kind: KeyEventKind::Release, ..KeyEvent::from(KeyCode::Enter) };
        assert_eq!(action(&Event::Key(released)), None);
    }
}
