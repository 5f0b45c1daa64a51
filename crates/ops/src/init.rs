//! `init`: a vault, its first backup, and a job that goes on with it. Never asks.

mod site;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::git::{SignIn, display_url};

use crate::error::{Error, ErrorKind};
use crate::journal::{self, Ending};
use crate::push::Push;
use crate::remote::{self, Reach, Target};
use crate::schedule::{self, Every, State};
use crate::sealing::{self, Enclosed, Wish};
use crate::sync;
use crate::workspace::{Documents, Vault, Workspace};
use site::Site;

/// How often a step that another process came in between is done again.
const ATTEMPTS: u32 = 20;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Keep everything on this disk.
    pub local: bool,
    /// Where to send what is kept.
    pub remote: Option<Target>,
    pub reach: Reach,
    /// Encrypt what is kept.
    pub encrypt: Option<Wish>,
    pub no_sync: bool,
    pub no_schedule: bool,
    /// Send, although something that looks secret was found.
    pub push: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub mode: String,
    pub repo: Option<String>,
    pub vault: String,
    pub machine: String,
    pub scheduler: State,
    /// Whether what is kept is encrypted.
    pub encrypted: bool,
    /// Where the key is that was made for it: whoever loses it loses the vault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_key: Option<String>,
    /// Null with `--no-sync`.
    pub sync: Option<sync::Report>,
    /// Whether the vault is new.
    pub created: bool,
    pub warnings: Vec<Warning>,
}

impl Ending for Report {
    fn push(&self) -> Option<&Push> {
        self.sync.as_ref().and_then(|sync| sync.push.as_ref())
    }

    fn warnings(&self) -> &[Warning] {
        self.sync.as_ref().map(|sync| sync.warnings.as_slice()).unwrap_or_default()
    }
}

/// Whether there is a vault already, and not only a directory of the original tool.
pub fn is_done(workspace: &Workspace) -> Result<bool, Error> {
    Ok(workspace.look()?.is_some_and(|vault| vault.identity.is_some()))
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let known = workspace.look()?;
    // A vault without a remote may be set up without a connection.
    if let (Some(vault), Some(Target::Address(url))) = (&known, &request.remote)
        && vault.has_remote()
    {
        remote::check_answers(workspace, vault, url, &request.reach)?;
    }
    let (site, vault) = match known {
        Some(vault) => (None, vault),
        None => Site::create(workspace)?,
    };
    let report = journal::record(workspace, "init", || set_up(workspace, vault, request, site.as_ref()))?;
    Ok(report)
}

fn set_up(
    workspace: &Workspace,
    vault: Vault,
    request: &Request,
    site: Option<&Site>,
) -> Result<Report, Error> {
    let created = site.is_some();
    let (mut vault, writer) = workspace.begin(vault, "init")?;
    vault.manifest.write(&workspace.vault)?;
    workspace.settle(&mut vault);
    drop(writer);
    let mut warnings = Vec::new();
    let target = target(workspace, request, created, &mut warnings);
    let former = vault.manifest.remote.clone();
    let enclosed = furnish_in_turn(workspace, &mut vault, request, target.as_ref()).inspect_err(|_| {
        if let Some(site) = site {
            site.clear(workspace, &vault);
        }
    })?;
    let new_key = workspace.keys.identity.as_ref().filter(|_| enclosed.made_key);
    let synced = if request.no_sync {
        None
    } else {
        let is_new_machine = created && request.remote.is_some();
        let wish = sync::Request { push: request.push, is_new_machine, ..sync::Request::default() };
        Some(sync::sync(workspace, vault.clone(), &wish).map_err(|error| enclosed.told(workspace, error))?)
    };
    // After the first backup: a schedule may start one at once.
    let scheduler = scheduled(workspace, request, &mut warnings);
    let vault = workspace.open()?;
    warnings.extend(remote::readable(&vault, former.as_deref()));
    Ok(Report {
        ok: synced.as_ref().is_none_or(|synced| synced.ok),
        mode: vault.manifest.mode.clone(),
        repo: vault.manifest.remote.as_deref().map(display_url).filter(|_| vault.has_remote()),
        vault: workspace.vault.display().to_string(),
        machine: vault.slug().to_owned(),
        encrypted: vault.store.is_encrypted(),
        new_key: new_key.map(|path| path.display().to_string()),
        scheduler,
        sync: synced,
        created,
        warnings,
    })
}

