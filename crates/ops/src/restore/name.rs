//! A kept session → what names it, and no other.

use crate::kept::{Index, KeptSession};

/// A session by its id; by machine and project too, where several machines or projects keep one of this id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptName {
    pub id: String,
    pub machine: Option<String>,
    pub project: Option<String>,
}

impl KeptName {
    pub(crate) fn of(kept: &KeptSession<'_>, index: &Index<'_>) -> Self {
        let is_one = index.sessions.iter().filter(|other| other.id == kept.id).count() == 1;
        let only = |name: &str| Some(name.to_owned()).filter(|_| !is_one);
        Self { id: kept.id.clone(), machine: only(kept.machine), project: only(&kept.project) }
    }

    /// With what the user said, where nothing more is needed.
    pub(crate) fn or(self, machine: Option<&str>, project: Option<&str>) -> Self {
        let machine = self.machine.or_else(|| machine.map(str::to_owned));
        Self { machine, project: self.project.or_else(|| project.map(str::to_owned)), ..self }
    }
}
