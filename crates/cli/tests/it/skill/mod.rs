//! The agents' skill and the program cannot drift apart: what the skill names exists, what exists is named in the skill
//! or left out for a reason, what it says of answers is true of real ones, it asks where the program says so, the hooks
//! run what there is, and all versions are one.

#[cfg(unix)]
mod answers;
#[cfg(unix)]
mod asking;
mod hooks;
mod named;
mod page;
#[cfg(unix)]
mod versions;
