//! After a configuration was packed or unpacked, or a plan was shown: the line that does it.

use std::path::{Path, PathBuf};

use steno_ops::export_config::{self, Source};
use steno_ops::{ClaudeDirs, Workspace, import_config};

use super::{Line, Step};

pub(crate) fn export_config(
    workspace: &Workspace,
    request: &export_config::Request,
    report: &export_config::Report,
) -> Vec<Step> {
    let archive = &request.path;
    let write = |line: Line| line.step("writes the archive").into_iter().collect();
    match (&request.source, report.dry_run) {
        (Source::Live, true) => write(Line::in_dirs(&workspace.dirs, "export-config").file(archive)),
        (Source::Live, false) => unpack_elsewhere(archive),
        (Source::Kept { machine }, true) => write(kept(workspace, archive, machine.as_deref())),
        (Source::Kept { .. }, false) => unpack(&workspace.dirs, archive).into_iter().collect(),
    }
}

/// On another machine another Claude directory is the default.
fn unpack_elsewhere(archive: &Path) -> Vec<Step> {
    let why = "on the other machine, with the archive copied there: puts the configuration in place; hooks and \
               skills in it run there";
    Line::new("import-config").file(archive).ask(why).into_iter().collect()
}

/// What was kept comes back to where it was.
fn unpack(dirs: &ClaudeDirs, archive: &Path) -> Option<Step> {
    let why = "puts the configuration in place; hooks and skills in it run on this machine";
    Line::in_dirs(dirs, "import-config").file(archive).ask(why)
}

/// After the sessions came back: what brings the configuration, where some of it is kept and not there.
pub(super) fn lost_config(workspace: &Workspace, machine: Option<&str>) -> Vec<Step> {
    if !export_config::is_missed(workspace, machine) {
        return Vec::new();
    }
    let today = workspace.dirs.now.to_zoned(workspace.zone.clone()).date();
    let archive = PathBuf::from(export_config::default_name(today));
    let why = "packs the configuration that is kept and not there: settings, hooks, skills and the like";
    let pack = kept(workspace, &archive, machine).step(why);
    pack.into_iter().chain(unpack(&workspace.dirs, &archive)).collect()
}

fn kept(workspace: &Workspace, archive: &Path, machine: Option<&str>) -> Line {
    let line = Line::in_vault(workspace, "export-config").file(archive);
    line.flag("--kept", true).value("--machine", machine)
}

/// Nothing where everything is in place.
pub(crate) fn import_config(
    workspace: &Workspace,
    archive: &Path,
    report: &import_config::Report,
) -> Vec<Step> {
    let imported = &report.imported;
    let overwritten = imported.overwritten.len() + imported.exists.len();
    if !report.dry_run || imported.new.len() + overwritten == 0 {
        return Vec::new();
    }
    let line = Line::in_dirs(&workspace.dirs, "import-config").file(archive).flag("--force", overwritten > 0);
    let step = match overwritten {
        0 => line.ask("writes these files; hooks and skills among them run on this machine"),
        over => line.ask(format!("writes these files, {over} of them over others that are there")),
    };
    step.into_iter().collect()
}
