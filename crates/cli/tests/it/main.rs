//! The tests of `cli` from outside, in one program, so that they are linked once.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod architecture;
mod browser;
mod check;
mod claude_backup;
mod client;
mod clone;
mod completion_words;
mod completions;
mod config_archive;
mod contract;
mod corpus;
mod diff;
mod doctor;
mod doctor_vault;
mod documented;
mod dump;
mod elsewhere;
mod errors;
mod help;
mod hook;
mod index;
mod killed;
mod list;
mod man;
mod manners;
mod memory;
mod nearest;
mod next;
mod openness;
mod original;
mod pager;
mod peek;
mod plugin;
mod purge;
mod relocate;
mod relocate_killed;
mod relocate_originals;
mod restore;
mod resume;
mod schedule;
mod schema;
mod search;
mod share;
mod show;
mod show_agents;
mod skill;
mod standin;
mod stats;
mod stats_kept;
mod status;
mod sync;
mod terminal;
mod uninstall;
mod verify;
mod watch;
