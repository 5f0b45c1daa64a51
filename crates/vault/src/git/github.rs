//! `gh` → whether the user is signed in at GitHub, and the private repository that a vault is sent to.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use super::call::Call;
use super::error::Error;
use super::reply;

const VARIABLES: &[(&str, &str)] =
    &[("LC_ALL", "C"), ("GH_PROMPT_DISABLED", "1"), ("GH_NO_UPDATE_NOTIFIER", "1"), ("NO_COLOR", "1")];

/// The gh executable and its surroundings.
#[derive(Debug, Clone)]
pub struct GitHub {
    pub program: PathBuf,
    /// Added to what the process inherits.
    pub environment: Vec<(OsString, OsString)>,
    /// After so long without output it counts as offline.
    pub timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignIn {
    NotInstalled,
    SignedOut,
    SignedIn,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    url: String,
    is_private: bool,
}

impl GitHub {
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), environment: Vec::new(), timeout: Duration::from_secs(60) }
    }

    pub fn sign_in(&self) -> Result<SignIn, Error> {
        match self.call(["auth", "status", "--hostname", "github.com"]).finish() {
            Ok(finished) if finished.code == Some(0) => Ok(SignIn::SignedIn),
            Ok(_) => Ok(SignIn::SignedOut),
            Err(Error::NotInstalled { .. }) => Ok(SignIn::NotInstalled),
            Err(error) => Err(error),
        }
    }

    /// The address of the user's repository of that name, made if there is none; never a public one.
    pub fn ensure_repository(&self, name: &str) -> Result<String, Error> {
        match self.sign_in()? {
            SignIn::NotInstalled => return Err(Error::NotInstalled { program: self.program.clone() }),
            SignIn::SignedOut => return Err(Error::NotSignedIn),
            SignIn::SignedIn => {}
        }
        let view = match self.view(name)? {
            Some(view) => view,
            None => self.create(name)?,
        };
        if view.is_private { Ok(view.url) } else { Err(Error::PublicRepository { url: view.url }) }
    }

    fn create(&self, name: &str) -> Result<View, Error> {
        let finished = self.call(["repo", "create", name, "--private"]).finish()?;
        if finished.code != Some(0) {
            return Err(reply::of_remote("gh repo create", &finished));
        }
        let reason = || format!("{name} was created and cannot be found");
        self.view(name)?.ok_or_else(|| Error::Refused { reason: reason() })
    }

    /// `None` when GitHub says that there is no such repository; anything else that goes wrong is an error.
    fn view(&self, name: &str) -> Result<Option<View>, Error> {
        let finished = self.call(["repo", "view", name, "--json", "url,isPrivate"]).finish()?;
        let said = String::from_utf8_lossy(&finished.stderr);
        if finished.code == Some(0) {
            return serde_json::from_slice(&finished.stdout).map(Some).map_err(|_| Error::Unexpected {
                what: "gh repo view".to_owned(),
                answer: String::from_utf8_lossy(&finished.stdout).into_owned(),
            });
        }
        if said.contains("Could not resolve to a Repository") || said.contains("HTTP 404") {
            return Ok(None);
        }
        Err(reply::of_remote("gh repo view", &finished))
    }

    fn call<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Call {
        let mut command = Command::new(&self.program);
        for name in ["GH_REPO", "GH_HOST", "GH_FORCE_TTY", "GH_DEBUG"] {
            command.env_remove(name);
        }
        command.envs(VARIABLES.iter().copied());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        Call::new(command, "gh").verb(arguments).timeout(self.timeout)
    }
}
