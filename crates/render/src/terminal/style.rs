//! The few styles there are, by what they mean.

use anstyle::{AnsiColor, Style};

pub const STRONG: Style = Style::new().bold();
pub const WEAK: Style = Style::new().dimmed();
pub(crate) const USER: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const AGENT: Style = AnsiColor::Magenta.on_default();
pub(crate) const TOOL: Style = AnsiColor::Blue.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// What was looked for.
pub(crate) const FOUND: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const NOTICE: Style = AnsiColor::Yellow.on_default();

pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
