//! The index → findings about it.

use super::{Finding, Severity};
use crate::cache::{Cache, Health};
use crate::workspace::Workspace;

/// The index is a cache: a damaged one is rebuilt, and if that fails, only time is lost. An index that no command has
/// used yet is not made.
pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    let finding =
        |severity, message, place: &std::path::Path| vec![Finding::new(severity, "index", message).at(place)];
    match Cache::examine(workspace) {
        Health::Well => Vec::new(),
        Health::MadeAnew(place, message) => finding(Severity::Info, message, &place),
        Health::Unusable(place, message) => finding(Severity::Warning, message, &place),
    }
}
