//! An archive of a configuration → files of a Claude directory, all of them or none.
//!
//! An archive comes from anywhere. Only names that are configuration come in: neither credentials nor sessions, nor
//! anything else that the client would believe.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::archive::{self, Limits, Survey};

use crate::claude_dirs::ClaudeDirs;
use crate::error::{Error, ErrorKind};

/// Files that were overwritten lie below this directory of the Claude directory.
const REPLACED: &str = "steno-replaced";
/// Far more than people write, and little enough for any machine.
const LIMITS: Limits = Limits { file_bytes: 64 << 20, total_bytes: 256 << 20, entries: 20_000 };
/// So many names of files that exist are said.
const NAMED: usize = 20;

const FILES: [&str; 4] = ["CLAUDE.md", "keybindings.json", "settings.json", "settings.local.json"];
const TREES: [&str; 6] = ["agents", "commands", "hooks", "output-styles", "rules", "skills"];
const PLUGINS: &str = "plugins";
const NEVER_WITHIN: [&str; 6] = [".git", "node_modules", ".cache", "__pycache__", ".venv", ".trash"];
const SECRETS: [&str; 2] = [".credentials.json", ".encryption_key"];
const SECRET_ENDINGS: [&str; 5] = [".key", ".pem", ".p12", ".pfx", ".ppk"];
const SSH_KEYS: [&str; 6] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"];

#[derive(Debug, Clone)]
pub struct Request {
    pub archive: PathBuf,
    /// Overwrite files that are there and different.
    pub force: bool,
}

#[derive(Debug, Clone)]
pub struct Plan {
    archive: archive::Plan,
    survey: Survey,
    into: PathBuf,
    force: bool,
    now: jiff::Timestamp,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub imported: Imported,
    pub dry_run: bool,
    pub warnings: Vec<Warning>,
}

/// Names are relative to the Claude directory.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// How many were written.
    pub files: u64,
    pub into: String,
    pub new: Vec<String>,
    pub overwritten: Vec<String>,
    /// The directory that files which were overwritten have been moved to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
    /// Are there and differ: nothing is written as long as there are any, and no `--force`.
    #[serde(default)]
    pub exists: Vec<String>,
    /// Were there with the same bytes.
    pub identical: Vec<String>,
}

/// Reads the whole archive and compares it with what is there. What differs is in the plan; [`apply`] refuses it.
pub fn plan(dirs: &ClaudeDirs, request: &Request) -> Result<Plan, Error> {
    let into = one_directory(dirs)?;
    let archive = archive::plan(&request.archive, LIMITS).map_err(archive_error)?;
    let strangers = archive.files.iter().map(|file| file.name.as_str()).filter(|name| !is_config(name));
    let strangers: Vec<String> = strangers.map(str::to_owned).collect();
    if !strangers.is_empty() {
        let message =
            format!("refused {}: not configuration: {}", request.archive.display(), listed(&strangers));
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint("settings, CLAUDE.md, agents, commands, hooks, output-styles, rules, skills and plugins' lists come in"));
    }
    let survey = archive::survey(&archive, into).map_err(archive_error)?;
    Ok(Plan { archive, survey, into: into.to_owned(), force: request.force, now: dirs.now })
}

impl Plan {
    /// For `--dry-run`: what would be written, and over what.
    pub fn preview(self) -> Report {
        Report { dry_run: true, ..self.report() }
    }

    fn report(self) -> Report {
        let Survey { new, existing, identical, .. } = self.survey;
        let (overwritten, exists) = if self.force { (existing, Vec::new()) } else { (Vec::new(), existing) };
        let files = if exists.is_empty() { new.len() + overwritten.len() } else { 0 } as u64;
        let into = self.into.display().to_string();
        let imported = Imported { files, into, new, overwritten, replaced: None, exists, identical };
        Report { ok: true, imported, dry_run: false, warnings: Vec::new() }
    }
}

pub fn apply(plan: Plan) -> Result<Report, Error> {
    let time = plan.now.strftime("%Y%m%dT%H%M%SZ").to_string();
    let replaced = plan.into.join(REPLACED).join(time);
    let applied = archive::apply(&plan.archive, &plan.into, plan.force, &replaced).map_err(archive_error)?;
    let mut report = plan.report();
    report.imported.replaced = applied.replaced.map(|directory| directory.display().to_string());
    Ok(report)
}

