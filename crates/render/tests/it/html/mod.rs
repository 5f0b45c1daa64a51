//! Sessions → pages, looked at tag by tag.

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
