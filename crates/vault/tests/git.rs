//! The vault as a git repository, with real git, real remotes and several machines.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

#[path = "git/exchange.rs"]
mod exchange;
#[path = "git/fault.rs"]
mod fault;
#[path = "git/github.rs"]
mod github;
#[path = "git/history.rs"]
mod history;
#[path = "git/hostile.rs"]
mod hostile;
#[path = "git/instant.rs"]
mod instant;
#[path = "git/outcome.rs"]
mod outcome;
#[path = "git/record.rs"]
mod record;
#[path = "git/rewrite.rs"]
mod rewrite;
#[path = "git/sealed.rs"]
mod sealed;
#[path = "git/store.rs"]
mod store;
#[cfg(unix)]
#[path = "git/store_fault.rs"]
mod store_fault;
#[path = "git/world.rs"]
mod world;
