//! `init`: a vault, its first backup, and a job that goes on with it. Never asks.

mod site;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::git::{SignIn, display_url};

use crate::custody::{Custody, Opened};
use crate::error::{Error, ErrorKind};
use crate::next::{self, Step};
use crate::remote::{self, Reach, Target};
use crate::schedule::{self, Every, State};
use crate::sealing::{self, Enclosed, Wish};
use crate::{journal, sync};
use site::Site;

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
    /// What to do next, where that is obvious.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
}

/// Whether there is a vault already, and not only a directory of the original tool.
pub fn is_done(custody: &Custody) -> Result<bool, Error> {
    Ok(custody.look()?.is_some_and(|opened| opened.identity.is_some()))
}

pub fn run(custody: &Custody, request: &Request) -> Result<Report, Error> {
    let known = custody.look()?;
    let (site, opened) = match known {
        Some(opened) => (None, opened),
        None => Site::create(custody)?,
    };
    let report = journal::record(custody, "init", || set_up(custody, opened, request, site.as_ref()))?;
    Ok(Report { next: next::init(custody, &report), ..report })
}

fn set_up(
    custody: &Custody,
    opened: Opened,
    request: &Request,
    site: Option<&Site>,
) -> Result<Report, Error> {
    let created = site.is_some();
    let (mut opened, writer) = custody.begin(opened, "init")?;
    opened.manifest.write(&custody.vault)?;
    custody.settle(&mut opened);
    drop(writer);
    let mut warnings = Vec::new();
    let target = target(custody, request, created, &mut warnings);
    let former = opened.manifest.remote.clone();
    let enclosed = furnish(custody, &mut opened, request, target.as_ref()).inspect_err(|_| {
        if let Some(site) = site {
            site.clear(custody, &opened);
        }
    })?;
    let new_key = custody.keys.identity.as_ref().filter(|_| enclosed.made_key);
    let synced = if request.no_sync {
        None
    } else {
        let is_new_machine = created && request.remote.is_some();
        let wish = sync::Request { push: request.push, is_new_machine, ..sync::Request::default() };
        Some(sync::sync(custody, opened.clone(), &wish).map_err(|error| enclosed.told(custody, error))?)
    };
    // After the first backup: a schedule may start one at once.
    let scheduler = scheduled(custody, request, &mut warnings);
    let opened = custody.open()?;
    warnings.extend(remote::readable(&opened, former.as_deref()));
    Ok(Report {
        ok: synced.as_ref().is_none_or(|synced| synced.ok),
        mode: opened.manifest.mode.clone(),
        repo: opened.manifest.remote.as_deref().map(display_url).filter(|_| opened.has_remote()),
        vault: custody.vault.display().to_string(),
        machine: opened.slug().to_owned(),
        encrypted: opened.chest.is_encrypted(),
        new_key: new_key.map(|path| path.display().to_string()),
        scheduler,
        sync: synced,
        created,
        warnings,
        next: Vec::new(),
    })
}

/// What is to be true before anything is kept.
fn furnish(
    custody: &Custody,
    opened: &mut Opened,
    request: &Request,
    target: Option<&Target>,
) -> Result<Enclosed, Error> {
    let Some(target) = target else { return enclose(custody, opened, request) };
    let url = remote::address(custody, target)?;
    remote::set(custody, opened, &url, request.encrypt.as_ref(), &request.reach)
}

/// On this disk, or where it is sent to already.
fn enclose(custody: &Custody, opened: &mut Opened, request: &Request) -> Result<Enclosed, Error> {
    let Some(wish) = &request.encrypt else { return Ok(Enclosed::default()) };
    if !opened.chest.is_encrypted() && opened.has_remote() && opened.manifest.sent.is_some() {
        let message = "what is kept was sent already, and is readable there";
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint("`steno remote URL --encrypt` sends it to a new place, encrypted"));
    }
    sealing::enclose(custody, opened, wish, None)
}

/// Where to send, if anywhere. A vault that is there goes on as it was unless something else is asked for.
fn target(
    custody: &Custody,
    request: &Request,
    created: bool,
    warnings: &mut Vec<Warning>,
) -> Option<Target> {
    if request.remote.is_some() || request.local || !created {
        return request.remote.clone();
    }
    let github = custody.github().filter(|_| custody.git.path().is_some())?;
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

fn scheduled(custody: &Custody, request: &Request, warnings: &mut Vec<Warning>) -> State {
    let standing = schedule::state(&custody.schedule);
    if request.no_schedule || standing.state != State::Off {
        warnings.extend(standing.warnings);
        return standing.state;
    }
    let wish = schedule::Request {
        every: Some(Every::Day),
        vault: (!custody.is_default_vault).then(|| custody.vault.clone()),
        claude_dirs: if custody.library.is_default {
            Vec::new()
        } else {
            custody.library.claude_dirs.clone()
        },
        replace_original: false,
    };
    let done =
        schedule::plan(&custody.schedule, &wish).and_then(|plan| schedule::apply(&custody.schedule, &plan));
    match done {
        Ok(report) => {
            remember(custody);
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

fn remember(custody: &Custody) {
    let _ = custody.restate(|manifest| manifest.schedule = Some("daily".to_owned()));
}
