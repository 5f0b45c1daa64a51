//! A session and the options of a clone → a plan over its records, and the records of the new session.
//!
//! Two readings. The first makes an [`Outline`]: of every record the few facts that decide what becomes of it. A
//! [`CloneOptions`] and the outline make a [`Plan`], which can be shown before anything is written. In the second reading a
//! [`CloneWriter`] turns each line into the one of the new session. Nothing here touches a file, the clock or chance: ids
//! and times are given. What was written is an outline again, and [`check()`] says whether a client resumes it.

pub mod check;
mod digest;
pub mod estimate;
mod line;
pub mod options;
pub mod outline;
pub mod plan;
pub mod predict;
pub mod rewrite;
pub mod write;

pub use check::check;
pub use digest::digest;
pub use line::{line_to, resumed_line};
pub use options::CloneOptions;
pub use outline::{Outline, OutlineBuilder};
pub use plan::{Plan, plan};
pub use write::{CloneWriter, Identity};
