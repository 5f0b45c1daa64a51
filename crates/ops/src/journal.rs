//! Runs that change the vault → its log, and the last error, which `status` shows.

use std::fs;
use std::io::Write;
use std::path::Path;

use steno_conversation::Warning;
use steno_vault::{LastError, Manifest, private};

use crate::error::{Error, ErrorKind};
use crate::push::Push;
use crate::workspace::Workspace;

/// What warnings are called that tell of bytes which could not be kept.
pub const UNREADABLE: &str = "unreadable";

const LOG: &str = "steno.log";
const OLD_LOG: &str = "steno.log.1";
const LONGEST: u64 = 1 << 20;
const NOT_SENT: &str = "not sent: ";
/// The whole text of the last error of an encrypted vault.
const LAST_ERROR: &str = "last-error";
/// What the manifest says in its place.
const ELSEWHERE: &str = "see steno.log";

/// A run that came to its end, and may have left something undone all the same.
pub(crate) trait Ending {
    fn push(&self) -> Option<&Push>;
    fn warnings(&self) -> &[Warning];

    /// What was not done, as `status` tells it.
    fn trouble(&self) -> Option<String> {
        let refused = self.push().filter(|push| push.is_refused());
        let not_sent =
            refused.map(|push| format!("{NOT_SENT}{}", push.reason.as_deref().unwrap_or("refused")));
        let told: Vec<String> = not_sent.into_iter().chain(not_kept(self.warnings())).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// The first file, and how many more there are.
fn not_kept(warnings: &[Warning]) -> Option<String> {
    let mut unreadable = warnings.iter().filter(|warning| warning.kind == UNREADABLE);
    let first = unreadable.next()?;
    let more = match unreadable.count() {
        0 => String::new(),
        number => format!(", and {number} more"),
    };
    Some(format!("not kept: {}: {}{more}", first.file, first.message))
}

/// Runs it and writes down how it ended. A log that cannot be written prevents nothing.
pub(crate) fn record<T: Ending>(
    workspace: &Workspace,
    command: &str,
    act: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let outcome = act();
    match &outcome {
        Ok(ending) => {
            let trouble = ending.trouble();
            write(workspace, command, trouble.as_deref().unwrap_or("ok"));
            match trouble {
                Some(trouble) => settle(workspace, command, Some(trouble)),
                None if is_still_unsent(workspace, ending) => {}
                None => settle(workspace, command, None),
            }
        }
        Err(error) => {
            write(workspace, command, &format!("{}: {error}", error.kind.name()));
            // Nothing was tried: another process does it, or there is nothing to do it to.
            let is_failure = !matches!(
                error.kind,
                ErrorKind::NoVault | ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Busy
            );
            if is_failure {
                settle(workspace, command, Some(error.to_string()));
            }
        }
    }
    outcome
}

/// A line in the log.
pub(crate) fn write(workspace: &Workspace, command: &str, outcome: &str) {
    if !workspace.vault.is_dir() {
        return;
    }
    let path = workspace.local().join(LOG);
    let _ = rotate(&path);
    let _ = append(&path, &format!("{} {command} {}\n", workspace.dirs.now, one_line(outcome)));
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        private::create_dir_all(directory)?;
    }
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(line.as_bytes())
}

fn rotate(path: &Path) -> std::io::Result<()> {
    if fs::metadata(path)?.len() > LONGEST { fs::rename(path, path.with_file_name(OLD_LOG)) } else { Ok(()) }
}

fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Whether an earlier run was refused, and nothing was sent since.
fn is_still_unsent(workspace: &Workspace, ending: &impl Ending) -> bool {
    let Ok(Some(manifest)) = Manifest::read(&workspace.vault) else { return false };
    let was_refused = manifest.last_error.is_some_and(|last| last.error.starts_with(NOT_SENT));
    was_refused && manifest.mode != "local" && !ending.push().is_some_and(Push::is_done)
}

/// What `status` tells until a run succeeds.
fn settle(workspace: &Workspace, command: &str, error: Option<String>) {
    let error = error.map(|error| quieted(workspace, error));
    let told = error.map(|error| LastError { time: workspace.dirs.now, command: command.to_owned(), error });
    let known = Manifest::read(&workspace.vault).ok().flatten();
    if told.is_some() || known.is_some_and(|known| known.last_error.is_some()) {
        let _ = workspace.restate(|manifest| manifest.last_error = told);
    }
}

/// An error may name a project. The manifest of an encrypted vault does not: the whole of it lies with the log.
fn quieted(workspace: &Workspace, error: String) -> String {
    if !workspace.is_sealed() {
        return error;
    }
    let place = workspace.outside().join(LAST_ERROR);
    let _ = private::replace_cache(&place, error.as_bytes());
    let prefix = if error.starts_with(NOT_SENT) { NOT_SENT } else { "" };
    format!("{prefix}{ELSEWHERE}")
}

/// The last error, whole where it still can be told.
pub(crate) fn last_error(workspace: &Workspace, manifest: &Manifest) -> Option<LastError> {
    let last = manifest.last_error.clone()?;
    let is_elsewhere = last.error.ends_with(ELSEWHERE);
    let whole = || fs::read_to_string(workspace.outside().join(LAST_ERROR)).ok();
    let error = is_elsewhere.then(whole).flatten();
    Some(LastError { error: error.unwrap_or_else(|| last.error.clone()), ..last })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::push::State;
    use crate::warning;

    struct Ended(Option<Push>, Vec<Warning>);

    impl Ending for Ended {
        fn push(&self) -> Option<&Push> {
            self.0.as_ref()
        }

        fn warnings(&self) -> &[Warning] {
            &self.1
        }
    }

    #[test]
    fn what_was_left_undone_is_told() {
        let push = |state| Push { state, reason: Some("no".to_owned()), received: 0, secrets: None };
        let at = |kind: &str| warning::at(Path::new("/a"), kind, "it cannot be read".to_owned());
        assert_eq!(Ended(None, vec![at("vanished"), at("changed")]).trouble(), None);
        assert_eq!(Ended(Some(push(State::Offline)), Vec::new()).trouble(), None);
        let refused = Ended(Some(push(State::Refused)), vec![at(UNREADABLE), at(UNREADABLE)]);
        let told = "not sent: no; not kept: /a: it cannot be read, and 1 more";
        assert_eq!(refused.trouble().as_deref(), Some(told));
    }
}
