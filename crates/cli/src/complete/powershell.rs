//! Candidates → words that PowerShell may insert as they are: it does not quote them either.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::env::{EnvCompleter, Powershell as Engine};

use crate::command::completions::Shell;

#[derive(Debug)]
pub(crate) struct Powershell;

impl EnvCompleter for Powershell {
    fn name(&self) -> &'static str {
        Engine.name()
    }

    fn is(&self, name: &str) -> bool {
        Engine.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        Engine.write_registration(var, name, bin, completer, buf)
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let mut rows = Vec::new();
        Engine.write_complete(cmd, args, current_dir, &mut rows)?;
        for row in String::from_utf8_lossy(&rows).lines() {
            let (value, help) = row.split_once('\t').unwrap_or((row, ""));
            let separator = if help.is_empty() { "" } else { "\t" };
            writeln!(buf, "{}{separator}{help}", Shell::Powershell.quoted(value))?;
        }
        Ok(())
    }
}
