//! After a configuration was packed, or a plan was shown: the line that does it.

use std::path::{Path, PathBuf};

use super::{Line, Step};
use crate::claude_dirs::ClaudeDirs;
use crate::export_config;
use crate::workspace::Workspace;

/// Where it is unpacked, another Claude directory is the default.
pub(crate) fn exported(archive: &Path) -> Vec<Step> {
    let why = "on the other machine, with the archive copied there: puts the configuration in place; hooks and \
               skills in it run there";
    Line::new("import-config").file(archive).ask(why).into_iter().collect()
}

pub(crate) fn export_plan(dirs: &ClaudeDirs, archive: &Path) -> Vec<Step> {
    Line::in_library(dirs, "export-config").file(archive).step("writes the archive").into_iter().collect()
}

pub(crate) fn export_kept_plan(workspace: &Workspace, archive: &Path, machine: Option<&str>) -> Vec<Step> {
    kept(workspace, archive, machine).step("writes the archive").into_iter().collect()
}

/// What was kept comes back to where it was.
pub(crate) fn exported_kept(dirs: &ClaudeDirs, archive: &Path) -> Vec<Step> {
    let why = "puts the configuration in place; hooks and skills in it run on this machine";
    Line::in_library(dirs, "import-config").file(archive).ask(why).into_iter().collect()
}

/// After the sessions came back: what brings the configuration, where some of it is kept and not there.
pub(crate) fn lost_config(workspace: &Workspace, machine: Option<&str>) -> Vec<Step> {
    if !export_config::is_missed(workspace, machine) {
        return Vec::new();
    }
    let today = workspace.dirs.now.to_zoned(workspace.zone.clone()).date();
    let archive = PathBuf::from(export_config::default_name(today));
    let pack = kept(workspace, &archive, machine);
    let pack =
        pack.step("packs the configuration that is kept and not there: settings, hooks, skills and the like");
    pack.into_iter().chain(exported_kept(&workspace.dirs, &archive)).collect()
}

fn kept(workspace: &Workspace, archive: &Path, machine: Option<&str>) -> Line {
    let line = Line::in_vault(workspace, "export-config").file(archive);
    line.flag("--kept", true).value("--machine", machine)
}

/// Nothing where everything is in place.
pub(crate) fn import_plan(dirs: &ClaudeDirs, archive: &Path, files: usize, overwritten: usize) -> Vec<Step> {
    let line = Line::in_library(dirs, "import-config").file(archive).flag("--force", overwritten > 0);
    let step = match (files, overwritten) {
        (0, _) => None,
        (_, 0) => line.ask("writes these files; hooks and skills among them run on this machine"),
        (_, over) => line.ask(format!("writes these files, {over} of them over others that are there")),
    };
    step.into_iter().collect()
}
