//! A request → the messages that were sent before the new prompt, in one spelling.
//!
//! What the client adds for the new turn is not told apart by any mark; it is known by its place: with the prompt, or
//! as the first block of the first message.

use serde_json::{Value, json};

const REMINDER: &str = "<system-reminder>";
/// How older clients introduce what they know of the project, before everything.
const LEADING: [&str; 2] = [REMINDER, "<available-deferred-tools>"];

/// The messages before `prompt`. Reminders beside the prompt, or at the very beginning, that are not `expected` were
/// made for this request.
pub fn sent_before(request: &Value, prompt: &str, expected: &[Value]) -> Vec<Value> {
    let mut sent: Vec<Value> = request["messages"].as_array().unwrap().iter().map(canonical).collect();
    // They carry options, and say nothing.
    sent.retain(|message| message["role"] != "system" || message["content"] != json!([]));
    trim_system(&mut sent, expected);
    let is_expected = |block: &Value| expected.iter().any(|message| blocks(message).contains(block));
    if let Some(first) = sent.iter_mut().find(|message| message["role"] == "user") {
        let is_fresh = |block: &Value| {
            let text = block["text"].as_str().unwrap_or_default();
            LEADING.iter().any(|lead| text.starts_with(lead)) && !is_expected(block)
        };
        let fresh = blocks(first).iter().take_while(|block| is_fresh(block) || is_expected(block)).count();
        retain(first, |place, block| place >= fresh || !is_fresh(block));
    }
    if let Some(last) = sent.iter_mut().rfind(|message| message["role"] == "user") {
        let is_prompt = |text: &str| text.trim_end_matches('\n') == prompt;
        let is_fresh = |text: &str| is_prompt(text) || text.starts_with(REMINDER);
        retain(last, |_, block| is_expected(block) || !block["text"].as_str().is_some_and(is_fresh));
    }
    sent.retain(|message| message["content"] != json!([]));
    sent
}

fn blocks(message: &Value) -> &[Value] {
    message["content"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn retain(message: &mut Value, keeps: impl Fn(usize, &Value) -> bool) {
    let kept = blocks(message).iter().enumerate().filter(|(place, block)| keeps(*place, block));
    message["content"] = kept.map(|(_, block)| block.clone()).collect();
}

/// The messages of the system follow the prompt, old and new in one.
fn trim_system(sent: &mut Vec<Value>, expected: &[Value]) {
    if sent.last().is_none_or(|last| last["role"] != "system") {
        return;
    }
    let last = sent.pop().unwrap();
    if let Some(known) = expected.last().filter(|message| message["role"] == "system") {
        let said = |message: &Value| blocks(message)[0]["text"].as_str().unwrap().to_owned();
        sent.push(if said(&last).starts_with(&said(known)) { known.clone() } else { last });
    }
}

/// Content as a list of blocks, without marks for the cache.
fn canonical(message: &Value) -> Value {
    let mut content = match &message["content"] {
        Value::String(text) => json!([{ "type": "text", "text": text }]),
        content => content.clone(),
    };
    content.as_array_mut().into_iter().flatten().for_each(unmark);
    json!({ "role": message["role"], "content": content })
}

fn unmark(block: &mut Value) {
    if let Some(fields) = block.as_object_mut() {
        fields.remove("cache_control");
        fields.remove("cache_reference");
    }
    if let Some(items) = block.get_mut("content").and_then(Value::as_array_mut) {
        items.iter_mut().filter_map(Value::as_object_mut).for_each(|item| drop(item.remove("cache_control")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        json!({ "type": "text", "text": text })
    }

    #[test]
    fn only_what_belongs_to_the_new_prompt_is_left_out() {
        let marked = json!({ "type": "text", "text": "hello", "cache_control": { "type": "ephemeral" } });
        let request = json!({ "messages": [
            { "role": "user", "content": [text("<system-reminder>fresh"), text("hello")] },
            { "role": "system", "content": [] },
            { "role": "assistant", "content": [marked] },
            { "role": "user", "content": [text("<system-reminder>old"), text("<system-reminder>new"), text("go on")] },
            { "role": "system", "content": "It is Monday." },
        ] });
        let expected = [
            json!({ "role": "user", "content": [text("hello")] }),
            json!({ "role": "assistant", "content": [text("hello")] }),
            json!({ "role": "user", "content": [text("<system-reminder>old")] }),
        ];
        assert_eq!(sent_before(&request, "go on", &expected), expected);
    }
}
