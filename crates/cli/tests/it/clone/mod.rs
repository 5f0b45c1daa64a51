//! `steno clone`: a new session beside the old one, which nobody touches.

#![cfg(unix)]
mod beside;
mod compress;
mod desk;
mod harm;
mod lineage;
mod plain;
mod wish;
