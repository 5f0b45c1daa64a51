//! After the board: the session that waits.

use steno_ops::ClaudeDirs;
use steno_ops::watch::Report;

use super::{Line, Step};

pub(crate) fn watch(dirs: &ClaudeDirs, report: &Report) -> Vec<Step> {
    let waits = report.sessions.iter().find(|row| row.needs_you());
    let show = waits.map(|row| Line::in_dirs(dirs, "show").operand(row.id.as_str()));
    show.and_then(|line| line.step("the session that waits for you")).into_iter().collect()
}
