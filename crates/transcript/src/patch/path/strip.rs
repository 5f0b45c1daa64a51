//! Which absolute paths tell about a machine, and what of them does not.

use std::ops::Range;

use memchr::memchr_iter;

use super::border;
use super::extent::Writing;
use super::is_separator;
use super::system::Start;

/// What stands for a path that was taken out.
pub(super) const MARK: &str = "<path>";

/// Directories that are at the root of somebody's machine. A name alone is no path but for these.
const ROOTS: [&str; 22] = [
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "boot",
    "etc",
    "home",
    "lib",
    "media",
    "mnt",
    "opt",
    "private",
    "root",
    "run",
    "sbin",
    "srv",
    "tmp",
    "usr",
    "var",
    "workspace",
];

/// Slashes that a Unix path may start with.
pub(super) fn roots(text: &str) -> Vec<Start> {
    let root = |at: usize| {
        let is_named = text.get(at + 1..)?.starts_with(|c| border::is_in_name(c) || c == '.');
        let is_one = is_named && border::may_start_absolute_after(text.get(..at)?);
        is_one.then(|| Start::unix(Range { start: at, end: at }))
    };
    memchr_iter(b'/', text.as_bytes()).filter_map(root).collect()
}

/// Whether what looks like a path is one: with a drive or a server, from a known root, or of several names. Not a
/// regular expression, nor what only starts like a path for the sign before it; nor a device, which everybody has.
pub(super) fn is_telling(text: &str, start: usize, path: &str) -> bool {
    let Some(names) = path.strip_prefix('/') else { return true };
    let mut names = names.split('/').filter(|name| !name.is_empty());
    let (first, second) = (names.next().unwrap_or_default(), names.next());
    if first == "dev" {
        return false;
    }
    let is_sign = text.get(..start).is_some_and(|before| before.ends_with(['@', '#', '*', '<', '&', '^']));
    let is_expression = names.next().is_none()
        && second.is_some_and(|flags| flags.chars().all(|flag| "dgimsuvy".contains(flag)));
    ROOTS.contains(&first) || (second.is_some() && !is_sign && !is_expression)
}

/// Where the part of a path below `home` starts, with its separator.
pub(super) fn below(path: &str, home: &str) -> Option<usize> {
    let home = home.trim_end_matches(is_separator);
    let mut rest = path;
    for (index, name) in home.split(is_separator).enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(is_separator)?.trim_start_matches(is_separator);
        }
        let (here, behind) = rest.split_at_checked(name.len())?;
        let is_same = if name.ends_with(':') { here.eq_ignore_ascii_case(name) } else { here == name };
        rest = is_same.then_some(behind)?;
    }
    let is_below = !home.is_empty() && (rest.is_empty() || rest.starts_with(is_separator));
    is_below.then(|| path.len() - rest.len())
}

impl Start {
    fn unix(range: Range<usize>) -> Self {
        Self { range, writing: Writing::Unix, letter: None }
    }
}
