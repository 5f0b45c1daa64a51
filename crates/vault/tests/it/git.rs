//! The vault as a git repository, with real git, real remotes and several machines.

mod encrypted;
mod fault;
mod github;
mod history;
mod hostile;
mod instant;
mod outcome;
mod record;
mod rewrite;
mod sync;
mod world;
