//! The configuration of a Claude directory, or the vault's copies of one → one archive, to be taken to another machine.
//!
//! What belongs to it, `source` knows; credentials and keys never do. Secrets that people wrote into their settings
//! are told apart by what they look like, and said.

mod kept;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Warning, Warnings};
use steno_source::{Class, Inventory};
use steno_vault::archive;

use crate::claude_dirs::ClaudeDirs;
use crate::detection;
use crate::error::{Error, ErrorKind};
use crate::import_config::{archive_error, is_config_place, one_directory};
use crate::size::size_text;
use crate::warning;
use crate::workspace::Workspace;
pub use kept::is_missed;

#[derive(Debug, Clone)]
pub struct Request {
    /// An archive that is there already is replaced, anything else is not.
    pub path: PathBuf,
    pub source: Source,
}

/// Whose configuration is packed.
#[derive(Debug, Clone)]
pub enum Source {
    /// What is in the Claude directory now.
    Live,
    /// What the vault holds of this machine, or of another one.
    Kept { machine: Option<String> },
}

#[derive(Debug, Clone)]
pub struct Plan {
    path: PathBuf,
    /// Names in the archive, and where their bytes are.
    files: Vec<(String, archive::Origin)>,
    warnings: Vec<Warning>,
    /// Who kept it; nothing for a live one.
    machine: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub exported: Exported,
    pub dry_run: bool,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    pub path: String,
    /// As `du -h` says it.
    pub size: String,
    pub size_bytes: u64,
    pub files: u64,
    /// Relative to the Claude directory.
    pub names: Vec<String>,
    /// The machine that kept them, with `--kept`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// What the archive is called unless the user says otherwise.
pub fn default_name(today: Date) -> String {
    format!("claude-config-{today}.tar.gz")
}

/// Everything is looked at; nothing is written.
pub fn plan(workspace: &Workspace, request: &Request) -> Result<Plan, Error> {
    match &request.source {
        Source::Kept { machine } => kept::plan(workspace, &request.path, machine.as_deref()),
        Source::Live => live(&workspace.dirs, &request.path).map_err(|error| match error.kind {
            ErrorKind::NotFound => kept::hint(workspace).into_iter().fold(error, Error::hint),
            _ => error,
        }),
    }
}

/// The plan for the files in a Claude directory, with or without a vault.
pub fn live(dirs: &ClaudeDirs, path: &Path) -> Result<Plan, Error> {
    let directory = one_directory(dirs)?;
    check_target(path)?;
    let inventory = steno_source::inventory(directory)?;
    let mut warnings = about_config(directory, &inventory);
    let files = gather(&inventory, &mut warnings);
    if files.is_empty() {
        let message = format!("there is no configuration in {}", directory.display());
        return Err(Error::new(ErrorKind::NotFound, message).hint("another directory? see --claude-dir"));
    }
    Ok(Plan { path: path.to_owned(), files, warnings, machine: None })
}

impl Plan {
    /// For `--dry-run`: the archive as it would be, sizes included.
    pub fn preview(self) -> Result<Report, Error> {
        let written = archive::measure(&self.files, &self.path).map_err(archive_error)?;
        Ok(Report { dry_run: true, ..self.report(written) })
    }

    fn report(self, written: archive::Written) -> Report {
        let mut names: Vec<String> = self.files.into_iter().map(|(name, _)| name).collect();
        names.sort();
        let exported = Exported {
            path: self.path.display().to_string(),
            size: size_text(written.bytes),
            size_bytes: written.bytes,
            files: written.files,
            names,
            machine: self.machine,
        };
        Report { ok: true, exported, dry_run: false, warnings: self.warnings }
    }
}

pub fn apply(plan: Plan) -> Result<Report, Error> {
    let written = archive::write(&plan.files, &plan.path).map_err(archive_error)?;
    Ok(plan.report(written))
}

/// A configuration belongs to one directory; two would overwrite each other.
/// A slip of the keyboard shall not cost a file: `export-config settings.json`.
fn check_target(path: &Path) -> Result<(), Error> {
    let mut start = [0; 2];
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            let message = format!("{} is a directory", path.display());
            Err(Error::new(ErrorKind::Invalid, message).hint("name the archive itself"))
        }
        Ok(_)
            if File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
                && start == [0x1f, 0x8b] =>
        {
            Ok(())
        }
        Ok(_) => {
            let message = format!("{} exists, and is not an archive that could be replaced", path.display());
            Err(Error::new(ErrorKind::Exists, message).hint("give another name"))
        }
        Err(_) => Ok(()),
    }
}

/// What was strange about sessions is not asked here.
fn about_config(directory: &Path, inventory: &Inventory) -> Vec<Warning> {
    let is_config = |path: &Path| is_config_place(path.strip_prefix(directory).unwrap_or(path));
    let strange = inventory.warnings.iter().filter(|warning| is_config(&warning.path)).map(warning::on_disk);
    let withheld = inventory.withheld.iter().filter(|path| is_config(path)).map(|path| {
        left_out(&path.to_string_lossy(), "withheld", "its name is that of a key or of credentials")
    });
    strange.chain(withheld).collect()
}

/// The files that can be read and named, and a word about each that cannot or that holds a secret.
fn gather(inventory: &Inventory, warnings: &mut Vec<Warning>) -> Vec<(String, archive::Origin)> {
    let mut names = archive::Names::default();
    let mut files = Vec::new();
    for file in inventory.files.iter().filter(|file| file.class == Class::Config) {
        match take(&file.path, File::open(&file.absolute), &mut names) {
            Ok((name, secrets)) => {
                warnings.extend(secrets);
                files.push((name, file.absolute.clone().into()));
            }
            Err(warning) => warnings.push(warning),
        }
    }
    files
}

fn take(
    path: &Path,
    vault: io::Result<impl Read>,
    names: &mut archive::Names,
) -> Result<(String, Vec<Warning>), Warning> {
    let shown = path.to_string_lossy();
    let Some(name) = name_of(path) else {
        return Err(left_out(&shown, "name-not-text", "the name is not UTF-8"));
    };
    let mut secrets = Warnings::new(&*name);
    let mut found = |kind: &'static str, line| {
        secrets.add("secret", Some(line), format!("this looks like a secret ({kind})"));
    };
    let scanned = vault.and_then(|file| detection::scan(file, 0, &mut found));
    scanned.map_err(|error| left_out(&shown, "unreadable", &format!("cannot be read: {error}")))?;
    let name = names.add_file(&name).map_err(|trouble| left_out(&shown, "odd-name", &trouble.to_string()))?;
    Ok((name, secrets.into_list()))
}

/// `/` between its parts on every system.
fn name_of(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

fn left_out(file: &str, kind: &str, reason: &str) -> Warning {
    let message = format!("left out: {reason}");
    Warning { file: file.to_owned(), line: None, kind: kind.to_owned(), message }
}
