//! Words → one line for a shell, about the same vault and the same Claude directories as the command before it.

use std::path::Path;

use steno_ops::{ClaudeDirs, Workspace, quoted};

use super::Step;

/// A command line in the making.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    verb: &'static str,
    /// What the verb is about.
    operands: Vec<String>,
    flags: Vec<String>,
    /// Which data is meant, unless it is the default.
    about: Vec<String>,
    /// A path that is not UTF-8 has no place in a report.
    is_text: bool,
}

impl Line {
    pub(crate) fn new(verb: &'static str) -> Self {
        Self { verb, operands: Vec::new(), flags: Vec::new(), about: Vec::new(), is_text: true }
    }

    /// With the same Claude directories.
    pub(crate) fn in_dirs(dirs: &ClaudeDirs, verb: &'static str) -> Self {
        let directories = dirs.paths.iter().filter(|_| !dirs.is_default);
        let mut line =
            directories.fold(Self::new(verb), |line, directory| line.path("--claude-dir", directory));
        line.about = std::mem::take(&mut line.flags);
        line
    }

    /// With the same vault, too.
    pub(crate) fn in_vault(workspace: &Workspace, verb: &'static str) -> Self {
        let mut line = Self::in_dirs(&workspace.dirs, verb);
        if !workspace.is_default_vault {
            let named = Self::new(verb).path("--vault", &workspace.vault);
            line.is_text &= named.is_text;
            line.about.splice(..0, named.flags);
        }
        line
    }

    pub(crate) fn operand(mut self, word: &str) -> Self {
        self.operands.push(word.to_owned());
        self
    }

    /// A path that starts with a dash gets `./` before it: a `--` in the line would hinder adding a flag to it.
    pub(crate) fn file(mut self, path: &Path) -> Self {
        self.is_text &= path.to_str().is_some();
        let text = path.to_string_lossy();
        if text.starts_with('-') { self.operand(&format!("./{text}")) } else { self.operand(&text) }
    }

    pub(crate) fn flag(mut self, name: &str, is_given: bool) -> Self {
        self.flags.extend(is_given.then(|| name.to_owned()));
        self
    }

    /// A value that looks like a flag has to stand in one word with its name.
    pub(crate) fn value(mut self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) if value.starts_with('-') || value.is_empty() => {
                self.flags.push(quoted(&format!("{name}={value}")));
            }
            Some(value) => self.flags.push(format!("{name} {}", quoted(value))),
            None => {}
        }
        self
    }

    pub(crate) fn number(self, name: &str, value: Option<impl std::fmt::Display>) -> Self {
        self.value(name, value.map(|value| value.to_string()).as_deref())
    }

    pub(crate) fn path(mut self, name: &str, path: &Path) -> Self {
        self.is_text &= path.to_str().is_some();
        self.value(name, Some(&path.to_string_lossy()))
    }

    /// Nothing where the line cannot be written down.
    pub(crate) fn step(&self, why: impl Into<String>) -> Option<Step> {
        self.is_text.then(|| Step { command: self.text(), why: why.into(), ask: false })
    }

    /// The same, for what is the user's to decide.
    pub(crate) fn ask(&self, why: impl Into<String>) -> Option<Step> {
        self.step(why).map(|step| Step { ask: true, ..step })
    }

    fn text(&self) -> String {
        let operands: Vec<String> = self.operands.iter().map(|word| quoted(word)).collect();
        let flags = || self.flags.iter().chain(&self.about).map(String::as_str);
        let start = ["steno", self.verb].into_iter();
        let words: Vec<&str> = if self.operands.iter().any(|word| word.starts_with('-')) {
            start.chain(flags()).chain(["--"]).chain(operands.iter().map(String::as_str)).collect()
        } else {
            start.chain(operands.iter().map(String::as_str)).chain(flags()).collect()
        };
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use jiff::Timestamp;

    use super::*;

    fn text(line: &Line) -> String {
        line.step("").map(|step| step.command).unwrap_or_default()
    }

    #[test]
    fn what_looks_like_a_flag_is_none() {
        let line =
            Line::new("peek").operand("-odd").value("--project", Some("-home-dev")).number("--last", Some(3));
        assert_eq!(text(&line), "steno peek --project=-home-dev --last 3 -- -odd");
    }

    #[test]
    fn the_same_data_is_named_unless_it_is_the_default() {
        let now = Timestamp::UNIX_EPOCH;
        let mut dirs = ClaudeDirs { paths: vec![PathBuf::from("/a b")], is_default: true, now };
        assert_eq!(text(&Line::in_dirs(&dirs, "list").flag("--ongoing", true)), "steno list --ongoing");
        dirs.is_default = false;
        dirs.paths.push("/c".into());
        let line = Line::in_dirs(&dirs, "show").operand("0b5f").flag("--thinking", true);
        assert_eq!(text(&line), "steno show 0b5f --thinking --claude-dir '/a b' --claude-dir /c");
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_text_gives_no_line() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff"));
        assert_eq!(Line::new("import-config").file(path).step(""), None);
    }
}
