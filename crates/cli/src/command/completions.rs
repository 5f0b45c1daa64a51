//! `steno completions`: the script by which a shell asks the program what may come next.
//!
//! The script holds no names: it calls the program at every Tab, so that sessions and projects can be completed, and a
//! new version needs no new script.

use clap::ValueEnum;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_render::terminal::Page;

use crate::complete::ASKED_BY;
use crate::config;
use crate::failure::Failure;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  eval \"$(steno completions bash)\"                   in ~/.bashrc
  eval \"$(steno completions zsh)\"                    in ~/.zshrc, after compinit
  steno completions fish | source                    in ~/.config/fish/config.fish
  steno completions powershell | Out-String | iex    in $PROFILE

Completes commands, flags, session ids and projects, for both names of the program.";

/// The program's names; one script serves both.
const NAMES: [&str; 2] = ["steno", "claude-backup"];

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// `bash`, `zsh`, `fish`, `powershell` or `elvish`
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(alias = "pwsh")]
    Powershell,
    Elvish,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Report {
    shell: Shell,
    script: String,
    /// The line that makes it last, and the file it belongs to.
    install: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let program = config::callable();
    let script = args.shell.script(&program)?;
    output.report(&Report { shell: args.shell, script, install: args.shell.install(&config::invoked_as()) })
}

impl Shell {
    fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Self::Bash => &Bash,
            Self::Zsh => &Zsh,
            Self::Fish => &Fish,
            Self::Powershell => &Powershell,
            Self::Elvish => &Elvish,
        }
    }

    fn script(self, program: &str) -> std::io::Result<String> {
        let mut script = Vec::new();
        for name in NAMES {
            self.completer().write_registration(ASKED_BY, name, name, program, &mut script)?;
        }
        let script = String::from_utf8_lossy(&script);
        // The engine puts its quotes inside of others there.
        let quoted = format!("'{program}'");
        let script = script.replace(&format!("\"{quoted}\""), &quoted);
        Ok(format!("{}\n", script.trim()))
    }

    fn install(self, program: &str) -> String {
        match self {
            Self::Bash => format!("echo 'eval \"$({program} completions bash)\"' >> ~/.bashrc"),
            Self::Zsh => format!("echo 'eval \"$({program} completions zsh)\"' >> ~/.zshrc"),
            Self::Fish => format!("echo '{program} completions fish | source' >> ~/.config/fish/config.fish"),
            Self::Powershell => {
                format!("Add-Content $PROFILE '{program} completions powershell | Out-String | iex'")
            }
            Self::Elvish => {
                format!("echo 'eval ({program} completions elvish | slurp)' >> ~/.config/elvish/rc.elv")
            }
        }
    }
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        self.script.clone()
    }

    /// A shell that starts runs this: it says nothing.
    fn talk(&self) -> Option<String> {
        None
    }
}
