//! Token counts as the client writes them → the same counts that the thorough reader would give, sooner.

use crate::wire::{CacheCreation, Count, ServerTools, Usage};

use super::strict::{checked, fields, put, text};

/// Counts that are all plain numbers, or null, and what follows them.
pub(super) fn read(json: &str) -> Option<(Option<Usage<'_>>, &str)> {
    if let Some(rest) = json.strip_prefix("null") {
        return Some((None, rest));
    }
    let (mut input, mut output, mut cache_read, mut cache_creation) = (None, None, None, None);
    let (mut by_lifetime, mut server_tools, mut speed, mut region) = (None, None, None, None);
    let rest = fields(json, |key, rest| match key {
        "input_tokens" => put(&mut input, count(rest)),
        "output_tokens" => put(&mut output, count(rest)),
        "cache_read_input_tokens" => put(&mut cache_read, count(rest)),
        "cache_creation_input_tokens" => put(&mut cache_creation, count(rest)),
        "cache_creation" => put(&mut by_lifetime, lifetimes(rest)),
        "server_tool_use" => put(&mut server_tools, tools(rest)),
        "speed" => put(&mut speed, text(rest)),
        "inference_geo" => put(&mut region, text(rest)),
        _ => checked(rest).map(|(_, rest)| rest),
    })?;
    let usage = Usage {
        input: input.unwrap_or_default(),
        output: output.unwrap_or_default(),
        cache_read: cache_read.unwrap_or_default(),
        cache_creation: cache_creation.unwrap_or_default(),
        by_lifetime: by_lifetime.flatten(),
        server_tools: server_tools.flatten(),
        speed: speed.flatten(),
        region: region.flatten(),
    };
    Some((Some(usage), rest))
}

fn tools(json: &str) -> Option<(Option<ServerTools<'_>>, &str)> {
    if let Some(rest) = json.strip_prefix("null") {
        return Some((None, rest));
    }
    let mut web_searches = None;
    let rest = fields(json, |key, rest| match key {
        "web_search_requests" => put(&mut web_searches, count(rest)),
        _ => checked(rest).map(|(_, rest)| rest),
    })?;
    Some((Some(ServerTools { web_searches: web_searches.unwrap_or_default() }), rest))
}

fn lifetimes(json: &str) -> Option<(Option<CacheCreation<'_>>, &str)> {
    if let Some(rest) = json.strip_prefix("null") {
        return Some((None, rest));
    }
    let (mut five_minutes, mut one_hour) = (None, None);
    let rest = fields(json, |key, rest| match key {
        "ephemeral_5m_input_tokens" => put(&mut five_minutes, count(rest)),
        "ephemeral_1h_input_tokens" => put(&mut one_hour, count(rest)),
        _ => checked(rest).map(|(_, rest)| rest),
    })?;
    let written = CacheCreation {
        five_minutes: five_minutes.unwrap_or_default(),
        one_hour: one_hour.unwrap_or_default(),
    };
    Some((Some(written), rest))
}

/// Digits of which no number can be too many, and no zero before others.
pub(super) fn count(json: &str) -> Option<(Count<'_>, &str)> {
    const LONGEST: usize = 18;
    let mut count = 0_u64;
    let mut length = 0;
    for digit in json.bytes().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit < 10) {
        length += 1;
        if length > LONGEST {
            return None;
        }
        count = count * 10 + u64::from(digit);
    }
    let is_plain = length == 1 || (length > 1 && !json.starts_with('0'));
    is_plain.then_some((Count::from(count), json.get(length..)?))
}
