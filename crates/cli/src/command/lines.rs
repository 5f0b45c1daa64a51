//! Lines that several commands print: files of a plan, warnings, why nothing was sent.

use std::fmt::Write;

use jiff::Timestamp;
use steno_ops::restore::{Action, Planned};
use steno_ops::size_text;
use steno_ops::sync::{Push, State};
use steno_render::many;
use steno_render::terminal::clean_line;

/// The files of a plan, and what would become of each.
pub(crate) fn planned<'a>(files: impl IntoIterator<Item = &'a Planned>) -> String {
    let mut text = String::new();
    for file in files {
        let action = match file.action {
            Action::Write => "write",
            Action::Overwrite => "overwrite",
            Action::Identical => "is there",
            Action::Keep => "leave",
        };
        let _ = writeln!(text, "  {action:9} {} ({})", clean_line(&file.path), size_text(file.bytes));
    }
    text
}

/// For people, who do not care for nanoseconds.
pub(crate) fn to_the_second(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Why nothing was sent, where something should have been.
pub(crate) fn push_line(push: Option<&Push>) -> Option<String> {
    let push = push?;
    let reason = push.reason.as_deref().unwrap_or_default();
    let line = match push.state {
        State::Pushed | State::UpToDate => return None,
        State::Offline => {
            format!("not sent, the remote cannot be reached ({reason}); it goes with the next sync")
        }
        State::Refused => format!("not sent, the remote refused: {reason}"),
        State::Held => {
            let secrets = push.secrets.as_ref();
            let kinds = secrets.into_iter().flat_map(|secrets| &secrets.kinds);
            let kinds: Vec<String> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
            let places = secrets.into_iter().flat_map(|secrets| &secrets.places).take(5);
            let places = places.map(|place| format!("\n  {}:{} {}", place.path, place.line, place.kind));
            let places: String = places.collect();
            format!(
                "not sent: what is kept holds what looks like secrets ({}){places}\n\
                 look at them, then `steno sync --push` sends everything all the same",
                kinds.join(", ")
            )
        }
    };
    Some(line)
}

/// The first warnings, and how many more there are.
pub(crate) fn warning_lines(warnings: &[steno_ops::Warning]) -> Vec<String> {
    const SHOWN: usize = 5;
    let first =
        warnings.iter().take(SHOWN).map(|warning| format!("warning: {}: {}", warning.file, warning.message));
    let more = warnings.len().saturating_sub(SHOWN) as u64;
    let more = (more > 0).then(|| format!("… and {}", many(more, "more warning")));
    first.chain(more).collect()
}
