//! As 2.0 does it: every block a record of its own.

use std::collections::HashSet;

use super::NO_RESPONSE;
use crate::predict::block;
use crate::predict::said::ChainRecord;

pub(super) fn prepare(said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let mut single: Vec<ChainRecord> = said.into_iter().flat_map(split).collect();
    let users = single.iter().filter(|said| said.is_user());
    let results = users.filter_map(|said| block::answered(said.content.first()?));
    let answered: HashSet<String> = results.map(str::to_owned).collect();
    single.retain(|said| !said.is_assistant() || said.calls().all(|call| answered.contains(call)));
    if single.last().is_some_and(ChainRecord::is_user) {
        single.push(ChainRecord::synthetic(NO_RESPONSE));
    }
    single
}

fn split(mut said: ChainRecord) -> Vec<ChainRecord> {
    if !said.is_user() && !said.is_assistant() {
        return vec![said];
    }
    // This is where it forgets that a text is an error of the API, and sends it.
    said.is_api_error = false;
    let content = std::mem::take(&mut said.content);
    content.into_iter().map(|block| ChainRecord { content: vec![block], ..said.clone() }).collect()
}
