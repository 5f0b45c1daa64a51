//! Before a push in the clear: new bytes are searched for secrets, and a find holds the push.
//!
//! Apart from sending because it is the same for git and for object stores, and every other sender asks it, too.

use std::path::Path;

use steno_conversation::Warning;
use steno_vault::Writer;

use super::searched::Searched;
use super::secrets::News;
use crate::error::Error;
use crate::push::{Push, Secrets, State};
use crate::warning;
use crate::workspace::{Vault, Workspace};

const REASON: &str = "what is kept holds what looks like secrets; `steno sync --push` sends it all the same";

pub(super) enum Verdict {
    Free,
    /// It goes, since the user said so of this remote.
    Told(Secrets),
    Held(Push),
}

/// `is_said` is whether the user says now that everything goes, to this remote.
pub(super) fn ask(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    is_said: bool,
) -> Result<Verdict, Error> {
    if vault.store.is_encrypted() {
        return Ok(Verdict::Free);
    }
    let now = workspace.dirs.now;
    let searched = Searched::open(workspace, vault);
    let catalog = writer.catalog()?.clone();
    let news = News::of(writer.store(), &catalog, vault, &searched)?;
    let known = || news.known.iter().copied();
    if is_said || news.is_empty() {
        searched.write(known().chain(news.keys()))?;
        vault.manifest.cleared.get_or_insert(now);
        vault.manifest.vouched = vault.manifest.vouched.or(is_said.then_some(now));
        return Ok(Verdict::Free);
    }
    let found = news.search(workspace.progress.as_ref());
    if found.secrets.found > 0 && vault.manifest.vouched.is_none() {
        searched.write(known().chain(found.clean))?;
        vault.manifest.cleared = None;
        return Ok(Verdict::Held(Push {
            secrets: Some(found.secrets),
            ..Push::because(State::Held, REASON)
        }));
    }
    searched.write(known().chain(news.keys()))?;
    vault.manifest.cleared.get_or_insert(now);
    Ok(if found.secrets.found > 0 { Verdict::Told(found.secrets) } else { Verdict::Free })
}

/// Whether what is kept may be sent along with something else: it was cleared, and so is what came since.
pub(crate) fn is_open(workspace: &Workspace, vault: &Vault, writer: &mut Writer) -> Result<bool, Error> {
    if vault.store.is_encrypted() || !vault.has_remote() {
        return Ok(true);
    }
    if vault.manifest.cleared.is_none() {
        return Ok(false);
    }
    // The next sync says what was found.
    let verdict = ask(workspace, &mut vault.clone(), writer, false)?;
    Ok(!matches!(verdict, Verdict::Held(_)))
}

/// What went along, for who said once that it may.
pub(super) fn warnings(secrets: &Secrets) -> impl Iterator<Item = Warning> {
    secrets.places.iter().map(|place| {
        let message =
            format!("sent, though it looks like a secret ({}): `--push` cleared this remote", place.kind);
        Warning { line: Some(place.line), ..warning::at(Path::new(&place.path), "secret", message) }
    })
}
