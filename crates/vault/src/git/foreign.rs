//! A remote's newest commit → whether it is a vault's, or a repository for something else.

use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use super::root_file::{ATTRIBUTES, IGNORE};
use super::tree::Contents;

/// Names at the root of the original tool's directory.
const MARKS: [&str; 2] = ["projects", "manifest.json"];
/// How the names of files begin that hosts put into a new repository.
const GREETINGS: [&str; 3] = ["readme", "license", "licence"];

impl Repository {
    /// For a remote without a `vault.json`: sessions are not sent to a place that was made for something else, where
    /// others may read them.
    pub(super) fn refuse_foreign(&self, upstream: &ObjectId) -> Result<(), Error> {
        match strange(&self.contents(Some(upstream))?) {
            Some(name) => Err(Error::Refused {
                reason: format!(
                    "it is no vault, and not empty: it holds {name}; name a repository of its own"
                ),
            }),
            None => Ok(()),
        }
    }
}

/// The name of something that does not belong into a vault, where nothing says that it is one.
fn strange(contents: &Contents) -> Option<String> {
    let mut names = contents.root.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned());
    let is_vault = !contents.machines.is_empty() || names.clone().any(|name| MARKS.contains(&name.as_str()));
    let is_strange = |name: &String| {
        let small = name.to_lowercase();
        ![IGNORE, ATTRIBUTES].contains(&name.as_str()) && !GREETINGS.iter().any(|one| small.starts_with(one))
    };
    if is_vault { None } else { names.find(is_strange) }
}
