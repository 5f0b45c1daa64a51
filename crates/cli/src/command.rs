//! One file per verb: its arguments, its request, its human face.

pub(crate) mod check;
pub(crate) mod clone;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod dump;
pub(crate) mod export_config;
pub(crate) mod help;
pub(crate) mod hook;
pub(crate) mod import_config;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod peek;
pub(crate) mod purge;
pub(crate) mod relocate;
pub(crate) mod remote;
pub(crate) mod restore;
pub(crate) mod schedule;
pub(crate) mod search;
pub(crate) mod share;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod uninstall;
pub(crate) mod verify;
