//! A step of a script → the message that the API would send, whole or as a stream of events.

use serde_json::{Value, json};

use super::script::Act;

/// What every answer claims to have cost.
pub const INPUT_TOKENS: u64 = 11;
pub const OUTPUT_TOKENS: u64 = 23;
pub const CACHE_WRITE_TOKENS: u64 = 170;
pub const CACHE_READ_TOKENS: u64 = 1300;

/// A whole message; `number` makes its ids.
pub(super) fn whole(act: &Act, model: &Value, number: usize) -> Value {
    let (block, stop_reason) = match act {
        Act::Say(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Act::Use { tool, input } => {
            let id = format!("toolu_mock{number:06}");
            (json!({ "type": "tool_use", "id": id, "name": tool, "input": input }), "tool_use")
        }
    };
    json!({
        "id": format!("msg_mock{number:06}"), "type": "message", "role": "assistant", "model": model,
        "content": [block], "stop_reason": stop_reason, "stop_sequence": null, "usage": usage(),
    })
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

fn block_events(index: usize, block: &Value) -> [Value; 3] {
    let mut empty = block.clone();
    let delta = if block["type"] == "text" {
        empty["text"] = json!("");
        json!({ "type": "text_delta", "text": block["text"] })
    } else {
        empty["input"] = json!({});
        json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() })
    };
    [
        json!({ "type": "content_block_start", "index": index, "content_block": empty }),
        json!({ "type": "content_block_delta", "index": index, "delta": delta }),
        json!({ "type": "content_block_stop", "index": index }),
    ]
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
