//! The client, our program and a home that they share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use super::{Client, MockApi};
use crate::{App, encode_project};

#[derive(Debug)]
pub struct Stage {
    client: Client,
    pub api: MockApi,
    pub app: App,
}

impl Stage {
    /// None, with a note, where there is no client to test with. `program` is `env!("CARGO_BIN_EXE_steno")`.
    #[allow(clippy::print_stdout, reason = "a test that is left out should say so")]
    pub fn set(program: &str) -> Option<Self> {
        let Some(client) = Client::from_environment() else {
            println!("left out: STENO_CLIENT names no client (`cargo xtask client` installs one)");
            return None;
        };
        // The client goes by the real clock, and so must we.
        let app = App::new(program).now("");
        Some(Self { client, api: MockApi::start(), app })
    }

    /// One more variable of the client's environment.
    pub fn variable(self, name: &str, value: impl Into<std::ffi::OsString>) -> Self {
        Self { client: self.client.variable(name, value), ..self }
    }

    /// A directory to work in; the client resolves links, so these are resolved before.
    pub fn project(&self, name: &str) -> PathBuf {
        let project = self.app.home().root().canonicalize().unwrap().join(name);
        fs::create_dir_all(&project).unwrap();
        project
    }

    pub fn transcript(&self, project: &Path, id: &str) -> PathBuf {
        let directory = encode_project(project.to_str().unwrap());
        self.app.home().path().join("projects").join(directory).join(format!("{id}.jsonl"))
    }

    /// Runs the client, however that ends.
    pub fn claude(&self, project: &Path, arguments: &[&str]) -> Output {
        self.client.run(self.app.home().root(), project, &self.api, arguments)
    }

    /// Has the client answer one prompt; it must succeed.
    pub fn prompt(&self, project: &Path, arguments: &[&str]) -> Output {
        let output =
            self.claude(project, &[&["--print", "--dangerously-skip-permissions"], arguments].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        output
    }

    /// What our program reports; it must succeed.
    pub fn steno(&self, arguments: &[&str]) -> Value {
        let output = self.app.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}
