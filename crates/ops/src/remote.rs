//! `remote`: where the vault is sent. What is kept goes along.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::Manifest;
use steno_vault::git::{Repository, check_address, display_url};
use steno_vault::s3::{Address, is_object_address};

use crate::error::{Error, ErrorKind};
use crate::journal::{self, Ending};
use crate::remote_vault;
use crate::sealing::{self, Enclosed, Wish};
use crate::shell::quoted;
use crate::sync::{self, Push};
use crate::workspace::{Vault, Workspace};

/// What the repository is called that is made for a vault.
pub(crate) const REPOSITORY: &str = "claude-backup-data";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Change nothing.
    Show,
    Off,
    GitHub,
    Address(String),
}

#[derive(Debug, Clone)]
pub struct Request {
    pub target: Target,
    /// Send, although something that looks secret was found.
    pub push: bool,
    /// Encrypt what is kept before anything is sent.
    pub encrypt: Option<Wish>,
    pub reach: Reach,
    /// Set it although it does not answer.
    pub force: bool,
}

/// How an object store is reached, where the environment does not say it.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    pub endpoint: Option<String>,
    pub region: Option<String>,
}

impl Reach {
    /// Endpoint and region belong to one place: a new place does not inherit them.
    fn apply(&self, manifest: &mut Manifest, url: &str) {
        let is_same = manifest.remote.as_deref() == Some(url);
        manifest.endpoint = self.endpoint.clone().or(manifest.endpoint.take().filter(|_| is_same));
        manifest.region = self.region.clone().or(manifest.region.take().filter(|_| is_same));
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub mode: String,
    /// The remote's address, without credentials.
    pub repo: Option<String>,
    /// Whether what is kept is encrypted.
    pub encrypted: bool,
    /// Where the key is that was made for it: whoever loses it loses the vault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_key: Option<String>,
    pub pushed: bool,
    pub push: Option<Push>,
    pub warnings: Vec<Warning>,
}

impl Ending for Report {
    fn push(&self) -> Option<&Push> {
        self.push.as_ref()
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let vault = workspace.open()?;
    if let Target::Address(url) = &request.target {
        check(url)?;
        if !request.force {
            check_answers(workspace, &vault, url, &request.reach)?;
        }
    }
    let report = match &request.target {
        Target::Show => {
            let report = report(&vault, None);
            Ok(Report { warnings: sealing::pending(workspace, &vault).into_iter().collect(), ..report })
        }
        Target::Off => journal::record(workspace, "remote off", || off(workspace, vault)),
        Target::GitHub | Target::Address(_) => journal::record(workspace, "remote", || {
            let url = address(workspace, &request.target)?;
            let mut vault = workspace.adopt(vault)?;
            let former = vault.manifest.remote.clone();
            let is_sent_plain = vault.manifest.sent.is_some() && !vault.store.is_encrypted();
            let enclosed = set(workspace, &mut vault, &url, request.encrypt.as_ref(), &request.reach)?;
            let was = is_sent_plain && vault.store.is_encrypted();
            let wish = sync::Request { push: request.push, ..Default::default() };
            let synced =
                sync::sync(workspace, vault, &wish).map_err(|error| enclosed.told(workspace, error))?;
            let mut report = report(&workspace.open()?, Some(synced));
            report.warnings.extend(was.then(still_readable));
            report.warnings.extend(readable(&workspace.open()?, former.as_deref()));
            let key = workspace.keys.identity.as_ref().filter(|_| enclosed.made_key);
            report.new_key = key.map(|path| path.display().to_string());
            Ok(report)
        }),
    }?;
    Ok(report)
}

fn report(vault: &Vault, synced: Option<sync::Report>) -> Report {
    let repo = vault.manifest.remote.as_deref().map(display_url).filter(|_| vault.has_remote());
    let (ok, pushed, push, warnings) = match synced {
        None => (true, false, None, Vec::new()),
        Some(synced) => (synced.ok, synced.pushed, synced.push, synced.warnings),
    };
    Report {
        ok,
        mode: vault.manifest.mode.clone(),
        repo,
        encrypted: vault.store.is_encrypted(),
        new_key: None,
        pushed,
        push,
        warnings,
    }
}

fn still_readable() -> Warning {
    let message = "what was sent before it was encrypted is still readable where it was sent to".to_owned();
    crate::warning::at(std::path::Path::new("remote"), "remote", message)
}

/// The warning for a new remote that is not encrypted.
pub(crate) fn readable(vault: &Vault, former: Option<&str>) -> Option<Warning> {
    let remote =
        vault.manifest.remote.as_deref().filter(|_| vault.has_remote() && !vault.store.is_encrypted())?;
    let message = "what is sent there is not encrypted: who can read the remote can read every session; \
        `steno remote URL --encrypt` sends it to a new place, encrypted";
    (former != Some(remote)).then(|| {
        crate::warning::at(std::path::Path::new(&display_url(remote)), "not-encrypted", message.to_owned())
    })
}

/// The address that is meant; a repository that is missing at GitHub is made.
pub(crate) fn address(workspace: &Workspace, target: &Target) -> Result<String, Error> {
    match target {
        Target::Address(url) => check(url).map(|()| url.clone()),
        _ => {
            let missing = || {
                Error::new(ErrorKind::Outside, "gh, the command of GitHub, is not installed")
                    .hint("install gh and run `gh auth login`; or name any git address: `steno remote URL`")
            };
            let github = workspace.github().ok_or_else(missing)?;
            let made = github.ensure_repository(REPOSITORY).map_err(Error::from);
            made.map_err(|error| error.hint("`gh auth status` tells whether you are signed in"))
        }
    }
}

/// Before anything is changed.
fn check(url: &str) -> Result<(), Error> {
    const ADDRESSES: &str =
        "an address is: https://…, ssh://…, git@host:path, a directory, or s3://BUCKET/PREFIX";
    let invalid = |message: String| Err(Error::new(ErrorKind::Invalid, message).hint(ADDRESSES));
    let checked = match is_object_address(url) {
        true => Address::parse(url).map(drop).map_err(|error| error.to_string()),
        false => check_address(url).map_err(|error| error.to_string()),
    };
    checked.or_else(invalid)
}

/// A slip in an address must not replace a remote that works.
pub(crate) fn check_answers(
    workspace: &Workspace,
    vault: &Vault,
    url: &str,
    reach: &Reach,
) -> Result<(), Error> {
    let known = &vault.manifest;
    let mut wanted = known.clone();
    reach.apply(&mut wanted, url);
    let is_known = known.remote.as_deref() == Some(url)
        && (&wanted.endpoint, &wanted.region) == (&known.endpoint, &known.region);
    // A directory of the original tool is taken over first.
    if is_known || vault.identity.is_none() {
        return Ok(());
    }
    remote_vault::answers(workspace, vault, &wanted, url).map_err(|error| {
        if error.kind != ErrorKind::Outside {
            return error;
        }
        let stays = match known.remote.as_deref().filter(|_| vault.has_remote()) {
            Some(former) => format!("the vault is sent to {} as before", display_url(former)),
            None => "the vault has no remote, as before".to_owned(),
        };
        let hints = error.hints.clone();
        let told = Error::new(ErrorKind::Outside, format!("{error}; {stays}"));
        let again = format!("`steno remote {} --force` sets it all the same", quoted(&display_url(url)));
        hints.into_iter().fold(told, Error::hint).hint(again)
    })
}

/// From now on the vault is sent there, encrypted where that is wished for or where the one there is. Another place has
/// to be looked at for secrets anew.
pub(crate) fn set(
    workspace: &Workspace,
    vault: &mut Vault,
    url: &str,
    encrypt: Option<&Wish>,
    reach: &Reach,
) -> Result<Enclosed, Error> {
    check(url)?;
    let known = vault.manifest.clone();
    let is_same = known.remote.as_deref() == Some(url);
    reach.apply(&mut vault.manifest, url);
    if vault.manifest.endpoint != known.endpoint {
        vault.manifest.compared = None;
        (vault.manifest.cleared, vault.manifest.vouched) = (None, None);
    }
    if is_same && encrypt.is_some() && !vault.store.is_encrypted() && known.sent.is_some() {
        let message = "what is kept was sent there already, and is readable there";
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint("name a new, empty place: everything goes along, encrypted; then delete the old one"));
    }
    // Naming another place settles a dispute. After `remote off` it is unknown which place it was about.
    vault.manifest.disputed &= known.remote.is_none() || is_same;
    let enclosed =
        fit(workspace, vault, url, encrypt).inspect_err(|_| remote_vault::forget(workspace, vault, url))?;
    let aimed = aim(workspace, vault, url);
    aimed.map(|()| enclosed.clone()).map_err(|error| enclosed.told(workspace, error))
}

/// The vault becomes encrypted where the one at the remote is, or where that was asked for.
fn fit(
    workspace: &Workspace,
    vault: &mut Vault,
    url: &str,
    encrypt: Option<&Wish>,
) -> Result<Enclosed, Error> {
    let theirs = remote_vault::vault(workspace, vault, url)?;
    sealing::meet(workspace, vault, theirs, url, encrypt.is_some())?;
    let enclosed = encrypt.map(|wish| sealing::enclose(workspace, vault, wish, Some(url))).transpose()?;
    sealing::remember_key(workspace, vault)?;
    Ok(enclosed.unwrap_or_default())
}

fn aim(workspace: &Workspace, vault: &mut Vault, url: &str) -> Result<(), Error> {
    let no_git = || {
        Error::new(ErrorKind::Outside, "git is not installed").hint("install git, or stay with a local vault")
    };
    let git = if is_object_address(url) { None } else { Some(workspace.git().ok_or_else(no_git)?) };
    let _writer = workspace.writer(vault, "remote")?;
    if let Some(git) = git {
        let repository = Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())?;
        if repository.remote()?.as_deref() != Some(url) {
            repository.set_remote(url)?;
            (vault.manifest.cleared, vault.manifest.vouched) = (None, None);
        }
    }
    remote_vault::point(&mut vault.manifest, url);
    vault.manifest.write(&workspace.vault)?;
    workspace.settle(vault);
    Ok(())
}

fn off(workspace: &Workspace, vault: Vault) -> Result<Report, Error> {
    let (mut vault, writer) = workspace.begin(vault, "remote off")?;
    steno_vault::object_sync::forget_remote(&workspace.vault)?;
    if let Some(git) = workspace.git().filter(|_| workspace.vault.join(".git").exists()) {
        Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())?.remove_remote()?;
    }
    "local".clone_into(&mut vault.manifest.mode);
    vault.manifest.remote = None;
    (vault.manifest.cleared, vault.manifest.vouched) = (None, None);
    vault.manifest.write(&workspace.vault)?;
    drop(writer);
    Ok(report(&vault, None))
}
