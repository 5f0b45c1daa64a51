//! A remote that others use already → a vault on this machine.

use std::fs;
use std::path::Path;

use super::error::Error;
use super::exchange::{Exchange, Request};
use super::program::Git;
use super::repository::Repository;

impl Repository {
    /// Takes everything that is there, which may be nothing. If the remote knows the name `slug`, we are that
    /// machine come back, and have our files again; who is another one asks for [`Self::remote_slugs`] first.
    pub fn join(
        git: &Git,
        root: &Path,
        url: &str,
        slug: &str,
        request: Request<'_>,
    ) -> Result<(Self, Exchange), Error> {
        fs::create_dir_all(root).map_err(Error::file(root))?;
        let repository = Self::open_or_init(git, root, slug)?;
        repository.set_remote(url)?;
        let exchange = repository.take(request)?;
        Ok((repository, exchange))
    }
}
