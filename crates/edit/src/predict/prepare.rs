//! A chain → the conversation that a client goes on with: broken ends mended, what was compacted left out.

mod newest;
mod v2_0;
mod v2_1;

use std::collections::HashSet;

use super::Client;
use super::block;
use super::said::ChainRecord;

/// What the model is made to say where a conversation ends with the user.
const NO_RESPONSE: &str = "No response requested.";
pub(super) use newest::model;

pub(super) const NO_CONTENT: &str = "(no content)";

pub(super) fn prepare(said: Vec<ChainRecord>, client: Client) -> Vec<ChainRecord> {
    match client {
        Client::V2_0 => after_compaction(v2_0::prepare(said)),
        Client::V2_1 => v2_1::without_seen_pictures(after_compaction(v2_1::prepare(said))),
        Client::Newest => newest::without_foreign_thinking(after_compaction(newest::prepare(said))),
    }
}

fn after_compaction(mut said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let boundary = said.iter().rposition(|said| said.is_boundary).unwrap_or(0);
    said.drain(..boundary);
    said
}

/// Calls that nothing answers.
fn unanswered(said: &[ChainRecord]) -> HashSet<String> {
    let blocks = || said.iter().filter(|said| said.is_list).flat_map(|said| &said.content);
    let answered: HashSet<&str> = blocks().filter_map(block::answered).collect();
    blocks().filter_map(block::call).filter(|call| !answered.contains(call)).map(str::to_owned).collect()
}

/// Whether it makes calls and none of them is answered.
fn is_all_unanswered(said: &ChainRecord, unanswered: &HashSet<String>) -> bool {
    said.is_answer() && said.calls().next().is_some() && said.calls().all(|call| unanswered.contains(call))
}

/// Without thinking that nothing else of its message follows.
fn without_lone_thinking(mut said: Vec<ChainRecord>, is_id_needed: bool) -> Vec<ChainRecord> {
    let speaks =
        |said: &&ChainRecord| said.is_answer() && said.content.iter().any(|block| !block::is_thinking(block));
    let spoken: HashSet<Option<String>> = said.iter().filter(speaks).map(|said| said.id.clone()).collect();
    said.retain(|said| {
        let only_thinks =
            said.is_answer() && !said.content.is_empty() && said.content.iter().all(block::is_thinking);
        !only_thinks || spoken.contains(&said.id) && !(is_id_needed && said.id.is_none())
    });
    said
}