/// Furnishes the vault, and again where another `init` at the same time changed its documents between two steps.
fn furnish_in_turn(
    workspace: &Workspace,
    vault: &mut Vault,
    request: &Request,
    target: Option<&Target>,
) -> Result<Enclosed, Error> {
    let had_key = workspace.keys.ring().is_there();
    let mut furnished = furnish(workspace, vault, request, target);
    for _ in 0..ATTEMPTS {
        let is_changed = || Documents::read(&workspace.vault) != vault.documents;
        match &furnished {
            Err(error) if error.kind == ErrorKind::Busy && is_changed() => {}
            _ => break,
        }
        *vault = workspace.open()?;
        // The key may be of the attempt before.
        let made_key = || !had_key && workspace.keys.ring().is_there();
        furnished = furnish(workspace, vault, request, target)
            .map(|enclosed| Enclosed { made_key: enclosed.made_key || made_key() });
    }
    furnished
}

/// What is to be true before anything is kept.
fn furnish(
    workspace: &Workspace,
    vault: &mut Vault,
    request: &Request,
    target: Option<&Target>,
) -> Result<Enclosed, Error> {
    let Some(target) = target else { return enclose(workspace, vault, request) };
    let url = remote::address(workspace, target)?;
    remote::set(workspace, vault, &url, request.encrypt.as_ref(), &request.reach)
}

/// On this disk, or where it is sent to already.
fn enclose(workspace: &Workspace, vault: &mut Vault, request: &Request) -> Result<Enclosed, Error> {
    let Some(wish) = &request.encrypt else { return Ok(Enclosed::default()) };
    if !vault.store.is_encrypted() && vault.has_remote() && vault.manifest.sent.is_some() {
        let message = "what is kept was sent already, and is readable there";
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint("`steno remote URL --encrypt` sends it to a new place, encrypted"));
    }
    sealing::enclose(workspace, vault, wish, None)
}

/// Where to send, if anywhere. A vault that is there goes on as it was unless something else is asked for.
fn target(
    workspace: &Workspace,
    request: &Request,
    created: bool,
    warnings: &mut Vec<Warning>,
) -> Option<Target> {
    if request.remote.is_some() || request.local || !created {
        return request.remote.clone();
    }
    let github = workspace.github().filter(|_| workspace.git.path().is_some())?;
    match github.sign_in() {
        Ok(SignIn::SignedIn) => {}
        _ => return None,
    }
    match github.ensure_repository(remote::REPOSITORY) {
        Ok(_) => Some(Target::GitHub),
        Err(error) => {
            let message = format!("GitHub is not used: {error}");
            warnings.push(crate::warning::at(std::path::Path::new("gh"), "github", message));
            None
        }
    }
}

fn scheduled(workspace: &Workspace, request: &Request, warnings: &mut Vec<Warning>) -> State {
    let standing = schedule::state(&workspace.schedule);
    if request.no_schedule || standing.state != State::Off {
        warnings.extend(standing.warnings);
        return standing.state;
    }
    let choice = schedule::Choice { every: Some(Every::Day), ..schedule::Choice::default() };
    match schedule::choose(workspace, choice) {
        Ok(report) => {
            warnings.extend(report.warnings);
            report.scheduler
        }
        Err(error) => {
            let message = format!("backups are not scheduled: {error}");
            warnings.push(crate::warning::at(std::path::Path::new("schedule"), "schedule", message));
            standing.state
        }
    }
}