pub(crate) fn one_directory(dirs: &ClaudeDirs) -> Result<&Path, Error> {
    match dirs.paths.as_slice() {
        [directory] => Ok(directory),
        directories => {
            let message = format!("one Claude directory is needed, not {}", directories.len());
            Err(Error::new(ErrorKind::Invalid, message).hint("give --claude-dir once"))
        }
    }
}

/// Whether a file of this name is configuration; the same ones that `export_config` finds.
pub(crate) fn is_config(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let Some((last, directories)) = parts.split_last() else { return false };
    let is_never = |part: &&str| NEVER_WITHIN.contains(part) || part.starts_with(".steno-");
    let is_placed = match directories {
        [] => FILES.contains(last),
        [PLUGINS] => Path::new(last).extension() == Some(OsStr::new("json")),
        [top, ..] => TREES.contains(top),
    };
    is_placed && !parts.iter().any(is_never) && !is_secret(&last.to_ascii_lowercase())
}

fn is_secret(name: &str) -> bool {
    let is_private_half = |rest: &str| matches!(rest, "" | "~") || rest.starts_with('.') && rest != ".pub";
    SECRETS.iter().any(|secret| name.starts_with(secret))
        || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || SSH_KEYS.iter().any(|key| name.strip_prefix(key).is_some_and(is_private_half))
}

/// Whether configuration may stand at a path, or below it.
pub(crate) fn is_config_place(path: &Path) -> bool {
    let top = path.components().next().map(Component::as_os_str).unwrap_or_default();
    FILES.iter().chain(&TREES).chain([&PLUGINS]).any(|name| top == *name)
}

fn exists(into: &Path, names: &[String]) -> Error {
    let message = format!("{} would be overwritten in {}", listed(names), into.display());
    Error::new(ErrorKind::Exists, message)
        .hint("use --force to overwrite, or --dry-run to see the whole plan")
}

fn listed(names: &[String]) -> String {
    let named = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What went wrong with an archive, with what to try.
pub(crate) fn archive_error(error: archive::Error) -> Error {
    use archive::Error as Archive;
    let message = error.to_string();
    match error {
        Archive::Exists { into, names } => exists(&into, &names),
        Archive::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Error::new(ErrorKind::NotFound, message).hint("`steno export-config FILE` makes an archive")
        }
        Archive::Read { .. } => Error::new(ErrorKind::Io, message),
        Archive::Write { .. } => {
            Error::new(ErrorKind::Io, message).hint("can you write there? is the disk full?")
        }
        Archive::Outside { .. } | Archive::InTheWay { .. } => {
            Error::new(ErrorKind::Exists, message).hint("move it away first; nothing was written")
        }
        Archive::NotAnArchive { .. }
        | Archive::Damaged { .. }
        | Archive::Entry { .. }
        | Archive::TooManyBytes { .. }
        | Archive::TooManyEntries { .. } => {
            Error::new(ErrorKind::Invalid, message).hint("nothing of it was written")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steno_source::Class;
    use steno_testkit::Home;

    #[test]
    fn what_comes_in_is_what_the_inventory_takes_for_configuration() {
        let names = [
            "CLAUDE.md",
            "settings.json",
            "settings.local.json",
            "keybindings.json",
            "agents/a.md",
            "commands/x/y.md",
            "hooks/run.sh",
            "output-styles/a.md",
            "rules/a.md",
            "skills/a/SKILL.md",
            "skills/a/cache/b",
            "plugins/installed.json",
            "plugins/a.txt",
            "plugins/x/a.json",
            ".credentials.json",
            ".claude.json",
            "settings.json.bak",
            "claude.md/x",
            "history.jsonl",
            "projects/-a/s.jsonl",
            "todos/a.json",
            "plans/a.md",
            "statsig/a",
            "skills/a/.git/config",
            "skills/node_modules/a",
            "skills/a/server.key",
            "agents/id_rsa",
            "agents/id_rsa.pub",
            "skills/.credentials.json.bak",
            "rules/.steno-1.tmp",
            "skills/.Encryption_Key",
        ];
        let home = Home::new();
        for name in names {
            home.file(name, "");
        }
        let inventory = steno_source::inventory(&home.path()).unwrap();
        let config = inventory.files.iter().filter(|file| file.class == Class::Config);
        let mut found: Vec<String> = config.map(|file| file.path.to_str().unwrap().to_owned()).collect();
        let mut taken: Vec<String> =
            names.into_iter().filter(|name| is_config(name)).map(str::to_owned).collect();
        found.sort();
        taken.sort();
        assert_eq!(taken, found);
    }
}
