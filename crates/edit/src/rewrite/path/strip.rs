//! Which absolute paths tell about a machine, and what of them does not.

use std::ops::Range;

use memchr::memchr_iter;

use super::extent::Writing;
use super::system::Start;
use super::{Context, border, is_separator, space};

/// What replaces a path that was taken out.
pub(super) const MARK: &str = "<path>";

/// Directories at the root of a machine, which mean nothing else. A name alone is no path but for these.
const ROOTS: [&str; 19] = [
    "Applications",
    "Users",
    "Volumes",
    "boot",
    "cygdrive",
    "etc",
    "home",
    "mnt",
    "nix",
    "opt",
    "private",
    "root",
    "sbin",
    "srv",
    "tmp",
    "usr",
    "var",
    "workspace",
    "workspaces",
];

/// Those that are routes of servers, too, or what programs call their own directories. `repos` is not among them:
/// transcripts have it as a route of a forge, and hardly ever otherwise.
const BRANCHES: [&str; 37] = [
    "Library", "Network", "System", "afs", "app", "bin", "build", "builds", "c", "code", "d", "data", "disk",
    "e", "export", "exports", "github", "gpfs", "lib", "lustre", "media", "net", "nfs", "proc", "project",
    "projects", "repo", "run", "scratch", "sdcard", "snap", "src", "storage", "sys", "vagrant", "vol",
    "work",
];

/// Before a route.
const METHODS: [&str; 7] = ["GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "HEAD ", "OPTIONS "];
/// Hidden, but on servers.
const WELL_KNOWN: &str = ".well-known";

/// Slashes that a Unix path may start with.
pub(super) fn roots(text: &str) -> Vec<Start> {
    let root = |at: usize| {
        let is_named = text.get(at + 1..)?.starts_with(|c| border::is_in_name(c) || c == '.');
        let is_one = is_named && border::may_start_absolute_after(text.get(..at)?);
        is_one.then(|| Start::unix(Range { start: at, end: at }))
    };
    memchr_iter(b'/', text.as_bytes()).filter_map(root).collect()
}

/// Whether what looks like a path is one: with a drive or a server; as all that is where a path does; below a root
/// that is known, or the one that the session works below; or with names that only files have. Otherwise it may be the
/// route of a server, or an expression. Nor is a device, which every machine has.
pub(super) fn is_telling(text: &str, start: usize, path: &str, context: Context<'_>) -> bool {
    let Some(inner) = path.strip_prefix('/') else { return true };
    if context.home.is_some_and(|home| below(path, home).is_some()) {
        return true;
    }
    let names: Vec<&str> = inner.split('/').filter(|name| !name.is_empty()).collect();
    let first = names.first().copied().unwrap_or_default();
    if first == "dev" {
        return false;
    }
    let is_alone = context.is_path && path.len() == text.len();
    let before = text.get(..start).unwrap_or_default();
    is_alone || is_root(first, &ROOTS) || (!is_sign(before) && is_below_root(before, &names, context.home))
}

/// The same for what can be told only from all of its names.
fn is_below_root(before: &str, names: &[&str], home: Option<&str>) -> bool {
    let [first, second, rest @ ..] = names else { return false };
    let own_root = home.and_then(|home| home.strip_prefix('/')?.split('/').next());
    let is_expression = rest.is_empty() && second.chars().all(|flag| "dgimsuvy".contains(flag));
    let is_route = second.starts_with('{') || METHODS.iter().any(|method| before.ends_with(method));
    let is_branch = is_root(first, &BRANCHES) && !is_expression && !is_route;
    is_branch || own_root == Some(*first) || has_files(names)
}

/// Disks are numbered, `/home2`, `/vol1`; drives are not.
fn is_root(name: &str, roots: &[&str]) -> bool {
    let stem = name.trim_end_matches(|last: char| last.is_ascii_digit());
    roots.contains(&name) || (stem.len() > 1 && roots.contains(&stem))
}

/// What makes something else of a path that it precedes: an alias, a glob, a tag.
fn is_sign(before: &str) -> bool {
    before.ends_with(['@', '#', '*', '<', '&', '^'])
}

/// Whether some name is hidden, or the last one has an extension. Servers have that, too, but rarely so deep.
fn has_files(names: &[&str]) -> bool {
    let is_hidden = |name: &&str| {
        let name = name.strip_prefix('.').filter(|_| !name.starts_with(WELL_KNOWN));
        name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
    };
    let is_file = || names.last().is_some_and(|name| space::has_extension(name));
    names.iter().any(is_hidden) || (names.len() > 2 && is_file())
}

/// Where the part of a path below `home` starts, with its separator.
pub(super) fn below(path: &str, home: &str) -> Option<usize> {
    let rest = behind(path, home)?;
    (rest.is_empty() || rest.starts_with(is_separator)).then(|| path.len() - rest.len())
}

/// Where `home`, if it has spaces, ends in a text that starts with it: no sign in the text says so.
pub(super) fn spaced(text: &str, home: &str) -> Option<usize> {
    let rest = home.contains(' ').then(|| behind(text, home))??;
    border::ends_before(rest).then(|| text.len() - rest.len())
}

/// What follows `home` in a text that starts with it.
fn behind<'a>(text: &'a str, home: &str) -> Option<&'a str> {
    let home = home.trim_end_matches(is_separator);
    let mut rest = (!home.is_empty()).then_some(text)?;
    for (index, name) in home.split(is_separator).enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(is_separator)?.trim_start_matches(is_separator);
        }
        let (here, behind) = rest.split_at_checked(name.len())?;
        let is_same = if name.ends_with(':') { here.eq_ignore_ascii_case(name) } else { here == name };
        rest = is_same.then_some(behind)?;
    }
    Some(rest)
}

impl Start {
    fn unix(range: Range<usize>) -> Self {
        Self { range, writing: Writing::Unix, letter: None }
    }
}
