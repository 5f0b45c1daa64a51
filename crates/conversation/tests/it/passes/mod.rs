//! Sessions as each client wrote them → what each pass makes of them.

mod agent;
mod agent_link;
mod boundary;
mod chunk;
pub(crate) mod explaining;
mod line;
mod message;
mod ongoing;
mod pair;
mod plan;
pub(crate) mod reading;
mod review;
mod scope;
mod tail;
mod thread;
mod title;
mod usage;
mod warning;
mod words;
