//! A step of a script → the message that the API would send, whole or as a stream of events.

use serde_json::{Value, json};

use super::script::Act;

/// What every answer claims to have cost.
pub const INPUT_TOKENS: u64 = 11;
pub const OUTPUT_TOKENS: u64 = 23;
pub const CACHE_WRITE_TOKENS: u64 = 170;
pub const CACHE_READ_TOKENS: u64 = 1300;

/// The seal of a thought; the client only keeps it.
const SIGNATURE: &str = "c2VhbGVk";

/// A whole message; `number` makes its ids.
pub(super) fn whole(acts: &[Act], model: &Value, number: usize) -> Value {
    let content: Vec<Value> = acts.iter().enumerate().map(|(place, act)| block(act, number, place)).collect();
    let has_call = acts.iter().any(|act| matches!(act, Act::Use { .. }));
    json!({
        "id": format!("msg_mock{number:06}"), "type": "message", "role": "assistant", "model": model,
        "content": content, "stop_reason": if has_call { "tool_use" } else { "end_turn" },
        "stop_sequence": null, "usage": usage(),
    })
}

fn block(act: &Act, number: usize, place: usize) -> Value {
    match act {
        Act::Think(thought) => json!({ "type": "thinking", "thinking": thought, "signature": SIGNATURE }),
        Act::Say(text) => json!({ "type": "text", "text": text }),
        Act::Use { tool, input } => {
            let id = format!("toolu_mock{number:06}{place}");
            json!({ "type": "tool_use", "id": id, "name": tool, "input": input })
        }
    }
}

/// The same as a stream; the client cannot tell that it comes in one piece.
pub(super) fn events(message: &Value) -> String {
    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);
    let mut events = vec![json!({ "type": "message_start", "message": start })];
    for (index, block) in message["content"].as_array().into_iter().flatten().enumerate() {
        events.extend(block_events(index, block));
    }
    let delta = json!({ "stop_reason": message["stop_reason"], "stop_sequence": null });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": message["usage"] }));
    events.push(json!({ "type": "message_stop" }));
    events.iter().map(written).collect()
}

fn block_events(index: usize, block: &Value) -> Vec<Value> {
    let mut empty = block.clone();
    let deltas = match block["type"].as_str() {
        Some("text") => {
            empty["text"] = json!("");
            vec![json!({ "type": "text_delta", "text": block["text"] })]
        }
        Some("thinking") => {
            (empty["thinking"], empty["signature"]) = (json!(""), json!(""));
            let thought = json!({ "type": "thinking_delta", "thinking": block["thinking"] });
            vec![thought, json!({ "type": "signature_delta", "signature": block["signature"] })]
        }
        _ => {
            empty["input"] = json!({});
            vec![json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() })]
        }
    };
    let mut events = vec![json!({ "type": "content_block_start", "index": index, "content_block": empty })];
    let delta = |delta| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    events.extend(deltas.into_iter().map(delta));
    events.push(json!({ "type": "content_block_stop", "index": index }));
    events
}

fn written(event: &Value) -> String {
    let name = event["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {event}\n\n")
}

fn usage() -> Value {
    json!({
        "input_tokens": INPUT_TOKENS,
        "output_tokens": OUTPUT_TOKENS,
        "cache_creation_input_tokens": CACHE_WRITE_TOKENS,
        "cache_read_input_tokens": CACHE_READ_TOKENS,
        "cache_creation": { "ephemeral_5m_input_tokens": CACHE_WRITE_TOKENS, "ephemeral_1h_input_tokens": 0 },
        "service_tier": "standard",
    })
}
