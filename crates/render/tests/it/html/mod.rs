//! Sessions → pages, looked at tag by tag.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod agent;
mod corpus;
mod decision;
mod head;
mod hidden;
mod hostile;
mod look;
mod markdown;
mod plan;
mod policy;
mod reading;
mod tool;
