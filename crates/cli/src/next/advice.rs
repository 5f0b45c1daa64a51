//! What helps against a finding of `doctor` → the command line.

use steno_ops::Workspace;
use steno_ops::doctor::{Advice, Report};

use super::Line;

/// Writes the command line of every finding that a command of ours helps against.
pub(crate) fn help(workspace: &Workspace, report: &mut Report) {
    for finding in &mut report.findings {
        let line = finding.advice.take().map(|advice| line(workspace, &advice));
        if let Some(step) = line.and_then(|line| line.step("")) {
            finding.help = Some(step.command);
        }
    }
}

fn line(workspace: &Workspace, advice: &Advice) -> Line {
    let line = |verb| Line::in_vault(workspace, verb);
    match advice {
        Advice::Init => line("init"),
        Advice::Sync => line("sync"),
        Advice::Push => line("sync").flag("--push", true),
        Advice::Verify => line("verify"),
        Advice::Repair => line("verify").flag("--repair", true),
        Advice::ScheduleDaily => line("schedule").operand("daily"),
        Advice::Census => line("doctor").flag("--census", true),
        Advice::Restore { session, cwd } => line("restore").operand(session).value("--cwd", cwd.as_deref()),
        Advice::Show { session, at } => line("show").operand(session).value("--at", Some(at)),
    }
}
