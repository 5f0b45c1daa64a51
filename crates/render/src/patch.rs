//! What a session changed → a patch, as git prints it.

mod unified;

use std::fmt::Write;

use steno_conversation::changes::{FileChange, Part};
use unified::Hunks;

/// The patch of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    /// Relative to the root where it is below it.
    pub path: String,
    pub kind: FileKind,
    pub additions: usize,
    pub deletions: usize,
    /// With its header.
    pub text: String,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Added,
    Modified,
    Deleted,
}

/// The patch of a file that the session changed; reversed, it takes the change back.
pub fn patch(change: &FileChange, root: Option<&str>, is_reversed: bool) -> FilePatch {
    let path = below(&change.path, root);
    let mut parts: Vec<Part> = change.parts.clone();
    if is_reversed {
        parts.reverse();
        parts = parts.into_iter().map(unified::reversed).collect();
    }
    let kind = match (parts.first(), parts.last()) {
        (Some(Part::Whole { before: None, .. }), _) => FileKind::Added,
        (_, Some(Part::Whole { after: None, .. })) => FileKind::Deleted,
        _ => FileKind::Modified,
    };
    let mut patch = FilePatch { path, kind, additions: 0, deletions: 0, text: String::new() };
    for part in &parts {
        patch.push(part);
    }
    patch
}

impl FilePatch {
    fn push(&mut self, part: &Part) {
        let Hunks { text, additions, deletions } = unified::hunks(part);
        self.additions += additions;
        self.deletions += deletions;
        let (old, new) = (quoted("a/", &self.path), quoted("b/", &self.path));
        // A String takes whatever is written to it.
        let _ = writeln!(self.text, "diff --git {old} {new}");
        let (is_new, is_gone) = match part {
            Part::Whole { before, after } => (before.is_none(), after.is_none()),
            Part::Hunks(_) | Part::Fragment { .. } => (false, false),
        };
        if is_new {
            self.text.push_str("new file mode 100644\n");
        }
        if is_gone {
            self.text.push_str("deleted file mode 100644\n");
        }
        if text.is_empty() {
            return;
        }
        let old = if is_new { "/dev/null" } else { &old };
        let new = if is_gone { "/dev/null" } else { &new };
        let _ = write!(self.text, "--- {old}\n+++ {new}\n{text}");
    }
}

/// A path below the root without the root, with slashes as git has them.
fn below(path: &str, root: Option<&str>) -> String {
    let slashed = path.replace('\\', "/");
    let root = root.map(|root| root.replace('\\', "/"));
    let rest = root.as_deref().filter(|root| !root.is_empty()).and_then(|root| slashed.strip_prefix(root));
    match rest.and_then(|rest| rest.strip_prefix('/')).filter(|rest| !rest.is_empty()) {
        Some(rest) => rest.to_owned(),
        // A Windows path keeps its backslashes only where it is not below the root.
        None => path.to_owned(),
    }
}

/// As git quotes a path with quotes, backslashes or control characters.
fn quoted(side: &str, path: &str) -> String {
    let path = path.strip_prefix('/').unwrap_or(path);
    let is_plain = |letter: char| !letter.is_control() && letter != '"' && letter != '\\';
    if path.chars().all(is_plain) {
        return format!("{side}{path}");
    }
    let mut quoted = format!("\"{side}");
    for letter in path.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            letter if letter.is_control() => {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
