//! `steno share`: a page for others, and what must not be on it.

mod locked;
mod look_alikes;
mod marks;
mod media;
#[cfg(target_os = "linux")]
mod opening;
mod outputs;
mod page;
mod places;
mod planted;
