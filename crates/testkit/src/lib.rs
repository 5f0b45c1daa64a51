//! Everything that tests share: sessions as every era of the client wrote them, temporary homes for them, and a harness
//! that runs the program on such a home.
//!
//! It writes the format from its description and shares no code with the reader, so that a mistake in the reader
//! cannot hide behind the same mistake here.

// A test that cannot set up its surroundings should stop at the line that failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod app;
pub mod browser;
pub mod client;
mod clock;
mod corpus;
mod era;
mod executable;
pub mod fault;
mod home;
mod ids;
mod machine;
mod random;
mod rng;
#[cfg(feature = "s3")]
pub mod s3;
pub mod secrets;
mod session;
pub mod store;

pub use app::App;
pub use clock::{millis, timestamp, write_timestamp};
pub use corpus::{real_transcripts, transcript_bytes};
pub use era::Era;
pub use executable::executable;
pub use home::{Home, encode_project};
pub use ids::Made;
pub use machine::rename_machine;
pub use random::{random_session, random_text};
pub use rng::Rng;
pub use session::{
    Agent, AgentFile, AssistantMessage, Built, Compaction, Session, Team, ToolResult, ToolResultFile, Usage,
};
