//! Writes random sessions of every era into a folder, one file each, for fuzzers to start from.
//!
//! An agent's transcript stands behind its session's in the same file: after `\0agent:`, the id of the tool call that
//! its `.meta.json` names (or nothing), and a newline.

#![allow(clippy::expect_used, reason = "it serves the fuzzers, and says what it lacks")]

use std::path::PathBuf;

use steno_testkit::{Built, random_session};

const SEEDS: u64 = 60;

fn main() {
    let folder: PathBuf = std::env::args_os().nth(1).expect("a folder to write to").into();
    for seed in 0..SEEDS {
        let size = 1 + seed as usize % 25;
        let bytes = with_agents(&random_session(seed, size).build());
        std::fs::write(folder.join(format!("random-{seed}")), bytes).expect("a seed is written");
    }
}

fn with_agents(session: &Built) -> Vec<u8> {
    let mut bytes = session.bytes.clone();
    for agent in &session.agents {
        let tool = agent.meta.as_ref().and_then(|meta| meta["toolUseId"].as_str()).unwrap_or_default();
        bytes.extend(format!("\0agent:{tool}\n").bytes());
        bytes.extend(&agent.bytes);
    }
    bytes
}
