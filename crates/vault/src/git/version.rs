//! A path → its bytes, as committed now, as the remote has them, and as they once were.

use std::path::Path;

use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;

impl Repository {
    /// A file as committed here, or else as the remote has it.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Option<Vec<u8>>, Error> {
        match self.present(path.as_ref())?.first() {
            Some(id) => self.bytes_of(id).map(Some),
            None => Ok(None),
        }
    }

    /// Every version of a file that a commit has: the one committed here, the remote's, and then all before, the
    /// newest first.
    pub fn versions(&self, path: impl AsRef<Path>) -> Result<Vec<ObjectId>, Error> {
        let path = path.as_ref();
        let mut versions = self.present(path)?;
        // A merge that took one side hides the other one, unless all of history is asked for.
        let arguments = ["log", "--all", "--full-history", "-m", "--raw", "--no-renames", "--no-abbrev"];
        let log = self.call(arguments.into_iter().chain(["--format=", "--", &name_of(path)?])).text()?;
        for id in log.lines().filter_map(|line| line.split(' ').nth(3)).filter_map(ObjectId::parse) {
            let is_nothing = id.as_str().bytes().all(|digit| digit == b'0');
            if !is_nothing && !versions.contains(&id) {
                versions.push(id);
            }
        }
        Ok(versions)
    }

    pub fn bytes_of(&self, version: &ObjectId) -> Result<Vec<u8>, Error> {
        self.call(["cat-file", "blob", version.as_str()]).bytes()
    }

    fn present(&self, path: &Path) -> Result<Vec<ObjectId>, Error> {
        let name = name_of(path)?;
        let mut found = Vec::new();
        for commit in [self.head()?, self.upstream()?].into_iter().flatten() {
            let version = self.resolve(&format!("{commit}:{name}"))?;
            found.extend(version.filter(|version| !found.contains(version)));
        }
        Ok(found)
    }
}

/// As git writes it.
fn name_of(path: &Path) -> Result<String, Error> {
    let text = path.to_str().ok_or_else(|| Error::NotOurs { path: path.to_owned() })?;
    Ok(text.replace(std::path::MAIN_SEPARATOR, "/"))
}
