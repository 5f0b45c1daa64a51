//! What is fed to the engine is found again, and only that.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails should say where"
)]

mod asking;
mod changing;
mod damage;
mod ground;
mod passages;
