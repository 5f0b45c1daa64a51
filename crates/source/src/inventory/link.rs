//! Links that the walk met → the files they lead to, as if those lay here.
//!
//! People link their settings into dotfiles and their projects to another disk. After the walk, one by one in the
//! order of their paths, so that of two links to one thing it is always the same that counts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::KeptFile;
use super::never::{is_clutter, is_secret, is_temporary};
use super::place::{Place, is_config, is_of_sessions, place_of};
use super::walk::{Found, not_a_directory, walk_tree};
use crate::directory::not_a_file;
use crate::warning::{Warning, WarningKind};

/// Links in linked directories; more of them are a knot.
const DEPTH: usize = 4;

struct Link {
    /// Relative to the Claude directory.
    path: PathBuf,
    absolute: PathBuf,
    /// The real directories of the links that were followed to get here.
    way: Vec<PathBuf>,
}

struct Follower<'a> {
    claude_dir: &'a Path,
    real_claude_dir: &'a Path,
    /// Real places below which all sessions have been found.
    seen: Vec<PathBuf>,
    open: Vec<Link>,
    found: &'a mut Found,
}

pub(super) fn follow(claude_dir: &Path, real_claude_dir: &Path, found: &mut Found) {
    let seen = vec![real_claude_dir.join("projects")];
    let mut follower = Follower { claude_dir, real_claude_dir, seen, open: Vec::new(), found };
    follower.meet(&[]);
    while let Some(link) = follower.open.pop() {
        if let Err(error) = follower.resolve(&link) {
            follower.found.warnings.extend(Warning::of_io(&link.absolute, &error));
        }
    }
}

impl Follower<'_> {
    /// Lines up the links that the last walk met; the next one is at the end.
    fn meet(&mut self, way: &[PathBuf]) {
        let claude_dir = self.claude_dir;
        let links = self.found.links.drain(..);
        self.open.extend(links.map(|path| Link {
            absolute: claude_dir.join(&path),
            path,
            way: way.to_vec(),
        }));
        self.open.sort_by(|one, other| other.path.cmp(&one.path));
    }

    fn resolve(&mut self, link: &Link) -> io::Result<()> {
        let target = fs::canonicalize(&link.absolute)?;
        let metadata = fs::metadata(&target)?;
        let place = place_of(&link.path);
        if metadata.is_dir() && place != Place::File {
            return self.directory(link, target);
        } else if place == Place::Directory {
            self.found.warnings.push(not_a_directory(&link.absolute));
        } else if !metadata.is_file() {
            self.found.warnings.push(not_a_file(&link.absolute));
        } else if self.is_withheld(link, &target) {
            self.found.withheld.push(link.path.clone());
        } else if self.is_new(link, &target) {
            self.found.files.push(KeptFile::of(link.path.clone(), link.absolute.clone(), &metadata));
        }
        Ok(())
    }

    fn directory(&mut self, link: &Link, target: PathBuf) -> io::Result<()> {
        let place = fs::canonicalize(link.absolute.parent().unwrap_or(self.claude_dir))?;
        let mut way = link.way.clone();
        way.push(place);
        if way.iter().any(|place| place.starts_with(&target)) {
            let message = "the link leads back to a directory it stands in";
            self.found.warnings.push(Warning::new(&link.absolute, WarningKind::CyclicLink, message));
        } else if way.len() > DEPTH {
            let message = "a link behind this many others is not followed";
            self.found.warnings.push(Warning::new(&link.absolute, WarningKind::LinkedDirectory, message));
        } else if self.is_withheld(link, &target) {
            self.found.withheld.push(link.path.clone());
        } else if self.is_new(link, &target) {
            self.found.append(walk_tree(self.claude_dir, &link.path));
            self.meet(&way);
        }
        Ok(())
    }

    /// A link makes nothing keepable that is not so by its own name and place.
    fn is_withheld(&self, link: &Link, target: &Path) -> bool {
        let own_place = target.strip_prefix(self.real_claude_dir).map_or(Place::Any, place_of);
        let names = [link.path.file_name(), target.file_name()];
        own_place == Place::Nowhere
            || names.into_iter().flatten().any(|name| {
                is_secret(name) || is_temporary(name) || is_config(&link.path) && is_clutter(name)
            })
    }

    /// Whether this is not just another way to sessions that were found.
    fn is_new(&mut self, link: &Link, target: &Path) -> bool {
        let is_tree = link.path == Path::new("projects");
        if !is_tree && !is_of_sessions(&link.path) {
            return true;
        }
        let is_new = !self.seen.iter().any(|seen| target.starts_with(seen));
        if is_new {
            self.seen.push(target.to_owned());
        }
        is_new
    }
}
