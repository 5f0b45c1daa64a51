//! Words as they were typed → words without quotes, for the shells that hand them over so and quote what they insert.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::env::EnvCompleter;

use super::bash::without_quotes;

/// The engine's own, which takes words as they are.
pub(super) struct Typed<'a>(pub(super) &'a dyn EnvCompleter);

impl EnvCompleter for Typed<'_> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is(&self, name: &str) -> bool {
        self.0.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        self.0.write_registration(var, name, bin, completer, buf)
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let bare = args.iter().map(|word| without_quotes(&word.to_string_lossy()).0.into());
        self.0.write_complete(cmd, bare.collect(), current_dir, buf)
    }
}
