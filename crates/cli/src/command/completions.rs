//! `steno completions`: the script by which a shell asks the program what may come next.
//!
//! The script holds no names: it calls the program at every Tab, so that sessions and projects can be completed, and a
//! new version needs no new script.

mod quote;

use clap::ValueEnum;
use clap_complete::env::{Elvish, EnvCompleter, Fish, Zsh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_render::terminal::Page;

use crate::complete::{ASKED_BY, Bash, Powershell};
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
/// Stands in the engine's script where the program is called; no shell would quote it.
const PLACE: &str = "the-program";

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
    let program = program();
    let script = args.shell.script(&program)?;
    output.report(&Report { shell: args.shell, script, install: args.shell.install(&program) }, &[])
}

/// By its name, where its path cannot stand on one line, or is no text.
fn program() -> String {
    let is_odd = |letter: char| letter.is_control() || letter == char::REPLACEMENT_CHARACTER;
    Some(config::callable()).filter(|path| !path.contains(is_odd)).unwrap_or_else(config::invoked_as)
}

impl Shell {
    fn completer(self) -> Box<dyn EnvCompleter> {
        match self {
            Self::Bash => Box::new(Bash::default()),
            Self::Zsh => Box::new(Zsh),
            Self::Fish => Box::new(Fish),
            Self::Powershell => Box::new(Powershell),
            Self::Elvish => Box::new(Elvish),
        }
    }

    fn script(self, program: &str) -> std::io::Result<String> {
        let mut script = Vec::new();
        for name in NAMES {
            self.completer().write_registration(ASKED_BY, name, name, PLACE, &mut script)?;
        }
        let quoted = self.quoted_in_script(program);
        Ok(format!("{}\n", String::from_utf8_lossy(&script).trim().replace(PLACE, &quoted)))
    }

    /// A line for the shell, which writes another one to where the shell finds it.
    fn install(self, program: &str) -> String {
        let quoted = self.quoted(program);
        let line = match self {
            Self::Bash => format!("eval \"$({quoted} completions bash)\""),
            // Its `echo` reads escapes.
            Self::Zsh => format!("eval \"$({quoted} completions zsh)\"").replace('\\', r"\\"),
            Self::Fish => format!("{quoted} completions fish | source"),
            Self::Powershell => {
                let call = if quoted == program { "" } else { "& " };
                format!("{call}{quoted} completions powershell | Out-String | iex")
            }
            Self::Elvish => format!("eval ({quoted} completions elvish | slurp)"),
        };
        let line = self.in_quotes(&line);
        match self {
            Self::Bash => format!("echo {line} >> ~/.bashrc"),
            Self::Zsh => format!("echo {line} >> ~/.zshrc"),
            Self::Fish => format!("echo {line} >> ~/.config/fish/config.fish"),
            Self::Powershell => format!("Add-Content $PROFILE {line}"),
            Self::Elvish => format!("echo {line} >> ~/.config/elvish/rc.elv"),
        }
    }
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        self.script.clone()
    }
}
