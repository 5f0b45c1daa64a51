//! After a configuration was packed, or a plan was shown: the line that does it.

use std::path::Path;

use super::{Line, Step};
use crate::library::Library;

/// Where it is unpacked, another Claude directory is the default.
pub(crate) fn exported(archive: &Path) -> Vec<Step> {
    let why = "on the other machine, with the archive copied there: puts the configuration in place; hooks and \
               skills in it run there";
    Line::new("import-config").file(archive).ask(why).into_iter().collect()
}

pub(crate) fn export_plan(library: &Library, archive: &Path) -> Vec<Step> {
    Line::in_library(library, "export-config").file(archive).step("writes the archive").into_iter().collect()
}

/// Nothing where everything is in place.
pub(crate) fn import_plan(library: &Library, archive: &Path, files: usize, overwritten: usize) -> Vec<Step> {
    let line = Line::in_library(library, "import-config").file(archive).flag("--force", overwritten > 0);
    let step = match (files, overwritten) {
        (0, _) => None,
        (_, 0) => line.ask("writes these files; hooks and skills among them run on this machine"),
        (_, over) => line.ask(format!("writes these files, {over} of them over others that are there")),
    };
    step.into_iter().collect()
}
